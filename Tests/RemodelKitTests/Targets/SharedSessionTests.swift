import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// The sessions of the work on many stores of one database.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SharedSessionTests {
  private static let book = """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }
    """

  @Test
  func `stores that have nothing to do share sessions, as many as work at a time`() async throws {
    try await withBundle([Self.book]) { bundle in
      try await TestServer.withDatabase { url in
        let connection = try PostgresConnection(to: .url(url))
        for number in 1...8 {
          try connection.execute("CREATE SCHEMA \(SQLIdentifier("tenant_\(number)"))")
        }
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        let targets = MigrationTargets(
          [MigrationTarget(.url(url), name: "")],
          eachSchema: [SchemaPattern("tenant_*")],
          parallel: 2
        )
        let creation = try await remodel.migrate(targets)
        #expect(creation.results.allSatisfy { $0.report?.outcome == .created })
        try await wait(until: "the sessions of the creation have ended") {
          try others(connection) == 0
        }
        let before = try sessions(connection)

        let report = try await remodel.migrate(targets)
        let check = try await remodel.check(targets)

        #expect(report.results.allSatisfy { $0.report?.outcome == .unchanged })
        #expect(check.results.allSatisfy { $0.report?.isCurrent == true })
        // For each call, one looks for the schemas, and one for what the stores are at.
        #expect(try sessions(connection) - before <= 2 * 2)
        try await wait(until: "no session is left") { try others(connection) == 0 }
      }
    }
  }

  @Test
  func `only stores that are not at the version are worked on`() async throws {
    let larger = Self.book.replacing("title: string", with: "title: string, pages: integer32?")
    try await withBundle([Self.book, larger]) { bundle in
      try await TestServer.withDatabase { url in
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          "CREATE SCHEMA other_1; CREATE SCHEMA tenant_1; CREATE SCHEMA tenant_2"
        )
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        func targets(_ pattern: String) -> MigrationTargets {
          MigrationTargets(
            [MigrationTarget(.url(url), name: "")],
            eachSchema: [SchemaPattern(pattern)]
          )
        }
        _ = try await remodel.migrate(targets("tenant_*"))
        _ = try await remodel.migrate(targets("other_*"), to: "1")

        let check = try await remodel.check(targets("*_?"))
        let report = try await remodel.migrate(targets("*_?"))
        let rest = try await remodel.check(targets("*_?"))

        #expect(check.results.map { $0.report?.isCurrent } == [false, true, true])
        #expect(
          report.results.map { $0.report?.outcome } == [.migrated, .unchanged, .unchanged]
        )
        #expect(rest.results.allSatisfy { $0.report?.isCurrent == true })
      }
    }
  }

  /// The number of other sessions, of which some may still be ending.
  private func others(_ connection: borrowing PostgresConnection) throws -> Int? {
    try connection.query(
      """
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
      AND pid <> pg_backend_pid() AND backend_type = 'client backend'
      """
    ).first?.integer("count")
  }

  /// The number of sessions that the database has had.
  private func sessions(_ connection: borrowing PostgresConnection) throws -> Int {
    try connection.query("SELECT pg_stat_force_next_flush()")
    return try #require(
      connection.query(
        "SELECT sessions FROM pg_stat_database WHERE datname = current_database()"
      ).first?.integer("sessions")
    )
  }
}
