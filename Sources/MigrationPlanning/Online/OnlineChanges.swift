internal import SQLSyntax

/// A step's changes of large tables, divided into the short part in its transaction and the part
/// that runs afterwards while others read and write.
struct OnlineChanges {
  /// The immediate and the deferred parts of an operation.
  typealias Division = (operations: [MigrationOperation], deferredWork: [DeferredWork])

  /// The operations of the transaction.
  private(set) var operations: [MigrationOperation] = []
  /// The deferred part.
  private(set) var deferredWork: [DeferredWork] = []

  private let source: ModelProjection
  private let destination: ModelProjection
  private let match: SchemaMatch
  let serverMajor: Int
  private let neededRelations: Set<SQLIdentifier>
  /// The tables that stay and are not small, under the names that they have in the end.
  let largeTables: Set<SQLIdentifier>
  /// The partitions of the tables that stay, by the names that these have in the end.
  private let partitions: [SQLIdentifier: [QualifiedName]]
  /// The tables that go and are not small, under the names that they have by then.
  private let largeFormerTables: Set<SQLIdentifier>
  /// The names of unique objects that a unique object has afterwards.
  let formerUniques: Set<SQLIdentifier>

  /// Divides operations into immediate and deferred ones.
  ///
  /// - Parameters:
  ///   - all: The operations, unordered.
  ///   - changes: The changes that they are from.
  ///   - smallTables: The small tables of the source.
  init(
    dividing all: [MigrationOperation],
    of changes: SchemaChanges,
    smallTables: Set<SQLIdentifier>
  ) {
    source = changes.match.source
    destination = changes.match.destination
    match = changes.match
    serverMajor = changes.planner.serverMajor
    neededRelations = changes.retained.neededRelations
    largeTables = Set(match.tables.filter { !smallTables.contains($0.key) }.values)
    let kinds = changes.planner.kinds
    partitions = Dictionary(
      match.tables.compactMap { old, new in
        let isPartitioned =
          kinds[old]?.partitionKey != nil
          || changes.match.source.schema.tables[old]?.partitioning != nil
        return isPartitioned ? (new, kinds[old]?.leaves ?? []) : nil
      },
      uniquingKeysWith: { first, _ in first }
    )
    let former = source.schema.tables.keys.filter { changes.match.tables[$0] == nil }
    largeFormerTables = Set(
      former.filter { !smallTables.contains($0) }.map { changes.names.current($0) }
    )
    formerUniques = Set(
      all.compactMap { operation in
        switch operation {
        case .dropConstraint(let drop) where drop.constraint.hasIndex: drop.constraint.name
        case .dropIndex(let drop): drop.index
        // Nothing else drops a unique object.
        default: nil
        }
      }
    )
    for operation in all {
      let division = operation.base.divided(by: self) ?? ([operation], [])
      operations += division.operations
      deferredWork += division.deferredWork
    }
  }

  /// Returns the partitions of a table; `nil` if it is not partitioned.
  func partitions(of table: SQLIdentifier) -> [QualifiedName]? { partitions[table] }

  /// Returns whether a constraint belongs to an existing large table.
  func isLarge(_ addition: AddConstraint) -> Bool {
    // Rows of a copy are checked before they are moved to their place, or then.
    guard !addition.isValidatedLater, match.oldTables[addition.table] != nil else { return false }
    return largeTables.contains(addition.table)
      || addition.constraint.referencedTable.map(largeTables.contains) ?? false
  }

  /// Whether the drop of an index can be deferred: its name is not needed, it does not refuse
  /// values, and its columns do not change.
  func isDroppedLater(_ drop: DropIndex) -> Bool {
    guard !neededRelations.contains(drop.index), let old = match.oldTables[drop.table],
      let index = source.schema.tables[old]?.indexes.first(where: { $0.name == drop.index }),
      !index.isUnique, !index.hasExpressions
    else { return false }
    return index.readColumns.allSatisfy { column in
      guard let name = match.columns[old]?[column],
        let before = source.schema.tables[old]?.column(column),
        let after = destination.schema.tables[drop.table]?.column(name)
      else { return false }
      return before.type == after.type && before.generation == after.generation
    }
  }
}

extension OnlineChanges {
  /// The operations of the transaction that take long on large tables while others are blocked, by
  /// table.
  var obstacles: [SQLIdentifier: [MigrationOperation]] {
    var obstacles: [SQLIdentifier: [MigrationOperation]] = [:]
    for operation in operations {
      for table in operation.tablesInTheWay
      where largeTables.contains(table) || largeFormerTables.contains(table) {
        obstacles[table, default: []].append(operation)
      }
    }
    return obstacles
  }

  /// Returns why the transaction keeps others waiting all the same, by the first table; none if it does not.
  ///
  /// - Parameter updateReasons: Why updates replace nulls of tables that might have been filled.
  /// - Returns: The reason.
  func obstacle(_ updateReasons: [SQLIdentifier: String] = [:]) -> String? {
    guard let (table, operations) = obstacles.min(by: { $0.key < $1.key }),
      let operation = operations.first
    else { return nil }
    var obstacle =
      "table \"\(table)\" is not small, and others would have to wait for it to "
      + operation.base.summary
    if case .updateRows(let update) = operation, update.purpose == .fillNulls,
      let reason = updateReasons[update.table]
    {
      obstacle += ", since the table cannot be filled in place: \(reason)"
    }
    return obstacle
  }
}

extension MigrationOperation {
  /// The tables that others have to wait for until the operation has been through all of their rows.
  fileprivate var tablesInTheWay: Set<SQLIdentifier> {
    let impact = base.impact
    if base.rowChange != .none { return Set(impact.locks.keys) }
    guard impact.locks.values.contains(where: { $0 >= .share }) else { return [] }
    return impact.rewrites.union(impact.scans)
  }
}
