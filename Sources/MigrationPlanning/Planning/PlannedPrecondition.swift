public import SQLSyntax

/// A query that has to count no rows before anything is changed.
public struct PlannedPrecondition: Hashable, Sendable {
  /// The requirement, in a line: `attribute "isbn" of entity "Book" has a value in every row`.
  public let requirement: String
  /// The remedy if it is violated.
  public let remedy: String
  /// The entity whose rows are checked.
  public let entityName: String
  /// The property that is checked, if it is one.
  public let propertyName: String?
  /// Core Data's error code for rows that violate it.
  public let coreDataError: Int
  /// A Boolean value that indicates whether the server would silently change offending values, so
  /// that the precondition is checked again when nobody else can write.
  public internal(set) var failsSilently: Bool
  /// A Boolean value that indicates whether the statements fail by themselves where rows offend, so
  /// that a transaction that is undone as a whole need not ask before them.
  public var isEnforced = false
  /// The columns of the source that are checked, if the property does not determine them.
  var columns: Set<ColumnReference> = []
  /// A query for one row: how many rows offend, and up to five of their keys as text.
  public let query: SQLFragment
}
