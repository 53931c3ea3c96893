internal import ObjectModel

extension ModelDraft {
  /// Returns the positions of the entities that inherit from an entity directly.
  func children(ofEntityAt position: Int) -> [Int] {
    entities.indices.filter { entities[$0].superentityName == entities[position].name }
  }

  /// Returns the position of an entity's parent.
  func parent(ofEntityAt position: Int) -> Int? {
    entities[position].superentityName.flatMap { name in
      entities.firstIndex { $0.name == name }
    }
  }

  /// Takes properties away that an entity has from above as well.
  mutating func dropInherited(ofEntityAt position: Int) {
    let inherited = model.superentities(of: entities[position])
    let names = Set(
      inherited.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    )
    for name in entities[position].relationships.map(\.name) where names.contains(name) {
      entities[position].relationships.removeAll { $0.name == name }
    }
    entities[position].attributes.removeAll { names.contains($0.name) }
  }

  // MARK: - Inverses

  /// Returns the position of the other end of a relationship.
  func inverse(of relationship: RelationshipDescription) -> (entity: Int, index: Int)? {
    guard let inverse = model.inverse(of: relationship),
      let entity = entities.firstIndex(where: { $0.name == inverse.declaringEntity.name }),
      let index = entities[entity].relationships.firstIndex(where: {
        $0.name == inverse.relationship.name
      })
    else { return nil }
    return (entity, index)
  }

  /// Makes two relationships inverses of one another.
  mutating func join(_ first: (entity: Int, index: Int), _ second: (entity: Int, index: Int)) {
    let name = entities[first.entity].relationships[first.index].name
    entities[first.entity].relationships[first.index].inverseName =
      entities[second.entity].relationships[second.index].name
    entities[second.entity].relationships[second.index].inverseName = name
  }

  /// Leads the inverse of a relationship, which another entity is to declare, to that one.
  mutating func redirectInverse(
    of relationship: RelationshipDescription,
    from owner: String,
    to position: Int
  ) {
    guard let inverse = inverse(of: relationship),
      entities[inverse.entity].relationships[inverse.index].destinationEntityName == owner
    else { return }
    entities[inverse.entity].relationships[inverse.index].destinationEntityName =
      entities[position].name
  }

  /// Leads relationships to one entity to another one, or takes them away.
  mutating func redirectRelationships(to name: String, _ heir: String?) {
    for entity in entities.indices {
      for index in entities[entity].relationships.indices
      where entities[entity].relationships[index].destinationEntityName == name {
        entities[entity].relationships[index].destinationEntityName = heir ?? ""
      }
      entities[entity].relationships.removeAll { $0.destinationEntityName.isEmpty }
    }
  }

  // MARK: - Loose ends

  /// Removes references to missing parts: inverses, indexes and uniqueness constraints.
  mutating func repair() {
    var isDone = false
    while !isDone {
      let model = model
      isDone = true
      for entity in entities.indices {
        for index in entities[entity].relationships.indices {
          let relationship = entities[entity].relationships[index]
          guard relationship.inverseName != nil else { continue }
          let inverse = model.inverse(of: relationship)
          guard
            inverse?.relationship.inverseName != relationship.name
              || inverse?.relationship.destinationEntityName != entities[entity].name
              || inverse?.declaringEntity.name != relationship.destinationEntityName
          else { continue }
          entities[entity].relationships[index].inverseName = nil
          isDone = false
        }
      }
    }
    for entity in entities.indices {
      let lineage = model.lineage(of: entities[entity])
      let attributes = lineage.flatMap { $0.attributes.filter { !$0.isTransient }.map(\.name) }
      let references = lineage.flatMap { $0.relationships.filter { !$0.isToMany }.map(\.name) }
      let names = Set(attributes + references)
      entities[entity].uniquenessConstraints.removeAll { !names.isSuperset(of: $0) }
      entities[entity].compoundIndexes.removeAll { !names.isSuperset(of: $0) }
      entities[entity].fetchIndexes.removeAll { index in
        !names.isSuperset(of: index.elements.compactMap(\.propertyName))
      }
    }
  }
}
