internal import ObjectModel
internal import SQLSyntax

/// A relationship with the entity that declares it.
struct RelationshipEnd {
  let entity: EntityDescription
  let relationship: RelationshipDescription

  var reference: ColumnOrigin { .reference(entity: entity.name, relationship.name) }
  var position: ColumnOrigin { .position(entity: entity.name, relationship.name) }
  var joinedDestination: ColumnOrigin { .joinedDestination(entity: entity.name, relationship.name) }
  var joinedSource: ColumnOrigin { .joinedSource(entity: entity.name, relationship.name) }
}

extension ManagedObjectModel {
  /// Returns the other end of a relationship that has an inverse.
  func inverseEnd(of end: RelationshipEnd) -> RelationshipEnd? {
    inverse(of: end.relationship).map {
      RelationshipEnd(entity: $0.declaringEntity, relationship: $0.relationship)
    }
  }
}

/// The place of a relationship's links, seen from one of its ends.
struct LinkPlace: Hashable, Sendable, Codable {
  /// The table that has both keys.
  var table: SQLIdentifier
  /// The column with the key of those that have the relationship.
  var owner: SQLIdentifier
  /// The column with the key of those that it leads to.
  var target: SQLIdentifier
  /// The place of a target among those of its owner.
  var targetPosition: SQLIdentifier?
  /// The place of an owner among those of its target.
  var ownerPosition: SQLIdentifier?
  /// The key of the table, if one of the ends has the links in its rows; none of a join table.
  var key: SQLIdentifier?

  /// A Boolean value that indicates whether the links are in rows of those that have the
  /// relationship.
  var isInOwner: Bool { key != nil && owner == key }

  /// A Boolean value that indicates whether the links are in rows of those that it leads to.
  var isInTarget: Bool { key != nil && target == key }

  /// A place of links among one another.
  enum Position: String, Hashable, Sendable, CaseIterable, Codable {
    /// The place of the target among those of its owner.
    case ofTarget
    /// The place of the owner among those of its target.
    case ofOwner
  }

  /// Returns the column with the places of one of the ends.
  func column(of position: Position) -> SQLIdentifier? {
    switch position {
    case .ofTarget: targetPosition
    case .ofOwner: ownerPosition
    }
  }

  /// The columns with places, as far as there are any.
  var positions: [(position: Position, column: SQLIdentifier)] {
    Position.allCases.compactMap { position in column(of: position).map { (position, $0) } }
  }

  /// A Boolean value that indicates whether each link is a row of its own.
  var isJoinTable: Bool { key == nil }

  /// The column with the keys of those that have the links of another place of the same links in their rows.
  func column(keyOf other: LinkPlace) -> SQLIdentifier { other.isInTarget ? target : owner }

  /// The same links under the names that the table and its columns have afterwards.
  func renamed(
    _ table: SQLIdentifier,
    _ columns: [SQLIdentifier: SQLIdentifier]
  ) -> LinkPlace {
    func name(_ column: SQLIdentifier) -> SQLIdentifier { columns[column] ?? column }
    return LinkPlace(
      table: table,
      owner: name(owner),
      target: name(target),
      targetPosition: targetPosition.map(name),
      ownerPosition: ownerPosition.map(name),
      key: key.map(name)
    )
  }

  /// The same links as the other end sees them.
  var reversed: LinkPlace {
    LinkPlace(
      table: table,
      owner: target,
      target: owner,
      targetPosition: ownerPosition,
      ownerPosition: targetPosition,
      key: key
    )
  }
}

extension ModelProjection {
  /// Returns where the links of a relationship are; none if one of its ends has no table.
  func linkPlace(
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription
  ) -> LinkPlace? {
    let end = RelationshipEnd(entity: entity, relationship: relationship)
    let inverse = model.inverseEnd(of: end)
    switch model.storage(of: relationship, declaredBy: entity) {
    case .ownKey:
      return keyPlace(of: end, inverse)
    case .inverseKey:
      return inverse.flatMap { keyPlace(of: $0, end) }?.reversed
    case .joinTable(isOwner: true):
      return joinPlace(of: end, inverse)
    case .joinTable(isOwner: false):
      return inverse.flatMap { joinPlace(of: $0, end) }?.reversed
    }
  }

  private func keyPlace(of end: RelationshipEnd, _ inverse: RelationshipEnd?) -> LinkPlace? {
    guard let reference = columns[end.reference] else { return nil }
    let key = key(of: reference.table)
    return LinkPlace(
      table: reference.table,
      owner: key,
      target: reference.column,
      targetPosition: nil,
      ownerPosition: inverse.flatMap { columns[$0.position]?.column },
      key: key
    )
  }

  private func joinPlace(of end: RelationshipEnd, _ inverse: RelationshipEnd?) -> LinkPlace? {
    guard let target = columns[end.joinedDestination] else { return nil }
    let isItsOwnInverse = inverse.map { $0.joinedDestination == end.joinedDestination } ?? true
    let ownerOrigin = isItsOwnInverse ? end.joinedSource : inverse?.joinedDestination
    guard let owner = ownerOrigin.flatMap({ columns[$0] }) else { return nil }
    return LinkPlace(
      table: target.table,
      owner: owner.column,
      target: target.column,
      targetPosition: columns[end.position]?.column,
      ownerPosition: isItsOwnInverse ? nil : inverse.flatMap { columns[$0.position]?.column }
    )
  }
}
