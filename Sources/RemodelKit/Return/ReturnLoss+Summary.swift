internal import MigrationPlanning
internal import SQLSyntax

extension ReturnLoss {
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
