package import SQLSyntax

/// A table.
package struct Table: Hashable, Sendable {
  /// The name within the schema.
  package var name: SQLIdentifier
  /// The columns in the order in which a new table gets them.
  package var columns: [Column]
  /// The constraints but for NOT NULL, which is the columns' own.
  package var constraints: [Constraint]
  /// The indexes but for those of constraints.
  package var indexes: [Index]
  /// The triggers, each with a function of its own.
  package var triggers: [Trigger]
  /// The storage parameters that the model sets.
  package var storage: [String: String] = [:]
  /// How it is divided into partitions; `nil` if it is not.
  package var partitioning: TablePartitioning?
  /// How Citus spreads its rows over nodes; `nil` if the model says nothing of it.
  package var distribution: TableDistribution?

  /// Creates a table.
  package init(
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
  package func column(_ name: SQLIdentifier) -> Column? {
    columns.first { $0.name == name }
  }

  /// The columns that tell rows apart: those of the primary key, but for the one that a partitioned or
  /// distributed table has in it for the server.
  package var rowKey: [SQLIdentifier] {
    let columns = constraints.first(where: \.isPrimaryKey)?.columns ?? []
    let added = [partitioning?.column, distribution?.column]
    return columns.count == 1 ? columns : columns.filter { !added.contains($0) }
  }

  /// The column that tells rows apart; none of a join table, which has two of them.
  package var key: SQLIdentifier? { rowKey.count == 1 ? rowKey.first : nil }

  /// Returns whether a column itself is in an index.
  func hasIndex(of column: SQLIdentifier) -> Bool {
    indexes.contains { $0.elements.contains { $0.column == column } }
      || constraints.contains { $0.hasIndex && $0.columns.contains(column) }
  }

  /// The clause after the columns and constraints of a new table.
  var storageClause: SQLFragment {
    if let partitioning { return "\nPARTITION BY \(partitioning.key)" }
    return storage.isEmpty ? "" : " WITH \(Self.storageList(storage))"
  }

  /// Returns storage parameters with their values as a list.
  package static func storageList(_ parameters: [String: String]) -> SQLFragment {
    let settings = parameters.sorted { $0.key < $1.key }.map { name, value in
      "\(SQLIdentifier(name)) = \(SQLLiteral.text(value))" as SQLFragment
    }
    return "(\(settings.joined(separator: ", ")))"
  }

  /// The names that this table takes up among the relations of its schema: its own, those of its
  /// indexes, of the indexes of its constraints and of its sequences.
  var relationNames: [SQLIdentifier] {
    [name] + indexes.map(\.name) + constraints.filter(\.hasIndex).map(\.name)
      + columns.compactMap(\.identitySequence)
  }
}
