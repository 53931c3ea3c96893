public import MigrationPlanning
public import SQLSyntax

/// Something that going back would not bring back, or would take away.
public enum ReturnLoss: Hashable, Sendable {
  /// Rows that were written, and deleted, since a mapping model had filled a table which is not in the
  /// version before; it cannot be known how many were deleted of a large one.
  case writes(table: SQLIdentifier, written: Int, deleted: Int?)
  /// The server cannot tell any more what was written to such a table.
  case unknownWrites(table: SQLIdentifier)
  /// Values that a mapping model has made, of a table of which the version before has nothing left.
  case madeValues(table: SQLIdentifier)
  /// Rows of an entity that are gone.
  case entityRows(entity: String)
  /// Something that is retained and cannot be bound again.
  case unbound(RetainedObject)
  /// A table that was replaced by a copy, which has values that the copy lacks and cannot take its place
  /// again: what was written to the copy since would be lost.
  case replaced(table: SQLIdentifier, retained: SQLIdentifier, since: [ReturnLoss])
  /// A table that is gone, which would be there again without rows.
  case rows(EmptyElement)
  /// A column that is gone, which would be there again without values, with how many rows there are.
  case values(EmptyElement, rows: Int)
}
