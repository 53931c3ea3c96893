internal import SQLSyntax

/// Drops or retains a table that the destination does not have.
struct TableRemoval {
  private(set) var operations: [MigrationOperation] = []

  /// Removes a table.
  ///
  /// - Parameters:
  ///   - context: The context of all passes.
  ///   - old: The table.
  ///   - isRead: Whether its rows or links move to other tables, or decide which links do.
  ///   - retained: The retained objects.
  init(_ context: StepContext, _ old: Table, isRead: Bool, _ retained: inout RetainedNames) {
    var table = old
    table.name = context.names.current(old.name)
    table.renameReferences(context.names.tables, keys: context.names.columns)
    let bound = table.constraints.filter { !$0.isPrimaryKey }
    for trigger in table.triggers {
      operations.append(
        .dropTrigger(
          DropTrigger(table: old.name, trigger: trigger.name, newTable: table.name)
        )
      )
    }
    switch context.planner.removals {
    case .drop:
      for constraint in bound where constraint.referencedTable != nil {
        operations.append(
          .dropConstraint(DropConstraint(table: table.name, constraint: constraint))
        )
      }
      // They are dropped already, with their locks.
      table.constraints.removeAll { $0.referencedTable != nil }
      if isRead { giveUpObjectNames(of: &table, retained.neededRelations) }
      operations.append(.dropTable(DropTable(contents: table)))
      retained.tableDropped(table.name)
    case .retain, .refuse:
      for constraint in bound {
        operations.append(
          .dropConstraint(DropConstraint(table: table.name, constraint: constraint))
        )
      }
      let key = table.constraints.first(where: \.isPrimaryKey)
      let required = table.columns.filter {
        !$0.isNullable && $0.sequence == nil && !(key?.columns.contains($0.name) ?? false)
      }
      for column in required {
        operations.append(
          .dropNotNull(
            DropNotNull(
              table: table.name,
              column: column.name,
              constraint: column.notNullConstraint
            )
          )
        )
      }
      let uniqueIndexes = table.indexes.filter(\.isUnique)
      for index in uniqueIndexes {
        operations.append(
          .dropIndex(DropIndex(table: table.name, formerTable: old.name, index: index.name))
        )
      }
      operations.append(.retainTable(RetainTable(contents: table)))
      let gone = Set(bound.filter(\.hasIndex).map(\.name) + uniqueIndexes.map(\.name))
      retained.add(
        RetainedObject(
          table: table.name,
          version: retained.version,
          relationNames: table.relationNames.filter { !gone.contains($0) },
          restoration: context.restoration(of: bound, required),
          origin: context.origin(.table, of: old.name)
        )
      )
    }
  }

  /// Gives temporary names to the indexes and sequences of a table that is dropped only after it
  /// has been read, so that its replacement can have their names.
  private mutating func giveUpObjectNames(
    of table: inout Table,
    _ neededRelations: Set<SQLIdentifier>
  ) {
    for constraint in table.constraints
    where constraint.hasIndex && neededRelations.contains(constraint.name) {
      giveUp(constraint.name, .constraint(of: table.name, hasIndex: true))
      table.constraints.removeAll { $0.name == constraint.name }
    }
    for name in table.indexes.map(\.name) where neededRelations.contains(name) {
      giveUp(name, .index(of: table.name))
      table.indexes.removeAll { $0.name == name }
    }
    for index in table.columns.indices {
      guard let name = table.columns[index].identitySequence, neededRelations.contains(name) else {
        continue
      }
      giveUp(name, .sequence(of: table.name, column: table.columns[index].name))
      table.columns[index].identitySequence = nil
    }
  }

  private mutating func giveUp(_ name: SQLIdentifier, _ kind: RenameObject.Kind) {
    let newName = StorageNames.temporary(name)
    operations.append(.rename(RenameObject(kind: kind, name: name, newName: newName)))
  }
}
