internal import ObjectModel

extension ModelGenerator {
  // MARK: - Relationships

  mutating func editRelationships(_ edit: Edit, _ draft: inout ModelDraft) {
    let ends = draft.entities.indices.flatMap { position in
      draft.entities[position].relationships.indices.map { (position, $0) }
    }
    guard let (position, index) = random.pick(ends) else { return }
    let relationship = draft.entities[position].relationships[index]
    guard draft.isKnown(relationship.canonicalName, ofEntityAt: position) else { return }
    switch edit {
    case .removeRelationship:
      draft.removeRelationship(relationship.name, ofEntityAt: position)
    case .renameRelationship:
      draft.renameProperties([relationship.name: name()], ofEntityAt: position)
    case .changeDeleteRule:
      draft.entities[position].relationships[index].deleteRule =
        random.pick(RelationshipDescription.DeleteRule.allCases) ?? .nullify
    case .changeRelationshipOptional:
      guard !relationship.isToMany else { return }
      draft.entities[position].relationships[index].isOptional.toggle()
    case .removeInverse:
      // A to-many that another end keeps; the column stays as it is.
      guard relationship.isToMany, let inverse = draft.model.inverse(of: relationship),
        !inverse.relationship.isToMany,
        let other = draft.entities.firstIndex(where: { $0.name == inverse.declaringEntity.name }),
        let otherIndex = draft.entities[other].relationships
          .firstIndex(where: { $0.name == inverse.relationship.name })
      else { return }
      draft.entities[other].relationships[otherIndex].inverseName = nil
      draft.entities[position].relationships.remove(at: index)
    case .addInverse:
      guard !relationship.isToMany, relationship.inverseName == nil,
        let other = draft.entities.firstIndex(where: {
          $0.name == relationship.destinationEntityName
        })
      else { return }
      let inverse = RelationshipDescription(
        name: name(),
        destinationEntityName: draft.entities[position].name,
        inverseName: relationship.name,
        isToMany: true,
        deleteRule: random.pick(RelationshipDescription.DeleteRule.allCases) ?? .nullify
      )
      draft.entities[position].relationships[index].inverseName = inverse.name
      draft.entities[other].relationships.append(inverse)
    default:
      // The other edits are not of relationships.
      return
    }
  }

  // MARK: - Indexes

  mutating func editIndexes(_ edit: Edit, _ draft: inout ModelDraft) {
    guard let position = draft.entities.indices.randomElement(using: &random) else { return }
    if edit == .removeIndex {
      draft.entities[position].fetchIndexes = draft.entities[position].fetchIndexes.dropLast()
      draft.entities[position].compoundIndexes = draft.entities[position].compoundIndexes.dropLast()
      for index in draft.entities[position].attributes.indices {
        draft.entities[position].attributes[index].isIndexed = random.once(in: 5)
      }
    } else {
      draft.entities[position].uniquenessConstraints =
        draft.entities[position].uniquenessConstraints.dropLast()
    }
  }
}
