/// A group of attributes that attributes of entities can have as their type.
public struct CompositeDescription: Hashable, Sendable {
  /// The name, unique among the composites of the model.
  public var name: String
  /// The elements of the group.
  public var elements: [AttributeDescription]
  /// Contents of the file without a meaning for a database.
  public var foreign: ForeignContent

  /// Creates a composite.
  public init(
    name: String,
    elements: [AttributeDescription],
    foreign: ForeignContent = ForeignContent()
  ) {
    self.name = name
    self.elements = elements
    self.foreign = foreign
  }
}

/// A named part of the model that a database may hold instead of the whole.
public struct ModelConfiguration: Hashable, Sendable, Codable {
  /// The name.
  public var name: String
  /// The entities in it.
  public var entityNames: [String]

  /// Creates a configuration.
  public init(name: String, entityNames: [String]) {
    self.name = name
    self.entityNames = entityNames
  }
}
