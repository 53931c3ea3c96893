package import SQLSyntax

/// A table that a copy fills, with all that its rows follow from.
package struct CopiedTable: Hashable, Sendable {
  /// The name that the table has in its place.
  package var name: SQLIdentifier
  /// The name that it has until it is moved there.
  package var staged: QualifiedName
  /// The columns that are filled, in the order of the values of the feeds; all but generated ones.
  package var columns: [SQLIdentifier]
  /// The columns that tell the rows apart, the primary key of the table: `_id`, or both of a join
  /// table.
  package var key: [SQLIdentifier]
  /// The column whose values are the units, `_id` or the owner's column of a join table.
  ///
  /// All rows of a unit are derived together.
  package var unit: SQLIdentifier
  /// The type of the units.
  package var unitType: SQLTypeName
  /// The columns that the server gives another value each time.
  package var givenColumns: Set<SQLIdentifier> = []
  /// The OVERRIDING clause of an INSERT of rows with their keys.
  package var overriding: SQLFragment = ""
  /// The types of the columns; columns without one have the types of their values.
  package var types: [SQLIdentifier: SQLTypeName] = [:]
  /// The columns that can only be compared as text, for their types have no equality.
  package var comparedAsText: Set<SQLIdentifier>
  /// The queries for the rows; no two of them give the same row.
  package var feeds: [CopyFeed]
  /// Which units follow from changed rows of the sources.
  package var dependencies: [CopyDependency]
  /// A Boolean value that indicates whether a row that changes is deleted and inserted again.
  ///
  /// That lets a value of another unique key go from one row to another, whichever is written first;
  /// no foreign key may refer to the table then while changes are applied.
  package var replacesChangedRows = false

  /// A Boolean value that indicates whether it has partitions, so that no key of it is the unit alone.
  package var isPartitioned = false

  /// The name of the units to derive again: a temporary table with the one column `unit`.
  package var units: QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("units_" + name.name))
  }

  /// The name of the expected rows: a temporary table with ``columns``.
  var derived: QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("derived_" + name.name))
  }

  /// A Boolean value that indicates whether a unit is one row that several feeds can give.
  var hasSharedUnits: Bool { feeds.count > 1 && key == [unit] }

  /// A Boolean value that indicates whether the rows can be derived one unit at a time.
  var isDerivable: Bool { feeds.allSatisfy { $0.insertion == nil } }
}

/// A query that gives rows of a copied table.
package struct CopyFeed: Hashable, Sendable {
  /// The name of the entity mapping.
  package var mappingName: String
  /// The values of the table's columns.
  package var values: [SQLFragment]
  /// The text after `FROM`.
  package var origin: SQLFragment
  /// The unit of a row: the key that it has in the destination, or its owner has.
  package var unit: SQLFragment
  /// The conditions on the rows.
  package var conditions: [SQLFragment]
  /// The order that selects one of several rows of a unit; empty if each has a row of its own.
  package var choice: [SQLFragment]
  /// The relation and the column that hold the units, for dividing them into ranges.
  package var domain: QualifiedName
  /// The column of the domain.
  package var domainColumn: SQLIdentifier
  /// An authored statement that inserts the rows; the query is then unused, and the rows cannot be
  /// derived unit by unit.
  package var insertion: RestrictedStatement?

  /// Returns the query.
  ///
  /// - Parameter restriction: A condition on the unit, given the unit's name.
  /// - Returns: The query.
  package func query(_ restriction: ((SQLFragment) -> SQLFragment)? = nil) -> SQLFragment {
    let conditions = conditions + [restriction?(unit)].compactMap(\.self)
    let filter: SQLFragment =
      conditions.isEmpty ? "" : "\n  WHERE \(conditions.joined(separator: "\n    AND "))"
    let list = values.joined(separator: ", ")
    guard !choice.isEmpty else { return "SELECT \(list)\n  FROM \(origin)\(filter)" }
    return """
      SELECT DISTINCT ON (\(unit)) \(list)
        FROM \(origin)\(filter)
        ORDER BY \(unit), \(choice.joined(separator: ", "))
      """
  }
}

/// Which units of a table follow from changed rows of a source.
package struct CopyDependency: Hashable, Sendable {
  /// The table of the source.
  package var source: SQLIdentifier
  /// A query for the units, as its only column, over ``CopySource/changes`` of the source and the
  /// current contents of the database.
  package var units: SQLFragment
}
