import RemodelKit
import Synchronization
import TestSupport
import Testing

@testable import MigrationPlanning

/// Copies of every scenario while others write to all of its tables.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .serialized, .timeLimit(.minutes(60)))
struct LoadedCopyTests {
  private static let seeds =
    RandomCases.isEverything
    ? Array(RandomCases.firstSeed..<RandomCases.firstSeed + 12) : [RandomCases.firstSeed]

  /// A scenario that can be copied while others write, with its plan.
  struct Case: CustomTestStringConvertible, Sendable {
    let scenario: Scenario
    let plan: CopyPlan
    let strategy: CopyStrategy
    let seed: UInt64

    var testDescription: String { "\(scenario.name), \(strategy.rawValue), \(seed)" }

    /// What the bundle of a scenario makes of its database.
    private static let store = StoreIdentity(
      schema: "public",
      modelName: "Scenario",
      metadataSchema: "remodel"
    )

    static func all(_ strategies: [CopyStrategy], _ seeds: [UInt64]) -> [Case] {
      Scenario.planned.filter { $0.isMapped && !$0.isViolated }.flatMap { scenario in
        strategies.flatMap { strategy -> [Case] in
          let step = try? scenario.step(strategy, stagingSchema: store.stagingSchema)
          // The writers choose rows by keys that are ours.
          guard let plan = step?.copy, plan.onlineObstacle == nil,
            plan.sources.allSatisfy({ $0.key.count > 1 || $0.key.first?.name == "_id" })
          else { return [] }
          return seeds.map { Case(scenario: scenario, plan: plan, strategy: strategy, seed: $0) }
        }
      }
    }
  }

  private static let cases =
    RandomCases.one(in: 18, of: Case.all([.online], seeds))
    + (RandomCases.isEverything ? Case.all([.gated], [1, 2]) : [])

  @Test(arguments: cases)
  func `what many write meanwhile ends as a migration that nobody disturbs makes it`(
    _ test: Case
  ) async throws {
    try await test.scenario.withBundle { bundle in
      try await TestServer.withTwoDatabases { url, other in
        let plain = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await plain.migrate(.url(url), to: "1")
        try await test.scenario.fill(url)
        let witness = try CopyWitness(test.plan, url, seed: test.seed, test.strategy)
        let settings = witness.settings(workers: test.seed.isMultiple(of: 2) ? 2 : 1)
        // On a busy machine the writers hold their locks for longer than a migration waits.
        let remodel = Remodel(
          RemodelConfiguration(
            modelsPath: bundle,
            lockRetryFor: .seconds(600),
            strategy: test.strategy,
            copySettings: settings
          )
        )

        let outcome: MigrationReport.Outcome
        do {
          outcome = try await remodel.migrate(.url(url)).outcome
        } catch {
          witness.stop()
          throw error
        }
        witness.stop()

        #expect(outcome == .migrated)
        #expect(witness.differences == [])
        #expect(witness.surprises == [])
        #expect(witness.commits > (test.strategy == .online ? 60 : 0))
        #expect(witness.checks > (test.strategy == .online ? 3 : 2))
        _ = try await plain.migrate(.url(other), to: "1")
        try witness.source.write(to: other)
        let locked = Remodel(RemodelConfiguration(modelsPath: bundle, strategy: .locked))
        _ = try await locked.migrate(.url(other))
        let expected = try TableContents.read(PostgresConnection(to: .url(other)))
        let found = witness.destination
        let given = test.plan.tablesWithGivenKeys
        #expect(found.differences(from: expected, whereKeysAreGiven: given) == [])
      }
    }
  }
}

extension CopyPlan {
  /// The tables whose rows get keys that depend on when they are given.
  var tablesWithGivenKeys: Set<SQLIdentifier> {
    let given = tables.filter { table in
      table.unit == "_id" && table.feeds.contains { $0.domain.schema == stagingSchema }
    }
    return Set(given.map(\.name))
  }
}
