package import SQLSyntax

/// A constraint of a table.
package struct Constraint: Hashable, Sendable {
  /// The name, unique in the table.
  package var name: SQLIdentifier
  /// Its definition.
  package var definition: Definition

  /// The definition of a constraint.
  package enum Definition: Hashable, Sendable {
    case primaryKey([SQLIdentifier])
    case unique([SQLIdentifier])
    /// A condition; its identifiers are the columns that it reads.
    case check(SQLFragment, columns: [SQLIdentifier])
    case foreignKey(ForeignKey)
    case exclusion(Exclusion)
  }

  /// That no two rows agree in some columns, where ranges agree that overlap.
  package struct Exclusion: Hashable, Sendable {
    /// The columns.
    package var columns: [SQLIdentifier]
    /// Those of ranges.
    package var ranges: Set<SQLIdentifier>
    /// The rows that it is about; all of them if there is no condition.
    package var predicate: SQLFragment?

    /// A Boolean value that indicates whether it needs the extension `btree_gist`, without which only ranges
    /// can be in it.
    package var needsExtension: Bool { !ranges.isSuperset(of: columns) }
  }

  /// Creates a constraint.
  package init(name: SQLIdentifier, definition: Definition) {
    self.name = name
    self.definition = definition
  }

  /// The columns of its own table that it is about.
  package var columns: [SQLIdentifier] {
    switch definition {
    case .primaryKey(let columns), .unique(let columns), .check(_, let columns): columns
    case .foreignKey(let foreignKey): foreignKey.columns
    case .exclusion(let exclusion): exclusion.columns + (exclusion.predicate?.identifiers ?? [])
    }
  }

  /// The table that a foreign key refers to.
  package var referencedTable: SQLIdentifier? { foreignKey?.references }

  /// The foreign key, if it is one.
  package var foreignKey: ForeignKey? {
    if case .foreignKey(let foreignKey) = definition { foreignKey } else { nil }
  }

  /// A Boolean value that indicates whether it is the primary key.
  package var isPrimaryKey: Bool {
    if case .primaryKey = definition { true } else { false }
  }

  /// A Boolean value that indicates whether the server keeps an index of the same name for it.
  package var hasIndex: Bool {
    switch definition {
    case .primaryKey, .unique, .exclusion: true
    case .check, .foreignKey: false
    }
  }

  /// The note of a plan on the extension that it needs; empty if it needs none.
  var prerequisite: String {
    guard case .exclusion(let exclusion) = definition, exclusion.needsExtension else { return "" }
    return " (needs the extension btree_gist)"
  }

  /// The constraint as CREATE TABLE and ADD CONSTRAINT have it.
  package func clause(in schema: SQLIdentifier) -> SQLFragment {
    switch definition {
    case .primaryKey(let columns): "CONSTRAINT \(name) PRIMARY KEY (\(columns))"
    case .unique(let columns): "CONSTRAINT \(name) UNIQUE (\(columns))"
    case .check(let condition, _): "CONSTRAINT \(name) CHECK (\(condition.unparenthesised))"
    case .foreignKey(let foreignKey):
      "CONSTRAINT \(name) FOREIGN KEY (\(foreignKey.columns)) \(foreignKey.clause(in: schema))"
    case .exclusion(let exclusion): "CONSTRAINT \(name) \(exclusion.clause)"
    }
  }
}

extension Constraint.Exclusion {
  fileprivate var clause: SQLFragment {
    let elements = columns.map { column -> SQLFragment in
      ranges.contains(column) ? "\(column) WITH &&" : "\(column) WITH ="
    }
    let clause: SQLFragment = "EXCLUDE USING gist (\(elements.joined(separator: ", ")))"
    return predicate.map { "\(clause) WHERE (\($0.unparenthesised))" } ?? clause
  }
}
