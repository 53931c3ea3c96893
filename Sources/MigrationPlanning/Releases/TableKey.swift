internal import SQLSyntax

/// The unique values of a table: a key, a constraint or a unique index.
struct TableKey: Hashable {
  /// The constraint or index.
  var name: SQLIdentifier
  /// The compared elements, as SQL.
  var elements: Set<String>
  /// The columns that are read, in order.
  var columns: [SQLIdentifier]
  /// Which rows it is about; all if there is no condition.
  var condition: ConditionClauses?
  /// A Boolean value that indicates whether it is the key of the table.
  var isPrimary = false
  /// A Boolean value that indicates whether ON CONFLICT can find it by its columns.
  var isInferable = true

  /// Returns whether rows that keep this key keep another one as well.
  func implies(_ other: TableKey) -> Bool {
    elements.isSubset(of: other.elements) && covers(other.condition)
  }

  /// Returns whether ON CONFLICT that names another key finds this one.
  func answers(for other: TableKey) -> Bool {
    elements == other.elements && covers(other.condition)
  }

  /// Returns whether rows agree in it only if they agree in a column.
  func isKept(by column: SQLIdentifier) -> Bool { elements.contains(column.quoted) }

  /// Returns whether it is about all rows that meet a condition.
  private func covers(_ other: ConditionClauses?) -> Bool {
    guard let condition else { return true }
    return other?.implies(condition) ?? false
  }
}

extension Table {
  /// All that is unique in the table.
  var keys: [TableKey] {
    let constrained = constraints.compactMap { constraint -> TableKey? in
      switch constraint.definition {
      case .primaryKey(let columns), .unique(let columns):
        TableKey(
          name: constraint.name,
          elements: Set(columns.map(\.quoted)),
          columns: columns,
          isPrimary: constraint.isPrimaryKey
        )
      case .exclusion(let exclusion):
        TableKey(
          name: constraint.name,
          // Ranges that differ may overlap all the same.
          elements: Set(
            exclusion.columns.map { $0.quoted + (exclusion.ranges.contains($0) ? " &&" : "") }
          ),
          columns: exclusion.columns,
          isInferable: false
        )
      case .check, .foreignKey: nil
      }
    }
    return constrained + indexes.compactMap(\.tableKey)
  }

  /// The conjunction of the table's conditions.
  var conditions: ConditionClauses {
    ConditionClauses(
      allOf: constraints.compactMap {
        if case .check(let condition, _) = $0.definition { condition } else { nil }
      }
    )
  }
}

extension Index {
  /// The key that it enforces; `nil` if it is not unique.
  var tableKey: TableKey? {
    guard isUnique else { return nil }
    let parts = elements.map { element in
      switch element.key {
      case .column(let column): column.quoted
      case .expression(let expression): expression.text
      }
    }
    return TableKey(
      name: name,
      // Authored SQL is compared as a whole.
      elements: definition.map { [$0.text] } ?? Set(parts),
      columns: definition == nil ? columns : readColumns,
      condition: predicate.map(ConditionClauses.init)
    )
  }
}

extension Column {
  /// A Boolean value that indicates whether the default gives each row a value of its own.
  var hasOwnValues: Bool {
    sequence != nil
      || ["gen_random_uuid()", "pg_catalog.gen_random_uuid()"].contains(defaultExpression?.text)
  }
}
