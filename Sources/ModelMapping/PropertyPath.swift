/// A property of an entity, or an element of one that is a composite.
public struct PropertyPath: Hashable, Sendable {
  /// The name of the property.
  public var property: String
  /// The names of the elements on the way from it; none for the property itself.
  public var elements: [String]

  /// Creates a path.
  public init(_ property: String, elements: [String] = []) {
    self.property = property
    self.elements = elements
  }
}

extension PropertyPath: CustomStringConvertible {
  /// The names with dots between them, as Core Data writes key paths.
  public var description: String { ([property] + elements).joined(separator: ".") }
}
