import RemodelKit
import TestSupport
import Testing

/// Scenarios into another schema, with the same results as in place.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct IntoSchemaTests {
  @Test(arguments: RandomCases.one(in: 12, of: Scenario.planned))
  func `a copy into another schema equals a migration in place`(scenario: Scenario) async throws {
    try await scenario.withBundle { bundle in
      // What is dropped is in neither, so that both can be compared.
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, removals: .drop))
      let copying = Remodel(RemodelConfiguration(modelsPath: bundle, intoSchema: "next"))
      let next = Remodel(RemodelConfiguration(modelsPath: bundle, schema: "next"))
      let made: CatalogSnapshot? = try await scenario.withDatabase { url in
        let before = try scenario.rows(url)
        do {
          #expect(try await copying.migrate(.url(url)).outcome == .migrated)
        } catch is ExecutionError {
          #expect(try scenario.rows(url) == before)
          await #expect(throws: ExecutionError.self) { try await remodel.migrate(.url(url)) }
          return nil
        }
        #expect(try await next.check(.url(url)).isCurrent)
        #expect(try await remodel.status(.url(url)).version?.name == "1")
        if !scenario.name.hasPrefix("map-by-sql") {
          #expect(try scenario.rows(url) == before)
        }
        let connection = try PostgresConnection(to: .url(url))
        try connection.prepareSession()
        let schemas = try connection.query(
          "SELECT FROM pg_namespace WHERE nspname LIKE 'remodel\\_staging%'"
        )
        #expect(schemas.isEmpty)
        let snapshot = try CatalogSnapshot(of: "next", on: connection)
        let copied = try scenario.rows(url, in: "next")
        do {
          _ = try await remodel.migrate(.url(url))
        } catch is PlanningError {
          // What is read when it has been dropped cannot be compared.
          return snapshot
        }
        #expect(copied == (try scenario.rows(url)))
        return snapshot
      }
      guard let made else { return }
      try await TestServer.withDatabase { url in
        _ = try await next.migrate(.url(url))
        let connection = try PostgresConnection(to: .url(url))
        try connection.prepareSession()
        #expect(made.difference(to: try CatalogSnapshot(of: "next", on: connection)) == [])
      }
    }
  }
}
