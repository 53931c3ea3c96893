internal import SQLSyntax

/// What a step does to large tables, divided into what its transaction does, which is over at once,
/// and what is done afterwards while others read and write.
struct OnlineChanges {
  /// What the transaction does.
  private(set) var operations: [MigrationOperation] = []
  /// What comes after it.
  private(set) var deferredWork: [DeferredWork] = []

  private let source: ModelProjection
  private let destination: ModelProjection
  private let match: SchemaMatch
  private let serverMajor: Int
  private let neededRelations: Set<SQLIdentifier>
  /// The tables that stay and are not small, under the names that they have in the end.
  private let largeTables: Set<SQLIdentifier>
  /// The tables that go and are not small, under the names that they have by then.
  private let largeFormerTables: Set<SQLIdentifier>
  /// What was unique before under a name that something unique has afterwards.
  private let formerUniques: Set<SQLIdentifier>

  /// Divides operations.
  ///
  /// - Parameters:
  ///   - all: The operations, in no order yet.
  ///   - changes: What they were found by.
  ///   - smallTables: The tables of the source that take no time.
  init(
    dividing all: [MigrationOperation],
    of changes: SchemaChanges,
    smallTables: Set<SQLIdentifier>
  ) {
    source = changes.source.projection
    destination = changes.destination.projection
    match = changes.match
    serverMajor = changes.planner.serverMajor
    neededRelations = changes.neededRelations
    largeTables = Set(match.tables.filter { !smallTables.contains($0.key) }.values)
    let former = source.schema.tables.keys.filter { changes.match.tables[$0] == nil }
    largeFormerTables = Set(
      former.filter { !smallTables.contains($0) }.map { changes.currentName(of: $0) }
    )
    formerUniques = Set(
      all.compactMap { operation in
        switch operation {
        case .dropConstraint(let drop) where drop.constraint.hasIndex: drop.constraint.name
        case .dropIndex(let drop): drop.index
        default: nil  // Nothing else ends that values are unique.
        }
      }
    )
    for operation in all { divide(operation) }
  }

  private mutating func divide(_ operation: MigrationOperation) {
    switch operation {
    case .addConstraint(let addition) where isLarge(addition): postpone(addition)
    case .createIndex(let creation)
    where largeTables.contains(creation.table) && !isRemade(creation.index):
      deferredWork.append(.buildIndex(IndexBuild(table: creation.table, index: creation.index)))
    case .dropIndex(let drop) where largeTables.contains(drop.table) && isDroppedLater(drop):
      deferredWork.append(.dropIndex(IndexRemoval(table: drop.table, index: drop.index)))
    case .addColumn(let addition) where largeTables.contains(addition.table):
      divide(addition)
    case .setNotNull(let requirement) where largeTables.contains(requirement.table):
      postpone(requirement)
    default: operations.append(operation)  // All else is over at once, or cannot wait.
    }
  }

  /// There may be no rows where a column is required that has no value to begin with: the server would
  /// look for them, however much of the table is empty.
  private mutating func divide(_ addition: AddColumn) {
    guard let constraint = addition.column.notNullConstraint,
      addition.column.defaultExpression == nil, addition.column.generation == nil,
      addition.column.identitySequence == nil
    else {
      operations.append(.addColumn(addition))
      return
    }
    var nullable = addition
    nullable.column.notNullConstraint = nil
    operations.append(.addColumn(nullable))
    let requirement = SetNotNull(
      table: addition.table,
      column: addition.column.name,
      constraint: constraint
    )
    postpone(requirement)
  }

  private func isLarge(_ addition: AddConstraint) -> Bool {
    // What a copy brings is asked about before it comes, or when it does.
    guard !addition.isValidatedLater, match.oldTables[addition.table] != nil else { return false }
    return largeTables.contains(addition.table)
      || addition.constraint.referencedTable.map(largeTables.contains) ?? false
  }

  private mutating func postpone(_ addition: AddConstraint) {
    switch addition.constraint.definition {
    case .primaryKey:
      operations.append(.addConstraint(addition))
    case .unique:
      guard !formerUniques.contains(addition.constraint.name) else {
        operations.append(.addConstraint(addition))
        return
      }
      deferredWork.append(
        .addUniqueConstraint(
          UniqueConstraintBuild(table: addition.table, constraint: addition.constraint)
        )
      )
    case .check, .foreignKey:
      var unvalidated = addition
      unvalidated.isValidatedLater = true
      operations.append(.addConstraint(unvalidated))
      deferredWork.append(
        .validateConstraint(
          ConstraintValidation(table: addition.table, constraint: addition.constraint)
        )
      )
    }
  }

  private mutating func postpone(_ requirement: SetNotNull) {
    var unvalidated = requirement
    let form = NotNullForm(
      of: requirement.column,
      of: requirement.table,
      serverMajor: serverMajor
    )
    unvalidated.unvalidatedForm = form
    operations.append(.setNotNull(unvalidated))
    deferredWork.append(
      .setNotNull(
        NotNullRequirement(
          table: requirement.table,
          column: requirement.column,
          constraint: requirement.constraint,
          form: form
        )
      )
    )
  }

  /// What was unique has to stay so, so that it cannot be without an index for a while.
  private func isRemade(_ index: Index) -> Bool {
    index.isUnique && formerUniques.contains(index.name)
  }

  /// Whether an index may outlive the step: nobody needs its name, it keeps no values out, and its
  /// columns stay what they are.
  private func isDroppedLater(_ drop: DropIndex) -> Bool {
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
  /// What the transaction does that takes time on large tables while others are kept out, by table.
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

  /// Why the transaction keeps others waiting all the same, by the first table; none if it does not.
  var obstacle: String? {
    guard let (table, operations) = obstacles.min(by: { $0.key < $1.key }),
      let operation = operations.first
    else { return nil }
    return "table \"\(table)\" is not small, and others would have to wait for it to "
      + operation.base.summary
  }
}

extension MigrationOperation {
  /// The tables that others have to wait for until the operation has been through all of their rows.
  fileprivate var tablesInTheWay: Set<SQLIdentifier> {
    let impact = base.impact
    if changesRows { return Set(impact.locks.keys) }
    guard impact.locks.values.contains(where: { $0 >= .share }) else { return [] }
    return impact.rewrites.union(impact.scans)
  }

  /// A Boolean value that indicates whether what it does to the rows of a table follows from that
  /// table alone, so that a copy of the table comes to the same.
  var staysInTable: Bool {
    switch self {
    case .updateRows, .computeValues, .addColumn, .changeColumnType, .createIndex, .addConstraint,
      .setNotNull, .dropColumn, .setDefault:
      true
    case .createTable, .installTable, .dropTable, .renameTable, .retainTable, .renameColumn,
      .retainColumn, .dropNotNull, .dropExpression, .copyRows, .retainRows, .deleteRows, .cutLinks,
      .cutDanglingLinks, .reinstateRows,
      .moveLinks, .numberLinks, .dropConstraint, .renameConstraint, .dropIndex, .renameIndex,
      .renameSequence, .createTrigger, .dropTrigger, .renameRetained, .dropDependent,
      .createDependent:
      false
    }
  }
}
