/// A property of an entity, or an element of one that is a composite.
package struct PropertyPath: Hashable, Sendable {
  /// The name of the property.
  package var property: String
  /// The names of the elements on the way from it; none for the property itself.
  package var elements: [String]

  /// Creates a path.
  package init(_ property: String, elements: [String] = []) {
    self.property = property
    self.elements = elements
  }
}

extension PropertyPath: CustomStringConvertible {
  /// The names with dots between them, as Core Data writes key paths.
  package var description: String { ([property] + elements).joined(separator: ".") }
}
