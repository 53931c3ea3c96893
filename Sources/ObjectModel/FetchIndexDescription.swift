/// An index for fetches.
public struct FetchIndexDescription: Hashable, Sendable {
  /// The name in the model; the database's index is called after its columns, unless the model's
  /// ``LayoutDescription`` says otherwise.
  public var name: String
  /// The elements, in order.
  public var elements: [Element]
  /// Which rows are indexed, as a predicate; all of them if there is none.
  public var partialPredicate: String?
  /// The text after `ON table` in SQL, instead of elements and predicate.
  public var definition: String?
  /// A Boolean value that indicates whether no two rows may have the same values.
  public var isUnique: Bool

  /// Creates an index.
  public init(
    name: String,
    elements: [Element],
    partialPredicate: String? = nil,
    definition: String? = nil,
    isUnique: Bool = false
  ) {
    self.name = name
    self.elements = elements
    self.partialPredicate = partialPredicate
    self.definition = definition
    self.isUnique = isUnique
  }

  /// One element of an index: a property or an expression.
  public struct Element: Hashable, Sendable, Codable {
    /// The property, if the element is one.
    public var propertyName: String?
    /// The expression, if the element is one.
    public var expression: String?
    /// The kind of index that the model asks for.
    public var kind: Kind
    /// A Boolean value that indicates whether the index is ascending.
    public var isAscending: Bool

    /// The kind of an index element.
    public enum Kind: String, Hashable, Sendable, Codable {
      case binary
      case rTree
    }

    /// Creates an element.
    public init(
      propertyName: String? = nil,
      expression: String? = nil,
      kind: Kind = .binary,
      isAscending: Bool = true
    ) {
      self.propertyName = propertyName
      self.expression = expression
      self.kind = kind
      self.isAscending = isAscending
    }
  }
}
