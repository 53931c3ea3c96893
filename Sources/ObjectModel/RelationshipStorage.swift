/// The place of a relationship's links.
package enum RelationshipStorage: Hashable, Sendable {
  /// In a key that each row of the relationship's own entity has; no two rows have the same one if
  /// `isUnique`.
  case ownKey(isUnique: Bool)
  /// In a key that each row of the destination has.
  case inverseKey(isUnique: Bool)
  /// In a table of pairs, which is called after this end if `isOwner`.
  case joinTable(isOwner: Bool)
}

extension ManagedObjectModel {
  /// Returns where the links of a relationship are kept.
  ///
  /// Of two ends that could both keep them it is the canonically smaller one, so that a rename with
  /// a renaming identifier moves nothing.
  package func storage(
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription
  ) -> RelationshipStorage {
    guard let inverse = inverse(of: relationship) else {
      return relationship.isToMany ? .joinTable(isOwner: true) : .ownKey(isUnique: false)
    }
    // A renaming identifier may be the name of a sibling.
    let isSmaller =
      (entity.canonicalName, relationship.canonicalName, entity.name, relationship.name)
      <= (
        inverse.declaringEntity.canonicalName, inverse.relationship.canonicalName,
        inverse.declaringEntity.name, inverse.relationship.name
      )
    switch (relationship.isToMany, inverse.relationship.isToMany) {
    case (true, true): return .joinTable(isOwner: isSmaller)
    case (false, true): return .ownKey(isUnique: false)
    case (true, false): return .inverseKey(isUnique: false)
    case (false, false): return isSmaller ? .ownKey(isUnique: true) : .inverseKey(isUnique: true)
    }
  }
}

extension RelationshipStorage {
  /// The storage as a word, for the layout digest.
  var canonicalText: String {
    switch self {
    case .ownKey: "ownKey"
    case .inverseKey: "inverseKey"
    case .joinTable(isOwner: true): "joinTable"
    case .joinTable(isOwner: false): "inverseJoinTable"
    }
  }
}
