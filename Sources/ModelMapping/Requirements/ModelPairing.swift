package import ObjectModel

/// Two versions of a model as a mapping joins them, for looking up what became of what.
package struct ModelPairing: Sendable {
  /// The version that the rows are at.
  package let source: ManagedObjectModel
  /// The version that they are to be at.
  package let destination: ManagedObjectModel
  /// What each entity of the destination was called in the source.
  private var sourceNames: [String: String] = [:]
  private var destinationNames: [String: String] = [:]
  private var properties: [String: [String: PropertyMapping]] = [:]

  /// An entity that has rows in both versions, as the source and as the destination knows it.
  package struct RowOrigin: Hashable, Sendable {
    /// What the rows are now.
    package let source: EntityDescription
    /// What they become.
    package let destination: EntityDescription
  }

  /// Joins two versions.
  package init(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    self.source = source
    self.destination = destination
    for entity in mapping.entityMappings {
      guard let before = entity.sourceEntityName, let after = entity.destinationEntityName else {
        continue
      }
      sourceNames[after] = before
      destinationNames[before] = after
      properties[after] = Dictionary(
        (entity.attributeMappings + entity.relationshipMappings).map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first }
      )
    }
  }

  /// Returns what an entity of the destination was.
  package func sourceEntity(of destinationName: String) -> EntityDescription? {
    sourceNames[destinationName].flatMap { source.entity(named: $0) }
  }

  /// Returns what has become of an entity of the source.
  package func destinationEntity(of sourceName: String) -> EntityDescription? {
    destinationNames[sourceName].flatMap { destination.entity(named: $0) }
  }

  /// Returns where the values of a property come from, as one entity of the destination has it.
  package func mapping(of property: String, of destinationName: String) -> PropertyMapping? {
    properties[destinationName]?[property]
  }

  /// Returns the attribute of the source that a property of the destination comes from.
  package func sourceAttribute(
    _ property: String,
    of origin: RowOrigin
  ) -> (declaringEntity: EntityDescription, attribute: AttributeDescription)? {
    guard
      case .sourceAttribute(let name) =
        mapping(of: property, of: origin.destination.name)?.valueExpression
    else { return nil }
    for entity in [origin.source] + source.superentities(of: origin.source) {
      if let attribute = entity.attributes.first(where: { $0.name == name && !$0.isTransient }) {
        return (entity, attribute)
      }
    }
    return nil
  }

  /// Returns the relationship of the source that a property of the destination comes from.
  package func sourceRelationship(
    _ property: String,
    of origin: RowOrigin
  ) -> (declaringEntity: EntityDescription, relationship: RelationshipDescription)? {
    guard
      case .destinationInstances(let name) =
        mapping(of: property, of: origin.destination.name)?.valueExpression
    else { return nil }
    for entity in [origin.source] + source.superentities(of: origin.source) {
      if let relationship = entity.relationships.first(where: {
        $0.name == name && !$0.isTransient
      }) {
        return (entity, relationship)
      }
    }
    return nil
  }

  /// Returns the entities whose rows become rows of an entity of the destination or of one that
  /// inherits from it; those that cannot have rows are not among them.
  package func rowOrigins(of entity: EntityDescription) -> [RowOrigin] {
    destination.family(of: entity).compactMap { destination in
      guard !destination.isAbstract, let source = sourceEntity(of: destination.name),
        !source.isAbstract
      else { return nil }
      return RowOrigin(source: source, destination: destination)
    }
  }
}
