/// A table as the catalog has it, with all that belongs to it.
package struct CatalogTable: Hashable, Sendable, Decodable {
  /// The name.
  package var name: String
  /// Its kind, as the catalog abbreviates it: `r`, `p`, `f`.
  package var kind: String
  /// How long its rows last, as the catalog abbreviates it: `p`, `u`.
  package var persistence: String
  /// A Boolean value that indicates whether it is a partition or inherits from another table.
  package var isChild: Bool
  /// A Boolean value that indicates whether it is a partition of a table of the same schema.
  package var isPartition: Bool
  /// How it is divided into partitions itself, if it is.
  package var partitioning: CatalogPartitioning?
  /// A Boolean value that indicates whether its columns are those of a type.
  package var isTyped: Bool
  /// The storage parameters by name, as people spelled the values.
  package var storage: [String: String]
  /// The columns in their order.
  package var columns: [CatalogColumn]
  /// The constraints but for NOT NULL, by name.
  package var constraints: [CatalogConstraint]
  /// The indexes that do not belong to a constraint, by name.
  package var indexes: [CatalogIndex]
  /// The names of the triggers.
  package var triggers: [String]
  /// The names of the rules.
  package var rules: [String]
  /// The names of the policies.
  package var policies: [String]
  /// The tables that inherit from it, with their schemas; not its partitions.
  package var children: [String]

  /// Returns the column of a name.
  package func column(_ name: String) -> CatalogColumn? { columns.first { $0.name == name } }

  /// Returns whether a key or an index that is a B-tree has a column.
  func ordersValues(of column: String) -> Bool {
    constraints.contains { $0.kind == .unique && $0.columns.contains(column) }
      || indexes.contains { $0.isPlain && $0.elements.contains { $0.column == column } }
  }

  /// The primary key, if there is one.
  package var primaryKey: CatalogConstraint? { constraints.first { $0.kind == .primaryKey } }
}

/// A column as the catalog has it.
package struct CatalogColumn: Hashable, Sendable, Decodable {
  /// The name.
  package var name: String
  /// The type in the server's words.
  package var type: String
  /// The name of the type, if it was created in this database.
  package var ownType: String?
  /// A Boolean value that indicates whether there may be no value.
  package var isNullable: Bool
  /// The name of the NOT NULL constraint, which the server keeps from version 18 on.
  package var notNullConstraint: String?
  /// The expression that new rows get.
  package var defaultExpression: String?
  /// The expression that the value is kept by.
  package var generation: String?
  /// A Boolean value that indicates whether a generated value is stored.
  package var isStored: Bool
  /// Whose numbers are preferred, as the catalog abbreviates it: `a`, `d`; none without an identity.
  package var identity: String?
  /// The sequence that belongs to the column.
  package var sequence: String?
  /// A Boolean value that indicates whether the default is the next number of that sequence.
  package var isSerial: Bool

  /// A Boolean value that indicates whether the database generates the value.
  package var isMade: Bool {
    defaultExpression != nil || generation != nil || identity != nil
  }
}

/// A constraint as the catalog has it.
package struct CatalogConstraint: Hashable, Sendable, Decodable {
  /// The kinds of constraints, as the catalog abbreviates them.
  package enum Kind: String, Hashable, Sendable, Decodable {
    case primaryKey = "p"
    case unique = "u"
    case check = "c"
    case foreignKey = "f"
    case exclusion = "x"
  }

  /// The action on a row when the row that it refers to is deleted, as the catalog abbreviates it.
  package enum Action: String, Hashable, Sendable, Decodable {
    case noAction = "a"
    case restrict = "r"
    case cascade = "c"
    case setNull = "n"
    case setDefault = "d"
  }

  /// The name.
  package var name: String
  /// Its kind.
  package var kind: Kind
  /// The columns that it is about, in its order.
  package var columns: [String]
  /// The condition of a check.
  package var expression: String?
  /// The schema of the table that a foreign key refers to.
  package var referencedSchema: String?
  /// The table that a foreign key refers to.
  package var referencedTable: String?
  /// The columns there.
  package var referencedColumns: [String]
  /// The action on a row when the row that it refers to is deleted.
  package var onDelete: Action?
  /// The action on a row when the key that it refers to changes.
  package var onUpdate: Action?
  /// A Boolean value that indicates whether it can be checked at the end of a transaction.
  package var isDeferrable: Bool
  /// A Boolean value that indicates whether the constraint is initially deferred.
  package var isDeferred: Bool
  /// A Boolean value that indicates whether the rows that were there before keep it.
  package var isValidated: Bool
  /// A Boolean value that indicates whether it is worded as the model words one of its kind, its name,
  /// its actions and when it is checked aside.
  package var isPlain: Bool
}

/// An index as the catalog has it.
package struct CatalogIndex: Hashable, Sendable, Decodable {
  /// An element of an index.
  package struct Element: Hashable, Sendable, Decodable {
    /// The column; none for an expression.
    package var column: String?
    /// A Boolean value that indicates whether the order is descending.
    package var isDescending: Bool
  }

  /// The name.
  package var name: String
  /// A Boolean value that indicates whether no two rows may agree in it.
  package var isUnique: Bool
  /// A Boolean value that indicates whether it was built to its end.
  package var isValid: Bool
  /// A Boolean value that indicates whether it is a B-tree over columns in the usual order and nothing
  /// more.
  package var isPlain: Bool
  /// Its elements.
  package var elements: [Element]
  /// The text after the name of the table in the statement that creates it.
  package var definition: String
}
