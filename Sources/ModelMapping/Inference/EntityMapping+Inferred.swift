internal import ObjectModel

// Entity mappings under the names that Core Data gives those which it infers.

extension EntityMapping {
  /// Creates the mapping of an entity that both versions have.
  init(pairing source: String, with destination: String, as type: MappingType) {
    self.init(
      name: "IEM_\(type == .copy ? "Copy" : "Transform")_\(source)",
      type: type,
      sourceEntityName: source,
      destinationEntityName: destination
    )
  }

  /// Returns the mapping of a new entity.
  static func addition(of entity: EntityDescription, in model: ManagedObjectModel) -> EntityMapping
  {
    EntityMapping(
      name: "IEM_Add_\(entity.name)",
      type: .add,
      destinationEntityName: entity.name,
      attributeMappings: model.effectiveAttributes(of: entity).filter { !$0.isTransient }
        .map { .addition(of: $0, in: model) },
      relationshipMappings: model.effectiveRelationships(of: entity).filter { !$0.isTransient }
        .map { PropertyMapping(name: $0.name) }
    )
  }

  /// Returns the mapping of a removed entity.
  static func removal(of entity: EntityDescription) -> EntityMapping {
    EntityMapping(name: "IEM_Remove_\(entity.name)", type: .remove, sourceEntityName: entity.name)
  }
}

extension PropertyMapping {
  /// Returns the mapping of a new attribute, whose rows get its default.
  static func addition(
    of attribute: AttributeDescription,
    in model: ManagedObjectModel
  ) -> PropertyMapping {
    guard case .composite = attribute.type else {
      return PropertyMapping(name: attribute.name, fallback: attribute.defaultValue)
    }
    let leaves = model.leaves(of: AttributePart(attribute))
    return PropertyMapping(
      name: attribute.name,
      elementMappings: leaves.map { ElementMapping(path: $0.path, fallback: $0.defaultValue) }
    )
  }
}
