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
      remains.relationshipNames[.init(entity: name, relationship: before.name)] = aside
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
}
