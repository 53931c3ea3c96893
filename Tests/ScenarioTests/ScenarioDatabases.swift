import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// What many tests of a scenario begin and end with: a database at version 1 with its rows, and the catalog of
/// a fresh database at version 2. Both are made once.
actor ScenarioDatabases {
  static let shared = ScenarioDatabases()

  private var templates: [String: Task<SQLIdentifier, any Error>] = [:]
  private var catalogs: [String: Task<CatalogSnapshot, any Error>] = [:]

  /// Returns the database at version 1, which refuses functions that look names up where their callers say.
  func template(of scenario: Scenario) async throws -> SQLIdentifier {
    let task =
      templates[scenario.name]
      ?? Task {
        try await TestServer.makeTemplate { url in
          try FunctionWatch.begin(url)
          try await scenario.withBundle { bundle in
            let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
            _ = try await remodel.migrate(.url(url), to: "1")
          }
          try await scenario.fill(url)
        }
      }
    templates[scenario.name] = task
    return try await task.value
  }

  /// Returns the catalog of a fresh database at version 2.
  func freshCatalog(of scenario: Scenario) async throws -> CatalogSnapshot {
    let task =
      catalogs[scenario.name]
      ?? Task {
        try await scenario.withBundle { bundle in
          try await TestServer.withDatabase { url in
            let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
            #expect(try await remodel.migrate(.url(url)).outcome == .created)
            try await expectNoDrift(url, remodel)
            let connection = try PostgresConnection(to: .url(url))
            try connection.prepareSession()
            return try CatalogSnapshot(of: "public", on: connection)
          }
        }
      }
    catalogs[scenario.name] = task
    return try await task.value
  }
}

extension Scenario {
  /// Gives the URL of a database at version 1, with the rows, to a function, and drops it afterwards.
  func withDatabase<Result>(
    _ body: (_ url: String) async throws -> Result
  ) async throws -> Result {
    let template = try await ScenarioDatabases.shared.template(of: self)
    return try await TestServer.withDatabase(copying: template, body)
  }

  /// Expects a catalog to be that of a fresh database.
  func expectFresh(_ migrated: CatalogSnapshot) async throws {
    let fresh = try await ScenarioDatabases.shared.freshCatalog(of: self)
    #expect(migrated.difference(to: fresh) == [])
  }
}
