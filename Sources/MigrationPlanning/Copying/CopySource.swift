package import SQLSyntax

/// A table of the source whose rows are copied or read.
package struct CopySource: Hashable, Sendable {
  /// The table.
  package var table: SQLIdentifier
  /// Its primary key: `_id`, or both columns of a join table.
  package var key: [KeyColumn]
  /// The columns besides the key whose values, old and new, tell which rows of other tables follow
  /// from a row: foreign keys that are followed against their direction.
  package var carried: [KeyColumn]
  /// The columns that the copied tables depend on.
  package var watched: [SQLIdentifier]
  /// A Boolean value that indicates whether it has no other columns whose values are its own.
  package var isWatchedWhole = false
  /// A Boolean value that indicates whether it has partitions, which statements may be about as well.
  package var isPartitioned = false

  /// A column with its type.
  package struct KeyColumn: Hashable, Sendable {
    /// The column.
    package var name: SQLIdentifier
    /// Its type.
    package var type: SQLTypeName

    /// A Boolean value that indicates whether equal values are the same bytes.
    var hasExactEquality: Bool { ["bigint", "integer", "smallint", "uuid"].contains(type.text) }
  }

  /// The columns of an entry about a row: the key, then the other captured columns, each once.
  var captured: [KeyColumn] {
    key + carried.filter { column in !key.contains { $0.name == column.name } }
  }

  /// The name of the rows that have changed since the last pass: a temporary table with the columns
  /// of the key and the captured ones, with old values and new ones.
  package var changes: QualifiedName { Self.changes(of: table) }

  static func changes(of table: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("changed_" + table.name))
  }
}
