package import SQLSyntax

/// A NOT NULL constraint as the catalog has it: from version 18 on it is an object with a name.
package struct NotNullConstraint: Hashable, Sendable {
  /// The name.
  package var name: SQLIdentifier
  /// A Boolean value that indicates whether the rows that were there before it keep it, too.
  package var isValid: Bool

  /// Creates a constraint.
  package init(name: SQLIdentifier, isValid: Bool) {
    self.name = name
    self.isValid = isValid
  }
}

extension MigrationStep {
  /// Returns the NOT NULL constraints that differ from the version after the step, given those
  /// before it.
  package func foundNotNullAfterwards(
    _ before: [ColumnReference: NotNullConstraint]
  ) -> [ColumnReference: NotNullConstraint] {
    var found = before
    for operation in operations {
      if let rename = operation.rename { found = found.following(rename) }
      let (table, outcome) = (operation.base.table, operation.base.outcome)
      if let column = outcome.settledNotNull {
        found[ColumnReference(table: table, column: column)] = nil
      }
      if outcome.removesTable || outcome.madeTables.contains(table) {
        found = found.filter { $0.key.table != table }
      }
    }
    return found
  }
}

extension [ColumnReference: NotNullConstraint] {
  /// Returns the constraints under the names that tables and columns have after a rename.
  fileprivate func following(_ rename: RenameObject) -> Self {
    switch rename.kind {
    case .table:
      Dictionary(
        map { place, constraint in
          let isOfTable = place.table == rename.name
          let table = isOfTable ? rename.newName : place.table
          return (ColumnReference(table: table, column: place.column), constraint)
        },
        uniquingKeysWith: { first, _ in first }
      )
    case .column(let table):
      Dictionary(
        map { place, constraint in
          let isColumn = place == ColumnReference(table: table, column: rename.name)
          return (
            isColumn ? ColumnReference(table: table, column: rename.newName) : place, constraint
          )
        },
        uniquingKeysWith: { first, _ in first }
      )
    case .constraint, .notNull, .index, .sequence, .retainedTable, .retainedPart, .retainedColumn:
      self
    }
  }
}
