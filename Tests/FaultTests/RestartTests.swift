import RemodelKit
import Synchronization
import TestSupport
import Testing

/// A migration waits for a server that restarts, and continues to its end.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RestartTests {
  /// How a migration does its work.
  enum Way: String, CaseIterable, Sendable {
    case ddl, locked, gated, online, phases
  }

  @Test(arguments: RandomCases.one(in: 2, of: Way.allCases))
  func `a restart at any place is waited out`(way: Way) async throws {
    let server = try await RestartingServer()
    defer { withExtendedLifetime(server) {} }
    try await withBundle(Self.versions(way), mappings: Self.mappings(way)) { bundle in
      let distances =
        switch way {
        // Statements that are sent together have few places.
        case .ddl: 1...3
        case .locked, .phases: 8...16
        case .gated, .online: 16...28
        }
      try await ServerRestart.expectSameEnd(of: "\(way)", on: server, every: distances) {
        try await end(way, bundle, server, $0, restart: $1)
      }
    }
  }

  @Test
  func `a server that restarts for ever is given up`() async throws {
    let server = try await RestartingServer()
    defer { withExtendedLifetime(server) {} }
    let directory = server.directory
    try await withBundle(Self.versions(.ddl)) { bundle in
      let url = try await prepare(.ddl, bundle, server, "endless")
      let remodel = Remodel(configuration(.ddl, bundle)) { event in
        guard case .statement(let sql, _, _) = event, sql.contains("ADD COLUMN") else { return }
        RestartingServer.shutDown(directory)
      }

      let error = await #expect(throws: ExecutionError.self) {
        try await remodel.migrate(.url(url))
      }

      guard case .connectionLost = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
    }
  }

  @Test
  func `a session that an administrator ends does not come back`() async throws {
    try await withBundle(Self.versions(.ddl)) { bundle in
      try await TestServer.withDatabase { url in
        try await fill(.ddl, bundle, url)
        let starts = Mutex(0)
        let remodel = Remodel(configuration(.ddl, bundle)) { event in
          if case .stepStarted = event { starts.withLock { $0 += 1 } }
          guard case .statement(let sql, _, _) = event, sql.contains("ADD COLUMN") else { return }
          SessionCutter.cut(url)
        }

        let error = await #expect(throws: ExecutionError.self) {
          try await remodel.migrate(.url(url))
        }

        guard case .connectionLost(let lost) = error?.fact else {
          Issue.record("\(error as Any)")
          return
        }
        #expect(lost.sqlState == .adminShutdown)
        #expect(starts.withLock { $0 } == 1)
      }
    }
  }

  @Test
  func `a wait for the version waits for the server as well`() async throws {
    let server = try await RestartingServer()
    defer { withExtendedLifetime(server) {} }
    let directory = server.directory
    try await withBundle(Self.versions(.ddl)) { bundle in
      let url = try await prepare(.ddl, bundle, server, "waiting")
      var waiting = configuration(.ddl, bundle)
      waiting.wait = .seconds(600)
      let remodel = Remodel(waiting)

      async let check = remodel.check(.url(url), untilCurrent: .seconds(600))
      for shutdown in RestartingServer.Shutdown.allCases {
        try await Task.sleep(for: .milliseconds(400))
        try await onThread { RestartingServer.shutDown(directory, shutdown) }
      }
      let report = try await remodel.migrate(.url(url))

      #expect(report.outcome == .migrated)
      #expect(try await check.isCurrent)
    }
  }

  // MARK: - Restarts

  /// Migrates, and returns what the database is in the end.
  private func end(
    _ way: Way,
    _ bundle: String,
    _ server: RestartingServer,
    _ database: String,
    restart: ServerRestart?
  ) async throws -> [String] {
    let url = try await prepare(way, bundle, server, database)
    var settings = configuration(way, bundle)
    // The server may end with the last statement, when there is nothing left to wait for it.
    settings.wait = .seconds(600)
    if way != .ddl && way != .locked {
      settings.copySettings.failpoints = Failpoints { _, _ in restart?.reach() }
    }
    let remodel = Remodel(settings) { event in
      guard way == .ddl || way == .locked, event.isOfStatement else { return }
      restart?.reach()
    }
    let report = try await remodel.migrate(.url(url))
    #expect(report.outcome == .migrated)
    #expect(report.source?.name == "1")
    #expect(try await remodel.check(.url(url)).isCurrent)
    #expect(try await remodel.verify(.url(url)).drift.isEmpty)
    return try contents(url) + report.pending.map(\.summary)
  }

  // MARK: - The databases

  private func configuration(_ way: Way, _ bundle: String) -> RemodelConfiguration {
    var configuration = RemodelConfiguration(modelsPath: bundle)
    switch way {
    case .ddl: break
    case .locked: configuration.strategy = .locked
    case .gated: configuration.strategy = .gated
    case .online: configuration.strategy = .online
    case .phases:
      configuration.strategy = .online
      configuration.takesTablesForLarge = true
    }
    configuration.copySettings.chunkRows = 100
    return configuration
  }

  private func prepare(
    _ way: Way,
    _ bundle: String,
    _ server: RestartingServer,
    _ database: String
  ) async throws -> String {
    let url = try await server.makeDatabase(database)
    try await fill(way, bundle, url)
    return url
  }

  private func fill(_ way: Way, _ bundle: String, _ url: String) async throws {
    _ = try await Remodel(configuration(way, bundle)).migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(
      "INSERT INTO public.book (title, pages) SELECT 'title ' || i, i FROM generate_series(1, 400) AS i"
    )
  }

  private func contents(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url), wait: .seconds(600))
    return try connection.query(
      """
      SELECT to_jsonb(b)::text AS row FROM public.book b
      UNION ALL SELECT indexrelid::regclass || ' ' || indisvalid FROM pg_index
        WHERE indrelid = 'public.book'::regclass
      UNION ALL SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT 'left open: ' || kind FROM remodel.history WHERE outcome = 'started'
      UNION ALL SELECT nspname::text FROM pg_namespace WHERE oid > 16383 AND nspname !~ '^pg_'
      ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }

  private static func versions(_ way: Way) -> [String] {
    let first = CopiedBooks.first
    switch way {
    case .ddl:
      return [
        first, first.replacing("pages: integer32?", with: "pages: integer32?, isbn: string?"),
        first.replacing("pages: integer32?", with: "pages: integer64?, note: string?"),
      ]
    case .locked, .gated, .online:
      return [first, CopiedBooks.second]
    case .phases:
      return [
        first,
        """
        remodel: 1
        entities:
          Book:
            attributes: { title: string, pages: { type: integer32, validation: { minimum: 1, enforced: true } } }
            indexes: { byPages: [pages] }
            unique: [[title]]
        """,
      ]
    }
  }

  private static func mappings(_ way: Way) -> [String: String] {
    switch way {
    case .ddl, .phases: [:]
    case .locked, .gated, .online:
      ["1-2": CopiedBooks.mapping]
    }
  }
}
