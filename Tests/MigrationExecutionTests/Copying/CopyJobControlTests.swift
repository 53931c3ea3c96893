import Diagnostics
import MigrationPlanning
import PostgresClient
import SQLSyntax
import Synchronization
import TestSupport
import Testing

@testable import MigrationExecution

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Requests of others to a running job, and reports about one that stays behind.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CopyJobControlTests {
  /// A step whose rows take five milliseconds each.
  private func slowSample(_ strategy: CopyStrategy = .gated) throws -> CopyJobSample {
    try CopyJobSample(strategy, title: "upper(b.title) || pg_sleep(0.005)::text")
  }

  private func control(_ sample: CopyJobSample, _ url: String) -> CopyJobControl {
    CopyJobControl(
      of: sample.store,
      settings: sample.execution(url).settings,
      copySettings: CopyJobSample.settings(),
      interruption: Interruption()
    )
  }

  private func setPaused(_ isPaused: Bool, _ sample: CopyJobSample, _ url: String) throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let control = control(sample, url)
    try control.setPaused(isPaused, try control.job(nil, connection), connection)
  }

  @Test
  func `many workers let those in who pause a job or take it back`() async throws {
    let sample = try slowSample()
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 6_000)
      let isCopying = Flag()
      let owner = Task {
        try await onThread {
          try sample.run(url, CopyJobSample.settings(chunkRows: 20, workers: 6)) { event in
            guard case .copied(let progress) = event, progress.part == "BookToBook to book" else {
              return
            }
            isCopying.set()
          }
        }
      }

      try await onThread {
        isCopying.block()
        try setPaused(true, sample, url)
      }

      let paused = try #require(try sample.job(url))
      #expect(paused.isPaused && paused.state == .copying)
      #expect(paused.progress.chunksDone < paused.progress.chunksTotal)
      // All workers are at it again when the job is taken back.
      try await onThread {
        try setPaused(false, sample, url)
        sleep(2)
        try sample.cancel(url)
      }

      #expect(try sample.job(url)?.state == .aborted)
      let error = await #expect(throws: ExecutionError.self) { try await owner.value }
      guard case .jobCancelled = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(try sample.remains(url) == [])
    }
  }

  @Test
  func `a job that is paused before it ends reads no table`() async throws {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 100)
      let pauses = Mutex(0)
      let validations = Mutex<[Int]>([])
      let failpoints = Failpoints { name, _ in
        if name == "cutover.after_commit" { try setPaused(true, sample, url) }
        let count = pauses.withLock(\.self)
        if name == "validate.begin" { validations.withLock { $0.append(count) } }
      }

      let result = try sample.run(url, CopyJobSample.settings(failpoints)) { event in
        guard case .throttled(.paused, _) = event else { return }
        let count = pauses.withLock { count in
          count += 1
          return count
        }
        if count == 2 { try? setPaused(false, sample, url) }
      }

      #expect(result == .committed)
      #expect(validations.withLock(\.self) == [2])
      #expect(try sample.hasValidated(url))
    }
  }

  /// The owner of a lock, and the requests to the job meanwhile.
  enum Wish: CaseIterable {
    case validation, triggerRemoval, schemaRemoval

    /// The blocking lock, and its table.
    var lock: (sql: SQLFragment, table: String) {
      switch self {
      case .validation: ("LOCK TABLE public.author IN SHARE MODE", "author")
      case .triggerRemoval: ("LOCK TABLE public.book IN ACCESS SHARE MODE", "book")
      case .schemaRemoval: ("LOCK TABLE staging.author IN ACCESS SHARE MODE", "author")
      }
    }
  }

  @Test(arguments: Wish.allCases)
  func `control over a job that does not get its locks reports their owners`(
    wish: Wish
  ) async throws {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 100)
      let end = wish == .validation ? "cutover.after_commit" : "copied.before_commit"
      let failpoints = Failpoints { name, _ in
        if name == end { throw PostgresError(.server, "the test ends here") }
      }
      #expect(throws: (any Error).self) {
        try sample.run(url, CopyJobSample.settings(failpoints))
      }
      let holder = try PostgresConnection(to: .url(url))
      try holder.execute("BEGIN; \(wish.lock.sql)")
      let control = CopyJobControl(
        of: sample.store,
        settings: StepExecution.Settings(
          lockTimeout: .milliseconds(100),
          lockRetryFor: .milliseconds(300),
          waitForMigrationLock: .seconds(5)
        ),
        interruption: Interruption()
      )
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()

      let error = #expect(throws: ExecutionError.self) {
        if wish == .validation {
          try control.settle(connection)
        } else {
          try control.cancel(control.job(nil, connection), connection)
        }
      }

      guard case .lockNotAvailable(_, let blockers) = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(blockers.map(\.pid) == [holder.backendPID])
      #expect(blockers.map(\.table) == [wish.lock.table])
      try holder.execute("ROLLBACK")
      if wish == .validation {
        try control.settle(connection)
        #expect(try sample.hasValidated(url))
      } else {
        try control.cancel(control.job(nil, connection), connection)
        #expect(try sample.remains(url) == [])
      }
    }
  }

  @Test(arguments: ["SELECT 1 / 0", "SELECT 'x'::integer", "SELECT * FROM public.nowhere"])
  func `what is wrong with the throttle's query is not said of rows`(
    query: String
  ) async throws {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 100)
      var settings = CopyJobSample.settings()
      settings.throttleQuery = query

      let error = #expect(throws: ExecutionError.self) { try sample.run(url, settings) }

      let diagnostic = try #require(error?.diagnostics.first)
      #expect("\(diagnostic)".contains("--throttle-query"))
      #expect(try sample.job(url)?.state == .copying)
      #expect(try sample.run(url) == .committed)
    }
  }

  @Test
  func `the throttle's query writes nothing`() async throws {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 100)
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE TABLE public.written (a int)")
      var settings = CopyJobSample.settings()
      settings.throttleQuery = "INSERT INTO public.written VALUES (1) RETURNING 0"

      let error = #expect(throws: ExecutionError.self) { try sample.run(url, settings) }

      #expect(error?.diagnostics.first?.sqlState == "25006")
      #expect(try connection.query("SELECT count(*) FROM public.written").value == "0")
      settings.throttleQuery = "SELECT 0"
      #expect(try sample.run(url, settings) == .committed)
    }
  }

  @Test(arguments: [CopyStrategy.gated, .online])
  func `an error that leaves a job which refuses writes says how to end it`(
    strategy: CopyStrategy
  ) async throws {
    let sample = try CopyJobSample(strategy, title: "(1 / (b._id - 77))::text")
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 100)
      let interruption = Interruption()
      let isInterrupted = Flag()

      let failed = #expect(throws: ExecutionError.self) { try sample.run(url) }
      try setPaused(true, sample, url)
      let paused = #expect(throws: ExecutionError.self) { try sample.run(url) }
      try setPaused(false, sample, url)
      let interrupted = #expect(throws: ExecutionError.self) {
        try sample.run(url, interruption: interruption) { event in
          guard case .jobStarted = event else { return }
          isInterrupted.set()
          interruption.interrupt(signal: 15)
        }
      }

      #expect(isInterrupted.isSet)
      let id = try #require(try sample.job(url)?.id)
      for error in [failed, paused, interrupted] {
        let text = error?.diagnostics.map { "\($0)" }.joined() ?? ""
        #expect(
          text.contains("continues to refuse writes") == (strategy == .gated)
            && (text.contains("remodel job cancel \(id)") || strategy == .online),
          "\(text)"
        )
      }
    }
  }

  @Test
  func
    `the throttle's query is waited for without end, and a job that is taken back meanwhile ends`()
    async throws
  {
    let sample = try CopyJobSample(.gated)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 500)
      var settings = CopyJobSample.settings(chunkRows: 10)
      settings.throttleQuery = "SELECT 1"
      settings.longestRest = 0.5
      let looks = Mutex(0)
      let waiting = settings
      let owner = Task {
        try await onThread {
          try sample.run(url, waiting) { event in
            if case .throttled(.query, _) = event { looks.withLock { $0 += 1 } }
          }
        }
      }

      while looks.withLock(\.self) < 4 { try await Task.sleep(for: .milliseconds(20)) }

      #expect(try sample.job(url)?.progress.chunksDone == 1)
      try sample.cancel(url)
      let error = await #expect(throws: ExecutionError.self) { try await owner.value }
      guard case .jobCancelled = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
    }
  }

  @Test
  func `a role that may not cancel another role's statements waits for them`() async throws {
    let sample = try CopyJobSample(.gated)
    try await withRole("copy_job_onlooker") { role, url, login in
      let owner = try PostgresConnection(to: .url(url))
      try owner.prepareSession()
      let onlooker = try PostgresConnection(to: .url(login))

      try CopyJobQueue(sample.store).cancelOthers(owner: owner.backendPID, onlooker)

      let warning = try CopyJobWarning.ofHiddenSessions(onlooker)
      #expect(warning == .othersAreHidden(role: role))
      #expect(warning?.diagnostic.hint == "GRANT pg_read_all_stats TO \(role.quoted);")
      #expect(try CopyJobWarning.ofHiddenSessions(owner) == nil)
    }
  }
}
