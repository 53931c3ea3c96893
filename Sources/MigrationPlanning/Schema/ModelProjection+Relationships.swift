internal import ObjectModel
internal import SQLSyntax

extension ModelProjection {
  /// Adds the columns and join tables of the relationships that the entities of a hierarchy keep.
  mutating func addRelationships(of root: EntityDescription) {
    for entity in model.family(of: root) {
      for (index, relationship) in entity.relationships.enumerated()
      where !relationship.isTransient {
        let element = relationshipElement(entity, index)
        let end = RelationshipEnd(entity: entity, relationship: relationship)
        switch model.storage(of: relationship, declaredBy: entity) {
        case .ownKey: addReference(end, element)
        case .joinTable(isOwner: true): addJoinTable(end, element)
        case .joinTable(isOwner: false), .inverseKey: continue
        }
      }
    }
  }

  // MARK: - Foreign keys

  private mutating func addReference(_ end: RelationshipEnd, _ element: ModelElement) {
    guard let table = table(of: end.entity), let target = target(of: end.relationship) else {
      return
    }
    let name = StorageNames.column(
      end.relationship.name,
      explicit: end.relationship.columnName,
      of: end.entity
    )
    var column = Column(name: name, type: keyType(of: target))
    if end.isRoot, !end.relationship.isOptional { column = required(column, in: table) }
    addColumn(column, to: table, for: end.reference, element)
    if let inverse = inverseEnd(of: end), inverse.relationship.isOrdered {
      addColumn(
        Column(name: positionName(of: inverse), type: "integer"),
        to: table,
        for: inverse.position,
        element
      )
    }
  }

  /// An ordered to-many has no column of its own, so an explicit column name is its position's.
  private func positionName(of end: RelationshipEnd) -> SQLIdentifier {
    end.relationship.columnName.map { SQLIdentifier($0) }
      ?? StorageNames.position(of: end.relationship, declaredBy: end.entity)
  }

  /// Returns the root of what a relationship leads to, if there is a table of it.
  func target(of relationship: RelationshipDescription) -> EntityDescription? {
    guard let destination = model.entity(named: relationship.destinationEntityName) else {
      return nil
    }
    let root = model.root(of: destination)
    return tables[.root(entity: root.name)] == nil ? nil : root
  }

  func inverseEnd(of end: RelationshipEnd) -> RelationshipEnd? {
    model.inverse(of: end.relationship).map {
      RelationshipEnd(entity: $0.declaringEntity, relationship: $0.relationship)
    }
  }

  // MARK: - Join tables

  private mutating func addJoinTable(_ end: RelationshipEnd, _ element: ModelElement) {
    guard table(of: end.entity) != nil, let target = target(of: end.relationship) else { return }
    let name = StorageNames.joinTable(of: end.entity, end.relationship)
    addTable(Table(name: name), for: end.join, element)
    guard tables[end.join] == name else { return }

    let inverse = inverseEnd(of: end)
    let names = joinColumnNames(end, inverse)
    let root = model.root(of: end.entity)
    let sourceOrigin = inverse.map(\.joinedDestination) ?? end.joinedSource
    let isItsOwnInverse = inverse.map { $0.joinedDestination == end.joinedDestination } ?? false
    addColumn(
      required(Column(name: names.source, type: keyType(of: root)), in: name),
      to: name,
      for: isItsOwnInverse ? end.joinedSource : sourceOrigin,
      element
    )
    addColumn(
      required(Column(name: names.destination, type: keyType(of: target)), in: name),
      to: name,
      for: end.joinedDestination,
      element
    )
    for ordered in [end, inverse].compactMap(\.self)
    where ordered.relationship.isOrdered && columns[ordered.position] == nil {
      addColumn(
        required(Column(name: positionName(of: ordered), type: "integer"), in: name),
        to: name,
        for: ordered.position,
        element
      )
    }
  }

  /// A column is called after the relationship that leads to what it holds the key of.
  private func joinColumnNames(
    _ end: RelationshipEnd,
    _ inverse: RelationshipEnd?
  ) -> (source: SQLIdentifier, destination: SQLIdentifier) {
    let destination = StorageNames.fitted(StorageNames.snakeCase(end.relationship.name))
    let sourceName = inverse?.relationship.name ?? end.entity.name
    let source = StorageNames.fitted(StorageNames.snakeCase(sourceName))
    let isSelfRelation = inverse == nil && end.relationship.destinationEntityName == end.entity.name
    let isAmbiguous = source == destination || isSelfRelation
    let isItsOwnInverse = inverse?.joinedDestination == end.joinedDestination
    return (
      (isItsOwnInverse ? nil : inverse.flatMap(explicitJoinColumn))
        ?? (isAmbiguous ? "source" : source),
      explicitJoinColumn(end) ?? (isAmbiguous ? "target" : destination)
    )
  }

  /// An ordered relationship gives its position a name.
  private func explicitJoinColumn(_ end: RelationshipEnd) -> SQLIdentifier? {
    guard !end.relationship.isOrdered else { return nil }
    return end.relationship.columnName.map { SQLIdentifier($0) }
  }
}

/// A relationship with the entity that declares it.
struct RelationshipEnd {
  let entity: EntityDescription
  let relationship: RelationshipDescription

  var isRoot: Bool { entity.superentityName == nil }
  var reference: ColumnOrigin { .reference(entity: entity.name, relationship.name) }
  var position: ColumnOrigin { .position(entity: entity.name, relationship.name) }
  var joinedDestination: ColumnOrigin { .joinedDestination(entity: entity.name, relationship.name) }
  var joinedSource: ColumnOrigin { .joinedSource(entity: entity.name, relationship.name) }
  var join: TableOrigin { .join(entity: entity.name, relationship.name) }
}
