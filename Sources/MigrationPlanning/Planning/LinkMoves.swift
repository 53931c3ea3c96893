internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Moves the links of relationships that are kept elsewhere from now on, and gives those an order that
/// have none yet.
struct LinkMoves {
  private(set) var operations: [MigrationOperation] = []
  /// The columns of each table that links come to which were elsewhere before.
  private(set) var linkedColumns: [SQLIdentifier: Set<SQLIdentifier>]
  /// The columns of the source whose links move.
  private(set) var movedColumns: Set<ColumnReference> = []
  /// Those that only one of two releases can write.
  private(set) var unbridgedColumns: Set<ColumnReference> = []
  /// The links that releases on both versions can write.
  private(set) var bridges: [LinkBridgeDraft] = []
  /// The tables whose rows decide which links move, by their names at this point.
  private(set) var endTables: Set<SQLIdentifier> = []

  private let context: StepContext
  private let source, destination: ModelProjection
  private let match: SchemaMatch
  private let names: CurrentNames

  /// Finds the links that move, except those of a mapping's SQL.
  init(_ context: StepContext, besides mapping: MappingModel) {
    self.context = context
    (match, names) = (context.match, context.names)
    (source, destination) = (match.source, match.destination)
    linkedColumns = context.linkedColumns(ofMappingsIn: mapping)
    let model = destination.model
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        switch model.storage(of: relationship, declaredBy: entity) {
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
    guard let place = destination.linkPlace(of: relationship, declaredBy: entity),
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
      endTables.formUnion(queries.flatMap(\.entityTables))
      let move = MoveLinks(
        place: place,
        isJoinTable: isJoinTable,
        sources: queries,
        hasLinks: moved.count < origins.count,
        numberedPositions: moved.count < origins.count
          ? [] : numberedPositions(at: place, isJoinTable, queries)
      )
      for origin in moved {
        guard let old = match.sourcePlace(of: origin) else { continue }
        let columns = [old.owner, old.target].map {
          ColumnReference(table: old.table, column: $0)
        }
        movedColumns.formUnion(columns)
        if context.planner.wayBack != nil,
          let bridge = LinkBridgeDraft(move, old, match, context.planner.kinds)
        {
          bridges.append(bridge)
        } else {
          unbridgedColumns.formUnion(columns)
        }
      }
      operations.append(.moveLinks(move))
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
      under: names
    )
  }

  /// Returns whether a table of links is one that was retained as a whole.
  private func isPutBack(_ table: SQLIdentifier) -> Bool {
    context.planner.reinstatement?.tables.values.contains(table) ?? false
  }

  // MARK: - Order

  /// Returns the new positions of moved links: they had none, have several origins, or may
  /// have been null.
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
          context.planner.reinstatement?.sparePositions.contains($0) ?? false
        } ?? false
      guard !isSettled || isSpare else { continue }
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
            key: isJoinTable ? [owner, other] : [destination.key(of: place.table)],
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

extension StepContext {
  /// Returns the columns of relationships whose links authored SQL creates when the rows exist.
  fileprivate func linkedColumns(
    ofMappingsIn mapping: MappingModel
  ) -> [SQLIdentifier: Set<SQLIdentifier>] {
    let destination = match.destination
    var linkedColumns: [SQLIdentifier: Set<SQLIdentifier>] = [:]
    // Positions are assigned when all links exist.
    for table in match.copiedTables {
      for (column, origin) in destination.columnOrigins[table] ?? [:] {
        if case .position = origin { linkedColumns[table, default: []].insert(column) }
      }
    }
    for entity in mapping.entityMappings where entity.makesWrittenLinks {
      guard let target = entity.destinationEntityName.flatMap(destination.model.entity) else {
        continue
      }
      for declaring in destination.model.lineage(of: target) {
        for relationship in declaring.relationships {
          let origin = ColumnOrigin.reference(entity: declaring.name, relationship.name)
          guard let place = destination.columns[origin], match.copiedTables.contains(place.table)
          else { continue }
          linkedColumns[place.table, default: []].insert(place.column)
        }
      }
    }
    return linkedColumns
  }
}
