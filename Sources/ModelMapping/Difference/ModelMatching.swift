package import ObjectModel

extension EntityDescription: CanonicallyNamed {}
extension AttributeDescription: CanonicallyNamed {}
extension RelationshipDescription: CanonicallyNamed {}

/// Which entities of two versions are the same, and which of their properties.
package struct ModelMatching: Sendable {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let entities: NameMatching<EntityDescription>
  /// The names in the destination of the source's entities.
  let destinationNames: [String: String]
  /// The names in the source of the destination's entities.
  package let sourceNames: [String: String]
  /// Whether the destination is the older version.
  let isReturn: Bool

  package init(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    isReturn: Bool = false
  ) {
    self.source = source
    self.destination = destination
    self.isReturn = isReturn
    entities = NameMatching(source.entities, destination.entities, isReturn: isReturn)
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
        .filter { !$0.isTransient },
      isReturn: isReturn
    )
  }

  /// Returns whether an attribute of the destination is new: no written property of the source's
  /// entity becomes it.
  ///
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - entity: The entity of the destination that declares it.
  ///   - name: The entity of the source that has its rows, if it is another one.
  /// - Returns: Whether it is new.
  package func adds(
    _ attribute: AttributeDescription,
    to entity: EntityDescription,
    from name: String? = nil
  ) -> Bool {
    guard let before = (name ?? sourceNames[entity.name]).flatMap(source.entity) else {
      return true
    }
    let found = attributes((before, entity)).pairs.first { $0.destination.name == attribute.name }
    return found.map { $0.source.isComputed && !attribute.isComputed } ?? true
  }

  /// Returns the attribute of the source that one of the destination was, with the name of the entity
  /// that declares it.
  ///
  /// - Parameters:
  ///   - attribute: The attribute of the destination.
  ///   - entity: The entity that declares it.
  ///   - name: The entity of the source that has its rows, if it is another one.
  /// - Returns: The attribute with its owner; none if it was nothing.
  package func sourceAttribute(
    of attribute: AttributeDescription,
    _ entity: EntityDescription,
    from name: String? = nil
  ) -> (owner: String, attribute: AttributeDescription)? {
    guard let before = (name ?? sourceNames[entity.name]).flatMap(source.entity),
      let found = attributes((before, entity)).pairs.first(where: {
        $0.destination.name == attribute.name
      })?.source
    else { return nil }
    let owner = source.lineage(of: before).last { $0.attributes.contains(found) }
    return owner.map { ($0.name, found) }
  }

  /// Returns the parts of an attribute of the destination that it did not have in the source.
  package func addedParts(
    from before: AttributeDescription,
    to after: AttributeDescription
  ) -> [AttributePart] {
    PartMatching(from: before, to: after, in: (source, destination)).added
  }

  /// Returns whether a relationship of the destination is new: nothing of the source's entity
  /// becomes it.
  package func adds(_ relationship: RelationshipDescription, to entity: EntityDescription) -> Bool {
    guard let before = sourceNames[entity.name].flatMap({ source.entity(named: $0) }) else {
      return true
    }
    return relationships((before, entity)).added.contains { $0.name == relationship.name }
  }

  /// Matches the persistent relationships that a pair of entities has, inherited ones included.
  func relationships(
    _ pair: (source: EntityDescription, destination: EntityDescription)
  ) -> NameMatching<RelationshipDescription> {
    NameMatching(
      source.effectiveRelationships(of: pair.source)
        .filter { !$0.isTransient },
      destination.effectiveRelationships(of: pair.destination)
        .filter { !$0.isTransient },
      isReturn: isReturn
    )
  }
}
