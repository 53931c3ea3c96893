internal import SQLSyntax

/// Columns that say when a row was written: a migration, which nobody takes for a change of the row,
/// leaves them as they are or brings them along.
extension SchemaChanges {
  /// Returns whether a column says when a row was written, which nobody can tell afterwards.
  func isStamp(_ column: Column, in table: SQLIdentifier) -> Bool {
    let place = ColumnReference(table: table, column: column.name)
    return destination.projection.derivations[place]?.isStamp ?? false
  }

  /// Returns whether the values of a column can be computed from others at any time, so that no row
  /// brings them along.
  func isComputed(_ column: Column, in table: SQLIdentifier) -> Bool {
    isDerived(column, in: table) && !isStamp(column, in: table)
  }

  /// Has the triggers of stamps stand aside in the tables whose rows the migration writes.
  mutating func quietStamps() {
    let written = writtenTables
    let dropped = Set(
      operations.compactMap { operation in
        if case .dropTrigger(let drop) = operation { drop.trigger } else { nil }
      }
    )
    for (before, after) in match.tables.sorted(by: { $0.value < $1.value })
    where written.contains(after) {
      guard let old = sourceSchema.tables[before], let new = destinationSchema.tables[after] else {
        continue
      }
      for trigger in old.triggers
      where trigger.isStamp && new.triggers.contains(trigger) && !dropped.contains(trigger.name) {
        operations.append(
          .dropTrigger(
            DropTrigger(table: old.name, trigger: trigger.name, newTable: new.name)
          )
        )
        operations.append(
          .createTrigger(
            CreateTrigger(table: new.name, trigger: trigger, columns: new.columns.map(\.name))
          )
        )
      }
    }
  }

  /// The tables whose rows the operations write, and those in which rows change because others of
  /// another table go; under their new names.
  private var writtenTables: Set<SQLIdentifier> {
    var written: Set<SQLIdentifier> = []
    var left: [SQLIdentifier] = []
    for operation in operations where operation.changesRows {
      let locks = operation.base.impact.locks
      written.formUnion(locks.filter { $0.value == .rowExclusive }.keys)
      if case .deleteRows(let deletion) = operation { left.append(deletion.table) }
    }
    guard !left.isEmpty else { return written }
    let followers = followers
    var seen = Set(left)
    while let table = left.popLast() {
      left += followers[table, default: []].filter { seen.insert($0).inserted }
    }
    return written.union(seen)
  }

  /// The tables that change when rows of one go: through a foreign key, or since values are derived.
  private var followers: [SQLIdentifier: Set<SQLIdentifier>] {
    var followers: [SQLIdentifier: Set<SQLIdentifier>] = [:]
    for table in sourceSchema.tables.values {
      for constraint in table.constraints {
        guard let foreignKey = constraint.foreignKey, foreignKey.onDelete.writesRows else {
          continue
        }
        followers[currentName(of: foreignKey.references), default: []]
          .insert(currentName(of: table.name))
      }
    }
    for (place, derivation) in source.projection.derivations {
      for table in derivation.triggers.keys {
        followers[currentName(of: table), default: []].insert(currentName(of: place.table))
      }
    }
    return followers
  }
}
