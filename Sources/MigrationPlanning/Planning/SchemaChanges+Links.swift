internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension SchemaChanges {
  /// Moves the links of relationships that are kept elsewhere from now on, and gives those an order
  /// that have none yet.
  mutating func moveLinks() {
    for entity in destination.projection.model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let storage = destination.projection.model.storage(of: relationship, declaredBy: entity)
        switch storage {
        case .ownKey: moveLinks(of: relationship, declaredBy: entity, isJoinTable: false)
        case .joinTable(isOwner: true):
          moveLinks(of: relationship, declaredBy: entity, isJoinTable: true)
        case .joinTable(isOwner: false), .inverseKey: continue
        }
      }
    }
  }

  private mutating func moveLinks(
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription,
    isJoinTable: Bool
  ) {
    guard let place = destination.projection.linkPlace(of: relationship, declaredBy: entity),
      !match.copiedTables.contains(place.table)
    else { return }
    let key = ColumnReference(table: place.table, column: place.target)
    let origins = match.pairing.linkOrigins(of: relationship, declaredBy: entity)
    let moved = origins.filter { origin in
      guard let old = match.sourcePlace(of: origin) else { return false }
      return !isInPlace(old, key, isJoinTable)
    }
    if !moved.isEmpty {
      let queries = moved.compactMap { query(for: $0, relationship, declaredBy: entity) }
      note(place, isJoinTable)
      linkEndTables.formUnion(queries.flatMap(\.entityTables))
      for origin in moved {
        guard let old = match.sourcePlace(of: origin) else { continue }
        movedLinkColumns.formUnion([
          ColumnReference(table: old.table, column: old.owner),
          ColumnReference(table: old.table, column: old.target),
        ])
      }
      operations.append(
        .moveLinks(
          MoveLinks(
            place: place,
            isJoinTable: isJoinTable,
            sources: queries,
            hasLinks: moved.count < origins.count,
            numberedPositions: moved.count < origins.count
              ? [] : numberedPositions(at: place, isJoinTable, queries)
          )
        )
      )
    }
    if moved.isEmpty || moved.count < origins.count {
      numberLinks(at: place, isJoinTable, isMixed: !moved.isEmpty)
    }
  }

  /// Returns whether the links stay in their column or table, or come with their rows.
  private func isInPlace(
    _ old: LinkPlace,
    _ key: ColumnReference,
    _ isJoinTable: Bool
  ) -> Bool {
    let before = ColumnReference(table: old.table, column: old.target)
    if match.oldColumns[key] == before { return true }
    guard !isJoinTable, old.isInOwner else { return false }
    return match.columnSources[key]?.contains { $0.column == before } ?? false
  }

  private mutating func note(_ place: LinkPlace, _ isJoinTable: Bool) {
    busyTables.insert(place.table)
    let columns =
      isJoinTable
      ? [place.owner, place.target]
      : [place.target, place.ownerPosition, place.targetPosition].compactMap(\.self)
    linkedColumns[place.table, default: []].formUnion(columns)
  }

  // MARK: - Queries

  private func query(
    for origin: LinkOrigin,
    _ relationship: RelationshipDescription,
    declaredBy entity: EntityDescription
  ) -> LinkQuery? {
    LinkQuery(
      for: origin,
      of: relationship,
      declaredBy: entity,
      match,
      checkingEnds: match.sourcePlace(of: origin).map { isPutBack($0.table) } ?? false,
      table: { currentName(of: $0) },
      column: { currentName(of: $0) }
    )
  }

  /// Returns whether a table of links is one that was retained as a whole.
  private func isPutBack(_ table: SQLIdentifier) -> Bool {
    planner.reinstatement?.tables.values.contains(table) ?? false
  }

  // MARK: - Order

  /// Returns the places that links which all move together get anew: where they had none, where they
  /// come from several relationships, and where some may have been without.
  private func numberedPositions(
    at place: LinkPlace,
    _ isJoinTable: Bool,
    _ sources: [LinkQuery]
  ) -> Set<LinkPlace.Position> {
    Set(
      LinkPlace.Position.allCases.filter { position in
        guard place.column(of: position) != nil else { return false }
        guard let source = sources.first?.place, sources.count == 1 else { return true }
        return source.column(of: position) == nil || isJoinTable && !source.isJoinTable
      }
    )
  }

  /// Numbers links where some or all of them stay.
  private mutating func numberLinks(at place: LinkPlace, _ isJoinTable: Bool, isMixed: Bool) {
    for end in LinkPlace.Position.allCases {
      guard let position = place.column(of: end), hasOrigins(place) || isMixed else { continue }
      let reference = ColumnReference(table: place.table, column: position)
      let sources = match.columnSources[reference] ?? []
      let isKept =
        match.oldColumns[reference] != nil
        || !sources.isEmpty && sources.allSatisfy { $0.column != nil }
      // Links that come to a table of their own are given places behind the others at once.
      let isSettled =
        isKept && (!isMixed || isJoinTable) && Set(sources.compactMap(\.column)).count <= 1
      let isSpare =
        match.oldColumns[reference].map {
          planner.reinstatement?.sparePositions.contains($0) ?? false
        } ?? false
      guard !isSettled || isSpare else { continue }
      busyTables.insert(place.table)
      linkedColumns[place.table, default: []].insert(position)
      let (owner, other) =
        switch end {
        case .ofTarget: (place.owner, place.target)
        case .ofOwner: (place.target, place.owner)
        }
      operations.append(
        .numberLinks(
          NumberLinks(
            table: place.table,
            position: position,
            owner: owner,
            key: isJoinTable ? [owner, other] : [destination.projection.key(of: place.table)],
            leavesPlaces: isSettled,
            hasPlaces: isMixed || match.oldColumns[reference] != nil
              || sources.contains { $0.column != nil }
          )
        )
      )
    }
  }

  /// Returns whether there were links at a place before, or come with their rows.
  private func hasOrigins(_ place: LinkPlace) -> Bool {
    let key = ColumnReference(table: place.table, column: place.target)
    return match.oldColumns[key] != nil
      || match.columnSources[key]?.contains { $0.column != nil } ?? false
  }
}

extension LinkQuery {
  /// Creates the query for the links of an origin that the destination takes: those between rows that
  /// may be at the ends of the relationship.
  ///
  /// - Parameters:
  ///   - origin: Where the links come from.
  ///   - relationship: The relationship of the destination.
  ///   - entity: The entity that declares it.
  ///   - match: What became of what.
  ///   - areLoose: Whether links may lead from or to rows that are not there.
  ///   - table: What a table of the source is called when the query runs.
  ///   - column: What a column of the source is called when the query runs.
  init?(
    for origin: LinkOrigin,
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription,
    _ match: SchemaMatch,
    checkingEnds areLoose: Bool = false,
    table: (SQLIdentifier) -> SQLIdentifier,
    column: (ColumnReference) -> SQLIdentifier
  ) {
    guard let old = match.sourcePlace(of: origin),
      let target = match.destination.model.entity(named: relationship.destinationEntityName)
    else { return nil }
    func name(_ identifier: SQLIdentifier) -> SQLIdentifier {
      column(ColumnReference(table: old.table, column: identifier))
    }
    place = LinkPlace(
      table: table(old.table),
      owner: name(old.owner),
      target: name(old.target),
      targetPosition: old.targetPosition.map(name),
      ownerPosition: old.ownerPosition.map(name),
      key: old.key.map(name)
    )
    let ends = match.pairing.ends(of: origin)
    let owners = Set(match.pairing.rowOrigins(of: entity).map(\.source.name))
    let targets = Set(match.pairing.rowOrigins(of: target).map(\.source.name))
    func condition(_ names: [String], _ allowed: Set<String>) -> EndCondition? {
      let source = match.source
      guard let first = names.first.flatMap({ source.model.entity(named: $0) }),
        let oldTable = source.table(of: first),
        let condition =
          source.membership(of: names.filter(allowed.contains), in: oldTable)
          ?? (areLoose ? "true" : nil)
      else { return nil }
      let key = ColumnReference(table: oldTable, column: source.key(of: oldTable))
      return EndCondition(table: table(oldTable), key: column(key), condition: condition)
    }
    let possibleOwners = ends.owners
    let possibleTargets = ends.targets
    ownerCondition =
      areLoose || Self.isRestricted(possibleOwners, owners, origin, match, isOwner: true)
      ? condition(possibleOwners, owners) : nil
    targetCondition =
      areLoose || Self.isRestricted(possibleTargets, targets, origin, match, isOwner: false)
      ? condition(possibleTargets, targets) : nil
  }

  /// Returns whether some of the links have rows at an end that may not be there.
  private static func isRestricted(
    _ possible: [String],
    _ allowed: Set<String>,
    _ origin: LinkOrigin,
    _ match: SchemaMatch,
    isOwner: Bool
  ) -> Bool {
    if !Set(possible).isSubset(of: allowed) { return true }
    // Rows of entities that lost the relationship are not among the members.
    guard isOwner != origin.isReversed, let old = match.sourcePlace(of: origin),
      let (declaring, _) = match.pairing.sourceEnd(of: origin)
    else { return false }
    // Nor are those whose links are elsewhere by now.
    let keys = ColumnReference(table: old.table, column: isOwner ? old.owner : old.target)
    return !Set(match.source.concreteFamily(of: declaring)).isSubset(of: possible)
      || match.source.outdated[keys] != nil
  }
}
