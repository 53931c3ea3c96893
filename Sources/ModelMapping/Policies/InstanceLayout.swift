public import ObjectModel

/// The properties of the rows that a policy gets, and of those that it creates.
public struct InstanceLayout: Hashable, Sendable {
  /// A property with its type.
  public struct Property: Hashable, Sendable {
    /// The name; of an element of a composite the key path.
    public let name: String
    /// The type; of a to-one relationship that of the keys.
    public let type: AttributeType
    /// A Boolean value that indicates whether it has to have a value.
    public let isRequired: Bool
    /// The value that it has unless it is set.
    public let defaultValue: AttributeValue?

    /// Creates a property.
    public init(
      _ name: String,
      _ type: AttributeType,
      isRequired: Bool = false,
      defaultValue: AttributeValue? = nil
    ) {
      self.name = name
      self.type = type
      self.isRequired = isRequired
      self.defaultValue = defaultValue
    }
  }

  /// Some properties of an entity.
  public struct Properties: Hashable, Sendable {
    /// The name of the entity.
    public let entityName: String
    /// The properties, in the order of the values.
    public let properties: [Property]
    private let positions: [String: Int]

    /// Creates properties.
    public init(of entityName: String, _ properties: [Property]) {
      self.entityName = entityName
      self.properties = properties
      positions = Dictionary(
        zip(properties.map(\.name), properties.indices),
        uniquingKeysWith: { first, _ in first }
      )
    }

    func position(of name: String) throws(InstanceError) -> Int {
      if let position = positions[name] { return position }
      throw InstanceError(
        entityName: entityName,
        key: name,
        fact: .notHanded(properties.map(\.name))
      )
    }
  }

  /// The properties of the source's rows.
  public let source: Properties
  /// The attributes that the policy sets in rows of the destination.
  public let destination: Properties

  /// Creates a layout.
  public init(source: Properties, destination: Properties) {
    self.source = source
    self.destination = destination
  }
}
