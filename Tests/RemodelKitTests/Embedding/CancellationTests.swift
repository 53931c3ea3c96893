import Dispatch
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// The end of a task in which a migration runs.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CancellationTests {
  private static let versions = ["", ", isbn: string?"].map { attributes in
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string\(attributes) } }
    """
  }

  /// Calls a function with a database at the first version, in which another session has locked a
  /// table.
  private func withLockedTable(
    _ remodel: Remodel,
    _ body: (String, LockHolder) async throws -> Void
  ) async throws {
    try await TestServer.withDatabase { url in try await withLockedTable(remodel, url, body) }
  }

  private func withLockedTable(
    _ remodel: Remodel,
    _ url: String,
    _ body: (String, LockHolder) async throws -> Void
  ) async throws {
    _ = try await remodel.migrate(.url(url), to: "1")
    let holder = LockHolder("LOCK TABLE public.book IN ACCESS SHARE MODE", url)
    holder.take()
    do {
      try await body(url, holder)
    } catch {
      holder.release()
      throw error
    }
    holder.release()
  }

  /// Gives one more database to a function.
  ///
  /// Tests that wait for a second one of the server's could wait for each other.
  private func withDatabase(
    beside url: String,
    _ body: (String) async throws -> Void
  ) async throws {
    let connection = try PostgresConnection(to: .url(url))
    let name = connection.databaseName
    let other = SQLIdentifier("\(name)_other")
    try connection.execute("CREATE DATABASE \(other) TEMPLATE template0")
    do {
      try await body(url.replacing("///\(name)?", with: "///\(name)_other?"))
    } catch {
      try connection.execute("DROP DATABASE \(other) WITH (FORCE)")
      throw error
    }
    try connection.execute("DROP DATABASE \(other) WITH (FORCE)")
  }

  /// Waits until a migration waits for a lock.
  private func waitForLock(_ url: String) async throws {
    try await wait(
      for: """
        SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE NOT l.granted AND d.datname = current_database()
        """,
      at: url
    )
  }

  @Test
  func `a migration that waits for a lock ends with its task, and another one does it`()
    async throws
  {
    try await withBundle(Self.versions) { bundle in
      let remodel = Remodel(
        RemodelConfiguration(
          modelsPath: bundle,
          lockTimeout: .seconds(7_200),
          lockRetryFor: .seconds(7_200)
        )
      )
      try await withLockedTable(remodel) { url, holder in
        let task = Task { try await remodel.migrate(.url(url)) }
        try await waitForLock(url)

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await remodel.status(.url(url)).version?.name == "1")
        holder.release()
        #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
      }
    }
  }

  @Test
  func `the end of one task leaves what another one does with the same front door`() async throws {
    try await withBundle(Self.versions) { bundle in
      let remodel = Remodel(
        RemodelConfiguration(
          modelsPath: bundle,
          lockTimeout: .seconds(7_200),
          lockRetryFor: .seconds(7_200)
        )
      )
      try await withLockedTable(remodel) { url, _ in
        try await withDatabase(beside: url) { other in
          try await withLockedTable(remodel, other) { otherURL, otherHolder in
            let task = Task { try await remodel.migrate(.url(url)) }
            let other = Task { try await remodel.migrate(.url(otherURL)) }
            try await waitForLock(url)
            try await waitForLock(otherURL)

            task.cancel()

            await #expect(throws: CancellationError.self) { try await task.value }
            otherHolder.release()
            #expect(try await other.value.outcome == .migrated)
          }
        }
      }
    }
  }

  @Test(arguments: [CopyStrategy.locked, .gated, .online])
  func `a migration that copies ends with its task, and another one continues`(
    strategy: CopyStrategy
  ) async throws {
    try await LibraryCopy(strategy).withDatabase { sample, url in
      try PostgresConnection(to: .url(url)).execute(
        "INSERT INTO public.book (title) SELECT 'Volume ' || i FROM generate_series(1, 5000) AS i"
      )
      let holder = LockHolder("LOCK TABLE public.book IN ACCESS EXCLUSIVE MODE", url)
      holder.take()
      let migration = sample.remodel().migration(of: .url(url))
      try await waitForLock(url)

      migration.cancel()

      await #expect(throws: CancellationError.self) { try await migration.report }
      holder.release()
      #expect(try await sample.remodel().migrate(.url(url)).outcome == .migrated)
      let count = try PostgresConnection(to: .url(url)).query(
        "SELECT count(*) FROM public.book WHERE initial = 'V'"
      )
      #expect(count.value == "5000")
      #expect(try await sample.remodel().verify(.url(url), asksRows: true).isClean)
    }
  }

  @Test
  func `a copy job that is cancelled between its ranges continues where it was`() async throws {
    try await LibraryCopy(.online).withDatabase { sample, url in
      let isReached = DispatchSemaphore(value: 0)
      let goesOn = DispatchSemaphore(value: 0)
      let remodel = sample.remodel(
        Failpoints { name, _ in
          guard name == "chunk.after_commit" else { return }
          isReached.signal()
          goesOn.wait()
        }
      )
      let migration = remodel.migration(of: .url(url))
      try await onThread { isReached.wait() }
      migration.cancel()
      // Every range is reported.
      for _ in 0..<100 { goesOn.signal() }

      await #expect(throws: CancellationError.self) { try await migration.report }
      let job = try #require(await remodel.jobs(.url(url)).last)
      #expect(!job.state.isEnded)
      #expect(try await sample.remodel().migrate(.url(url)).outcome == .migrated)
      #expect(try await remodel.jobs(.url(url)).map(\.id) == [job.id])
    }
  }

  @Test
  func `a call in a task that has ended does nothing`() async throws {
    try await withBundle(Self.versions) { bundle in
      let remodel = Remodel(models: bundle)
      try await TestServer.withDatabase { url in
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await remodel.migrate(.url(url))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        let status = try await remodel.status(.url(url))
        #expect(status.version == nil)
      }
    }
  }

  @Test
  func `a wait for the server ends with its task`() async throws {
    try await withBundle(Self.versions) { bundle in
      let remodel = Remodel(models: bundle, wait: .seconds(7_200))
      let task = Task { try await remodel.migrate(.url("postgresql://127.0.0.1:1/none")) }
      try await Task.sleep(for: .milliseconds(100))

      task.cancel()

      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test
  func `a check that waits for the version ends with its task`() async throws {
    try await withBundle(Self.versions) { bundle in
      let remodel = Remodel(models: bundle)
      try await TestServer.withDatabase { url in
        let task = Task { try await remodel.check(.url(url), untilCurrent: .seconds(300)) }
        try await Task.sleep(for: .milliseconds(100))

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
      }
    }
  }
}
