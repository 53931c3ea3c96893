internal import ObjectModel
internal import SQLSyntax

extension SchemaChanges {
  /// Adds the operations that turn a table into its next version.
  mutating func changeTable(_ old: Table, into new: Table) {
    let matched = match.columns[old.name] ?? [:]
    if isUnchanged(old, new, matched) { return }
    let kept = Set(matched.values)
    var names = matched
    for column in old.columns.map(\.name) where matched[column] == nil {
      names[column] = new.column(column) == nil ? column : nameOutOfTheWay(column)
    }
    // The old table with all new names: what still differs, differs in substance.
    var renamed = old
    renamed.name = new.name
    renamed.renameColumns(names)
    renamed.renameReferences(tableNames)
    let removed = renamed.columns.filter { !kept.contains($0.name) }

    for rename in Rename.breakingCircles(names) {
      operations.append(
        .renameColumn(
          RenameColumn(
            table: new.name,
            name: rename.from,
            newName: rename.to,
            isFromTemporary: rename.isFromTemporary
          )
        )
      )
    }
    let retyped = changeColumns(renamed, into: new, kept)
    let references = addColumns(of: new, kept)
    let dropped = changeConstraints(renamed, into: new, retyped, references)
    let staying = changeIndexes(renamed, into: new, Set(removed.map(\.name)))
    remove(removed, of: renamed, dropped, staying)
    changeTriggers(old, into: new)
  }

  /// Most tables of a large model are the same in both versions, and so is what they refer to.
  private func isUnchanged(
    _ old: Table,
    _ new: Table,
    _ names: [SQLIdentifier: SQLIdentifier]
  ) -> Bool {
    names.count == old.columns.count && old == new && names.allSatisfy { $0.key == $0.value }
      && old.constraints.compactMap(\.referencedTable).allSatisfy { match.tables[$0] == $0 }
  }

  // MARK: - Columns

  /// Returns the columns whose type changes.
  private mutating func changeColumns(
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
  private mutating func addColumns(of new: Table, _ kept: Set<SQLIdentifier>) -> Set<Constraint> {
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
    guard let (entity, attribute) = attribute(of: column, in: table), !attribute.isOptional,
      let before = sourceAttribute(of: column, in: table), before.isOptional,
      let value = attribute.defaultValue
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
    guard let (entity, attribute) = attribute(of: column, in: table),
      let value = attribute.defaultValue, let condition = membership(of: entity)
    else { return nil }
    return FillColumn(
      table: table.name,
      column: column.name,
      value: "\(value.literal(of: column.type))",
      condition: condition
    )
  }

  private func attribute(
    of column: Column,
    in table: Table
  ) -> (EntityDescription, AttributeDescription)? {
    let origin = destination.projection.columnOrigins[table.name]?[column.name]
    guard case .attribute(let entityName, let name, path: []) = origin,
      let entity = destination.projection.model.entity(named: entityName),
      let attribute = entity.attributes.first(where: { $0.name == name })
    else { return nil }
    return (entity, attribute)
  }

  private func sourceAttribute(of column: Column, in table: Table) -> AttributeDescription? {
    let reference = ColumnReference(table: table.name, column: column.name)
    guard let old = match.oldColumns[reference],
      case .attribute(let entity, let name, path: []) =
        source.projection.columnOrigins[old.table]?[old.column]
    else { return nil }
    return source.projection.model.entity(named: entity)?.attributes.first { $0.name == name }
  }

  /// Returns the condition that a row is of a subentity; none for a root, whose rows all are.
  private func membership(of entity: EntityDescription) -> SQLFragment? {
    guard entity.superentityName != nil else { return nil }
    let members = destination.projection.concreteFamily(of: entity)
    return "\(StorageNames.discriminator) IN (\(destination.projection.list(members)))"
  }

  // MARK: - Constraints

  /// Returns the constraints that are dropped.
  private mutating func changeConstraints(
    _ old: Table,
    into new: Table,
    _ retyped: Set<SQLIdentifier>,
    _ references: Set<Constraint>
  ) -> [Constraint] {
    var unmatched = new.constraints.filter { !references.contains($0) }
    var dropped: [Constraint] = []
    for before in old.constraints {
      let isRewritten = before.isCheck && !retyped.isDisjoint(with: before.columns)
      let position = unmatched.firstIndex { $0.definition == before.definition }
      guard !isRewritten, let position else {
        dropped.append(before)
        operations.append(.dropConstraint(DropConstraint(table: new.name, constraint: before)))
        continue
      }
      let after = unmatched.remove(at: position)
      if before.name != after.name {
        operations.append(
          .renameConstraint(
            RenameConstraint(
              table: new.name,
              name: before.name,
              newName: after.name,
              hasIndex: after.hasIndex
            )
          )
        )
      }
    }
    for constraint in unmatched {
      operations.append(.addConstraint(AddConstraint(table: new.name, constraint: constraint)))
    }
    return dropped
  }

  /// Returns the indexes that stay with retained columns.
  private mutating func changeIndexes(
    _ old: Table,
    into new: Table,
    _ removed: Set<SQLIdentifier>
  ) -> [Index] {
    var unmatched = new.indexes
    var staying: [Index] = []
    for before in old.indexes {
      let position = unmatched.firstIndex {
        $0.elements == before.elements && $0.isUnique == before.isUnique
          && $0.predicate == before.predicate
      }
      if let position {
        let after = unmatched.remove(at: position)
        if before.name != after.name {
          operations.append(
            .renameIndex(
              RenameIndex(table: new.name, name: before.name, newName: after.name)
            )
          )
        }
      } else if planner.removals != .drop, !before.isUnique, removed.isSuperset(of: before.columns)
      {
        staying.append(before)
      } else {
        operations.append(.dropIndex(DropIndex(table: new.name, index: before.name)))
      }
    }
    for index in unmatched {
      operations.append(.createIndex(CreateIndex(table: new.name, index: index)))
    }
    return staying
  }

  // MARK: - Removed columns

  private mutating func remove(
    _ removed: [Column],
    of table: Table,
    _ dropped: [Constraint],
    _ staying: [Index]
  ) {
    for column in removed {
      if planner.removals == .drop {
        operations.append(.dropColumn(DropColumn(table: table.name, column: column.name)))
        continue
      }
      operations.append(.retainColumn(RetainColumn(table: table.name, column: column)))
      retained.add(
        RetainedObject(
          table: table.name,
          column: column.name,
          version: source.name,
          relationNames: staying.filter { $0.columns.first == column.name }.map(\.name),
          restoration: restoration(
            of: dropped.filter { $0.columns.contains(column.name) },
            column.isNullable ? [] : [column]
          )
        )
      )
    }
  }

  // MARK: - Triggers

  /// The function of a trigger is text that the server does not rename anything in, so that a trigger
  /// of which anything has another name is made anew.
  private mutating func changeTriggers(_ old: Table, into new: Table) {
    for trigger in old.triggers where !new.triggers.contains(trigger) {
      operations.append(
        .dropTrigger(
          DropTrigger(table: old.name, trigger: trigger.name, newTable: new.name)
        )
      )
    }
    for trigger in new.triggers where !old.triggers.contains(trigger) {
      operations.append(
        .createTrigger(
          CreateTrigger(table: new.name, trigger: trigger, columns: new.columns.map(\.name))
        )
      )
    }
  }
}

extension Constraint {
  fileprivate var isCheck: Bool {
    if case .check = definition { true } else { false }
  }
}
