package import ObjectModel

/// A relationship of the source that links of the destination come from.
package struct LinkOrigin: Hashable, Sendable {
  /// The entity that declares the relationship in the source.
  package let entityName: String
  /// The relationship in the source.
  package let relationshipName: String
  /// The entities whose rows have the links that are taken, by name.
  package let memberNames: [String]
  /// A Boolean value that indicates whether the inverse has the links: its owners in the source are
  /// the destinations of the relationship.
  package let isReversed: Bool
}

extension ModelPairing {
  /// Returns the origins of the links of a relationship: its own in each entity that has it, and
  /// its inverse if that had links of its own.
  ///
  /// - Parameters:
  ///   - relationship: A relationship of the destination.
  ///   - entity: The entity that declares it.
  /// - Returns: The origins; those of the inverse are reversed.
  package func linkOrigins(
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription
  ) -> [LinkOrigin] {
    var origins = linkOrigins(of: relationship, declaredBy: entity, isReversed: false)
    guard let inverse = destination.inverse(of: relationship) else { return origins }
    let known = Set(origins.compactMap(pairIdentity))
    origins += linkOrigins(
      of: inverse.relationship,
      declaredBy: inverse.declaringEntity,
      isReversed: true
    ).filter { origin in pairIdentity(of: origin).map { !known.contains($0) } ?? false }
    return origins
  }

  private func linkOrigins(
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription,
    isReversed: Bool
  ) -> [LinkOrigin] {
    var members: [(entity: String, relationship: String, names: [String])] = []
    for row in rowOrigins(of: entity) {
      guard let (declaring, before) = sourceRelationship(relationship.name, of: row) else {
        continue
      }
      let position = members.firstIndex {
        $0.entity == declaring.name && $0.relationship == before.name
      }
      if let position {
        members[position].names.append(row.source.name)
      } else {
        members.append((declaring.name, before.name, [row.source.name]))
      }
    }
    return members.map {
      LinkOrigin(
        entityName: $0.entity,
        relationshipName: $0.relationship,
        memberNames: $0.names,
        isReversed: isReversed
      )
    }
  }

  /// Returns an identity common to both ends of a pair of relationships of the source.
  private func pairIdentity(of origin: LinkOrigin) -> [String]? {
    guard let (_, relationship) = sourceEnd(of: origin) else { return nil }
    let end = [origin.entityName, origin.relationshipName]
    guard let inverse = source.inverse(of: relationship) else { return end }
    let other = [inverse.declaringEntity.name, inverse.relationship.name]
    return end.lexicographicallyPrecedes(other) ? end + other : other + end
  }

  /// Returns the relationship of the source that an origin names.
  package func sourceEnd(
    of origin: LinkOrigin
  ) -> (declaringEntity: EntityDescription, relationship: RelationshipDescription)? {
    guard let entity = source.entity(named: origin.entityName),
      let relationship = entity.relationships.first(where: { $0.name == origin.relationshipName })
    else { return nil }
    return (entity, relationship)
  }

  /// Returns the concrete entities at both ends of the links, as the relationship of the destination
  /// sees them.
  package func ends(of origin: LinkOrigin) -> (owners: [String], targets: [String]) {
    guard let (_, relationship) = sourceEnd(of: origin),
      let leadsTo = source.entity(named: relationship.destinationEntityName)
    else { return ([], []) }
    let others = source.family(of: leadsTo).filter { !$0.isAbstract }.map(\.name)
    return origin.isReversed ? (others, origin.memberNames) : (origin.memberNames, others)
  }
}
