import MigrationPlanning
import PostgresClient
import SQLSyntax
import Synchronization
import TestSupport
import Testing

@testable import MigrationExecution

/// Jobs on a server that nothing disturbs.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CopyJobTests {
  @Test(arguments: [CopyStrategy.gated, .online], [1, 3])
  func `a job copies, compares and brings the tables to their places`(
    strategy: CopyStrategy,
    workers: Int
  ) async throws {
    let sample = try CopyJobSample(strategy)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 2_000)
      let expected = try sample.expectedRows(url)

      let result = try sample.run(url, CopyJobSample.settings(workers: workers))

      #expect(result == .committed)
      #expect(try sample.rows(url) == expected)
      #expect(try sample.remains(url) == [])
      let job = try #require(try sample.job(url))
      #expect(job.state == .finished)
      #expect(job.progress.chunksDone == job.progress.chunksTotal)
      // As many members of the map, and authors, as there are books and names.
      #expect(job.progress.rowsCopied >= 2_000 + 2_000 + 97)
      let connection = try PostgresConnection(to: .url(url))
      let presence = try MetadataStore(sample.store).presence(connection)
      guard case .store(let record) = presence else {
        Issue.record("no store")
        return
      }
      #expect(record.versionName == "2")
    }
  }

  @Test
  func `what writers do meanwhile is in the tables at the end`() async throws {
    let sample = try CopyJobSample(.online)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 3_000)
      let writer = BookWriter(url, seed: 7)
      let expected = Mutex<[String]>([])
      let failpoints = Failpoints { name, _ in
        switch name {
        case "start.after_commit": writer.start()
        // Their last writes are left to the last transactions.
        case "verified.before_commit":
          try writer.stop()
          let rows = try sample.expectedRows(url)
          expected.withLock { $0 = rows }
        default: break
        }
      }

      let result = try sample.run(url, CopyJobSample.settings(chunkRows: 20, failpoints))

      #expect(result == .committed)
      #expect(writer.count > 20)
      #expect(try sample.rows(url) == expected.withLock(\.self))
    }
  }

  @Test
  func `writers are turned away with a reason, and readers are not`() async throws {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 200)
      let refusal = Mutex<PostgresError?>(nil)
      let failpoints = Failpoints { name, _ in
        guard name == "start.after_commit" else { return }
        let other = try PostgresConnection(to: .url(url))
        #expect(try other.query("SELECT count(*) FROM public.book").value == "200")
        do {
          try other.execute("UPDATE public.book SET pages = 1")
        } catch let error as PostgresError {
          refusal.withLock { $0 = error }
        }
      }

      _ = try sample.run(url, CopyJobSample.settings(failpoints))

      #expect(refusal.withLock(\.self)?.sqlState == "57M01")
      let other = try PostgresConnection(to: .url(url))
      #expect(try other.execute("UPDATE public.book SET pages = 1") == 200)
    }
  }

  @Test
  func `a row that cannot be copied is found, and the rest stays copied`() async throws {
    let broken = try CopyJobSample(.online, title: "(1 / (b._id - 777))::text")
    try await TestServer.withDatabase { url in
      try broken.prepare(url, rows: 2_000)

      let error = #expect(throws: ExecutionError.self) { try broken.run(url) }

      guard case .rowNotCopied(let server, let mapping, let table, let key) = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(key == "777" && mapping == "BookToBook" && table == "book")
      #expect(server.sqlState == "22012")
      #expect(try broken.job(url)?.lastError != nil)
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("DELETE FROM public.book WHERE _id = 777")
      #expect(try broken.run(url) == .committed)
      #expect(try connection.query("SELECT count(*) FROM public.book").value == "1999")
    }
  }

  @Test
  func `of two migrators one does the work and the other finds it done`() async throws {
    let sample = try CopyJobSample(.online)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 500)
      let expected = try sample.expectedRows(url)

      async let first = onThread { try sample.run(url) }
      async let second = onThread { try sample.run(url) }
      let results = try await [first, second]

      #expect(Set(results) == [.committed, .superseded])
      #expect(try sample.rows(url) == expected)
      let connection = try PostgresConnection(to: .url(url))
      #expect(try connection.query("SELECT count(*) FROM remodel.job").value == "1")
    }
  }

  @Test
  func `an owner that hangs is dismissed, and writes nothing when it wakes up`() async throws {
    let sample = try CopyJobSample(.online)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 500)
      let expected = try sample.expectedRows(url)
      let isHanging = Flag()
      let isAwake = Flag()
      let hanging = CopyJobSample.settings(
        Failpoints { name, _ in
          guard name == "chunk.before_commit", !isAwake.isSet else { return }
          isHanging.set()
          isAwake.block()
        }
      )
      let zombie = Task { try await onThread { try sample.run(url, hanging) } }
      try await isHanging.wait()
      var impatient = CopyJobSample.settings()
      impatient.silence = 0.3

      #expect(try sample.run(url, impatient) == .committed)
      isAwake.set()

      #expect(try await zombie.value == .superseded)
      #expect(try sample.rows(url) == expected)
    }
  }

  @Test
  func `a transaction of an earlier epoch is not committed`() async throws {
    let sample = try CopyJobSample(.online)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 500)
      let wasFenced = Flag()
      let failpoints = Failpoints { name, connection in
        guard name == "chunk.begin", wasFenced.set() else { return }
        let other = try PostgresConnection(to: .url(url))
        try other.execute("UPDATE remodel.job SET epoch = epoch + 1")
      }

      let error = #expect(throws: ExecutionError.self) {
        try sample.run(url, CopyJobSample.settings(failpoints))
      }

      guard case .jobUnfinished(_, .takenOver) = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(try sample.job(url)?.progress.rowsCopied == 0)
      #expect(try sample.run(url) == .committed)
    }
  }

  @Test
  func `a table that is altered meanwhile ends the job, which continues when that is undone`()
    async throws
  {
    let sample = try CopyJobSample(.online)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 500)
      let hasChanged = Flag()
      let failpoints = Failpoints { name, _ in
        guard name == "chunk.after_commit", hasChanged.set() else { return }
        let other = try PostgresConnection(to: .url(url))
        try other.execute("ALTER TABLE public.book DISABLE TRIGGER \"~remodel_row\"")
      }

      let error = #expect(throws: ExecutionError.self) {
        try sample.run(url, CopyJobSample.settings(failpoints))
      }

      #expect(error?.fact == .sourceChanged(table: "book"))
      let other = try PostgresConnection(to: .url(url))
      try other.execute("ALTER TABLE public.book ENABLE ALWAYS TRIGGER \"~remodel_row\"")
      #expect(try sample.run(url) == .committed)
    }
  }

  @Test
  func `a copy that differs from what it is to be does not come to its place`() async throws {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 500)
      let failpoints = Failpoints { name, _ in
        guard name == "index.after_commit" else { return }
        let other = try PostgresConnection(to: .url(url))
        try other.execute("UPDATE staging.book SET pages = pages + 1 WHERE _id = 33")
      }

      let error = #expect(throws: ExecutionError.self) {
        try sample.run(url, CopyJobSample.settings(failpoints))
      }

      #expect(error?.fact == .copyDiffers(table: "book", units: ["33"]))
      let expected = try sample.expectedRows(url)
      try sample.cancel(url)
      #expect(try sample.expectedRows(url) == expected)
      #expect(try sample.remains(url) == [])
    }
  }

  @Test
  func `ranges that lie side by side are compared together`() async throws {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 2_000)
      let comparisons = Mutex(0)
      let failpoints = Failpoints { name, _ in
        if name == "compare.before_commit" { comparisons.withLock { $0 += 1 } }
      }

      let result = try sample.run(url, CopyJobSample.settings(chunkRows: 10, failpoints))

      #expect(result == .committed)
      let chunks = try #require(try sample.job(url)).progress.chunksDone
      #expect(comparisons.withLock(\.self) < chunks / 4, "of \(chunks)")
      let connection = try PostgresConnection(to: .url(url))
      let isVerified = try connection.query(
        "SELECT bool_and(verified) FROM remodel.job_chunk WHERE name LIKE '% to book'"
      )
      #expect(isVerified.value == "t")
    }
  }

  @Test(arguments: [false, true])
  func `a waiting job is shown with its owner, and cancelled at once`(
    isPaused: Bool
  ) async throws {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 500)
      let before = try sample.expectedRows(url)
      var settings = CopyJobSample.settings(chunkRows: 10)
      if !isPaused { settings.throttleQuery = "SELECT 1" }
      let isWaiting = Flag()
      let waiting = settings
      let owner = Task {
        try await onThread {
          try sample.run(url, waiting) { event in
            if case .throttled = event { isWaiting.set() }
            guard isPaused, case .jobMoved(.copying) = event else { return }
            let connection = try? PostgresConnection(to: .url(url))
            _ = try? connection?.execute("UPDATE remodel.job SET paused = true")
          }
        }
      }
      try await isWaiting.wait()
      let isOwned = try sample.job(url)?.isOwnerConnected
      let begin = ContinuousClock.now

      try sample.cancel(url)

      #expect(isOwned == true)
      // It looks once a second whether it is still the owner.
      #expect(begin.duration(to: .now) < .seconds(20))
      let error = await #expect(throws: ExecutionError.self) { try await owner.value }
      guard case .jobCancelled = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(try sample.expectedRows(url) == before)
      #expect(try sample.remains(url) == [])
    }
  }

  @Test
  func `a session that cancels a job owns it only when the former owner has noticed`() async throws
  {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 100)
      let shown = Mutex<Bool?>(nil)
      let failpoints = Failpoints { name, connection in
        guard name == "chunk.after_commit", shown.withLock({ $0 == nil }) else { return }
        let process = connection.backendPID
        let other = try PostgresConnection(to: .url(url))
        try other.execute(CopyJobStatements(sample.store).abortion(sample.job(url)?.id ?? ""))
        let job = try sample.job(url)
        shown.withLock { $0 = job?.ownerPID == process && job?.isOwnerConnected == true }
      }

      #expect(throws: ExecutionError.self) {
        try sample.run(url, CopyJobSample.settings(chunkRows: 10, failpoints))
      }

      #expect(shown.withLock(\.self) == true)
      try sample.cancel(url)
      #expect(try sample.remains(url) == [])
    }
  }

  @Test
  func `another plan does not go on with a job, and a paused one waits to be resumed`()
    async throws
  {
    let sample = try CopyJobSample(.online)
    let other = try CopyJobSample(.online, title: "lower(b.title)")
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 500)
      let interruption = Interruption()
      let failpoints = Failpoints { name, _ in
        if name == "chunk.after_commit" { interruption.interrupt(signal: 15) }
      }

      let ended = #expect(throws: ExecutionError.self) {
        try sample.run(url, interruption: interruption, CopyJobSample.settings(failpoints))
      }
      let refused = #expect(throws: ExecutionError.self) { try other.run(url) }
      let connection = try PostgresConnection(to: .url(url))
      let control = CopyJobControl(
        of: sample.store,
        settings: sample.execution(url).settings,
        interruption: Interruption()
      )
      try control.setPaused(true, try control.job(nil, connection), connection)
      let paused = #expect(throws: ExecutionError.self) { try sample.run(url) }
      try control.setPaused(false, try control.job(nil, connection), connection)

      #expect(ended?.fact == .interrupted(signal: 15))
      guard case .jobUnfinished(_, .otherPlan) = refused?.fact,
        case .jobUnfinished(_, .paused) = paused?.fact
      else {
        Issue.record("\(refused as Any) \(paused as Any)")
        return
      }
      #expect(try sample.run(url) == .committed)
    }
  }
}
