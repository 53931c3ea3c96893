internal import ObjectModel

extension ModelGenerator {
  /// Adds a relationship of any kind, most of them with an inverse.
  mutating func addRelationship(to draft: inout ModelDraft, named fixed: String? = nil) {
    guard let first = draft.entities.indices.randomElement(using: &random),
      let second = draft.entities.indices.randomElement(using: &random)
    else { return }
    addRelationship(to: &draft, from: first, to: second, named: fixed)
  }

  mutating func addRelationship(
    to draft: inout ModelDraft,
    from first: Int,
    to second: Int,
    named fixed: String? = nil
  ) {
    var forth = relationship(fixed ?? name(), to: draft.entities[second].name)
    forth.isToMany = random.once(in: 2)
    forth.setCounts()
    switch Int.random(in: 0...5, using: &random) {
    case 0:
      forth.inverseName = nil
    case 1 where first == second && forth.isToMany:
      // A relationship may be its own inverse.
      forth.inverseName = forth.name
    default:
      var back = relationship(name(), to: draft.entities[first].name)
      back.isToMany = random.once(in: 2)
      back.setCounts()
      back.isOrdered = back.isToMany && random.once(in: 3)
      forth.isOrdered = forth.isToMany && random.once(in: 3)
      back.inverseName = forth.name
      forth.inverseName = back.name
      draft.entities[second].relationships.append(back)
    }
    draft.entities[first].relationships.append(forth)
  }

  private mutating func relationship(
    _ name: String,
    to destination: String
  ) -> RelationshipDescription {
    var relationship = RelationshipDescription(name: name, destinationEntityName: destination)
    relationship.deleteRule =
      random.pick(RelationshipDescription.DeleteRule.allCases) ?? .nullify
    relationship.isOptional = !random.once(in: 4)
    return relationship
  }
}
