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
  /// A table that is gone, which would be there again without rows.
  case rows(table: SQLIdentifier)
  /// A column that is gone, which would be there again without values, with how many rows there are.
  case values(table: SQLIdentifier, column: SQLIdentifier, rows: Int)

  /// What would be lost, in a line.
  public var summary: String {
    switch self {
    case .writes(let table, let written, let deleted):
      "table \"\(table)\": \(Self.counted(written)) written since the migration"
        + (deleted.map { $0 > 0 ? ", \(Self.counted($0)) deleted" : "" }
          ?? ", and it is not known how many were deleted")
    case .unknownWrites(let table):
      "table \"\(table)\": it cannot be told any more what was written since the migration"
    case .madeValues(let table):
      "table \"\(table)\": its values are those that the mapping model has made, and what it replaced "
        + "is gone"
    case .entityRows(let entity): "entity \"\(entity)\": its rows are gone"
    case .unbound(let object):
      if let column = object.column {
        "column \"\(column)\" of table \"\(object.table)\": it is retained and cannot be bound again"
      } else {
        "table \"\(object.table)\": it is retained and cannot be bound again"
      }
    case .rows(let table): "table \"\(table)\": its rows are gone"
    case .values(let table, let column, let rows):
      "column \"\(column)\" of table \"\(table)\": its values are gone, for \(Self.counted(rows))"
    }
  }

  private static func counted(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
