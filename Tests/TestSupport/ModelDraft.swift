package import ObjectModel

/// A model under construction.
package struct ModelDraft {
  /// The entities.
  package var entities: [EntityDescription] = []
  /// The composites that attributes may be of.
  var composites: [CompositeDescription] = []
  /// The canonical names of the previous version's entities and, by those, of their properties:
  /// only these can be renamed.
  private var known: [String: Set<String>] = [:]
  /// The types that the version before has, by the canonical names of entities and attributes.
  private var types: [String: [String: AttributeType]] = [:]

  init() {}

  /// Creates a draft of the version after a model.
  ///
  /// - Parameter model: The model.
  package init(after model: ManagedObjectModel) {
    entities = model.entities
    composites = model.composites
    for entity in model.entities {
      for attribute in entity.attributes {
        types[entity.canonicalName, default: [:]][attribute.canonicalName] = attribute.type
      }
      known[entity.canonicalName] = Set(
        entity.attributes.filter { !$0.isTransient }.map(\.canonicalName)
          + entity.relationships.map(\.canonicalName)
      )
    }
  }

  func isKnown(_ entity: EntityDescription) -> Bool {
    known[entity.canonicalName] != nil
  }

  func isKnown(_ canonicalName: String, ofEntityAt position: Int) -> Bool {
    known[entities[position].canonicalName]?.contains(canonicalName) ?? false
  }

  /// The model as it is by now.
  package var model: ManagedObjectModel {
    ManagedObjectModel(entities: entities, composites: composites)
  }

  /// Returns the type that an attribute has in the version before.
  func knownType(of attribute: AttributeDescription, ofEntityAt position: Int) -> AttributeType? {
    types[entities[position].canonicalName]?[attribute.canonicalName]
  }

  /// Returns whether a property of a hierarchy was called so first and is called otherwise now.
  func isCanonical(_ name: String, inFamilyOf position: Int) -> Bool {
    let root = model.root(of: entities[position])
    return model.family(of: root).contains { entity in
      entity.relationships.contains { $0.canonicalName == name }
        || entity.attributes.contains { $0.canonicalName == name && $0.name != name }
    }
  }

  /// Returns the to-one relationships that an entity has and keeps in columns of its own table.
  func keptReferences(of entity: EntityDescription) -> [String] {
    let model = model
    return model.lineage(of: entity).flatMap { declaring in
      declaring.relationships.filter {
        switch model.storage(of: $0, declaredBy: declaring) {
        case .ownKey: !$0.isTransient
        case .inverseKey, .joinTable: false
        }
      }.map(\.name)
    }
  }

  /// Returns the positions of an entity and all that inherit from it.
  func family(ofEntityAt position: Int) -> [Int] {
    let names = Set(model.family(of: entities[position]).map(\.name))
    return entities.indices.filter { names.contains(entities[$0].name) }
  }

  // MARK: - Removing

  /// Takes a relationship away with its inverse.
  mutating func removeRelationship(_ name: String, ofEntityAt position: Int) {
    guard let relationship = entities[position].relationships.first(where: { $0.name == name })
    else { return }
    let inverse = model.inverse(of: relationship)
    forget(name, inFamilyOf: position)
    entities[position].relationships.removeAll { $0.name == name }
    guard let inverse,
      let other = entities.firstIndex(where: { $0.name == inverse.declaringEntity.name })
    else { return }
    forget(inverse.relationship.name, inFamilyOf: other)
    entities[other].relationships.removeAll { $0.name == inverse.relationship.name }
  }

  mutating func removeAttribute(_ name: String, ofEntityAt position: Int) {
    forget(name, inFamilyOf: position)
    entities[position].attributes.removeAll { $0.name == name }
  }

  /// Takes a property out of the indexes and the uniqueness constraints of all that have it.
  mutating func forget(_ name: String, inFamilyOf position: Int) {
    for member in family(ofEntityAt: position) {
      entities[member].uniquenessConstraints.removeAll { $0.contains(name) }
      entities[member].compoundIndexes.removeAll { $0.contains(name) }
      entities[member].fetchIndexes.removeAll { index in
        index.elements.contains { $0.propertyName == name }
      }
    }
  }

  /// Takes an entity away with all that inherit from it and every relationship to them.
  mutating func removeFamily(ofEntityAt position: Int) {
    let members = Set(family(ofEntityAt: position).map { entities[$0].name })
    for index in entities.indices {
      let pointing = entities[index].relationships.filter {
        members.contains($0.destinationEntityName)
      }
      for relationship in pointing { removeRelationship(relationship.name, ofEntityAt: index) }
    }
    entities.removeAll { members.contains($0.name) }
  }

  // MARK: - Renaming

  /// Gives properties of an entity other names and sets their renaming identifiers.
  ///
  /// - Parameters:
  ///   - names: The new names by the old ones.
  ///   - position: The place of the entity.
  package mutating func renameProperties(_ names: [String: String], ofEntityAt position: Int) {
    let owner = entities[position]
    let model = model
    for index in entities[position].attributes.indices {
      let attribute = entities[position].attributes[index]
      guard let name = names[attribute.name] else { continue }
      entities[position].attributes[index].renamingIdentifier = attribute.canonicalName
      entities[position].attributes[index].name = name
    }
    // Whoever has one of them as its inverse knows it by name.
    for index in entities.indices {
      for other in entities[index].relationships.indices {
        let relationship = entities[index].relationships[other]
        guard let inverse = model.inverse(of: relationship),
          inverse.declaringEntity.name == owner.name,
          let name = names[inverse.relationship.name]
        else { continue }
        entities[index].relationships[other].inverseName = name
      }
    }
    for index in entities[position].relationships.indices {
      let relationship = entities[position].relationships[index]
      guard let name = names[relationship.name] else { continue }
      entities[position].relationships[index].renamingIdentifier = relationship.canonicalName
      entities[position].relationships[index].name = name
    }
    if let name = entities[position].partitioning?.attributeName.flatMap({ names[$0] }) {
      entities[position].partitioning?.attributeName = name
    }
    if let name = entities[position].distribution?.propertyName.flatMap({ names[$0] }) {
      entities[position].distribution?.propertyName = name
    }
    for member in family(ofEntityAt: position) {
      entities[member].uniquenessConstraints = entities[member].uniquenessConstraints
        .map { $0.map { names[$0] ?? $0 } }
      entities[member].compoundIndexes = entities[member].compoundIndexes
        .map { $0.map { names[$0] ?? $0 } }
      for index in entities[member].fetchIndexes.indices {
        for element in entities[member].fetchIndexes[index].elements.indices {
          let name = entities[member].fetchIndexes[index].elements[element].propertyName ?? ""
          guard let newName = names[name] else { continue }
          entities[member].fetchIndexes[index].elements[element].propertyName = newName
        }
      }
    }
  }

  /// Gives entities other names and sets their renaming identifiers.
  ///
  /// - Parameter names: The new names by the old ones.
  package mutating func renameEntities(_ names: [String: String]) {
    for index in entities.indices {
      if let name = names[entities[index].name] {
        entities[index].renamingIdentifier = entities[index].canonicalName
        entities[index].name = name
      }
      entities[index].superentityName = entities[index].superentityName.map { names[$0] ?? $0 }
      if let name = entities[index].distribution?.colocatedEntityName.flatMap({ names[$0] }) {
        entities[index].distribution?.colocatedEntityName = name
      }
      for other in entities[index].relationships.indices {
        let destination = entities[index].relationships[other].destinationEntityName
        entities[index].relationships[other].destinationEntityName =
          names[destination] ?? destination
      }
    }
  }
}
