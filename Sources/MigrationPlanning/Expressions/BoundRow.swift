internal import ObjectModel
internal import SQLSyntax

/// A row that expressions can speak of.
struct BoundRow {
  var entity: EntityDescription
  /// The qualifier of its columns: nothing, `NEW.`, an alias or the table.
  var prefix: SQLFragment
  /// The variable of the row that the way to it begins at; none if no such row leads to it.
  var root: String?
  /// The way to it.
  var hops: [RelationshipPath.Hop]
}

/// The meaning of a variable.
enum Binding {
  case row(BoundRow)
  /// One of several values.
  case value(TypedValue)
}

/// The columns that an expression reads of a row and of rows related to it.
struct RowReads: Hashable, Sendable {
  /// The columns of the row itself.
  var columns: [SQLIdentifier] = []
  /// The ways over relationships.
  var paths: [RelationshipPath] = []
}

/// All that an expression reads, by the variables of the rows.
struct ExpressionReads {
  private var rows: [String: RowReads] = [:]

  /// The reads of the row of a variable.
  subscript(variable: String) -> RowReads { rows[variable] ?? RowReads() }

  /// Records the columns read at the end of a path from a row: of the row itself if the path is
  /// empty.
  mutating func note(_ way: RelationshipPath, of row: BoundRow) {
    guard let root = row.root else { return }
    var whole = way
    whole.hops = row.hops + way.hops
    if let hop = whole.hops.first {
      rows[root, default: RowReads()].paths.append(whole)
      guard row.hops.isEmpty, case .forward(let column, _, _) = hop else { return }
      rows[root, default: RowReads()].columns.append(column)
    } else if let column = way.value {
      rows[root, default: RowReads()].columns.append(column)
    }
  }

  mutating func note(_ column: SQLIdentifier, of row: BoundRow) {
    note(RelationshipPath(hops: [], value: column), of: row)
  }
}
