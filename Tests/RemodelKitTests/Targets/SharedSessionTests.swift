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
        // Besides those that look for the schemas.
        #expect(try sessions(connection) - before <= 2 * 3)
        try await wait(until: "no session is left") { try others(connection) == 0 }
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
