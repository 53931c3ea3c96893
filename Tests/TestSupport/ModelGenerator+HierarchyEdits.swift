internal import ObjectModel

extension ModelGenerator {
  /// A change of who inherits from whom.
  enum HierarchyEdit: CaseIterable {
    case addParent, removeParent, leaveHierarchy, moveSubentity, addSubentity
    case renameSubentity, removeSubentity, swapSubentities, replaceSubentity
    case toggleAbstract, addSubentityUniqueness, requireInSubentity
  }

  mutating func apply(_ edit: HierarchyEdit, to draft: inout ModelDraft) {
    let entities = draft.entities
    let subentities = entities.indices.filter { entities[$0].superentityName != nil }
      .shuffled(using: &random)
    let parents = entities.indices.filter { !draft.children(ofEntityAt: $0).isEmpty }
    switch edit {
    case .addParent:
      addParent(&draft)
    case .removeParent:
      guard let position = random.pick(parents) else { return }
      removeParent(at: position, &draft)
    case .leaveHierarchy:
      guard let position = subentities.first else { return }
      let root = draft.model.root(of: entities[position])
      inheritNothing(at: position, &draft)
      draft.entities[position].superentityName = nil
      draft.entities[position].key = root.key
    case .moveSubentity:
      guard let position = subentities.first else { return }
      moveSubentity(at: position, &draft)
    case .addSubentity:
      guard let entity = random.pick(entities) else { return }
      addSubentity(to: draft.model.root(of: entity).name, &draft)
    case .renameSubentity:
      guard let position = subentities.first(where: { draft.isKnown(entities[$0]) }) else { return }
      draft.renameEntities([entities[position].name: name(capitalized: true)])
    case .removeSubentity:
      guard let position = subentities.first else { return }
      draft.removeFamily(ofEntityAt: position)
    case .swapSubentities:
      let known = subentities.filter { draft.isKnown(entities[$0]) }.prefix(2)
        .map { entities[$0].name }
      guard known.count == 2 else { return }
      draft.renameEntities([known[0]: known[1], known[1]: known[0]])
    case .replaceSubentity:
      let known = subentities.filter { draft.isKnown(entities[$0]) }.prefix(2)
      guard let gone = known.first, let heir = known.last, gone != heir,
        !draft.family(ofEntityAt: gone).contains(heir),
        entities[heir].canonicalName != entities[gone].name
      else { return }
      draft.removeFamily(ofEntityAt: gone)
      draft.renameEntities([entities[heir].name: entities[gone].name])
    case .toggleAbstract:
      guard let position = random.pick(parents) else { return }
      draft.entities[position].isAbstract.toggle()
    case .addSubentityUniqueness:
      guard let position = subentities.first else { return }
      addUniqueness(toEntityAt: position, &draft)
    case .requireInSubentity:
      guard let position = subentities.first,
        let index = entities[position].attributes.indices.randomElement(using: &random)
      else { return }
      draft.entities[position].attributes[index].isOptional.toggle()
    }
  }

  // MARK: - Parents

  /// Puts a new root above one that was there.
  private mutating func addParent(_ draft: inout ModelDraft) {
    let roots = draft.entities.indices.filter { draft.entities[$0].superentityName == nil }
    guard let position = random.pick(roots) else { return }
    var parent = EntityDescription(name: name(capitalized: true))
    parent.key = draft.entities[position].key
    parent.isAbstract = random.once(in: 2)
    if random.once(in: 3) { parent.tableName = draft.entities[position].tableName }
    if random.once(in: 2) { parent.attributes = [attribute()] }
    draft.entities[position].superentityName = parent.name
    draft.entities[position].tableName = nil
    draft.entities[position].key = .bigint
    draft.entities.append(parent)
  }

  /// Removes an entity, and gives its children its own parent, or none.
  private mutating func removeParent(at position: Int, _ draft: inout ModelDraft) {
    let parent = draft.entities[position]
    let children = draft.children(ofEntityAt: position)
    for child in children {
      inherit(nothingOf: parent, at: child, &draft)
      draft.entities[child].superentityName = parent.superentityName
      if parent.superentityName == nil { draft.entities[child].key = parent.key }
    }
    let heir = random.once(in: 2) ? random.pick(children).map { draft.entities[$0].name } : nil
    draft.redirectRelationships(to: parent.name, heir ?? parent.superentityName)
    draft.entities.remove(at: position)
    draft.repair()
  }

  private mutating func moveSubentity(at position: Int, _ draft: inout ModelDraft) {
    let model = draft.model
    let entity = draft.entities[position]
    let family = Set(model.family(of: entity).map(\.name))
    let candidates = model.family(of: model.root(of: entity)).map(\.name)
      .filter { !family.contains($0) && $0 != entity.superentityName }
    guard let parent = random.pick(candidates) else { return }
    inheritNothing(at: position, &draft)
    draft.entities[position].superentityName = parent
    draft.dropInherited(ofEntityAt: position)
    draft.repair()
  }

  /// Makes an entity declare most of its inherited properties.
  private mutating func inheritNothing(at position: Int, _ draft: inout ModelDraft) {
    for ancestor in draft.model.superentities(of: draft.entities[position]) {
      inherit(nothingOf: ancestor, at: position, &draft)
    }
  }

  private mutating func inherit(
    nothingOf ancestor: EntityDescription,
    at position: Int,
    _ draft: inout ModelDraft
  ) {
    for attribute in ancestor.attributes where !random.once(in: 5) {
      draft.entities[position].attributes.append(attribute)
    }
    for relationship in ancestor.relationships where !random.once(in: 5) {
      var copy = relationship
      copy.inverseName = nil
      draft.entities[position].relationships.append(copy)
    }
  }
}
