import RemodelKit
import Synchronization
import TestSupport
import Testing

/// What is done concurrently waits for the transactions of others, for as long as they take.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LateWaitTests {
  @Test
  func `an index waits for transactions of others without a limit, and says for which`()
    async throws
  {
    try await withPendingIndexes { configuration, url in
      let reader = try openTransaction(url)
      let pid = reader.backendPID
      let told = Mutex<[Blocker]>([])
      let remodel = Remodel(configuration) { event in
        guard case .waitingForOthers(let blockers) = event else { return }
        let isFirst = told.withLock { told in
          defer { told += blockers }
          return told.isEmpty
        }
        guard isFirst, let connection = try? PostgresConnection(to: .url(url)) else { return }
        // Longer than locks are waited for.
        _ = try? connection.query("SELECT pg_sleep(4)")
        _ = try? connection.query("SELECT pg_terminate_backend(\(SQLLiteral.integer(Int64(pid))))")
      }

      let report = try await remodel.finish(.url(url))

      #expect(Set(report.done.map(\.work.object.name)) == ["book_title_idx", "book_note_idx"])
      #expect(try indexes(url) == ["book_title_idx true"])
      let first = told.withLock(\.first)
      let blocker = try #require(first)
      #expect(blocker.pid == pid)
      #expect(blocker.query == "SELECT title FROM public.book WHERE title = … OR pages = …")
      _ = reader.transactionStatus
    }
  }

  @Test(arguments: [true, false])
  func `an interruption ends the wait at once`(isEarly: Bool) async throws {
    try await withPendingIndexes { configuration, url in
      let reader = try openTransaction(url)
      let interruption = Interruption()
      var configuration = configuration
      if isEarly {
        configuration.copySettings.failpoints = Failpoints { name, _ in
          if name == "late.before_statement" { interruption.interrupt(signal: 15) }
        }
      }
      let remodel = Remodel(configuration, interruption: interruption) { event in
        if case .waitingForOthers = event { interruption.interrupt(signal: 15) }
      }
      let clock = ContinuousClock()
      let begin = clock.now

      let error = await #expect(throws: ExecutionError.self) {
        try await remodel.finish(.url(url))
      }

      #expect(error?.fact == .interrupted(signal: 15))
      #expect(begin.duration(to: clock.now) < .seconds(15))
      try reader.execute("COMMIT")
      configuration.copySettings.failpoints = Failpoints()
      _ = try await Remodel(configuration).finish(.url(url))
      #expect(try indexes(url) == ["book_title_idx true"])
    }
  }

  @Test
  func `the wait for a locked table has a limit`() async throws {
    try await withPendingIndexes { configuration, url in
      let other = try PostgresConnection(to: .url(url))
      try other.execute("BEGIN; LOCK TABLE public.book IN SHARE MODE")

      let error = await #expect(throws: ExecutionError.self) {
        try await Remodel(configuration).finish(.url(url))
      }

      guard case .lockNotAvailable(_, let blockers) = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(blockers.map(\.pid) == [other.backendPID])
      #expect(try indexes(url) == ["book_note_idx true"])
    }
  }

  // MARK: - The databases

  private func openTransaction(_ url: String) throws -> PostgresConnection {
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    try connection.query("SELECT title FROM public.book WHERE title = 'secret' OR pages = 4711")
    return connection
  }

  private func indexes(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT c.relname || ' ' || i.indisvalid AS row FROM pg_index i \
      JOIN pg_class c ON c.oid = i.indexrelid \
      WHERE i.indrelid = 'public.book'::regclass AND c.relname LIKE '%_idx' ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }

  /// One index to be made and one to be dropped.
  private func withPendingIndexes(
    _ body: (RemodelConfiguration, String) async throws -> Void
  ) async throws {
    let versions = ["byNote: [note]", "byTitle: [title]"].map { index in
      """
      remodel: 1
      entities:
        Book:
          attributes: { title: string, pages: integer32?, note: string? }
          indexes: { \(index) }
      """
    }
    try await withBundle(versions) { bundle in
      var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .online)
      configuration.takesTablesForLarge = true
      configuration.lockRetryFor = .seconds(1)
      try await TestServer.withDatabase { url in
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("INSERT INTO public.book (title, pages) VALUES ('Emma', 3)")
        _ = try await remodel.migrate(.url(url), to: "2")
        try await body(configuration, url)
      }
    }
  }
}
