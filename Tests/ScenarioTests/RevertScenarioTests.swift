import Diagnostics
import RemodelKit
import TestSupport
import Testing

@testable import MigrationPlanning

/// Every scenario there and back: the rows and the catalog are those that were there before.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RevertScenarioTests {
  /// What says of itself that it cannot be taken back as it was, with the words that it says it with.
  private static let refused = [
    "leave-hierarchy": "Cannot merge multiple root entity source tables",
    "leave-hierarchy-without-a-property": "Cannot merge multiple root entity source tables",
    "map-by-sql": "those of the mapping model",
    "map-by-sql-in-place": "those of the mapping model",
    "map-renamed-attribute": "(column \"amount\" of table \"order\"): its values are lost",
    "remove-parent-of-several": "Cannot merge multiple root entity source tables",
  ]

  /// What keeps what the migration has done to values and links that both versions have: defaults in
  /// place of nulls, links of two relationships that became one, digits, places that are numbered from 0 on.
  private static let changed: Set = [
    "add-inverse", "change-inverse", "grow-a-hierarchy", "inverse-becomes-to-many",
    "merge-attributes-of-siblings",
    "narrow-numbers-that-fit", "require-and-unique-in-subentity", "require-with-default",
  ]

  @Test(arguments: RandomCases.one(in: 12, of: Scenario.planned.filter { !$0.isViolated }))
  func `what is migrated and reverted is as it was`(_ scenario: Scenario) async throws {
    try await scenario.withBundle { bundle in
      try await scenario.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        let fresh = try snapshot(url)
        let before = try TableContents.read(PostgresConnection(to: .url(url)))
        guard try await remodel.migrate(.url(url)).outcome == .migrated else { return }

        do {
          let report = try await remodel.revert(.url(url), to: "1")
          #expect(report.outcome == .reverted)
          #expect(Self.refused[scenario.name] == nil)
        } catch let error as any DiagnosticError {
          let words = error.diagnostics.map(\.description).joined(separator: "\n")
          let expected = Self.refused[scenario.name]
          #expect(expected.map(words.contains) ?? false, "\(scenario.name): \(words)")
          return
        }
        #expect(try await remodel.verify(.url(url)).drift.isEmpty)
        _ = try await remodel.cleanUp(.url(url))
        let after = try TableContents.read(PostgresConnection(to: .url(url)))
        let differences = after.differences(from: before, whereKeysAreGiven: [])
        #expect(differences.isEmpty != Self.changed.contains(scenario.name), "\(differences)")
        #expect(try snapshot(url).difference(to: fresh) == [])
      }
    }
  }

  private func snapshot(_ url: String) throws -> CatalogSnapshot {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    return try CatalogSnapshot(of: "public", on: connection)
  }
}
