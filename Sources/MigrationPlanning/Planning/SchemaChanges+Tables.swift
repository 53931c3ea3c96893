internal import SQLSyntax

extension SchemaChanges {
  /// Adds the operations that turn a table into its next version.
  mutating func changeTable(_ old: Table, into new: Table) {
    let matched = match.columns[old.name] ?? [:]
    if isUnchanged(old, new, matched) { return }
    let kept = Set(matched.values)
    let names = columnNames[old.name] ?? [:]
    // The old table with all new names: what still differs, differs in substance.
    var renamed = old
    renamed.name = new.name
    renamed.renameColumns(names)
    renamed.renameReferences(tableNames, keys: columnNames)
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
    let changed = changeColumns(renamed, into: new, kept)
    let references = addColumns(of: new, kept)
    fillKeptColumns(of: new, kept)
    let dropped = changeConstraints(renamed, into: new, changed, references)
    let staying = changeIndexes(
      renamed,
      formerName: old.name,
      into: new,
      changed,
      Set(removed.map(\.name))
    )
    remove(removed, of: renamed, formerName: old.name, dropped, staying)
    changeTriggers(old, into: new, changed)
  }

  /// Most tables of a large model are the same in both versions, and so is what they refer to.
  private func isUnchanged(
    _ old: Table,
    _ new: Table,
    _ names: [SQLIdentifier: SQLIdentifier]
  ) -> Bool {
    names.count == old.columns.count && old == new && !busyTables.contains(new.name)
      && names.allSatisfy { $0.key == $0.value }
      && old.constraints.compactMap(\.foreignKey).allSatisfy {
        match.tables[$0.references] == $0.references
          && columnNames[$0.references]?[$0.key] ?? $0.key == $0.key
      }
  }

  // MARK: - Constraints

  /// Returns the constraints that are dropped.
  private mutating func changeConstraints(
    _ old: Table,
    into new: Table,
    _ changed: ChangedColumns,
    _ references: Set<Constraint>
  ) -> [Constraint] {
    var unmatched = new.constraints.filter { !references.contains($0) }
    var dropped: [Constraint] = []
    for before in old.constraints {
      let isRewritten = changed.rewrites(before)
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
    formerName: SQLIdentifier,
    into new: Table,
    _ changed: ChangedColumns,
    _ removed: Set<SQLIdentifier>
  ) -> [Index] {
    var unmatched = new.indexes
    var staying: [Index] = []
    for before in old.indexes {
      let position = unmatched.firstIndex {
        $0.elements == before.elements && $0.isUnique == before.isUnique
          && $0.predicate == before.predicate && $0.definition == before.definition
      }
      if let position, !changed.rewrites(before) {
        let after = unmatched.remove(at: position)
        if before.name != after.name {
          operations.append(
            .renameIndex(
              RenameIndex(table: new.name, name: before.name, newName: after.name)
            )
          )
        }
      } else if planner.removals != .drop, !before.isUnique,
        before.definition == nil, removed.isSuperset(of: before.readColumns)
      {
        staying.append(before)
      } else {
        operations.append(
          .dropIndex(DropIndex(table: new.name, formerTable: formerName, index: before.name))
        )
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
    formerName: SQLIdentifier,
    _ dropped: [Constraint],
    _ staying: [Index]
  ) {
    let formerNames = Dictionary(
      (columnNames[formerName] ?? [:]).map { ($0.value, $0.key) },
      uniquingKeysWith: { first, _ in first }
    )
    for column in removed {
      if planner.removals == .drop {
        operations.append(
          .dropColumn(
            DropColumn(table: table.name, column: column.name, readColumns: column.readColumns)
          )
        )
        continue
      }
      operations.append(.retainColumn(RetainColumn(table: table.name, column: column)))
      retained.add(
        RetainedObject(
          table: table.name,
          column: column.name,
          version: source.name,
          relationNames: staying.filter { $0.columns.first == column.name }.map(\.name)
            + [column.identitySequence].compactMap(\.self),
          restoration: restoration(
            of: dropped.filter { $0.columns.contains(column.name) },
            column.isNullable || column.sequence != nil ? [] : [column]
          ),
          origin: origin(.column, of: formerName, [formerNames[column.name] ?? column.name])
        )
      )
    }
  }

  // MARK: - Triggers

  /// The function of a trigger is text that the server does not rename anything in, so that a trigger
  /// of which anything has another name is made anew.
  private mutating func changeTriggers(
    _ old: Table,
    into new: Table,
    _ changed: ChangedColumns
  ) {
    let kept = busyTables.contains(new.name) ? [] : keptTriggers(old, new, changed)
    for trigger in old.triggers where !kept.contains(trigger) {
      operations.append(
        .dropTrigger(
          DropTrigger(table: old.name, trigger: trigger.name, newTable: new.name)
        )
      )
    }
    for trigger in new.triggers where !kept.contains(trigger) {
      operations.append(
        .createTrigger(
          CreateTrigger(table: new.name, trigger: trigger, columns: new.columns.map(\.name))
        )
      )
    }
  }
}
