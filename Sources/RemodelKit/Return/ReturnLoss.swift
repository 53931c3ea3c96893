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

extension ReturnLoss {
  /// What would be lost, in a line.
  public var summary: String {
    switch self {
    case .writes(let table, _, _), .unknownWrites(let table): "table \"\(table)\": \(reason)"
    case .madeValues(let table):
      "table \"\(table)\": its values are those that the mapping model has made, and what it replaced "
        + "is gone"
    case .entityRows(let entity): "entity \"\(entity)\": its rows are gone"
    case .unbound(let object):
      if case .rows(let entity)? = object.origin?.content {
        "entity \"\(entity)\": its rows are retained in table \"\(object.table)\" and cannot be put back"
      } else if let column = object.column {
        "column \"\(column)\" of table \"\(object.table)\": it is retained and cannot be bound again"
      } else {
        "table \"\(object.table)\": it is retained and cannot be bound again"
      }
    case .replaced(let table, let retained, let losses):
      "table \"\(table)\": it has values that the migration has changed; what they were is retained in "
        + "table \"\(retained)\", which cannot take its place again"
        + (losses.isEmpty ? "" : ": \(losses.map(\.reason).joined(separator: ", "))")
    case .rows(let element): "\(Self.named(element)): its rows are gone"
    case .values(let element, let rows):
      "\(Self.named(element)): its values are gone, for \(Self.counted(rows))"
    }
  }

  /// What is lost of something that is named already.
  private var reason: String {
    switch self {
    case .writes(_, let written, let deleted):
      "\(Self.counted(written)) written since the migration"
        + (deleted.map { $0 > 0 ? ", \(Self.counted($0)) deleted" : "" }
          ?? ", and it is not known how many were deleted")
    case .unknownWrites: "it cannot be told any more what was written since the migration"
    case .madeValues, .entityRows, .unbound, .replaced, .rows, .values: summary
    }
  }

  /// A Boolean value that indicates whether rows and values stay as they are, and only what they were is
  /// not there again.
  var isReplacement: Bool { if case .replaced = self { true } else { false } }

  /// The table that was written to, if that is what would be lost.
  var writtenTable: SQLIdentifier? {
    switch self {
    case .writes(let table, _, _), .unknownWrites(let table): table
    case .madeValues, .entityRows, .unbound, .replaced, .rows, .values: nil
    }
  }

  /// Returns what the model calls something, and what the database does.
  private static func named(_ element: EmptyElement) -> String {
    let table = "table \"\(element.table)\""
    let place = element.column.map { "column \"\($0)\" of \(table)" } ?? table
    guard let subject = element.subject else { return place }
    let entity = "entity \"\(subject.entityName)\""
    let name = subject.propertyName.map { "property \"\($0)\" of \(entity)" } ?? entity
    return "\(name) (\(place))"
  }

  private static func counted(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
