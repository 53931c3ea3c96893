import ModelLoading
import ObjectModel
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Releases on two versions write the same rows, each through its views.
///
/// What either finds is what it would find in a database of its own version after the same writes; when the older
/// version is retired, the tables are those of a database that never served both.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct BridgeLawTests {
  /// `REMODEL_SCENARIOS` names the scenarios.
  ///
  /// What statements of a mapping model change, they change for both releases.
  @Test(arguments: ReleaseProbeTests.sample.filter { !$0.runsStatements })
  func `either release finds what the other has written, in its own way`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      let trial = BridgeTrial(
        scenario.name,
        from: try scenario.version("before", named: "1"),
        to: try scenario.version("after", named: "2"),
        RemodelConfiguration(modelsPath: bundle)
      )
      for fill in ReleaseProbeTests.fills {
        let outcome = try await trial.run { try await scenario.fill($0, fill, $1) }
        if outcome != .violated { return }
      }
      Issue.record("no rows allow it")
    }
  }

  /// The scenarios with columns that are filled in place, if all tables are taken for large ones.
  private static let filled = RandomCases.one(
    in: 4,
    of: FilledScenarioTests.filled.filter { !$0.runsStatements }
  )

  @Test(arguments: filled)
  func `either release writes a large table whose columns were filled in place`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      let trial = BridgeTrial(
        scenario.name,
        from: try scenario.version("before", named: "1"),
        to: try scenario.version("after", named: "2"),
        RemodelConfiguration(modelsPath: bundle),
        areTablesLarge: true
      )
      for fill in ReleaseProbeTests.fills {
        let outcome = try await trial.run { try await scenario.fill($0, fill, $1) }
        if outcome == .violated { continue }
        #expect(outcome != .unplanned)
        print("\(scenario.name): \(outcome)")
        return
      }
      Issue.record("no rows allow it")
    }
  }

  private static let pairs = RandomCases.one(in: 60, of: (try? VersionPair.all()) ?? [])

  @Test(.enabled(if: Corpora.isAvailable, "there are no real models on this machine"))
  func `pairs of real models can be read`() throws {
    #expect(try !VersionPair.all().isEmpty)
  }

  @Test(
    .enabled(if: Corpora.isAvailable, "there are no real models on this machine"),
    arguments: pairs
  )
  func `either release of a real model finds what the other has written`(
    pair: VersionPair
  ) async throws {
    let models = (
      before: try pair.bundle.load(pair.versions.source).model,
      after: try pair.bundle.load(pair.versions.destination).model
    )
    var configuration = RemodelConfiguration()
    configuration.models = try ModelBundle(
      name: pair.bundle.name,
      versions: ["1": models.before, "2": models.after]
    )
    let before = try PlannedVersion(models.before, named: "1", in: "public")
    let trial = BridgeTrial(
      pair.name,
      from: before,
      to: try PlannedVersion(models.after, named: "2", in: "public"),
      configuration
    )
    for seed in 1...4 {
      let outcome = try await trial.run { _, connection in
        var filler = RowFiller(before.projection, seed: UInt64(seed))
        try filler.fill(connection)
      }
      guard outcome == .violated else { return print("\(pair.name): \(outcome)") }
    }
    let outcome = try await trial.run { _, _ in }
    #expect(outcome != .violated)
    print("\(pair.name): \(outcome) without rows")
  }
}
