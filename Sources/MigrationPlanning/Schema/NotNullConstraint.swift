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
  /// Returns which NOT NULL constraints are not as the version says when the step is done, given which
  /// were before.
  package func foundNotNullAfterwards(
    _ before: [ColumnReference: NotNullConstraint]
  ) -> [ColumnReference: NotNullConstraint] {
    var found = before
    for operation in operations {
      switch operation {
      case .renameTable(let rename):
        let columns = found.filter { $0.key.table == rename.name }
        for (place, constraint) in columns {
          found[place] = nil
          found[ColumnReference(table: rename.newName, column: place.column)] = constraint
        }
      case .renameColumn(let rename):
        let place = ColumnReference(table: rename.table, column: rename.name)
        let newPlace = ColumnReference(table: rename.table, column: rename.newName)
        found[newPlace] = found.removeValue(forKey: place)
      case .setNotNull(let requirement):
        found[ColumnReference(table: requirement.table, column: requirement.column)] = nil
      case .dropNotNull(let drop):
        found[ColumnReference(table: drop.table, column: drop.column)] = nil
      case .dropColumn(let drop):
        found[ColumnReference(table: drop.table, column: drop.column)] = nil
      case .retainColumn(let retention):
        found[ColumnReference(table: retention.table, column: retention.column.name)] = nil
      case .installTable(let table): found = found.filter { $0.key.table != table.table }
      case .dropTable(let table): found = found.filter { $0.key.table != table.table }
      case .retainTable(let table): found = found.filter { $0.key.table != table.table }
      case .renameConstraint(let rename):
        guard let column = rename.notNullColumn else { continue }
        found[ColumnReference(table: rename.table, column: column)] = nil
      default: continue  // Nothing else changes which column has which constraint.
      }
    }
    return found
  }
}
