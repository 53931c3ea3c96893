internal import ObjectModel

extension MappingRequirements {
  /// Adds the requirements of the end that stores the links; the other end has none of its own.
  mutating func addRequirements(
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription,
    _ rows: [ModelPairing.RowOrigin]
  ) {
    let storage = pairing.destination.storage(of: relationship, declaredBy: entity)
    switch storage {
    case .inverseKey, .joinTable(isOwner: false): return
    case .ownKey, .joinTable(isOwner: true): break
    }
    let origins = pairing.linkOrigins(of: relationship, declaredBy: entity)
    if !relationship.isToMany, !relationship.isOptional {
      addPresence(of: relationship, declaredBy: entity, rows, origins)
    }
    guard let first = origins.first else { return }
    let moved = DataPrecondition.MovedRelationship(
      entityName: entity.name,
      relationshipName: relationship.name,
      origins: origins
    )
    let hasOtherOrigins = origins.count > 1 && origins.contains(where: \.isReversed)
    let leadsToMany = origins.contains { !leadsToOne($0) }
    if !relationship.isToMany, leadsToMany || hasOtherOrigins {
      require(
        .oneTarget(moved),
        of: rows.map(\.source.name),
        about: first.entityName
      )
    }
    let inverse = pairing.destination.inverse(of: relationship)
    if inverse.map({ !$0.relationship.isToMany }) ?? false,
      origins.count > 1 || !comesFromOne(first)
    {
      require(
        .oneOwner(moved),
        of: rows.map(\.source.name),
        about: first.entityName
      )
    }
    for origin in origins { addConformance(of: origin, relationship, declaredBy: entity) }
  }

  // MARK: - Counts

  private func leadsToOne(_ origin: LinkOrigin) -> Bool {
    guard let (_, before) = pairing.sourceEnd(of: origin) else { return true }
    guard origin.isReversed else { return !before.isToMany }
    return pairing.source.inverse(of: before).map { !$0.relationship.isToMany } ?? false
  }

  private func comesFromOne(_ origin: LinkOrigin) -> Bool {
    guard let (_, before) = pairing.sourceEnd(of: origin) else { return true }
    guard !origin.isReversed else { return !before.isToMany }
    return pairing.source.inverse(of: before).map { !$0.relationship.isToMany } ?? false
  }

  private mutating func addPresence(
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription,
    _ rows: [ModelPairing.RowOrigin],
    _ origins: [LinkOrigin]
  ) {
    var requirements: [(requirement: DataPrecondition.Requirement, row: ModelPairing.RowOrigin)] =
      []
    var declaring: [String: String] = [:]
    for row in rows {
      if let (owner, before) = pairing.sourceRelationship(relationship.name, of: row),
        case .ownKey = pairing.source.storage(of: before, declaredBy: owner),
        !origins.contains(where: \.isReversed)
      {
        declaring[row.source.name] = owner.name
        if before.isOptional { requirements.append((.noNulls(PropertyPath(before.name)), row)) }
      } else if origins.isEmpty {
        requirements.append((.noRows(requiredProperty: relationship.name), row))
      } else {
        let moved = DataPrecondition.MovedRelationship(
          entityName: entity.name,
          relationshipName: relationship.name,
          origins: origins
        )
        requirements.append((.someTarget(moved), row))
      }
    }
    require(requirements) { declaring[$0.source.name] ?? $0.source.name }
  }

  // MARK: - Who may be at the ends

  /// Adds the precondition that links are still allowed.
  ///
  /// Links to rows of removed entities are removed with them, unless the link is required. Links to
  /// remaining rows that may no longer be linked are a precondition.
  private mutating func addConformance(
    of origin: LinkOrigin,
    _ relationship: RelationshipDescription,
    declaredBy entity: EntityDescription
  ) {
    guard let target = pairing.destination.entity(named: relationship.destinationEntityName) else {
      return
    }
    let ends = pairing.ends(of: origin)
    let allowedTargets = Set(pairing.rowOrigins(of: target).map(\.source.name))
    let allowedOwners = Set(pairing.rowOrigins(of: entity).map(\.source.name))
    let isRequired = !relationship.isToMany && !relationship.isOptional
    let targets = ends.targets.filter { name in
      !allowedTargets.contains(name) && (isRequired || !isRemoved(name))
    }
    let owners = (ends.owners + seenByInverse(origin, relationship))
      .filter { !allowedOwners.contains($0) && !isRemoved($0) }
    guard !targets.isEmpty || !owners.isEmpty else { return }
    require(
      .noLinks(origin, withOwners: owners, withTargets: targets),
      of: origin.memberNames,
      about: origin.entityName
    )
  }

  /// Returns the entities at the other end of a remaining inverse: its links to rows whose entity
  /// loses the relationship are a precondition as well.
  private func seenByInverse(
    _ origin: LinkOrigin,
    _ relationship: RelationshipDescription
  ) -> [String] {
    guard !origin.isReversed, let (declaring, before) = pairing.sourceEnd(of: origin),
      let inverseBefore = pairing.source.inverse(of: before),
      let inverse = pairing.destination.inverse(of: relationship)
    else { return [] }
    let stays = pairing.rowOrigins(of: inverse.declaringEntity).contains { row in
      let found = pairing.sourceRelationship(inverse.relationship.name, of: row)
      return found?.declaringEntity.name == inverseBefore.declaringEntity.name
        && found?.relationship.name == inverseBefore.relationship.name
    }
    guard stays else { return [] }
    return pairing.source.family(of: declaring).filter { !$0.isAbstract }.map(\.name)
  }

  /// Returns whether rows of an entity that becomes abstract are removed.
  private func isRemoved(_ sourceName: String) -> Bool {
    pairing.destinationEntity(of: sourceName)?.isAbstract ?? true
  }
}
