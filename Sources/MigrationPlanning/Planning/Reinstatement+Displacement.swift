internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// What makes room for what is put back.
extension Reinstatement {
  /// Gives the hierarchies of entities other names, so that nothing of the destination is taken for
  /// them.
  mutating func setAside(_ entityNames: [String]) {
    let model = source.projection.model
    let roots = Set(
      entityNames.compactMap { model.entity(named: $0) }.map { model.root(of: $0).name }
    )
    for root in roots.sorted() {
      for member in model.entity(named: root).map(model.family) ?? [] {
        let name = free(
          "\(member.name) of version \(source.name)",
          among: entities.map(\.name)
        )
        remains.entityNames[member.name] = name
        for index in entities.indices {
          if entities[index].name == member.name {
            entities[index].name = name
            entities[index].renamingIdentifier = name
          }
          if entities[index].superentityName == member.name {
            entities[index].superentityName = name
          }
          for position in entities[index].relationships.indices
          where entities[index].relationships[position].destinationEntityName == member.name {
            entities[index].relationships[position].destinationEntityName = name
          }
        }
        for (after, before) in names where before == member.name {
          names[after] = nil
          displaced[after] = before
        }
      }
    }
  }

  /// Gives both ends of a relationship other names.
  mutating func setAside(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) {
    let inverse = destination.projection.model.inverse(of: relationship)
    let ends =
      [(relationship, entity)] + (inverse.map { [($0.relationship, $0.declaringEntity)] } ?? [])
    for (end, declaring) in ends {
      guard let name = names[declaring.name], let before = counterpart(of: end, declaring) else {
        continue
      }
      let aside = freeProperty(before.name, of: name)
      remains.propertyNames[.init(entity: name, property: before.name)] = aside
      renameInKeys(before.name, to: aside, of: name)
      for index in entities.indices {
        for position in entities[index].relationships.indices {
          let candidate = entities[index].relationships[position]
          if entities[index].name == name, candidate.name == before.name {
            entities[index].relationships[position].name = aside
            entities[index].relationships[position].renamingIdentifier = aside
          }
          if candidate.inverseName == before.name, candidate.destinationEntityName == name {
            entities[index].relationships[position].inverseName = aside
          }
        }
      }
    }
  }

  /// Gives what computes the values of an attribute another name, in an entity and those below it, so
  /// that these are not taken for the values that somebody wrote.
  mutating func setAsideComputed(
    _ attribute: AttributeDescription,
    of entity: EntityDescription
  ) {
    for member in destination.projection.model.family(of: entity) {
      guard let (owner, before) = matching.sourceAttribute(of: attribute, member),
        before.isComputed,
        remains.propertyNames[.init(entity: owner, property: before.name)] == nil
      else { continue }
      let aside = freeProperty(before.name, of: owner)
      withEntity(owner) { entity in
        for index in entity.attributes.indices where entity.attributes[index].name == before.name {
          entity.attributes[index].name = aside
          entity.attributes[index].renamingIdentifier = aside
        }
      }
      renameInKeys(before.name, to: aside, of: owner)
      remains.propertyNames[.init(entity: owner, property: before.name)] = aside
    }
  }

  /// Calls a property otherwise in the keys and indexes of an entity of the source and of those below it.
  private mutating func renameInKeys(_ name: String, to newName: String, of owner: String) {
    let model = source.projection.model
    for member in model.entity(named: owner).map(model.family) ?? [] {
      withEntity(member.name) { $0.renameInKeys(name, to: newName) }
    }
  }
}

extension EntityDescription {
  /// Calls a property otherwise in what is unique and what is indexed.
  fileprivate mutating func renameInKeys(_ name: String, to newName: String) {
    func renamed(_ names: [[String]]) -> [[String]] {
      names.map { $0.map { $0 == name ? newName : $0 } }
    }
    uniquenessConstraints = renamed(uniquenessConstraints)
    compoundIndexes = renamed(compoundIndexes)
    for index in fetchIndexes.indices {
      for element in fetchIndexes[index].elements.indices
      where fetchIndexes[index].elements[element].propertyName == name {
        fetchIndexes[index].elements[element].propertyName = newName
      }
    }
  }
}
