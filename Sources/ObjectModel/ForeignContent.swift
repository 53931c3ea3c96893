/// Contents of a model file without a meaning for a database, kept so that nothing is lost.
public struct ForeignContent: Hashable, Sendable {
  /// Attributes of the element, by name.
  public var attributes: [String: String]
  /// Elements inside the element.
  public var elements: [ForeignElement]

  /// Creates content; there is none by default.
  public init(attributes: [String: String] = [:], elements: [ForeignElement] = []) {
    self.attributes = attributes
    self.elements = elements
  }

  /// A Boolean value that indicates whether there is nothing in it.
  public var isEmpty: Bool { attributes.isEmpty && elements.isEmpty }
}

/// An element of a model file that has no meaning for a database.
public struct ForeignElement: Hashable, Sendable, Codable {
  /// The element's name.
  public var name: String
  /// Its attributes, by name.
  public var attributes: [String: String]
  /// The elements inside it.
  public var elements: [ForeignElement]

  /// Creates an element.
  public init(name: String, attributes: [String: String] = [:], elements: [ForeignElement] = []) {
    self.name = name
    self.attributes = attributes
    self.elements = elements
  }
}
