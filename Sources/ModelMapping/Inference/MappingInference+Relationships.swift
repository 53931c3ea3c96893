internal import ObjectModel

extension MappingInference {
  mutating func inferRelationships(
    _ relationships: NameMatching<RelationshipDescription>,
    of pair: EntityPair,
    _ owners: DeclaringEntities
  ) -> [PropertyMapping] {
    for (source, destination) in relationships.pairs {
      inferChange(from: source, to: destination, of: pair, owners)
    }
    for relationship in relationships.matchedByName where owners.declares(relationship) {
      warnMatchedByName("relationship", relationship)
    }
    for pair in relationships.claimed where owners.declares(pair.destination) {
      warnClaimed("relationship", pair)
    }
    return relationships.pairs.map {
      PropertyMapping(
        name: $0.destination.name,
        valueExpression: .destinationInstances(sourceRelationship: $0.source.name)
      )
    } + relationships.added.map { PropertyMapping(name: $0.name) }
  }

  private mutating func inferChange(
    from source: RelationshipDescription,
    to destination: RelationshipDescription,
    of pair: EntityPair,
    _ owners: DeclaringEntities
  ) {
    guard let owner = owners.relationships[destination.name] else { return }
    let ownerBefore = owners.sourceRelationships[source.name]
      .flatMap { matching.destinationNames[$0] }
    // The entity that declares an inherited property reports its change.
    guard owner == pair.destination.name || ownerBefore != owner else { return }
    guard !canLead(source.destinationEntityName, to: destination.destinationEntityName) else {
      return
    }
    obstruct(
      owner,
      destination.name,
      .incompatibleDestination(
        before: source.destinationEntityName,
        after: destination.destinationEntityName
      )
    )
  }

  /// Links can be kept where some of those that they lead to are among those that they are to lead
  /// to, or where both are of one hierarchy.
  private func canLead(_ before: String, to after: String) -> Bool {
    if matching.destinationNames[before] == after { return true }
    guard let entityBefore = matching.source.entity(named: before),
      let entityAfter = matching.destination.entity(named: after)
    else { return false }
    let family = Set(matching.destination.family(of: entityAfter).map(\.name))
    let root = matching.destination.root(of: entityAfter).name
    return matching.source.family(of: entityBefore).contains { member in
      guard let name = matching.destinationNames[member.name],
        let entity = matching.destination.entity(named: name)
      else { return false }
      return family.contains(name) || matching.destination.root(of: entity).name == root
    }
  }
}
