import Diagnostics
import MigrationExecution
import ModelMapping
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// What plans say of their statements is what the server does, each statement by itself.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct PredictionTests {
  @Test(
    .sampled(oneIn: 3),
    .enabled(if: Corpora.isAvailable, "there are no real models on this machine")
  )
  func `statements between real models take and do what is said of them`() async throws {
    let pairs = try VersionPair.all().sample()

    let tally = try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var tally = Tally()
      for pair in pairs {
        var migration = LiveMigration(MigrationPlanner(), name: pair.name, isMeasured: true)
        do {
          try pair.migrate(&migration, connection)
          tally.add(migration)
        } catch is InferenceError {
          tally.refused += 1
        } catch let error as any DiagnosticError {
          Issue.record("\(pair.name):\n\(error.diagnostics.map(\.description))")
          try connection.execute("ROLLBACK")
        }
      }
      return tally
    }

    print("real models: \(tally)")
    #expect(tally.passed + tally.refused == pairs.count)
    #expect(tally.verdicts[.different, default: 0] == 0)
  }

  @Test(arguments: [RemovalPolicy.retain, .drop])
  func `statements between random models take and do what is said of them`(
    removals: RemovalPolicy
  ) async throws {
    let first = RandomCases.firstSeed
    let tally = try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var tally = Tally()
      for seed in first..<first + UInt64(RandomCases.count(orElse: 10)) {
        var path = try RandomPath(seed: seed)
        var migration = LiveMigration(
          MigrationPlanner(removals: removals),
          name: "seed \(seed), \(removals)",
          isMeasured: true
        )
        for version in path.versions { try migration.create(version, seed: seed, connection) }
        while path.versions.count < 4, let (source, destination, mapping) = try path.next() {
          try migration.migrate(from: source, to: destination, by: mapping, connection)
        }
        tally.add(migration)
      }
      return tally
    }

    print("random models, \(removals): \(tally)")
    #expect(tally.verdicts[.equal, default: 0] > 0)
    #expect(tally.verdicts[.different, default: 0] == 0)
  }
}

private struct Tally: CustomStringConvertible {
  var passed = 0
  var refused = 0
  var verdicts: [ImpactComparison.Verdict: Int] = [:]

  mutating func add(_ migration: LiveMigration) {
    passed += 1
    verdicts.merge(migration.verdicts, uniquingKeysWith: +)
  }

  var description: String {
    "passed \(passed), refused by rule \(refused), statements equal "
      + "\(verdicts[.equal, default: 0]), reading less \(verdicts[.less, default: 0]), different "
      + "\(verdicts[.different, default: 0])"
  }
}
