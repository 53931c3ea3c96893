package import ObjectModel

extension EntityDescription: CanonicallyNamed {}
extension AttributeDescription: CanonicallyNamed {}
extension RelationshipDescription: CanonicallyNamed {}

/// Which entities of two versions are the same, and which of their properties.
package struct ModelMatching: Sendable {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let entities: NameMatching<EntityDescription>
  /// What each entity of the source is called in the destination.
  let destinationNames: [String: String]
  /// What each entity of the destination was called in the source.
  package let sourceNames: [String: String]

  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
    entities = NameMatching(source.entities, destination.entities)
    var destinationNames: [String: String] = [:]
    var sourceNames: [String: String] = [:]
    for pair in entities.pairs {
      destinationNames[pair.source.name] = pair.destination.name
      sourceNames[pair.destination.name] = pair.source.name
    }
    self.destinationNames = destinationNames
    self.sourceNames = sourceNames
  }

  /// Matches the persistent attributes that a pair of entities has, inherited ones included.
  func attributes(
    _ pair: (source: EntityDescription, destination: EntityDescription)
  ) -> NameMatching<AttributeDescription> {
    NameMatching(
      source.effectiveAttributes(of: pair.source).filter { !$0.isTransient },
      destination.effectiveAttributes(of: pair.destination)
        .filter { !$0.isTransient }
    )
  }

  /// Returns whether nothing that an entity of the source has becomes an attribute of the destination.
  package func adds(_ attribute: AttributeDescription, to entity: EntityDescription) -> Bool {
    guard let before = sourceNames[entity.name].flatMap({ source.entity(named: $0) }) else {
      return true
    }
    return attributes((before, entity)).added.contains { $0.name == attribute.name }
  }

  /// Matches the persistent relationships that a pair of entities has, inherited ones included.
  func relationships(
    _ pair: (source: EntityDescription, destination: EntityDescription)
  ) -> NameMatching<RelationshipDescription> {
    NameMatching(
      source.effectiveRelationships(of: pair.source)
        .filter { !$0.isTransient },
      destination.effectiveRelationships(of: pair.destination)
        .filter { !$0.isTransient }
    )
  }
}
