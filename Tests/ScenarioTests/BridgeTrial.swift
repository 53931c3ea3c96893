import ObjectModel
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// A database that serves both versions, beside one that is at either version.
struct BridgeTrial {
  /// How far it got.
  enum Outcome: Hashable {
    /// Both releases wrote, and each found what it should; the version before is retired.
    case whole
    /// The release on the version before works with the tables that it keeps.
    case inPart
    /// The rows that the release on the version before has written could not be migrated.
    case spoiled
    /// The rows do not allow the migration.
    case violated
    /// There is no such migration.
    case unplanned
  }

  /// The name for reports.
  let name: String
  let before, after: PlannedVersion
  /// Whether constraints are added to large tables later, when `finish` is called.
  private let areTablesLarge: Bool
  /// The tool for the database that serves both versions.
  private let remodel: Remodel
  /// The tool for the other one.
  private let plainRemodel: Remodel

  init(
    _ name: String,
    from before: PlannedVersion,
    to after: PlannedVersion,
    _ configuration: RemodelConfiguration,
    areTablesLarge: Bool = false
  ) {
    self.name = name
    self.areTablesLarge = areTablesLarge
    self.before = before
    self.after = after
    var configuration = configuration
    plainRemodel = Remodel(configuration)
    configuration.keep = .previous
    if areTablesLarge {
      configuration.strategy = .filled
      configuration.takesTablesForLarge = true
    }
    configuration.unservedEntities = Set(before.projection.model.entities.map(\.name))
    remodel = Remodel(configuration)
  }

  /// Migrates rows, writes through both interfaces, and retires the version before.
  ///
  /// - Parameter fill: Puts rows into a database at the version before.
  /// - Returns: How far it got.
  /// - Throws: What neither the rows nor the models explain.
  func run(
    _ fill: (_ url: String, _ connection: borrowing PostgresConnection) async throws -> Void
  ) async throws -> Outcome {
    try await TestServer.withTwoDatabases { try await run(served: $0, plain: $1, fill) }
  }

  private func run(
    served: String,
    plain: String,
    _ fill: (_ url: String, _ connection: borrowing PostgresConnection) async throws -> Void
  ) async throws -> Outcome {
    let one = try connection(served)
    let other = try connection(plain)
    _ = try await remodel.migrate(.url(served), to: before.name)
    _ = try await plainRemodel.migrate(.url(plain), to: before.name)
    try await fill(served, one)
    try await fill(plain, other)
    let unserved: Set<SQLIdentifier>
    let deletesRows: Bool
    do {
      let steps = try await remodel.plan(.url(served), to: after.name).plan.steps
      unserved = Set(steps.flatMap(\.unservedTables).map(\.name))
      // The plan warns of references by which rows would be deleted or kept.
      deletesRows = steps.flatMap(\.releaseTables).allSatisfy {
        $0.looseReferences.isEmpty && $0.changedDeletions.isEmpty
      }
      _ = try await remodel.migrate(.url(served), to: after.name)
    } catch is PlanningError {
      return .unplanned
    } catch let error as RemodelError {
      guard case .noMapping = error.fact else { throw error }
      return .unplanned
    } catch is ExecutionError {
      return .violated
    }
    let tables = Set(before.projection.schema.tables.keys).subtracting(unserved)
    let writes = try ServedWrites(
      before.projection,
      tables: tables,
      seed: 1,
      number: 600,
      deletesRows: deletesRows,
      other
    )
    try write(writes, interface(of: before), one, other)
    for table in tables.sorted() {
      try compare(table, before, one, other, "the old release after its writes")
    }
    do {
      _ = try await plainRemodel.migrate(.url(plain), to: after.name)
    } catch is ExecutionError {
      return .spoiled
    }
    guard unserved.isEmpty else { return .inPart }
    for table in after.projection.schema.sortedTables {
      try compare(table.name, after, one, other, "the new release")
    }
    let laterWrites = try ServedWrites(
      after.projection,
      tables: Set(after.projection.schema.tables.keys),
      seed: 2,
      number: 700,
      deletesRows: deletesRows,
      other
    )
    try write(laterWrites, interface(of: after), one, other)
    for table in after.projection.schema.sortedTables {
      try compare(table.name, after, one, other, "the new release after its writes")
    }
    #expect(try await remodel.verify(.url(served)).isClean, "\(name)")
    let isServed = try await remodel.status(.url(served)).servedVersions.contains {
      $0.version.name == before.name
    }
    if isServed { try await remodel.retire(before.name, of: .url(served), isForced: true) }
    if areTablesLarge { _ = try await remodel.finish(.url(served)) }
    let difference = try CatalogSnapshot(ofStoreAt: served)
      .difference(to: CatalogSnapshot(ofStoreAt: plain))
    #expect(difference == [], "\(name), after the retirement")
    return .whole
  }

  private func interface(of version: PlannedVersion) -> SQLIdentifier {
    VersionInterface.schemaName(of: version.name, prefix: "public_v")
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
          "\(name): \(statement(schema).text): \(fault)"
        )
      } else {
        let fault = try ServedWrites.fault(of: statement("public"), other)
        #expect(fault == nil)
      }
    }
  }

  /// Returns whether an attribute of the version before has a value in each row from now on: the default in place of
  /// NULL.
  private func getsDefault(_ place: ColumnReference) -> Bool {
    guard let (entity, part) = before.projection.leaf(in: place), !part.isRequired,
      case .attribute(_, let name, _) =
        before.projection.columnOrigins[place.table]?[place.column]
    else { return false }
    let family = Set(
      before.projection.model.family(of: entity).map(\.name)
        + before.projection.model.lineage(of: entity).map(\.name)
    )
    return after.projection.model.entities.contains { entity in
      family.contains(entity.renamingIdentifier ?? entity.name)
        && entity.attributes.contains {
          ($0.name == name || $0.renamingIdentifier == name) && !$0.isOptional
        }
    }
  }

  private func compare(
    _ table: SQLIdentifier,
    _ version: PlannedVersion,
    _ one: borrowing PostgresConnection,
    _ other: borrowing PostgresConnection,
    _ words: String
  ) throws {
    let projection = version.projection
    guard let contents = projection.schema.tables[table] else { return }
    let columns = contents.columns.filter { column in
      let place = ColumnReference(table: table, column: column.name)
      // A release that knows no order leaves a link's place where it was.
      if case .position = projection.columnOrigins[table]?[column.name] { return false }
      return projection.derivations[place]?.isStamp != true
        && column.defaultExpression?.mayBeVolatile != true
        && !(version.name == before.name && getsDefault(place))
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
    let (found, expected) = (
      try rows(of: interface(of: version), one), try rows(of: "public", other)
    )
    #expect(
      found == expected,
      """
      \(name), \(words), table \(table): \
      surplus \(found.subtracting(expected)), missing \(expected.subtracting(found))
      """
    )
  }
}
