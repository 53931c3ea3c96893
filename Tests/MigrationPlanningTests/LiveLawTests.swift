import Diagnostics
import ModelMapping
import PostgresClient
import TestSupport
import Testing

@testable import MigrationPlanning

/// A migrated database equals a fresh one, and every row and value that both versions have is there.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LiveLawTests {
  @Test(arguments: RandomCases.one(in: 2, of: [RemovalPolicy.retain, .drop]), [false, true])
  func `a migrated database equals a fresh one and keeps its rows`(
    removals: RemovalPolicy,
    hasCollidingNames: Bool
  ) async throws {
    let first = RandomCases.firstSeed
    var share = PlannedShare()
    var outcomes: [RowRepair.Outcome: Int] = [:]
    try await TestServer.withDatabase { url in
      for seed in first..<first + UInt64(RandomCases.count(orElse: 10)) {
        let connection = try PostgresConnection(to: .url(url))
        try connection.prepareSession()
        var trial = try LiveTrial(
          seed: seed,
          removals: removals,
          hasCollidingNames: hasCollidingNames
        )
        do {
          try trial.run(connection)
        } catch let error as any DiagnosticError {
          Issue.record("\(trial.place):\n\(error.diagnostics.map(\.description))")
        }
        share.add(trial.path)
        outcomes.merge(trial.migration.outcomes, uniquingKeysWith: +)
      }
    }
    print("\(removals): \(share); rows: \(outcomes)")
    #expect(share.isEnough, "\(share)")
    let steps = outcomes.values.reduce(0, +)
    #expect(outcomes[.emptied, default: 0] * 4 <= steps, "\(outcomes)")
  }

  @Test
  func `a database that is migrated in phases equals a fresh one and keeps its rows`()
    async throws
  {
    let first = RandomCases.firstSeed
    var count = 0
    try await TestServer.withDatabase { url in
      for seed in first..<first + UInt64(RandomCases.count(orElse: 10)) {
        let connection = try PostgresConnection(to: .url(url))
        try connection.prepareSession()
        var trial = try LiveTrial(seed: seed, removals: .retain, isPhased: true)
        do {
          try trial.run(connection)
        } catch let error as any DiagnosticError {
          Issue.record("\(trial.place):\n\(error.diagnostics.map(\.description))")
        }
        count += trial.migration.lateStatementCount
      }
    }
    #expect(count > 5, "\(count) statements after their transactions")
  }
}

extension LiveLawTests {
  @Test(arguments: RandomCases.one(in: 2, of: [RemovalPolicy.retain, .drop]))
  func `a migrated database equals a fresh one where tables are partitioned`(
    removals: RemovalPolicy
  ) async throws {
    let first = RandomCases.firstSeed &+ 7_000_000
    var redivided = 0
    try await TestServer.withDatabase { url in
      for seed in first..<first + UInt64(RandomCases.count(orElse: 10)) {
        let connection = try PostgresConnection(to: .url(url))
        try connection.prepareSession()
        var trial = try LiveTrial(seed: seed, removals: removals, hasPartitions: true)
        do {
          try trial.run(connection)
        } catch let error as any DiagnosticError {
          Issue.record("\(trial.place):\n\(error.diagnostics.map(\.description))")
        }
        for (before, after) in zip(trial.path.versions, trial.path.versions.dropFirst()) {
          let (old, new) = (before.projection.schema.tables, after.projection.schema.tables)
          redivided += new.filter { $0.value.partitioning != old[$0.key]?.partitioning }.count
        }
      }
    }
    #expect(redivided > 3, "\(redivided) tables were divided in another way")
  }
}

/// A model that changes through random versions in a database.
private struct LiveTrial {
  let seed: UInt64
  private(set) var migration: LiveMigration
  private(set) var path: RandomPath

  var place: String { migration.place }

  init(
    seed: UInt64,
    removals: RemovalPolicy,
    isPhased: Bool = false,
    hasCollidingNames: Bool = false,
    hasPartitions: Bool = false
  ) throws {
    self.seed = seed
    path = try RandomPath(
      seed: seed,
      hasCollidingNames: hasCollidingNames,
      hasPartitions: hasPartitions
    )
    var planner = MigrationPlanner(removals: removals, strategy: isPhased ? .online : .locked)
    planner.isPhased = isPhased
    migration = LiveMigration(
      planner,
      name: "seed \(seed), \(removals)"
    )
  }

  mutating func run(_ connection: borrowing PostgresConnection) throws {
    for version in path.versions { try migration.create(version, seed: seed, connection) }
    while path.versions.count < 4, let (source, destination, mapping) = try path.next() {
      try migration.migrate(from: source, to: destination, by: mapping, connection)
    }
  }
}
