public import SQLSyntax

/// A table of the source whose rows are copied or looked at.
public struct CopySource: Hashable, Sendable {
  /// The table.
  public var table: SQLIdentifier
  /// Its primary key: `_id`, or both columns of a join table.
  public var key: [KeyColumn]
  /// The columns besides the key whose values, old and new, tell which rows of other tables follow
  /// from a row: foreign keys that are followed against their direction.
  public var carried: [KeyColumn]
  /// The columns that the copied tables depend on.
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
  public var changes: QualifiedName { Self.changes(of: table) }

  static func changes(of table: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("changed_" + table.name))
  }
}
