/// A table as the catalog has it, with all that belongs to it.
public struct CatalogTable: Hashable, Sendable, Decodable {
  /// The name.
  public var name: String
  /// Its kind, as the catalog abbreviates it: `r`, `p`, `f`.
  public var kind: String
  /// How long its rows last, as the catalog abbreviates it: `p`, `u`.
  public var persistence: String
  /// A Boolean value that indicates whether it is a partition or inherits from another table.
  public var isChild: Bool
  /// A Boolean value that indicates whether its columns are those of a type.
  public var isTyped: Bool
  /// The storage parameters by name, as people spelled the values.
  public var storage: [String: String]
  /// The columns in their order.
  public var columns: [CatalogColumn]
  /// The constraints but for NOT NULL, by name.
  public var constraints: [CatalogConstraint]
  /// The indexes that do not belong to a constraint, by name.
  public var indexes: [CatalogIndex]
  /// The names of the triggers.
  public var triggers: [String]
  /// The names of the rules.
  public var rules: [String]
  /// The names of the policies.
  public var policies: [String]
  /// The tables that inherit from it, with their schemas.
  public var children: [String]

  /// Returns the column of a name.
  public func column(_ name: String) -> CatalogColumn? { columns.first { $0.name == name } }

  /// Returns whether a key or an index that is a B-tree has a column.
  func ordersValues(of column: String) -> Bool {
    constraints.contains { $0.kind == .unique && $0.columns.contains(column) }
      || indexes.contains { $0.isPlain && $0.elements.contains { $0.column == column } }
  }

  /// The primary key, if there is one.
  public var primaryKey: CatalogConstraint? { constraints.first { $0.kind == .primaryKey } }
}

/// A column as the catalog has it.
public struct CatalogColumn: Hashable, Sendable, Decodable {
  /// The name.
  public var name: String
  /// The type in the server's words.
  public var type: String
  /// The name of the type, if it was created in this database.
  public var ownType: String?
  /// A Boolean value that indicates whether there may be no value.
  public var isNullable: Bool
  /// The name of the NOT NULL constraint, which the server keeps from version 18 on.
  public var notNullConstraint: String?
  /// The expression that new rows get.
  public var defaultExpression: String?
  /// The expression that the value is kept by.
  public var generation: String?
  /// A Boolean value that indicates whether a generated value is stored.
  public var isStored: Bool
  /// Whose numbers are preferred, as the catalog abbreviates it: `a`, `d`; none without an identity.
  public var identity: String?
  /// The sequence that belongs to the column.
  public var sequence: String?
  /// A Boolean value that indicates whether the default is the next number of that sequence.
  public var isSerial: Bool

  /// A Boolean value that indicates whether the database generates the value.
  public var isMade: Bool {
    defaultExpression != nil || generation != nil || identity != nil
  }
}

/// A constraint as the catalog has it.
public struct CatalogConstraint: Hashable, Sendable, Decodable {
  /// The kinds of constraints, as the catalog abbreviates them.
  public enum Kind: String, Hashable, Sendable, Decodable {
    case primaryKey = "p"
    case unique = "u"
    case check = "c"
    case foreignKey = "f"
    case exclusion = "x"
  }

  /// The action on a row when the row that it refers to is deleted, as the catalog abbreviates it.
  public enum Action: String, Hashable, Sendable, Decodable {
    case noAction = "a"
    case restrict = "r"
    case cascade = "c"
    case setNull = "n"
    case setDefault = "d"
  }

  /// The name.
  public var name: String
  /// Its kind.
  public var kind: Kind
  /// The columns that it is about, in its order.
  public var columns: [String]
  /// The condition of a check.
  public var expression: String?
  /// The schema of the table that a foreign key refers to.
  public var referencedSchema: String?
  /// The table that a foreign key refers to.
  public var referencedTable: String?
  /// The columns there.
  public var referencedColumns: [String]
  /// The action on a row when the row that it refers to is deleted.
  public var onDelete: Action?
  /// The action on a row when the key that it refers to changes.
  public var onUpdate: Action?
  /// A Boolean value that indicates whether it can be checked at the end of a transaction.
  public var isDeferrable: Bool
  /// A Boolean value that indicates whether the constraint is initially deferred.
  public var isDeferred: Bool
  /// A Boolean value that indicates whether the rows that were there before keep it.
  public var isValidated: Bool
  /// A Boolean value that indicates whether it is worded as the model words one of its kind, its name,
  /// its actions and when it is checked aside.
  public var isPlain: Bool
}

/// An index as the catalog has it.
public struct CatalogIndex: Hashable, Sendable, Decodable {
  /// An element of an index.
  public struct Element: Hashable, Sendable, Decodable {
    /// The column; none for an expression.
    public var column: String?
    /// A Boolean value that indicates whether the order is descending.
    public var isDescending: Bool
  }

  /// The name.
  public var name: String
  /// A Boolean value that indicates whether no two rows may agree in it.
  public var isUnique: Bool
  /// A Boolean value that indicates whether it was built to its end.
  public var isValid: Bool
  /// A Boolean value that indicates whether it is a B-tree over columns in the usual order and nothing
  /// more.
  public var isPlain: Bool
  /// Its elements.
  public var elements: [Element]
  /// The text after the name of the table in the statement that creates it.
  public var definition: String
}
