internal import ObjectModel
internal import SQLSyntax

extension SchemaChanges {
  /// Returns the columns that change in more than their names.
  mutating func changeColumns(
    _ old: Table,
    into new: Table,
    _ kept: Set<SQLIdentifier>
  ) -> ChangedColumns {
    var changed = ChangedColumns(from: old, to: new, kept)
    for after in new.columns where kept.contains(after.name) {
      guard let before = old.column(after.name) else { continue }
      if changed.recomputed.contains(after.name) {
        recompute(before, into: after, of: new)
        continue
      }
      if before.generation != nil, after.generation == nil { dropExpression(of: before, new) }
      if before.type != after.type {
        changed.retyped.insert(after.name)
        operations.append(
          .changeColumnType(
            ChangeColumnType(
              table: new.name,
              column: after.name,
              before: before.type,
              after: after.type,
              defaultBefore: before.defaultExpression,
              defaultAfter: after.defaultExpression,
              isIndexed: old.hasIndex(of: after.name)
            )
          )
        )
      } else if before.defaultExpression != after.defaultExpression {
        operations.append(
          .setDefault(
            SetDefault(table: new.name, column: after.name, expression: after.defaultExpression)
          )
        )
      }
      changeNullability(before, into: after, of: new)
      if let name = before.identitySequence, let newName = after.identitySequence, name != newName {
        operations.append(
          .renameSequence(
            RenameSequence(table: new.name, column: after.name, name: name, newName: newName)
          )
        )
      }
    }
    return changed
  }

  /// Returns what makes a column required that is there already; nothing if it is not.
  func requirement(
    of column: Column,
    in table: Table,
    by found: NotNullConstraint? = nil
  ) -> MigrationOperation? {
    column.notNullConstraint.map { constraint in
      .setNotNull(
        SetNotNull(
          table: table.name,
          column: column.name,
          constraint: constraint,
          isNamed: planner.serverMajor >= 18,
          found: found
        )
      )
    }
  }

  private mutating func changeNullability(_ before: Column, into after: Column, of table: Table) {
    let place = ColumnReference(table: table.name, column: after.name)
    let found = match.oldColumns[place].flatMap { planner.foundNotNull[$0] }
    switch (before.notNullConstraint, after.notNullConstraint) {
    case (nil, _?):
      if let requirement = requirement(of: after, in: table, by: found) {
        operations.append(requirement)
      }
    case (let constraint?, nil):
      operations.append(
        .dropNotNull(
          DropNotNull(table: table.name, column: after.name, constraint: constraint)
        )
      )
    case (let name?, let newName?) where name != newName:
      let name = found?.name ?? name
      operations.append(
        .renameConstraint(
          RenameConstraint(
            table: table.name,
            name: name,
            newName: newName,
            hasIndex: false,
            notNullColumn: after.name,
            isNamed: planner.serverMajor >= 18 && name != newName
          )
        )
      )
    case (nil, nil), (_?, _?):
      break
    }
  }
}
