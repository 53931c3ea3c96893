public import SQLSyntax

/// A table that a copy fills, with all that its rows follow from.
public struct CopiedTable: Hashable, Sendable {
  /// The name that the table has, in the staging schema and in its place.
  public var name: SQLIdentifier
  /// The columns that are filled, in the order of the values of the feeds; all but generated ones.
  public var columns: [SQLIdentifier]
  /// The columns that tell the rows apart, the primary key of the table: `_id`, or both of a join
  /// table.
  public var key: [SQLIdentifier]
  /// The column whose values are the units, `_id` or the owner's column of a join table.
  ///
  /// All rows of a unit are derived together.
  public var unit: SQLIdentifier
  /// The type of the units.
  public var unitType: SQLTypeName
  /// The columns that the server gives another value each time.
  public var givenColumns: Set<SQLIdentifier> = []
  /// The OVERRIDING clause of an INSERT of rows with their keys.
  public var overriding: SQLFragment = ""
  /// The types of the columns; columns without one have the types of their values.
  public var types: [SQLIdentifier: SQLTypeName] = [:]
  /// The columns that can only be compared as text, for their types have no equality.
  public var comparedAsText: Set<SQLIdentifier>
  /// The queries for the rows; no two of them give the same row.
  public var feeds: [CopyFeed]
  /// Which units follow from changed rows of the sources.
  public var dependencies: [CopyDependency]
  /// A Boolean value that indicates whether a row that changes is deleted and inserted again.
  ///
  /// That lets a value of another unique key go from one row to another, whichever is written first;
  /// no foreign key may refer to the table then while changes are applied.
  public var replacesChangedRows = false

  /// The name of the units to derive again: a temporary table with the one column `unit`.
  public var units: QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("units_" + name.name))
  }

  /// The name of the expected rows: a temporary table with ``columns``.
  var derived: QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("derived_" + name.name))
  }

  /// A Boolean value that indicates whether the rows can be derived one unit at a time.
  var isDerivable: Bool { feeds.allSatisfy { $0.insertion == nil } }
}

/// A query that gives rows of a copied table.
public struct CopyFeed: Hashable, Sendable {
  /// The name of the entity mapping.
  public var mappingName: String
  /// The values of the table's columns.
  public var values: [SQLFragment]
  /// The text after `FROM`.
  public var origin: SQLFragment
  /// The unit of a row: the key that it has in the destination, or its owner has.
  public var unit: SQLFragment
  /// The conditions on the rows.
  public var conditions: [SQLFragment]
  /// The order that selects one of several rows of a unit; empty if each has a row of its own.
  public var choice: [SQLFragment]
  /// The relation and the column that hold the units, for dividing them into ranges.
  public var domain: QualifiedName
  /// The column of the domain.
  public var domainColumn: SQLIdentifier
  /// An authored statement that inserts the rows; the query is then unused, and the rows cannot be
  /// derived unit by unit.
  public var insertion: RestrictedStatement?

  /// Returns the query.
  ///
  /// - Parameter restriction: A condition on the unit, given the unit's name.
  /// - Returns: The query.
  public func query(_ restriction: ((SQLFragment) -> SQLFragment)? = nil) -> SQLFragment {
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
public struct CopyDependency: Hashable, Sendable {
  /// The table of the source.
  public var source: SQLIdentifier
  /// A query for the units, as its only column, over ``CopySource/changes`` of the source and the
  /// current contents of the database.
  public var units: SQLFragment
}
