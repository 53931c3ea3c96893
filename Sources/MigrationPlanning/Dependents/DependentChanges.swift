internal import SQLSyntax

/// What a plan has to do to the objects that depend on what it changes: those that would keep the
/// server from it are dropped before and made again afterwards.
struct DependentChanges {
  /// The drops and creations, in no order yet.
  private(set) var operations: [MigrationOperation] = []

  private let dependents: [DependentObject]
  private var causes: [Int: DependentRefusal.Cause] = [:]
  private var losses: [DependentRefusal] = []

  /// Finds out which objects the operations of a plan break.
  ///
  /// - Parameters:
  ///   - before: The dependent objects with the names that things have before the operations.
  ///   - operations: The operations in their order.
  /// - Throws: The objects that cannot be made again.
  init(
    _ before: [DependentObject],
    in operations: [MigrationOperation]
  ) throws(PlanningError) {
    dependents = before.following(operations)
    let users = Dictionary(
      grouping: dependents.indices.flatMap { index in
        dependents[index].uses.map { (usage: $0, index: index) }
      },
      by: \.usage.table
    )
    for operation in operations {
      for user in users[operation.base.table] ?? [] {
        note(operation, user.usage, of: user.index)
      }
    }
    spread()
    let refusals = losses + causes.sorted { $0.key < $1.key }.compactMap(refusal)
    guard refusals.isEmpty else {
      throw PlanningError(fact: .dependentsInTheWay(refusals))
    }
    makeOperations()
  }

  // MARK: - What breaks

  private mutating func note(
    _ operation: MigrationOperation,
    _ usage: DependentObject.Usage,
    of index: Int
  ) {
    switch operation {
    case .changeColumnType(let change):
      if dependents[index].isBroken(by: change, through: usage), causes[index] == nil {
        causes[index] = .typeChanged(column: change.column, table: change.table)
      }
    case .dropColumn(let drop) where usage == .column(drop.table, drop.column):
      lose(index, .columnDropped(drop.column, table: drop.table))
    case .dropTable(let drop) where dependents[index].attachedTable != drop.table:
      lose(index, .tableDropped(drop.table))
    case .dropConstraint(let drop) where usage == .part(drop.table, drop.constraint.name):
      lose(index, .partDropped(drop.constraint.name, table: drop.table))
    case .dropIndex(let drop) where usage == .part(drop.table, drop.index):
      lose(index, .partDropped(drop.index, table: drop.table))
    case .deleteRows(let deletion)
    where dependents[index].kind == .constraint
      && dependents[index].attachedTable != deletion.table:
      lose(index, .rowsLeave(deletion.table))
    case .updateRows, .computeValues, .copyRows, .retainRows, .deleteRows, .cutLinks, .moveLinks,
      .numberLinks:
      noteChangedRows(of: operation.base.table, index)
    case .createTable, .installTable, .dropTable, .renameTable, .retainTable, .addColumn,
      .dropColumn,
      .renameColumn, .retainColumn, .setNotNull, .dropNotNull, .setDefault, .dropExpression,
      .addConstraint, .dropConstraint, .renameConstraint, .createIndex, .dropIndex, .renameIndex,
      .renameSequence, .createTrigger, .dropTrigger, .renameRetained, .dropDependent,
      .createDependent:
      break
    }
  }

  /// Triggers and rules are for what applications write, and must not meddle with what a migration
  /// does.
  private mutating func noteChangedRows(of table: SQLIdentifier, _ index: Int) {
    switch dependents[index].kind {
    case .trigger, .rule:
      guard dependents[index].attachedTable == table, causes[index] == nil else { return }
      causes[index] = .rowsChange(table)
    case .view, .materializedView, .routine, .policy, .statistics, .publicationTable, .index,
      .constraint, .column, .other:
      break
    }
  }

  private mutating func lose(_ index: Int, _ cause: DependentRefusal.Cause) {
    let refusal = DependentRefusal(name: dependents[index].name, cause: cause, reason: nil)
    if !losses.contains(refusal) { losses.append(refusal) }
  }

  /// What uses an object that is dropped has to be dropped before it.
  private mutating func spread() {
    let indexes = Dictionary(
      dependents.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var users: [Int: [Int]] = [:]
    for (index, object) in dependents.enumerated() {
      for used in object.usedDependents {
        if let usedIndex = indexes[used] { users[usedIndex, default: []].append(index) }
      }
    }
    var pending = causes.keys.sorted()
    while let index = pending.popLast() {
      for user in users[index] ?? [] where causes[user] == nil {
        causes[user] = .recreated(dependents[index].name)
        pending.append(user)
      }
    }
  }

  private func refusal(
    _ index: Int,
    _ cause: DependentRefusal.Cause
  ) -> DependentRefusal? {
    guard case .impossible(let reason) = dependents[index].recreation else { return nil }
    return DependentRefusal(name: dependents[index].name, cause: cause, reason: reason)
  }

  // MARK: - What is done about it

  private mutating func makeOperations() {
    let dropped = Set(causes.keys.map { dependents[$0].name })
    for (index, _) in causes.sorted(by: { $0.key < $1.key }) {
      let object = dependents[index]
      guard case .possible(let drop, let create, let scansTables) = object.recreation else {
        continue
      }
      let used = object.usedDependents.intersection(dropped)
      operations.append(
        .dropDependent(DropDependent(object: object, usedDependents: used, statement: drop))
      )
      operations.append(
        .createDependent(
          CreateDependent(
            object: object,
            usedDependents: used,
            statements: create,
            scansTables: scansTables
          )
        )
      )
    }
  }
}

extension DependentObject {
  /// Returns whether the server refuses to change the type of a column because of this object, or
  /// does not leave the object as it was.
  fileprivate func isBroken(by change: ChangeColumnType, through usage: Usage) -> Bool {
    switch kind {
    case .index, .constraint:
      // The server makes them anew with the column.
      false
    case .column, .materializedView:
      // Stored rows are never converted.
      usage == .column(change.table, change.column) || usage == .rowType(change.table)
    case .view, .routine, .rule, .trigger, .policy, .statistics, .publicationTable, .other:
      // The server makes statistics anew itself, but without their owner and target.
      usage == .column(change.table, change.column)
    }
  }
}

extension [DependentObject] {
  /// Returns the objects with the names that things have after operations.
  func following(_ operations: [MigrationOperation]) -> [DependentObject] {
    guard !isEmpty else { return self }
    let renames = operations.filter(\.isRename)
    guard !renames.isEmpty else { return self }
    return map { object in
      var object = object
      for rename in renames { object.follow(rename) }
      return object
    }
  }
}
