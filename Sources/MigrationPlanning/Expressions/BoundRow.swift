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
