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
  public var relationNames: [SQLIdentifier]
  /// What would bind it again: parts of ALTER TABLE, as text.
  public var restoration: [String]

  /// Creates a record of something retained.
  public init(
    table: SQLIdentifier,
    column: SQLIdentifier? = nil,
    version: String,
    relationNames: [SQLIdentifier] = [],
    restoration: [String] = []
  ) {
    self.table = table
    self.column = column
    self.version = version
    self.relationNames = relationNames
    self.restoration = restoration
  }
}

/// What becomes of tables and columns that a version no longer has.
public enum RemovalPolicy: String, Hashable, Sendable, CaseIterable {
  /// They stay where they are until they are cleaned up.
  case retain
  /// They are dropped at once, with their rows and values.
  case drop
  /// A plan that removes anything is refused.
  case refuse
}
