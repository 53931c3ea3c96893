import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Fills of columns while others write to all tables.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .serialized, .timeLimit(.minutes(60)))
struct LoadedFillTests {
  /// A scenario that can be filled while others write, with its plan.
  struct Case: CustomTestStringConvertible, Sendable {
    let scenario: Scenario
    let plan: CopyPlan
    let seed: UInt64

    var testDescription: String { "\(scenario.name), \(seed)" }

    /// The scenarios whose next version has rules for rows that the writers do not know.
    private static let ruledScenarios: Set<String> = [
      "change-enumerations", "grow-a-hierarchy", "require-and-unique-in-subentity",
    ]

    static func all(_ seeds: [UInt64]) -> [Case] {
      FilledScenarioTests.filled.flatMap { scenario -> [Case] in
        let step = try? scenario.step(
          .filled,
          stagingSchema: StoreIdentity.ofScenarios.stagingSchema
        )
        guard let plan = step?.copy, !ruledScenarios.contains(scenario.name) else { return [] }
        return seeds.map { Case(scenario: scenario, plan: plan, seed: $0) }
      }
    }
  }

  private static let seeds =
    RandomCases.isEverything
    ? Array(RandomCases.firstSeed..<RandomCases.firstSeed + 12) : [RandomCases.firstSeed]

  @Test(arguments: RandomCases.one(in: 6, of: Case.all(seeds)))
  func `what many write meanwhile ends as a locked migration of the same rows makes it`(
    _ test: Case
  ) async throws {
    try await test.scenario.withBundle { bundle in
      try await TestServer.withTwoDatabases { url, other in
        let plain = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await plain.migrate(.url(url), to: "1")
        try await test.scenario.fill(url)
        let witness = try CopyWitness(test.plan, url, seed: test.seed, .filled)
        // On a busy machine the writers hold their locks for longer than a migration waits.
        var configuration = RemodelConfiguration(
          modelsPath: bundle,
          lockRetryFor: .seconds(600),
          strategy: .filled,
          copySettings: witness.settings(workers: test.seed.isMultiple(of: 2) ? 2 : 1)
        )
        configuration.takesTablesForLarge = true

        do {
          _ = try await Remodel(configuration).migrate(.url(url))
        } catch {
          witness.stop()
          throw error
        }
        witness.stop()

        #expect(witness.differences == [])
        #expect(witness.surprises == [])
        #expect(witness.commits > 60)
        #expect(witness.checks > 2)
        _ = try await plain.migrate(.url(other), to: "1")
        try witness.source.write(to: other)
        let locked = Remodel(RemodelConfiguration(modelsPath: bundle, strategy: .locked))
        _ = try await locked.migrate(.url(other))
        let expected = try TableContents.read(PostgresConnection(to: .url(other)))
        #expect(witness.destination.differencesOfRows(from: expected) == [])
      }
    }
  }
}

extension StoreIdentity {
  /// What the bundle of a scenario makes of its database.
  fileprivate static let ofScenarios = StoreIdentity(
    schema: "public",
    modelName: "Scenario",
    metadataSchema: "remodel"
  )
}

extension TableContents {
  /// Returns the differences of the tables and columns of the version; a fill retains columns where a
  /// copy retains the table.
  fileprivate func differencesOfRows(from other: TableContents) -> [String] {
    var (found, expected) = (self, other)
    // A table that is retained may have kept its name.
    expected.tables = other.tables.filter { tables[$0.key] != nil }
    found.tables = tables.filter { other.tables[$0.key] != nil }
    for (name, table) in expected.tables {
      let columns = Set(table.description.columns.map(\.name))
      found.tables[name] = found.tables[name]?.with(columns)
      expected.tables[name] = table.with(columns)
    }
    return found.differences(from: expected, whereKeysAreGiven: [])
  }
}

extension TableContents.Table {
  /// Returns the table with some of its columns.
  fileprivate func with(_ names: Set<SQLIdentifier>) -> Self {
    let columns = description.columns.indices.filter {
      names.contains(description.columns[$0].name)
    }
    return Self(
      description: description.with(columns.map { description.columns[$0] }),
      rows: rows.map { row in columns.map { isOfOther(row, $0) ? nil : row[$0] } }
    )
  }

  /// Returns whether a column is one of another entity of the hierarchy than the row is of; a copy
  /// leaves out what writers that know no model have put there.
  fileprivate func isOfOther(_ row: [String?], _ column: Int) -> Bool {
    guard let kind = description.columns.firstIndex(where: { $0.name == "_entity" }),
      let own = row[kind]
    else { return false }
    let others = Set(rows.compactMap { $0[kind] }).subtracting([own])
    let name = description.columns[column].name.name
    return others.contains { name.hasPrefix($0.lowercased() + "_") }
  }
}
