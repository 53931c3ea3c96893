import Diagnostics
import ModelMapping
import PostgresClient
import TestSupport
import Testing

@testable import MigrationPlanning

/// A migrated database equals a fresh one, and every row and value that both versions have is there.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LiveLawTests {
  @Test(arguments: [RemovalPolicy.retain, .drop])
  func `a migrated database equals a fresh one and keeps its rows`(
    removals: RemovalPolicy
  ) async throws {
    let first = RandomCases.firstSeed
    try await TestServer.withDatabase { url in
      for seed in first..<first + UInt64(RandomCases.count(orElse: 20)) {
        let connection = try PostgresConnection(to: .url(url))
        try connection.prepareSession()
        var trial = LiveTrial(seed: seed, removals: removals)
        do {
          try trial.run(connection)
        } catch let error as any DiagnosticError {
          Issue.record("\(trial.place):\n\(error.diagnostics.map(\.description))")
        }
      }
    }
  }
}

/// A model that goes through random versions in a database.
private struct LiveTrial {
  let seed: UInt64
  private var migration: LiveMigration

  var place: String { migration.place }

  init(seed: UInt64, removals: RemovalPolicy) {
    self.seed = seed
    migration = LiveMigration(
      MigrationPlanner(removals: removals),
      name: "seed \(seed), \(removals)"
    )
  }

  mutating func run(_ connection: borrowing PostgresConnection) throws {
    var generator = ModelGenerator(seed: seed)
    var source = try PlannedVersion(generator.model(), named: "1")
    try migration.create(source, seed: seed, connection)
    for number in 2...4 {
      let model = generator.randomEdit(of: source.projection.model)
      let destination = try PlannedVersion(model, named: "\(number)")
      let mapping = try InferredMapping(from: source.projection.model, to: model)
      try migration.migrate(from: source, to: destination, by: mapping, connection)
      source = destination
    }
  }
}
