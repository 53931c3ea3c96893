public import SQLSyntax

/// A table.
public struct Table: Hashable, Sendable {
  /// The name within the schema.
  public var name: SQLIdentifier
  /// The columns in the order in which a new table gets them.
  public var columns: [Column]
  /// The constraints but for NOT NULL, which is the columns' own.
  public var constraints: [Constraint]
  /// The indexes but for those of constraints.
  public var indexes: [Index]
  /// The triggers, each with a function of its own.
  public var triggers: [Trigger]

  /// Creates a table.
  public init(
    name: SQLIdentifier,
    columns: [Column] = [],
    constraints: [Constraint] = [],
    indexes: [Index] = [],
    triggers: [Trigger] = []
  ) {
    self.name = name
    self.columns = columns
    self.constraints = constraints
    self.indexes = indexes
    self.triggers = triggers
  }

  /// Returns the column of a name.
  public func column(_ name: SQLIdentifier) -> Column? {
    columns.first { $0.name == name }
  }

  /// The column that is the primary key; none of a join table, whose key are both of its columns.
  public var key: SQLIdentifier? {
    let columns = constraints.first(where: \.isPrimaryKey)?.columns ?? []
    return columns.count == 1 ? columns.first : nil
  }

  /// Returns whether a column itself is in an index.
  func hasIndex(of column: SQLIdentifier) -> Bool {
    indexes.contains { $0.elements.contains { $0.column == column } }
      || constraints.contains { $0.hasIndex && $0.columns.contains(column) }
  }

  /// The names that this table takes up among the relations of its schema: its own, those of its
  /// indexes, of the indexes of its constraints and of its sequences.
  var relationNames: [SQLIdentifier] {
    [name] + indexes.map(\.name) + constraints.filter(\.hasIndex).map(\.name)
      + columns.compactMap(\.identitySequence)
  }
}
