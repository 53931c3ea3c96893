public import SQLSyntax

/// A query that has to count no rows before anything is changed.
public struct PlannedPrecondition: Hashable, Sendable {
  /// What has to be true, in a line: `attribute "isbn" of entity "Book" has a value in every row`.
  public let requirement: String
  /// What to do where it is not.
  public let remedy: String
  /// The entity that is asked.
  public let entityName: String
  /// The property that is asked, where it is one.
  public let propertyName: String?
  /// The error of Core Data that comes up where the rows do not allow it.
  public let coreDataError: Int
  /// A Boolean value that indicates whether the server would change offending values without a word,
  /// so that they have to be asked for again once nobody else can write.
  public let failsSilently: Bool
  /// A Boolean value that indicates whether the statements fail by themselves where rows offend, so
  /// that a transaction that is undone as a whole need not ask before them.
  public var isEnforced = false
  /// The columns of the source that are asked, where the property does not say it.
  var columns: Set<ColumnReference> = []
  /// A query for one row: how many rows offend, and up to five of their keys as text.
  public let query: SQLFragment
}
