internal import SQLSyntax

/// The columns of a table that change in more than their names; the names are the new ones.
struct ChangedColumns {
  /// Those whose values are converted.
  var retyped: Set<SQLIdentifier> = []
  /// Those that are dropped and added anew, since the server computes their values again.
  private(set) var recomputed: Set<SQLIdentifier> = []

  /// Finds the columns that have to be computed again.
  init(from old: Table, to new: Table, _ kept: Set<SQLIdentifier>) {
    let pairs = new.columns.filter { kept.contains($0.name) }.compactMap { after in
      old.column(after.name).map { (before: $0, after: after) }
    }
    let retyped = Set(pairs.filter { $0.before.type != $0.after.type }.map(\.after.name))
    for (before, after) in pairs where after.generation != nil {
      let isSame = before.generation == after.generation && before.type == after.type
      guard !isSame || !retyped.isDisjoint(with: after.readColumns) else { continue }
      recomputed.insert(after.name)
    }
  }

  /// Returns whether a constraint goes with a column, or speaks of a type that was.
  func rewrites(_ constraint: Constraint) -> Bool {
    switch constraint.definition {
    case .check: !retyped.union(recomputed).isDisjoint(with: constraint.columns)
    case .primaryKey, .unique, .foreignKey: !recomputed.isDisjoint(with: constraint.columns)
    }
  }

  /// Returns whether an index goes with a column, or speaks of a type that was.
  func rewrites(_ index: Index) -> Bool {
    !recomputed.isDisjoint(with: index.readColumns)
      || (index.hasExpressions && !retyped.isDisjoint(with: index.readColumns))
  }
}

/// Columns whose values follow from others.
extension SchemaChanges {
  mutating func recompute(_ before: Column, into after: Column, of table: Table) {
    operations.append(
      .dropColumn(
        DropColumn(
          table: table.name,
          column: before.name,
          readColumns: before.readColumns,
          isReplaced: true
        )
      )
    )
    operations.append(.addColumn(AddColumn(table: table.name, column: after)))
  }

  mutating func dropExpression(of column: Column, _ table: Table) {
    operations.append(
      .dropExpression(
        DropExpression(table: table.name, column: column.name, readColumns: column.readColumns)
      )
    )
  }

  /// Adds a column whose values are computed; returns whether it is one.
  mutating func addDerived(_ column: Column, to table: Table) -> Bool {
    guard isDerived(column, in: table.name) else { return false }
    var nullable = column
    if column.generation == nil { nullable.notNullConstraint = nil }
    operations.append(.addColumn(AddColumn(table: table.name, column: nullable)))
    if column.generation == nil, let requirement = requirement(of: column, in: table) {
      operations.append(requirement)
    }
    return true
  }

  /// Returns whether the values of a column are computed, so that nobody writes them.
  func isDerived(_ column: Column, in table: SQLIdentifier) -> Bool {
    column.generation != nil
      || destination.projection.derivations[ColumnReference(table: table, column: column.name)]
        != nil
  }

  /// Computes the values that triggers keep, unless the same triggers have kept them all along.
  mutating func computeDerived() {
    for (place, derivation) in destination.projection.derivations
      .sorted(by: { ($0.key.table, $0.key.column) < ($1.key.table, $1.key.column) })
    where match.rows[place.table] != nil || match.copiedTables.contains(place.table) {
      let before = match.oldColumns[place].flatMap { source.projection.derivations[$0] }
      let isSame =
        before == derivation
        && derivation.triggers.keys.allSatisfy {
          match.tables[$0] == $0 && !busyTables.contains($0)
        }
      guard !isSame else { continue }
      operations.append(
        .computeValues(
          ComputeValues(
            table: place.table,
            column: place.column,
            value: derivation.value,
            // When a row was written nobody can tell afterwards.
            condition: derivation.isStamp
              ? "\(place.column) IS NULL"
              : "\(place.column) IS DISTINCT FROM \(derivation.value)",
            reads: derivation.reads
          )
        )
      )
    }
  }

  // MARK: - Triggers

  /// Returns the triggers that need not be made anew: those that both versions have, and of whose
  /// columns the server has the same idea.
  func keptTriggers(_ old: Table, _ new: Table, _ changed: ChangedColumns) -> Set<Trigger> {
    let names = match.columns[old.name] ?? [:]
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
