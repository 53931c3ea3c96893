public import SQLSyntax

/// A constraint of a table.
public struct Constraint: Hashable, Sendable {
  /// The name, unique in the table.
  public var name: SQLIdentifier
  /// What it demands.
  public var definition: Definition

  /// What a constraint demands.
  public enum Definition: Hashable, Sendable {
    case primaryKey([SQLIdentifier])
    case unique([SQLIdentifier])
    /// A condition; its identifiers are the columns that it reads.
    case check(SQLFragment, columns: [SQLIdentifier])
    case foreignKey(ForeignKey)
  }

  /// Creates a constraint.
  public init(name: SQLIdentifier, definition: Definition) {
    self.name = name
    self.definition = definition
  }

  /// The columns of its own table that it is about.
  public var columns: [SQLIdentifier] {
    switch definition {
    case .primaryKey(let columns), .unique(let columns), .check(_, let columns): columns
    case .foreignKey(let foreignKey): [foreignKey.column]
    }
  }

  /// The table that a foreign key refers to.
  public var referencedTable: SQLIdentifier? { foreignKey?.references }

  /// The foreign key, if it is one.
  public var foreignKey: ForeignKey? {
    if case .foreignKey(let foreignKey) = definition { foreignKey } else { nil }
  }

  /// A Boolean value that indicates whether it is the primary key.
  package var isPrimaryKey: Bool {
    if case .primaryKey = definition { true } else { false }
  }

  /// A Boolean value that indicates whether the server keeps an index of the same name for it.
  public var hasIndex: Bool {
    switch definition {
    case .primaryKey, .unique: true
    case .check, .foreignKey: false
    }
  }

  /// The constraint as CREATE TABLE and ADD CONSTRAINT have it.
  package func clause(in schema: SQLIdentifier) -> SQLFragment {
    switch definition {
    case .primaryKey(let columns): "CONSTRAINT \(name) PRIMARY KEY (\(columns))"
    case .unique(let columns): "CONSTRAINT \(name) UNIQUE (\(columns))"
    case .check(let condition, _): "CONSTRAINT \(name) CHECK (\(condition))"
    case .foreignKey(let foreignKey):
      "CONSTRAINT \(name) FOREIGN KEY (\(foreignKey.column)) \(foreignKey.clause(in: schema))"
    }
  }
}
