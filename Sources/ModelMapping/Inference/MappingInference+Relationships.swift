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
    for relationship in relationships.added
    where owners.declares(relationship) && !relationship.isToMany && !relationship.isOptional {
      let storage = matching.destination.storage(of: relationship, declaredBy: pair.destination)
      if case .ownKey = storage {
        require(.noRows(requiredProperty: relationship.name), of: pair.source)
      }
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
    guard let owner = owners.relationships[destination.name],
      let ownerBefore = owners.sourceRelationships[source.name]
    else { return }
    guard matching.destinationNames[ownerBefore] == owner else {
      let change = InferenceObstacle.Change.movedProperty(before: ownerBefore, after: owner)
      return obstruct(pair.destination.name, destination.name, .notYetInferred(change))
    }
    guard owner == pair.destination.name else { return }

    guard checkDestination(from: source, to: destination, of: owner) else { return }
    let before = matching.source.storage(of: source, declaredBy: pair.source)
    let after = matching.destination.storage(of: destination, declaredBy: pair.destination)
    guard before == after, keepsInverse(source, destination, before) else {
      return obstruct(owner, destination.name, .notYetInferred(.relationshipStorage))
    }
    if source.isOrdered != destination.isOrdered {
      obstruct(owner, destination.name, .notYetInferred(.order))
    }
    if case .ownKey = after, source.isOptional, !destination.isOptional {
      require(.noNulls(PropertyPath(source.name)), of: pair.source)
    }
  }

  /// Links that are kept at the other end, or in a table of both, stay where they are only if the
  /// other end is the same relationship.
  private func keepsInverse(
    _ source: RelationshipDescription,
    _ destination: RelationshipDescription,
    _ storage: RelationshipStorage
  ) -> Bool {
    if case .ownKey = storage { return true }
    let before = matching.source.inverse(of: source)
    let after = matching.destination.inverse(of: destination)
    switch (before, after) {
    case (nil, nil): return true
    case (let before?, let after?):
      return matching.destinationNames[before.declaringEntity.name] == after.declaringEntity.name
        && (before.relationship.canonicalName == after.relationship.canonicalName
          || before.relationship.name == after.relationship.name)
    case (nil, _?), (_?, nil): return false
    }
  }

  private mutating func checkDestination(
    from source: RelationshipDescription,
    to destination: RelationshipDescription,
    of owner: String
  ) -> Bool {
    let before = source.destinationEntityName
    let after = destination.destinationEntityName
    if matching.destinationNames[before] == after { return true }
    guard let entityBefore = matching.source.entity(named: before),
      let entityAfter = matching.destination.entity(named: after)
    else { return false }
    let rootBefore = matching.source.root(of: entityBefore).name
    let rootAfter = matching.destination.root(of: entityAfter).name
    let isSameHierarchy = matching.destinationNames[rootBefore] == rootAfter
    obstruct(
      owner,
      destination.name,
      isSameHierarchy
        ? .notYetInferred(.destination(before: before, after: after))
        : .incompatibleDestination(before: before, after: after)
    )
    return false
  }
}
