internal import ObjectModel
internal import SQLSyntax

/// The values that the server computes or fills in for rows that a release writes.
extension ReleaseComparison {
  /// Says that a column is computed from the rows of a release, if that may fail.
  mutating func addComputation(
    of column: Column,
    known name: SQLIdentifier?,
    _ pair: Pair,
    _ table: Table
  ) {
    let place = ColumnReference(table: table.name, column: column.name)
    guard let value = column.generation ?? destination.derivations[place]?.value,
      destination.derivations[place]?.isStamp != true, column.mayFail(toCompute: value, in: table)
    else { return }
    add(
      .computationRequired(name ?? column.name, table: pair.before.name),
      .column(name, column.name, table: pair.workingName)
    )
  }

  /// Returns whether any of some columns is computed in another way than before.
  func isComputedAnew(_ columns: [SQLIdentifier], _ pair: Pair, _ table: Table) -> Bool {
    columns.contains { name in
      pair.columns.first { $0.value == name }.map { isComputedAnew($0.key, name, pair, table) }
        ?? false
    }
  }

  /// Returns whether a column is computed in another way than before.
  func isComputedAnew(
    _ name: SQLIdentifier,
    _ newName: SQLIdentifier,
    _ pair: Pair,
    _ table: Table
  ) -> Bool {
    let after = ColumnReference(table: table.name, column: newName)
    if let generation = table.column(newName)?.generation {
      let before = pair.before.column(name)?.generation
      return before?.renamingIdentifiers(pair.columns) != generation
    }
    guard let derivation = destination.derivations[after] else { return false }
    let before = ColumnReference(table: pair.before.name, column: name)
    guard let former = source.derivations[before] else { return true }
    let value = former.value.renaming(
      tables: tablesAfter,
      columns: columnsAfter,
      in: source.schema.name
    )
    return value != derivation.value
  }

  /// Returns whether a row that a release writes may become a duplicate in a key that it knows,
  /// because computed or default values have changed.
  func fillsOtherwise(_ columns: [SQLIdentifier], _ pair: Pair, _ table: Table) -> Bool {
    if isComputedAnew(columns, pair, table) { return true }
    return columns.contains { name in
      guard let old = pair.columns.first(where: { $0.value == name })?.key,
        let before = pair.before.column(old), let after = table.column(name),
        after.defaultExpression != nil, !after.hasOwnValues
      else { return false }
      return before.hasOwnValues || before.defaultExpression == nil && before.isNullable
        || before.defaultExpression != nil && before.defaultExpression != after.defaultExpression
    }
  }

  /// Returns whether the default of a column satisfies a condition, or has not changed.
  func allowsDefault(
    _ name: SQLIdentifier,
    _ clauses: Set<ConditionClauses.Clause>,
    _ pair: Pair,
    _ table: Table
  ) -> Bool {
    guard let old = pair.columns.first(where: { $0.value == name })?.key,
      let value = table.column(name)?.defaultExpression, value.text != "NULL",
      let before = pair.before.column(old), value != before.defaultExpression,
      // Who had to give a value gives one.
      before.isNullable || before.defaultExpression != nil || before.sequence != nil
    else { return true }
    // Conditions say of which type their constants are, where only the column says it of its default.
    let type = value.isText ? table.column(name)?.type : nil
    let cast = type.map { "::\($0.text)" } ?? ""
    let filled = ConditionClauses(text: "\(name.quoted) = \(value.text)\(cast)")
    return clauses.allSatisfy { clause in
      // A clause about other columns is none of its business.
      filled.implies(clause) || clause.contains(.present(name.quoted))
        || !clause.contains { $0.text.contains(name.quoted) }
    }
  }

  // MARK: - Names

  /// Compares the names that statements of a release may use besides tables and columns: keys in ON
  /// CONFLICT ON CONSTRAINT, foreign keys in SET CONSTRAINTS, sequences in nextval.
  mutating func compareNames(_ pair: Pair, _ table: Table) {
    guard table.name == pair.before.name else { return }
    var renamed = pair.before
    renamed.renameColumns(pair.columns)
    for (constraint, renamedConstraint) in zip(pair.before.constraints, renamed.constraints) {
      let successors = table.constraints.filter { $0.answers(for: renamedConstraint) }
      // Other findings tell of the keys that are removed, but for those that only a name finds.
      let isFoundByName = if case .exclusion = constraint.definition { true } else { false }
      guard isFoundByName || !successors.isEmpty,
        !successors.contains(where: { $0.name == constraint.name })
      else { continue }
      add(
        .nameRemoved(constraint.name, table: pair.before.name),
        .formerObject(constraint.name, table: pair.workingName)
      )
    }
    for column in pair.before.columns {
      guard let name = column.sequence?.name, let after = pair.columns[column.name],
        table.column(after)?.sequence?.name != name
      else { continue }
      add(
        .nameRemoved(name, table: pair.before.name),
        .column(column.name, after, table: pair.workingName)
      )
    }
  }
}

extension Constraint {
  /// Returns whether it can replace another one in statements that name it.
  fileprivate func answers(for other: Constraint) -> Bool {
    switch (definition, other.definition) {
    case (.primaryKey(let columns), .primaryKey(let others)),
      (.unique(let columns), .unique(let others)):
      columns == others
    case (.exclusion(let exclusion), .exclusion(let other)):
      exclusion.columns == other.columns && exclusion.ranges == other.ranges
    case (.foreignKey(let key), .foreignKey(let other)):
      key.column == other.column && other.deferrability != .notDeferrable
    default: false  // No statement names a condition.
    }
  }
}
