/// A part of a mapping model that its author has to fill before a migration can use it.
package struct MappingHole: Hashable, Sendable {
  /// The part: a property, a condition, a policy or a whole entity mapping.
  package var element: MappingElement
  /// The reason, in the words of the file.
  package var reason: String

  /// Creates a hole.
  package init(_ element: MappingElement, reason: String) {
    self.element = element
    self.reason = reason
  }
}
