/// A part of a mapping model that somebody still has to fill: it cannot be migrated by until then.
public struct MappingHole: Hashable, Sendable {
  /// The part: a property, a condition, a policy or a whole entity mapping.
  public var element: MappingElement
  /// What is missing, in the words of the file.
  public var reason: String

  /// Creates a hole.
  public init(_ element: MappingElement, reason: String) {
    self.element = element
    self.reason = reason
  }
}
