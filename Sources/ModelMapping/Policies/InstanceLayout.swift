package import ObjectModel

/// The properties of the rows that a policy gets, and of those that it creates.
package struct InstanceLayout: Hashable, Sendable {
  /// A property with its type.
  package struct Property: Hashable, Sendable {
    /// The name; of an element of a composite the key path.
    package let name: String
    /// The type; of a to-one relationship that of the keys.
    package let type: AttributeType
    /// A Boolean value that indicates whether it has to have a value.
    package let isRequired: Bool
    /// The value that it has unless it is set.
    package let defaultValue: AttributeValue?

    /// Creates a property.
    package init(
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
  package struct Properties: Hashable, Sendable {
    /// The name of the entity.
    package let entityName: String
    /// The properties, in the order of the values.
    package let properties: [Property]
    private let positions: [String: Int]

    /// Creates properties.
    package init(of entityName: String, _ properties: [Property]) {
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
  package let source: Properties
  /// The attributes that the policy sets in rows of the destination.
  package let destination: Properties

  /// Creates a layout.
  package init(source: Properties, destination: Properties) {
    self.source = source
    self.destination = destination
  }
}
