import Diagnostics
import ModelMapping
import PostgresClient
import SQLSyntax
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
  let planner: MigrationPlanner
  private(set) var place: String
  private var retained: [RetainedObject] = []

  init(seed: UInt64, removals: RemovalPolicy) {
    self.seed = seed
    planner = MigrationPlanner(removals: removals)
    place = "seed \(seed), \(removals)"
  }

  mutating func run(_ connection: borrowing PostgresConnection) throws {
    var generator = ModelGenerator(seed: seed)
    var source = try PlannedVersion(generator.model(), named: "1")
    try connection.execute("DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s")
    try execute(planner.step(creating: source), connection)
    var filler = RowFiller(source.projection.schema, seed: seed)
    try filler.fill(connection)

    for number in 2...4 {
      let model = generator.randomEdit(of: source.projection.model)
      let destination = try PlannedVersion(model, named: "\(number)")
      place = "seed \(seed), \(planner.removals), \(source.name) to \(destination.name)"
      try migrate(from: source, to: destination, connection)
      source = destination
    }
  }

  private mutating func migrate(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    let mapping = try InferredMapping(
      from: source.projection.model,
      to: destination.projection.model
    )
    let step = try planner.step(from: source, to: destination, by: mapping, retained: retained)
    try meetPreconditions(of: step, connection)
    let match = try SchemaMatch(
      from: source.projection,
      to: destination.projection,
      by: mapping.mappingModel
    )
    let kept = KeptRows(match, source, destination)
    let before = try kept.rows(isMigrated: false, connection)

    try execute(step, connection)

    retained = step.retainedAfterwards(retained)
    let after = try kept.rows(isMigrated: true, connection)
    for difference in kept.differences(before, after) { record(difference, step) }
    try compareCatalog(with: destination, step, connection)
  }

  /// Takes the rows away where they are not such that they could be migrated.
  private func meetPreconditions(
    of step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws {
    for precondition in step.preconditions {
      let result = try connection.query(precondition.query)
      guard let count = result.first?.integer("count"), count > 0 else { continue }
      #expect(result.first?["keys"] != nil, "\(place): \(precondition.query)")
      guard let source = step.source else { return }
      let schema = source.projection.schema
      let tables = schema.sortedTables.map { "\(schema.qualified($0.name))" as SQLFragment }
      try connection.execute("TRUNCATE \(tables.joined(separator: ", "))")
      return
    }
  }

  private func execute(
    _ step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.execute("BEGIN; SET CONSTRAINTS ALL IMMEDIATE")
    for table in step.lockedTables {
      let mode: SQLFragment =
        switch table.mode {
        case .accessExclusive: "ACCESS EXCLUSIVE"
        case .shareRowExclusive: "SHARE ROW EXCLUSIVE"
        case .share: "SHARE"
        case .accessShare, .rowShare, .rowExclusive, .shareUpdateExclusive, .exclusive: "EXCLUSIVE"
        }
      try connection.execute("LOCK TABLE \(table.name) IN \(mode) MODE")
    }
    for statement in step.statements { try connection.execute(statement.sql) }
    try connection.execute("COMMIT")
  }

  private func compareCatalog(
    with destination: PlannedVersion,
    _ step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws {
    let migrated = try CatalogSnapshot(
      of: "s",
      on: connection,
      leavingOut: CatalogSnapshot.Exclusions(retained)
    )
    try connection.execute("BEGIN; ALTER SCHEMA s RENAME TO migrated; CREATE SCHEMA s")
    for statement in try planner.step(creating: destination).statements {
      try connection.execute(statement.sql)
    }
    let fresh = try CatalogSnapshot(of: "s", on: connection)
    try connection.execute("ROLLBACK")
    let difference = migrated.difference(to: fresh)
    if !difference.isEmpty { record(difference.joined(separator: "\n"), step) }
  }

  private func record(_ difference: String, _ step: MigrationStep) {
    let statements = step.statements.map(\.sql.text).joined(separator: ";\n")
    Issue.record("\(place):\n\(difference)\n\(statements)")
  }
}
