public import SQLSyntax

/// An index of a table that no constraint stands for.
public struct Index: Hashable, Sendable {
  /// The name, unique in the schema.
  public var name: SQLIdentifier
  /// What is indexed, in order.
  public var elements: [Element]
  /// A Boolean value that indicates whether no two rows may agree in all elements.
  public var isUnique: Bool
  /// Which rows are indexed; all of them if there is no condition.
  public var predicate: SQLFragment?

  /// A column of an index.
  public struct Element: Hashable, Sendable {
    /// The column.
    public var column: SQLIdentifier
    /// A Boolean value that indicates whether large values come first.
    public var isDescending: Bool

    /// Creates an element.
    public init(column: SQLIdentifier, isDescending: Bool = false) {
      self.column = column
      self.isDescending = isDescending
    }
  }

  /// Creates an index.
  public init(
    name: SQLIdentifier,
    elements: [Element],
    isUnique: Bool = false,
    predicate: SQLFragment? = nil
  ) {
    self.name = name
    self.elements = elements
    self.isUnique = isUnique
    self.predicate = predicate
  }

  /// The columns in order.
  public var columns: [SQLIdentifier] { elements.map(\.column) }
}
