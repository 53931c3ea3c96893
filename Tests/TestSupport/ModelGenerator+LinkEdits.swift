internal import ObjectModel

extension ModelGenerator {
  /// A change of a relationship's destination, counts, order or inverse.
  enum LinkEdit: CaseIterable {
    case toggleToMany, toggleOrdered, toggleRequired, changeDestination
    case dropInverse, unlinkInverse, joinInverse, exchangeInverse, toggleItsOwnInverse
  }

  mutating func apply(_ edit: LinkEdit, to draft: inout ModelDraft) {
    let ends = draft.entities.indices.flatMap { position in
      draft.entities[position].relationships.indices.map { (position, $0) }
    }
    guard let (position, index) = random.pick(ends) else { return }
    let relationship = draft.entities[position].relationships[index]
    let inverse = draft.inverse(of: relationship)
    switch edit {
    case .toggleToMany:
      draft.forget(relationship.name, inFamilyOf: position)
      draft.entities[position].relationships[index].isToMany.toggle()
      draft.entities[position].relationships[index].setCounts()
    case .toggleOrdered:
      guard relationship.isToMany else { return }
      draft.entities[position].relationships[index].isOrdered.toggle()
    case .toggleRequired:
      guard !relationship.isToMany else { return }
      draft.entities[position].relationships[index].isOptional.toggle()
    case .changeDestination:
      changeDestination(ofRelationshipAt: index, position, inverse, &draft)
    case .dropInverse:
      guard let inverse, inverse != (position, index) else { return }
      let name = draft.entities[inverse.entity].relationships[inverse.index].name
      draft.entities[position].relationships[index].inverseName = nil
      draft.forget(name, inFamilyOf: inverse.entity)
      draft.entities[inverse.entity].relationships.remove(at: inverse.index)
    case .unlinkInverse:
      guard let inverse else { return }
      draft.entities[position].relationships[index].inverseName = nil
      draft.entities[inverse.entity].relationships[inverse.index].inverseName = nil
    case .joinInverse:
      guard inverse == nil, let other = candidate(for: relationship, from: position, draft) else {
        return
      }
      draft.join((position, index), other)
    case .exchangeInverse:
      guard let inverse, let other = candidate(for: relationship, from: position, draft) else {
        return
      }
      draft.entities[inverse.entity].relationships[inverse.index].inverseName = nil
      draft.join((position, index), other)
    case .toggleItsOwnInverse:
      guard relationship.destinationEntityName == draft.entities[position].name else { return }
      let isOwn = relationship.inverseName == relationship.name
      guard isOwn || relationship.inverseName == nil else { return }
      draft.entities[position].relationships[index].inverseName = isOwn ? nil : relationship.name
    }
    draft.repair()
  }

  /// Changes the destination of a relationship to its parent, a child or a sibling, together with
  /// the inverse.
  private mutating func changeDestination(
    ofRelationshipAt index: Int,
    _ position: Int,
    _ inverse: (entity: Int, index: Int)?,
    _ draft: inout ModelDraft
  ) {
    let name = draft.entities[position].relationships[index].destinationEntityName
    guard let before = draft.entities.firstIndex(where: { $0.name == name }) else { return }
    var candidates = draft.children(ofEntityAt: before)
    if let parent = draft.parent(ofEntityAt: before) {
      candidates += [parent] + draft.children(ofEntityAt: parent)
    }
    guard let target = random.pick(candidates), target != before,
      inverse.map({ $0 != (position, index) }) ?? true
    else { return }
    draft.entities[position].relationships[index].destinationEntityName =
      draft.entities[target].name
    guard let inverse else { return }
    if random.once(in: 2) {
      let moved = draft.entities[inverse.entity].relationships.remove(at: inverse.index)
      draft.entities[target].relationships.append(moved)
    } else {
      draft.entities[inverse.entity].relationships[inverse.index].inverseName = nil
    }
  }

  /// Returns a relationship without an inverse that leads back.
  private mutating func candidate(
    for relationship: RelationshipDescription,
    from position: Int,
    _ draft: ModelDraft
  ) -> (entity: Int, index: Int)? {
    guard
      let other = draft.entities.firstIndex(where: {
        $0.name == relationship.destinationEntityName
      })
    else { return nil }
    let candidates = draft.entities[other].relationships.indices.filter {
      let back = draft.entities[other].relationships[$0]
      return back.inverseName == nil && back.name != relationship.name
        && back.destinationEntityName == draft.entities[position].name
    }
    return random.pick(candidates).map { (other, $0) }
  }
}

extension RelationshipDescription {
  /// Sets the counts of a to-one or to-many relationship.
  mutating func setCounts() {
    maximumCount = isToMany ? 0 : 1
    if isToMany { isOptional = true } else { isOrdered = false }
  }
}
