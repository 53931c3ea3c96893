/// A part of a mapping model that its author has to fill before a migration can use it.
public struct MappingHole: Hashable, Sendable {
  /// The part: a property, a condition, a policy or a whole entity mapping.
  public var element: MappingElement
  /// The reason, in the words of the file.
  public var reason: String

  /// Creates a hole.
  public init(_ element: MappingElement, reason: String) {
    self.element = element
    self.reason = reason
  }
}
