public import MigrationPlanning
public import SQLSyntax

/// A loss in a revert.
public enum ReturnLoss: Hashable, Sendable {
  /// Rows that were written, and deleted, since a mapping model had filled a table which is not in the
  /// version before; it cannot be known how many were deleted of a large one.
  case writes(table: SQLIdentifier, written: Int, deleted: Int?)
  /// The server can no longer determine the rows written to such a table.
  case unknownWrites(table: SQLIdentifier)
  /// Values of a mapping model, of a table for which the version before has no values left.
  case madeValues(table: SQLIdentifier)
  /// Rows of a removed entity.
  case entityRows(entity: String)
  /// Something that is retained and cannot be bound again.
  case unbound(RetainedObject)
  /// A table replaced by a copy, which has values that the copy lacks and cannot be put back: rows
  /// written to the copy since would be lost.
  case replaced(table: SQLIdentifier, retained: SQLIdentifier, since: [ReturnLoss])
  /// A missing table, which would be created again without rows.
  case rows(EmptyElement)
  /// A missing column, which would be added again without values, with the number of rows.
  case values(EmptyElement, rows: Int)
}

extension ReturnLoss {
  /// The loss, in a line.
  public var summary: String {
    switch self {
    case .writes(let table, _, _), .unknownWrites(let table): "table \"\(table)\": \(reason)"
    case .madeValues(let table):
      "table \"\(table)\": its values are those of the mapping model, and the replaced ones are lost"
    case .entityRows(let entity): "entity \"\(entity)\": its rows are lost"
    case .unbound(let object):
      if case .rows(let entity)? = object.origin?.content {
        "entity \"\(entity)\": its rows are retained in table \"\(object.table)\" and cannot be put back"
      } else if let column = object.column {
        "column \"\(column)\" of table \"\(object.table)\": it is retained and cannot be put back"
      } else {
        "table \"\(object.table)\": it is retained and cannot be put back"
      }
    case .replaced(let table, let retained, let losses):
      "table \"\(table)\": the migration has changed its values; the former ones are retained in "
        + "table \"\(retained)\", which cannot be put back"
        + (losses.isEmpty ? "" : ": \(losses.map(\.reason).joined(separator: ", "))")
    case .rows(let element): "\(Self.named(element)): its rows are lost"
    case .values(let element, let rows):
      "\(Self.named(element)): its values are lost, for \(Self.counted(rows))"
    }
  }

  /// The loss, after the name of its object.
  private var reason: String {
    switch self {
    case .writes(_, let written, let deleted):
      "\(Self.counted(written)) written since the migration"
        + (deleted.map { $0 > 0 ? ", \(Self.counted($0)) deleted" : "" }
          ?? ", and it is not known how many were deleted")
    case .unknownWrites: "it is no longer known which rows were written since the migration"
    case .madeValues, .entityRows, .unbound, .replaced, .rows, .values: summary
    }
  }

  /// A Boolean value that indicates whether current rows and values stay, and only older ones are
  /// lost.
  var isReplacement: Bool { if case .replaced = self { true } else { false } }

  /// The written table, if the loss is about one.
  var writtenTable: SQLIdentifier? {
    switch self {
    case .writes(let table, _, _), .unknownWrites(let table): table
    case .madeValues, .entityRows, .unbound, .replaced, .rows, .values: nil
    }
  }

  /// Returns the names of an element in the model and in the database.
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
