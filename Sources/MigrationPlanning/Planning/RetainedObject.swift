public import SQLSyntax

/// A table or column that a version dropped and that is still there.
public struct RetainedObject: Hashable, Sendable {
  /// The table, under the name that it has now.
  public var table: SQLIdentifier
  /// The column, under the name that it has now; none if the whole table is retained.
  public var column: SQLIdentifier?
  /// The last version that had it.
  public var version: String
  /// The names that it takes up among the relations of the schema: of itself, its indexes, its
  /// sequence.
  package var relationNames: [SQLIdentifier]
  /// The parts of ALTER TABLE that would restore it, as text.
  package var restoration: [String]
  /// Its origin in its version; `nil` if an early tool recorded it.
  package var origin: Origin?

  /// The origin of a retained object in the last version that had it.
  package struct Origin: Hashable, Sendable, Codable {
    /// The retained part of a table.
    package enum Content: Hashable, Sendable, Codable {
      /// A column, which is still in its table.
      case column
      /// The table itself.
      case table
      /// The rows of an entity, copied out of their table.
      case rows(entity: String)
      /// The links in a column of the table, copied out of it.
      case links(column: String)
      /// A partition of the table that was older than those which are kept.
      case partition
    }

    /// A column as it was and is.
    package struct Column: Hashable, Sendable, Codable {
      /// Its name in the version.
      package var name: String
      /// Its type, as SQL.
      package var type: String
      /// Its name while it is retained.
      package var retainedName: String
    }

    /// A column that had been retained before in the table that rows are of, and which they keep the
    /// values of.
    package struct Companion: Hashable, Sendable, Codable {
      /// The last version that had the column.
      package var version: String
      /// Its name in that version.
      package var name: String
      /// Its name beside the rows.
      package var retainedName: String
    }

    /// The retained part.
    package var content: Content
    /// The name of the table in the version.
    package var table: String
    /// The columns that are retained.
    package var columns: [Column]
    /// Further columns with values of the rows; `nil` if an early tool recorded it.
    package var companions: [Companion]?

    /// The origin of a partition of a table.
    package static func partition(of table: SQLIdentifier) -> Origin {
      Origin(content: .partition, table: table.name, columns: [], companions: nil)
    }
  }

  /// Creates a record of something retained.
  package init(
    table: SQLIdentifier,
    column: SQLIdentifier? = nil,
    version: String,
    relationNames: [SQLIdentifier] = [],
    restoration: [String] = [],
    origin: Origin? = nil
  ) {
    self.table = table
    self.column = column
    self.version = version
    self.relationNames = relationNames
    self.restoration = restoration
    self.origin = origin
  }
}

/// The treatment of tables and columns that a version no longer has.
public enum RemovalPolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// They stay where they are until they are cleaned up.
  case retain
  /// They are dropped at once, with their rows and values.
  case drop
  /// A plan that removes anything is refused.
  case refuse
}
