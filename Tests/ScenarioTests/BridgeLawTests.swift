import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Releases on two versions write the same rows, each through its views.
///
/// What either finds is what it would
/// find in a database of its own version after the same writes.
///
/// `REMODEL_SCENARIOS` names the scenarios.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct BridgeLawTests {
  @Test(arguments: ReleaseProbeTests.sample)
  func `either release finds what the other has written, in its own way`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      for fill in ReleaseProbeTests.fills {
        let isDone = try await TestServer.withTwoDatabases { served, plain in
          try await BridgeTrial(scenario, fill, bundle, served: served, plain: plain).run()
        }
        if isDone { return }
      }
      Issue.record("no rows allow it")
    }
  }
}

/// A database that serves both versions, beside one that is at either version.
private struct BridgeTrial {
  let scenario: Scenario
  let fill: ReleaseFill
  let before, after: ModelProjection
  /// The tool for the database that serves both versions.
  let remodel: Remodel
  /// The tool for the other one.
  let plainRemodel: Remodel
  let served, plain: String

  init(
    _ scenario: Scenario,
    _ fill: ReleaseFill,
    _ bundle: String,
    served: String,
    plain: String
  ) throws {
    self.scenario = scenario
    self.fill = fill
    before = try scenario.version("before").projection
    after = try scenario.version("after").projection
    var configuration = RemodelConfiguration(modelsPath: bundle)
    plainRemodel = Remodel(configuration)
    configuration.keep = .previous
    configuration.unservedEntities = Set(before.model.entities.map(\.name))
    remodel = Remodel(configuration)
    self.served = served
    self.plain = plain
  }

  /// Returns whether the rows allowed the migration.
  func run() async throws -> Bool {
    let one = try connection(served)
    let other = try connection(plain)
    _ = try await remodel.migrate(.url(served), to: "1")
    _ = try await plainRemodel.migrate(.url(plain), to: "1")
    try await scenario.fill(served, fill, one)
    try await scenario.fill(plain, fill, other)
    let unserved: Set<SQLIdentifier>
    let deletesRows: Bool
    do {
      let steps = try await remodel.plan(.url(served)).plan.steps
      unserved = Set(steps.flatMap(\.unservedTables).map(\.name))
      // The plan warns of references by which rows would be deleted or kept.
      deletesRows = steps.flatMap(\.releaseTables).allSatisfy {
        $0.looseReferences.isEmpty && $0.changedDeletions.isEmpty
      }
      _ = try await remodel.migrate(.url(served))
    } catch is PlanningError {
      return true
    } catch is ExecutionError {
      return false
    }
    let tables = Set(before.schema.tables.keys).subtracting(unserved)
    let writes = try ServedWrites(
      before,
      tables: tables,
      seed: 1,
      number: 600,
      deletesRows: deletesRows,
      other
    )
    try write(writes, "public_v1", one, other)
    for table in tables.sorted() {
      try compare(
        table,
        before,
        "public_v1",
        "public",
        one,
        other,
        "the old release after its writes"
      )
    }
    do {
      _ = try await plainRemodel.migrate(.url(plain))
    } catch is ExecutionError {
      // The writes of the release have made rows that could not be migrated.
      return true
    }
    guard unserved.isEmpty else { return true }
    for table in after.schema.sortedTables {
      try compare(table.name, after, "public_v2", "public", one, other, "the new release")
    }
    let laterWrites = try ServedWrites(
      after,
      tables: Set(after.schema.tables.keys),
      seed: 2,
      number: 700,
      deletesRows: deletesRows,
      other
    )
    try write(laterWrites, "public_v2", one, other)
    for table in after.schema.sortedTables {
      try compare(
        table.name,
        after,
        "public_v2",
        "public",
        one,
        other,
        "the new release after its writes"
      )
    }
    #expect(try await remodel.verify(.url(served)).isClean, "\(scenario.name)")
    return true
  }

  private func connection(_ url: String) throws -> PostgresConnection {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    return connection
  }

  /// Runs the statements that work in a database of their own version in both databases, unless the first refuses
  /// one that has no counterpart in the other version.
  private func write(
    _ writes: ServedWrites,
    _ schema: SQLIdentifier,
    _ one: borrowing PostgresConnection,
    _ other: borrowing PostgresConnection
  ) throws {
    for statement in writes.statements {
      let isPossible =
        try ServedWrites.fault(of: statement("public"), isKept: false, other) == nil
      guard isPossible else { continue }
      if let fault = try ServedWrites.fault(of: statement(schema), one) {
        #expect(
          fault.sqlState?.rawValue.hasPrefix("22") == true,
          "\(scenario.name), \(fill): \(statement(schema).text): \(fault)"
        )
      } else {
        let fault = try ServedWrites.fault(of: statement("public"), other)
        #expect(fault == nil)
      }
    }
  }

  /// Returns whether an attribute of the version before has a value in each row from now on: the default in place of
  /// NULL.
  private func getsDefault(_ origin: ColumnOrigin?) -> Bool {
    guard case .attribute(_, let name, _) = origin else { return false }
    return after.model.entities.contains { entity in
      entity.attributes.contains {
        ($0.name == name || $0.renamingIdentifier == name) && !$0.isOptional
      }
    }
  }

  private func compare(
    _ table: SQLIdentifier,
    _ projection: ModelProjection,
    _ schema: SQLIdentifier,
    _ otherSchema: SQLIdentifier,
    _ one: borrowing PostgresConnection,
    _ other: borrowing PostgresConnection,
    _ words: String
  ) throws {
    guard let contents = projection.schema.tables[table] else { return }
    let columns = contents.columns.filter { column in
      let place = ColumnReference(table: table, column: column.name)
      // A release that knows no order leaves a link's place where it was.
      if case .position = projection.columnOrigins[table]?[column.name] { return false }
      return projection.derivations[place]?.isStamp != true
        && column.defaultExpression?.mayBeVolatile != true
        && !getsDefault(projection.columnOrigins[table]?[column.name])
    }.map { "\($0.name)::text" as SQLFragment }
    func rows(
      of schema: SQLIdentifier,
      _ connection: borrowing PostgresConnection
    ) throws -> Set<[String?]> {
      let name = QualifiedName(schema: schema, name: table)
      return Set(
        try connection.query("SELECT \(columns.joined(separator: ", ")) FROM \(name)").rows
      )
    }
    let (found, expected) = (try rows(of: schema, one), try rows(of: otherSchema, other))
    #expect(
      found == expected,
      """
      \(scenario.name), \(fill), \(words), table \(table): \
      surplus \(found.subtracting(expected)), missing \(expected.subtracting(found))
      """
    )
  }
}
