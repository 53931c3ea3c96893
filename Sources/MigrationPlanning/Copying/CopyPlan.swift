public import SQLSyntax

/// The part of a step that makes tables anew: their rows follow from those of the source by a
/// mapping, and are computed inside the server.
///
/// The tables are made in a schema of their own, filled, compared, and come to their places at the
/// end: readers and writers keep the old ones until then.
public struct CopyPlan: Hashable, Sendable {
  /// The schema that the tables of the source are in.
  public var schema: SQLIdentifier
  /// The schema that the tables are in until they come to their places.
  ///
  /// All else that the copy needs is there, too, and nothing besides.
  public var stagingSchema: SQLIdentifier
  /// The tables of the source whose rows matter.
  public var sources: [CopySource]
  /// The keys of rows that cannot keep those that they had, in the order in which they are given.
  public var maps: [IdentityMap]
  /// The rows that pass through policies in code, which is done when all maps are filled.
  public var rowPolicies: [RowPolicy]
  /// The tables that are made.
  public var tables: [CopiedTable]
  /// What makes the schema, the bare tables with their primary keys, and the tables of the maps.
  public var preparation: [PlannedStatement]
  /// What runs once before the first row is copied: what people wrote for the beginning.
  public var openings: [PlannedStatement]
  /// What runs once when all maps are filled: rows that people's SQL makes without a key get one
  /// above all that there were.
  public var keyStarts: [PlannedStatement]
  /// The names of the entity mappings, in their order.
  public var mappingNames: [String]
  /// The maps of keys that people's SQL fills, by the names of their entity mappings.
  public var writtenMaps: [String: QualifiedName]
  /// What runs once after the last row is copied: what people wrote for the end.
  public var closings: [PlannedStatement]
  /// Statements that fail where a query of people's finds a fault.
  public var validations: [PlannedStatement]
  /// What gives the filled tables their indexes and those of their constraints that do not reach
  /// tables which are changed only at the end.
  public var completion: [PlannedStatement]
  /// The foreign keys from and to tables that are made which are validated when all is in its place.
  public var lateReferences: [LateReference]
  /// What the tables get from those that they take the places of, before they take them.
  public var carriedParts: [CarriedPart]
  /// The first reason why the copy cannot go on while the service writes; none if it can.
  public var onlineObstacle: String?

  /// Creates a plan.
  package init(schema: SQLIdentifier, stagingSchema: SQLIdentifier) {
    self.schema = schema
    self.stagingSchema = stagingSchema
    sources = []
    maps = []
    rowPolicies = []
    tables = []
    preparation = []
    openings = []
    keyStarts = []
    mappingNames = []
    writtenMaps = [:]
    closings = []
    validations = []
    completion = []
    lateReferences = []
    carriedParts = []
  }
}

/// A table of the source whose rows are copied or looked at.
public struct CopySource: Hashable, Sendable {
  /// The table.
  public var table: SQLIdentifier
  /// Its primary key: `_id`, or both columns of a join table.
  public var key: [KeyColumn]
  /// The columns besides the key whose values, old and new, tell which rows of other tables follow
  /// from a row: foreign keys that are followed against their direction.
  public var carried: [KeyColumn]
  /// The columns without a change of which nothing changes in the tables that are made.
  public var watched: [SQLIdentifier]

  /// A column with its type.
  public struct KeyColumn: Hashable, Sendable {
    /// The column.
    public var name: SQLIdentifier
    /// Its type.
    public var type: SQLTypeName
  }

  /// The columns that an entry about a row has: the key, then what else is carried, each once.
  var captured: [KeyColumn] {
    key + carried.filter { column in !key.contains { $0.name == column.name } }
  }

  /// What a statement calls the rows of the table that have changed since they were last looked at:
  /// a temporary table with the columns of the key and the carried ones, old values and new ones.
  public var changes: QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("changed_" + table.name))
  }
}

/// A table that is made, with all that its rows follow from.
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
  /// The columns that the server gives values which are other ones whenever it is asked.
  public var givenColumns: Set<SQLIdentifier> = []
  /// What an INSERT of rows with their keys says before them.
  public var overriding: SQLFragment = ""
  /// The types of the columns; those that are not known are what the values are.
  public var types: [SQLIdentifier: SQLTypeName] = [:]
  /// The columns that can only be compared as text, for their types have no equality.
  public var comparedAsText: Set<SQLIdentifier>
  /// Where the rows come from; no row comes from two of them.
  public var feeds: [CopyFeed]
  /// Which units follow from changed rows of the sources.
  public var dependencies: [CopyDependency]
  /// A Boolean value that indicates whether a row that changes is deleted and inserted again.
  ///
  /// That lets a value of another unique key go from one row to another, whichever is written first;
  /// no foreign key may refer to the table then while changes are applied.
  public var replacesChangedRows = false

  /// What a statement calls the units that are to be derived again: a temporary table with the one
  /// column `unit`.
  public var units: QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("units_" + name.name))
  }

  /// What a statement calls the rows as they are to be: a temporary table with ``columns``.
  var derived: QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("derived_" + name.name))
  }

  /// A Boolean value that indicates whether the rows can be derived one unit at a time.
  var isDerivable: Bool { feeds.allSatisfy { $0.insertion == nil } }
}

/// A query that gives rows of a table that is made.
public struct CopyFeed: Hashable, Sendable {
  /// The name of the entity mapping.
  public var mappingName: String
  /// The values of the table's columns.
  public var values: [SQLFragment]
  /// What stands after `FROM`.
  public var origin: SQLFragment
  /// The unit of a row: the key that it has in the destination, or its owner has.
  public var unit: SQLFragment
  /// What is asked of the rows besides.
  public var conditions: [SQLFragment]
  /// The order that says which of several rows of one unit is taken; empty if each has a row of its
  /// own.
  public var choice: [SQLFragment]
  /// The relation and the column that hold the units, for dividing them into ranges.
  public var domain: QualifiedName
  /// The column of the domain.
  public var domainColumn: SQLIdentifier
  /// The statement that inserts the rows where people wrote one; the query says nothing then, and
  /// the rows cannot be derived one unit at a time.
  public var insertion: RestrictedStatement?

  /// Returns the query.
  ///
  /// - Parameter restriction: A condition on the unit, given what the unit is called.
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
  /// A query for the units, as its only column, over ``CopySource/changes`` of the source and what
  /// the database holds when it runs.
  public var units: SQLFragment
}

/// The keys of rows that cannot keep those that they had: splits and merges.
///
/// Keys are given once and stay what they are, however often rows are derived again, as long as the
/// rows of the source take part.
public struct IdentityMap: Hashable, Sendable {
  /// The entity mapping that it is for.
  public var mappingName: String
  /// The table that has the keys of the source and `dst`, the key in the destination.
  public var members: QualifiedName
  /// The table of the source that it starts from.
  public var source: SQLIdentifier
  /// The key of the source, by which its rows are divided into ranges.
  public var domainColumn: SQLIdentifier
  /// The type of the key.
  public var keyType: SQLTypeName
  /// Statements that give keys to rows of the source that have none.
  public var fill: [RestrictedStatement]
  /// Statements that take rows out that are no longer what they were; run before ``fill`` for the
  /// changed ones.
  public var withdrawal: [RestrictedStatement]
  /// Which rows of the source are looked at again when rows of other tables have changed, by keys.
  ///
  /// Those that have changed themselves need not be said.
  public var dependencies: [CopyDependency] = []

  /// What a statement calls the rows that are looked at again: a temporary table with the one column
  /// `key`.
  public var changedKeys: QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("keys_" + members.name.name))
  }
}

/// A statement that works on a part of the rows of a source.
public struct RestrictedStatement: Hashable, Sendable {
  /// What stands between the places of the condition: one part more than there are places.
  public var parts: [SQLFragment]
  /// What the key of the source is called in the condition.
  public var key: SQLFragment

  /// Creates a statement with the condition in some places.
  init(parts: [SQLFragment], key: SQLFragment) {
    self.parts = parts
    self.key = key
  }

  /// Creates a statement with the condition in one place.
  init(head: SQLFragment, tail: SQLFragment, key: SQLFragment) {
    self.init(parts: [head, tail], key: key)
  }

  /// A Boolean value that indicates whether there is a place for the condition; a statement without
  /// one works on all rows at once.
  public var isRestricted: Bool { parts.count > 1 }

  /// Returns the statement for the rows for which a condition on their key holds.
  public func sql(_ restriction: (SQLFragment) -> SQLFragment) -> SQLFragment {
    parts.joined(separator: restriction(key))
  }
}
