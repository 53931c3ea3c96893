internal import ObjectModel
internal import SQLSyntax

extension SchemaChanges {
  /// Returns the columns whose type changes.
  mutating func changeColumns(
    _ old: Table,
    into new: Table,
    _ kept: Set<SQLIdentifier>
  ) -> Set<SQLIdentifier> {
    var retyped: Set<SQLIdentifier> = []
    for after in new.columns where kept.contains(after.name) {
      guard let before = old.column(after.name) else { continue }
      if before.type != after.type {
        retyped.insert(after.name)
        operations.append(
          .changeColumnType(
            ChangeColumnType(
              table: new.name,
              column: after.name,
              before: before.type,
              after: after.type,
              defaultBefore: before.defaultExpression,
              defaultAfter: after.defaultExpression
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
      if let fill = fill(ofKept: after, in: new) { operations.append(.fillColumn(fill)) }
    }
    return retyped
  }

  private mutating func changeNullability(_ before: Column, into after: Column, of table: Table) {
    switch (before.notNullConstraint, after.notNullConstraint) {
    case (nil, let constraint?):
      operations.append(
        .setNotNull(SetNotNull(table: table.name, column: after.name, constraint: constraint))
      )
    case (_?, nil):
      operations.append(.dropNotNull(DropNotNull(table: table.name, column: after.name)))
    case (let name?, let newName?) where name != newName:
      operations.append(
        .renameConstraint(
          RenameConstraint(
            table: table.name,
            name: name,
            newName: newName,
            hasIndex: false,
            notNullColumn: after.name,
            isNamed: planner.serverMajor >= 18
          )
        )
      )
    case (nil, nil), (_?, _?):
      break
    }
  }

  /// Returns the foreign keys that come with their columns.
  mutating func addColumns(of new: Table, _ kept: Set<SQLIdentifier>) -> Set<Constraint> {
    var references: Set<Constraint> = []
    for column in new.columns where !kept.contains(column.name) {
      let reference = new.constraints.first {
        $0.referencedTable != nil && $0.columns == [column.name]
      }
      if let reference { references.insert(reference) }
      operations.append(
        .addColumn(AddColumn(table: new.name, column: column, reference: reference))
      )
      if let fill = fill(ofAdded: column, in: new) { operations.append(.fillColumn(fill)) }
    }
    return references
  }

  // MARK: - Values

  /// A column that becomes required gets the default where there is no value.
  private func fill(ofKept column: Column, in table: Table) -> FillColumn? {
    guard let (entity, leaf) = leaf(of: column, in: table), leaf.isRequired,
      let before = sourceLeaf(of: column, in: table), !before.isRequired,
      let value = leaf.defaultValue
    else { return nil }
    let isNull: SQLFragment = "\(column.name) IS NULL"
    let condition = membership(of: entity).map { "\($0) AND \(isNull)" as SQLFragment } ?? isNull
    return FillColumn(
      table: table.name,
      column: column.name,
      value: "\(value.literal(of: column.type))",
      condition: condition
    )
  }

  /// The default of a subentity is not the column's, so its rows get it here.
  private func fill(ofAdded column: Column, in table: Table) -> FillColumn? {
    guard let (entity, leaf) = leaf(of: column, in: table), let value = leaf.defaultValue,
      let condition = membership(of: entity)
    else { return nil }
    return FillColumn(
      table: table.name,
      column: column.name,
      value: "\(value.literal(of: column.type))",
      condition: condition
    )
  }

  private func leaf(of column: Column, in table: Table) -> (EntityDescription, AttributePart)? {
    let reference = ColumnReference(table: table.name, column: column.name)
    return destination.projection.leaf(in: reference)
  }

  private func sourceLeaf(of column: Column, in table: Table) -> AttributePart? {
    let reference = ColumnReference(table: table.name, column: column.name)
    return match.oldColumns[reference].flatMap { source.projection.leaf(in: $0)?.1 }
  }

  /// Returns the condition that a row is of a subentity; none for a root, whose rows all are.
  private func membership(of entity: EntityDescription) -> SQLFragment? {
    guard entity.superentityName != nil else { return nil }
    let members = destination.projection.concreteFamily(of: entity)
    return "\(StorageNames.discriminator) IN (\(destination.projection.list(members)))"
  }
}
