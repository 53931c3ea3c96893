import RemodelKit
import TestSupport
import Testing

/// All other verbs that change a store also wait for a server that restarts, and continue.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct VerbRestartTests {
  /// What is done.
  enum Verb: String, CaseIterable, Sendable {
    case revert, cleanup, finish, adopt, write
  }

  @Test(arguments: RandomCases.one(in: 3, of: Verb.allCases))
  func `a restart at any place is waited out`(verb: Verb) async throws {
    let server = try await RestartingServer()
    defer { withExtendedLifetime(server) {} }
    try await withBundle(Self.versions(verb)) { bundle in
      try await ServerRestart.expectSameEnd(of: "\(verb)", on: server, every: 4...8) {
        try await end(verb, bundle, server, $0, restart: $1)
      }
    }
  }

  @Test(arguments: [Verb.revert, .cleanup, .adopt])
  func `a session that an administrator ends does not come back`(verb: Verb) async throws {
    try await withBundle(Self.versions(verb)) { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(verb, bundle, url)
        let cutter = SessionCutter(url: url, position: 3)
        let remodel = Remodel(configuration(verb, bundle)) { cutter.note($0) }

        let error = await #expect(throws: ExecutionError.self) {
          try await perform(verb, remodel, url)
        }

        guard case .connectionLost(let lost) = error?.fact else {
          Issue.record("\(error as Any)")
          return
        }
        #expect(lost.sqlState == .adminShutdown)
      }
    }
  }

  /// Does it, and returns what the database is in the end.
  private func end(
    _ verb: Verb,
    _ bundle: String,
    _ server: RestartingServer,
    _ database: String,
    restart: ServerRestart?
  ) async throws -> [String] {
    let url = try await server.makeDatabase(database)
    try await prepare(verb, bundle, url)
    var settings = configuration(verb, bundle)
    // The server may end with the last statement, when there is nothing left to wait for it.
    settings.wait = .seconds(600)
    if verb == .write { settings.modelsPath = "\(bundle)-\(database).remodel" }
    settings.copySettings.failpoints = Failpoints { _, _ in restart?.reach() }
    let remodel = Remodel(settings) { event in
      guard event.isOfStatement else { return }
      restart?.reach()
    }
    let outcome = try await perform(verb, remodel, url)
    #expect(try await remodel.check(.url(url)).isCurrent || verb == .revert)
    let connection = try PostgresConnection(to: .url(url), wait: .seconds(600))
    return try [outcome] + connection.query(Self.contents).compactMap { $0["row"] }
  }

  private func perform(_ verb: Verb, _ remodel: Remodel, _ url: String) async throws -> String {
    switch verb {
    case .revert:
      let report = try await remodel.revert(.url(url))
      return "\(report.outcome) \(report.steps.count)"
    case .cleanup:
      let report = try await remodel.cleanUp(.url(url))
      return "\(report.items.map(\.fate)) \(report.statements.count)"
    case .finish:
      return try await remodel.finish(.url(url)).version?.name ?? ""
    case .adopt:
      return try await "\(remodel.adopt(.url(url)).outcome)"
    case .write:
      let report = try await remodel.adoptByWriting(.url(url))
      return "\(report.outcome) \(report.model?.wasThere as Any)"
    }
  }

  // MARK: - The databases

  private func configuration(_ verb: Verb, _ bundle: String) -> RemodelConfiguration {
    var configuration = RemodelConfiguration(modelsPath: bundle)
    if verb == .finish {
      configuration.strategy = .online
      configuration.takesTablesForLarge = true
    }
    return configuration
  }

  private func prepare(_ verb: Verb, _ bundle: String, _ url: String) async throws {
    let remodel = Remodel(configuration(verb, bundle))
    _ = try await remodel.migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(
      "INSERT INTO public.book (title, pages) SELECT 'title ' || i, i FROM generate_series(1, 40) AS i"
    )
    switch verb {
    case .revert, .cleanup, .finish: _ = try await remodel.migrate(.url(url))
    case .adopt, .write: try connection.execute("DROP SCHEMA remodel CASCADE")
    }
  }

  private static func versions(_ verb: Verb) -> [String] {
    let first = """
      remodel: 1
      entities:
        Book: { attributes: { title: string, pages: integer32?, isbn: string? } }
        Shelf: { attributes: { room: string } }
      """
    switch verb {
    case .adopt, .write: return [first]
    case .revert, .cleanup:
      return [first, "remodel: 1\nentities:\n  Book: { attributes: { title: string } }\n"]
    case .finish:
      return [
        first,
        """
        remodel: 1
        entities:
          Book:
            attributes:
              title: string
              pages: { type: integer32, optional: true, validation: { minimum: 1, enforced: true } }
              isbn: string?
            indexes: { byPages: [pages], byTitle: [title] }
          Shelf: { attributes: { room: string }, indexes: { byRoom: [room] } }
        """,
      ]
    }
  }

  private static let contents: SQLFragment = """
    SELECT to_jsonb(b)::text AS row FROM public.book b
    UNION ALL SELECT table_name || '.' || column_name FROM information_schema.columns
      WHERE table_schema = 'public'
    UNION ALL SELECT c.relname || ' ' || i.indisvalid FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT conname || ' ' || convalidated FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'retained ' || table_name || coalesce('.' || column_name, '')
      FROM remodel.retained
    UNION ALL SELECT 'left open: ' || kind FROM remodel.history WHERE outcome = 'started'
    UNION ALL SELECT 'did ' || kind || ' ' || to_version FROM remodel.history
      WHERE outcome = 'succeeded'
    UNION ALL SELECT nspname::text FROM pg_namespace WHERE oid > 16383 AND nspname !~ '^pg_'
    ORDER BY 1
    """
}
