package import ObjectModel

/// Two versions of a model, paired by a mapping, for lookups between them.
package struct ModelPairing: Sendable {
  /// The version that the rows are at.
  package let source: ManagedObjectModel
  /// The version that they are to be at.
  package let destination: ManagedObjectModel
  /// The names in the source of the destination's entities.
  private var sourceNames: [String: String] = [:]
  private var destinationNames: [String: String] = [:]
  private var properties: [String: PropertyMappings] = [:]
  /// The origins of the rows of the destination's entities that have rows in both versions.
  private var rows: [String: RowOrigin] = [:]

  /// An entity that has rows in both versions, as the source and as the destination knows it.
  ///
  /// It is a class since there is one for each column, and entities are large.
  package final class RowOrigin: Sendable {
    /// The entity in the source.
    package let source: EntityDescription
    /// The entity in the destination.
    package let destination: EntityDescription

    /// Creates an origin.
    package init(source: EntityDescription, destination: EntityDescription) {
      self.source = source
      self.destination = destination
    }
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
      properties[after] = PropertyMappings(of: entity)
    }
    for (after, before) in sourceNames {
      guard let before = source.entity(named: before), !before.isAbstract,
        let after = destination.entity(named: after), !after.isAbstract
      else { continue }
      rows[after.name] = RowOrigin(source: before, destination: after)
    }
  }

  /// Returns the entity of the source for an entity of the destination.
  package func sourceEntity(of destinationName: String) -> EntityDescription? {
    sourceNames[destinationName].flatMap { source.entity(named: $0) }
  }

  /// Returns the entity of the destination for an entity of the source.
  package func destinationEntity(of sourceName: String) -> EntityDescription? {
    destinationNames[sourceName].flatMap { destination.entity(named: $0) }
  }

  /// Returns where the values of the properties of an entity of the destination come from.
  package func mappings(of destinationName: String) -> PropertyMappings? {
    properties[destinationName]
  }

  /// Returns where the values of a property come from, as one entity of the destination has it.
  package func mapping(of property: String, of destinationName: String) -> PropertyMapping? {
    properties[destinationName]?[property]
  }

  /// Returns the attribute of the source for a property of the destination.
  package func sourceAttribute(
    _ property: String,
    of origin: RowOrigin
  ) -> (declaringEntity: EntityDescription, attribute: AttributeDescription)? {
    guard
      case .sourceAttribute(let name) =
        mapping(of: property, of: origin.destination.name)?.valueExpression
    else { return nil }
    return source.nearest(of: origin.source) { entity in
      entity.attributes.first { $0.name == name && !$0.isTransient }
    }.map { ($0.declaringEntity, $0.property) }
  }

  /// A part of an attribute of the source.
  package struct SourcePart {
    /// The entity that declares the attribute.
    package let declaringEntity: EntityDescription
    /// The attribute and the elements on the way.
    package let path: PropertyPath
    /// The part.
    package let part: AttributePart
  }

  /// Returns the part of a source attribute for an attribute of the destination, or for an element
  /// of one.
  package func sourcePart(_ path: PropertyPath, of origin: RowOrigin) -> SourcePart? {
    guard let (entity, attribute) = sourceAttribute(path.property, of: origin),
      let elements = sourceElements(path, of: origin.destination.name),
      let part = source.leaves(of: AttributePart(attribute)).first(where: { $0.path == elements })
    else { return nil }
    return SourcePart(
      declaringEntity: entity,
      path: PropertyPath(attribute.name, elements: elements),
      part: part
    )
  }

  private func sourceElements(_ path: PropertyPath, of destinationName: String) -> [String]? {
    if path.elements.isEmpty { return [] }
    return mapping(of: path.property, of: destinationName)?.elementMappings
      .first { $0.path == path.elements }?.sourcePath
  }

  /// Returns the value of a property, or of an element of one, for rows without a value.
  package func fallback(of path: PropertyPath, of destinationName: String) -> AttributeValue? {
    let mapping = mapping(of: path.property, of: destinationName)
    if path.elements.isEmpty { return mapping?.fallback }
    return mapping?.elementMappings.first { $0.path == path.elements }?.fallback
  }

  /// Returns the relationship of the source for a property of the destination.
  package func sourceRelationship(
    _ property: String,
    of origin: RowOrigin
  ) -> (declaringEntity: EntityDescription, relationship: RelationshipDescription)? {
    guard
      case .destinationInstances(let name) =
        mapping(of: property, of: origin.destination.name)?.valueExpression
    else { return nil }
    return source.nearest(of: origin.source) { entity in
      entity.relationships.first { $0.name == name && !$0.isTransient }
    }.map { ($0.declaringEntity, $0.property) }
  }

  /// Returns the entities whose rows become rows of an entity of the destination or of one that
  /// inherits from it; those that cannot have rows are not among them.
  package func rowOrigins(of entity: EntityDescription) -> [RowOrigin] {
    destination.family(of: entity).compactMap { rows[$0.name] }
  }
}

/// The mappings of an entity's properties, by name.
package struct PropertyMappings: Sendable {
  private let attributes: [PropertyMapping]
  private let relationships: [PropertyMapping]
  /// The mappings of an entity with so many properties that looking through them takes long.
  private var index: [String: PropertyMapping] = [:]

  init(of entity: EntityMapping) {
    attributes = entity.attributeMappings
    relationships = entity.relationshipMappings
    guard attributes.count + relationships.count > 32 else { return }
    index = Dictionary(
      (attributes + relationships).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The mapping of a property; `nil` if there is none.
  package subscript(name: String) -> PropertyMapping? {
    guard index.isEmpty else { return index[name] }
    return attributes.first { $0.name == name } ?? relationships.first { $0.name == name }
  }
}
