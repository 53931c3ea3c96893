internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension SchemaMatch {
  /// The place among others stays with the key that it belongs to.
  mutating func matchPositions(of table: SQLIdentifier) {
    for (column, origin) in destination.columnOrigins[table] ?? [:] {
      guard case .reference(let entityName, let name) = origin,
        let position = linkPlace(of: name, entityName, in: destination)?.ownerPosition
      else { continue }
      let reference = ColumnReference(table: table, column: column)
      let positionReference = ColumnReference(table: table, column: position)
      if let old = oldColumns[reference].flatMap(sourcePosition) {
        keep(old, as: positionReference)
      }
      let sources = columnSources[reference]?.map {
        ColumnSource(row: $0.row, column: $0.column.flatMap(sourcePosition))
      }
      take(sources, for: positionReference)
    }
  }

  /// Returns where the places of links are whose keys are in a column of the source.
  func sourcePosition(beside key: ColumnReference) -> ColumnReference? {
    guard case .reference(let entity, let name) = source.columnOrigins[key.table]?[key.column]
    else { return nil }
    return linkPlace(of: name, entity, in: source)?.ownerPosition.map {
      ColumnReference(table: key.table, column: $0)
    }
  }

  /// A join table stays if its links are all that come, and all that come are to stay.
  mutating func matchJoinTable(
    _ table: SQLIdentifier,
    _ entityName: String,
    _ relationshipName: String
  ) {
    guard let entity = destination.model.entity(named: entityName),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName }),
      let place = destination.linkPlace(of: relationship, declaredBy: entity),
      !copiedTables.contains(table)
    else { return }
    let origins = pairing.linkOrigins(of: relationship, declaredBy: entity)
    for origin in origins {
      guard let old = sourcePlace(of: origin), isJoinTable(old.table), tables[old.table] == nil,
        isWhole(origin)
      else { continue }
      keep(old, as: place)
      return
    }
    keepUnusedJoinTable(table, entity, relationship, place)
  }

  /// Where nobody can have links there are none to be moved, but the table stays.
  private mutating func keepUnusedJoinTable(
    _ table: SQLIdentifier,
    _ entity: EntityDescription,
    _ relationship: RelationshipDescription,
    _ place: LinkPlace
  ) {
    guard pairing.linkOrigins(of: relationship, declaredBy: entity).isEmpty,
      case .destinationInstances(let name) =
        pairing.mapping(of: relationship.name, of: entity.name)?.valueExpression,
      let before = pairing.sourceEntity(of: entity.name),
      let old = linkPlace(of: name, before.name, in: source), isJoinTable(old.table),
      tables[old.table] == nil
    else { return }
    keep(old, as: place)
  }

  /// A join table stays with all its columns.
  private mutating func keep(_ old: LinkPlace, as new: LinkPlace) {
    keepTable(old.table, as: new.table)
    let pairs = [
      (old.owner, new.owner), (old.target, new.target),
      (old.ownerPosition, new.ownerPosition), (old.targetPosition, new.targetPosition),
    ]
    for case (let before?, let after?) in pairs as [(SQLIdentifier?, SQLIdentifier?)] {
      keep(
        ColumnReference(table: old.table, column: before),
        as: ColumnReference(table: new.table, column: after)
      )
    }
  }

  private func isJoinTable(_ table: SQLIdentifier) -> Bool {
    if case .join = source.tableOrigins[table] { true } else { false }
  }

  /// Returns whether every row that has links of an origin and stays keeps them.
  private func isWhole(_ origin: LinkOrigin) -> Bool {
    guard let (declaring, _) = pairing.sourceEnd(of: origin) else { return false }
    let staying = source.concreteFamily(of: declaring).filter {
      pairing.destinationEntity(of: $0).map { !$0.isAbstract } ?? false
    }
    return Set(origin.memberNames).isSuperset(of: staying)
  }

  /// Returns where links come from, as the relationship of the destination sees them.
  func sourcePlace(of origin: LinkOrigin) -> LinkPlace? {
    guard let (entity, relationship) = pairing.sourceEnd(of: origin),
      let place = source.linkPlace(of: relationship, declaredBy: entity)
    else { return nil }
    return origin.isReversed ? place.reversed : place
  }

  private func linkPlace(
    of name: String,
    _ entityName: String,
    in projection: ModelProjection
  ) -> LinkPlace? {
    guard let entity = projection.model.entity(named: entityName) else { return nil }
    for declaring in projection.model.lineage(of: entity) {
      if let relationship = declaring.relationships.first(where: { $0.name == name }) {
        return projection.linkPlace(of: relationship, declaredBy: declaring)
      }
    }
    return nil
  }
}
