internal import SQLSyntax

/// The changes of a remaining table.
struct TableChange {
  private(set) var operations: [MigrationOperation] = []

  private let context: StepContext
  private let old, new: Table

  /// Changes a table.
  ///
  /// - Parameters:
  ///   - context: The context of all passes.
  ///   - old: The table in the source.
  ///   - new: The table in the destination.
  ///   - links: The links that move.
  ///   - isBusy: Whether its rows change as well, so that its triggers are removed meanwhile.
  ///   - retained: The retained objects.
  init(
    _ context: StepContext,
    _ old: Table,
    _ new: Table,
    _ links: LinkMoves,
    isBusy: Bool,
    _ retained: inout RetainedNames
  ) {
    self.context = context
    (self.old, self.new) = (old, new)
    let names = context.names.columns[old.name] ?? [:]
    let kept = Set((context.match.columns[old.name] ?? [:]).values)
    // The old table with all new names: the remaining differences are changes.
    var renamed = old
    renamed.name = new.name
    renamed.renameColumns(names)
    renamed.renameReferences(context.names.tables, keys: context.names.columns)
    let removed = renamed.columns.filter { !kept.contains($0.name) }

    operations = names.filter { $0.key != $0.value }.sorted { $0.key < $1.key }.map {
      name,
      newName in
      .rename(RenameObject(kind: .column(of: new.name), name: name, newName: newName))
    }
    let distribution = DistributeTable(of: renamed, into: new, context.kinds)
    if let distribution { operations.append(.distributeTable(distribution)) }
    let columns = ColumnChanges(
      context,
      from: renamed,
      to: new,
      kept,
      linkedColumns: links.linkedColumns[new.name] ?? [],
      &retained
    )
    operations += columns.operations
    let dropped = changeConstraints(from: renamed, columns, distribution)
    let staying = changeIndexes(from: renamed, columns.changed, Set(removed.map(\.name)))
    remove(removed, dropped, staying, &retained)
    let fills = isBusy || columns.operations.contains { $0.base.rowChange != .none }
    changeTriggers(keeping: fills ? [] : keptTriggers(columns.changed))
    operations += MigrationOperation.alterations(of: renamed, into: new)
  }

  // MARK: - Constraints

  /// Returns the constraints that are dropped.
  private mutating func changeConstraints(
    from old: Table,
    _ columns: ColumnChanges,
    _ distribution: DistributeTable?
  ) -> [Constraint] {
    var unmatched = new.constraints.filter { !columns.references.contains($0) }
    if distribution != nil { unmatched.removeAll(where: \.isPrimaryKey) }
    var dropped: [Constraint] = []
    // Where people have divided or distributed the table in this way, it has the keys for it, too.
    let isDivided =
      old.partitioning == nil
      && context.planner.kinds[self.old.name].map { new.partitioning?.isThat(of: $0) } == true
    let isDistributed =
      old.distribution == nil
      && new.distribution?.isThat(of: new.name, in: context.kinds) == true
    let isOfCitus =
      old.distribution != nil || context.planner.kinds[self.old.name]?.placement != nil
    for before in old.constraints where distribution == nil || !before.isPrimaryKey {
      // Rows are spread while nothing refers to them, and Citus gives foreign keys and checks no other names.
      let isRewritten =
        columns.changed.rewrites(before)
        || before.referencedTable.map { distribution != nil || context.isDistributed($0) } == true
        || isOfCitus && !before.hasIndex
          && !unmatched.contains { $0.name == before.name }
      let same = unmatched.firstIndex {
        $0.definition == before.definition
          || (isDivided || isDistributed) && $0.isPrimaryKey && before.isPrimaryKey
          || isDistributed && $0.foreignKey?.byKeyAlone == before.foreignKey
            && before.foreignKey != nil
      }
      let altered = same == nil ? AlterConstraint.position(of: before, in: unmatched) : nil
      guard !isRewritten, let position = same ?? altered else {
        dropped.append(before)
        operations.append(.dropConstraint(DropConstraint(table: new.name, constraint: before)))
        continue
      }
      let after = unmatched.remove(at: position)
      if before.name != after.name {
        operations.append(
          .rename(
            RenameObject(
              kind: .constraint(of: new.name, hasIndex: after.hasIndex),
              name: before.name,
              newName: after.name
            )
          )
        )
      }
      if altered != nil, let foreignKey = after.foreignKey {
        let change = AlterConstraint(table: new.name, name: after.name, foreignKey: foreignKey)
        operations.append(.alterConstraint(change))
      }
    }
    for constraint in unmatched {
      operations.append(.addConstraint(AddConstraint(table: new.name, constraint: constraint)))
    }
    return dropped
  }

  /// Returns the indexes that stay with retained columns.
  private mutating func changeIndexes(
    from renamed: Table,
    _ changed: ChangedColumns,
    _ removed: Set<SQLIdentifier>
  ) -> [Index] {
    var unmatched = new.indexes
    var staying: [Index] = []
    for before in renamed.indexes {
      let position = unmatched.firstIndex {
        $0.elements == before.elements && $0.isUnique == before.isUnique
          && $0.method == before.method
          && $0.predicate == before.predicate && $0.definition == before.definition
      }
      if let position, !changed.rewrites(before) {
        let after = unmatched.remove(at: position)
        if before.name != after.name {
          operations.append(
            .rename(
              RenameObject(kind: .index(of: new.name), name: before.name, newName: after.name)
            )
          )
        }
      } else if context.planner.removals != .drop, !before.isUnique,
        before.definition == nil, removed.isSuperset(of: before.readColumns)
      {
        staying.append(before)
      } else {
        operations.append(
          .dropIndex(DropIndex(table: new.name, formerTable: old.name, index: before.name))
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
    _ dropped: [Constraint],
    _ staying: [Index],
    _ retained: inout RetainedNames
  ) {
    let formerNames = Dictionary(
      (context.names.columns[old.name] ?? [:]).map { ($0.value, $0.key) },
      uniquingKeysWith: { first, _ in first }
    )
    for column in removed {
      if context.planner.removals == .drop {
        operations.append(
          .dropColumn(
            DropColumn(table: new.name, column: column.name, readColumns: column.readColumns)
          )
        )
        continue
      }
      operations.append(.retainColumn(RetainColumn(table: new.name, column: column)))
      retained.add(
        RetainedObject(
          table: new.name,
          column: column.name,
          version: retained.version,
          relationNames: staying.filter { $0.columns.first == column.name }.map(\.name)
            + [column.identitySequence].compactMap(\.self),
          restoration: context.restoration(
            of: dropped.filter { $0.columns.contains(column.name) },
            column.isNullable || column.sequence != nil ? [] : [column]
          ),
          origin: context.origin(.column, of: old.name, [formerNames[column.name] ?? column.name])
        )
      )
    }
  }

  // MARK: - Triggers

  /// The server does not rename anything in the text of a trigger's function, so the trigger is
  /// created again if one of its names changes.
  private mutating func changeTriggers(keeping kept: Set<Trigger>) {
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

  /// Returns the triggers to keep: those of both versions whose columns are the same for the
  /// server.
  private func keptTriggers(_ changed: ChangedColumns) -> Set<Trigger> {
    let names = context.match.columns[old.name] ?? [:]
    return Set(
      old.triggers.filter { trigger in
        new.triggers.contains(trigger)
          && trigger.columns.allSatisfy {
            names[$0] == $0 && !changed.retyped.contains($0) && !changed.recomputed.contains($0)
          }
      }
    )
  }
}

extension StepContext {
  /// Returns whether a table with unchanged rows is the same in both versions, with its references,
  /// as most tables of a large model are.
  func isUnchanged(_ old: Table, _ new: Table) -> Bool {
    guard old == new, let names = match.columns[old.name], names.count == old.columns.count else {
      return false
    }
    return names.allSatisfy { $0.key == $0.value }
      && old.constraints.allSatisfy { constraint in
        guard let foreignKey = constraint.foreignKey else { return true }
        guard !isDistributed(foreignKey.references) else { return false }
        return match.tables[foreignKey.references] == foreignKey.references
          && self.names.columns[foreignKey.references]?[foreignKey.key] ?? foreignKey.key
            == foreignKey.key
      }
  }
}
