internal import ObjectModel

extension ModelGenerator {
  /// A property moves up or down a hierarchy.
  enum PropertyMove: CaseIterable {
    case attributeUp, attributeOfSiblingsUp, attributeDown
    case relationshipUp, relationshipOfSiblingsUp, relationshipDown
  }

  mutating func apply(_ move: PropertyMove, to draft: inout ModelDraft) {
    let subentities = draft.entities.indices.filter { draft.entities[$0].superentityName != nil }
    let parents = draft.entities.indices.filter { !draft.children(ofEntityAt: $0).isEmpty }
    switch move {
    case .attributeUp:
      guard let child = random.pick(subentities.filter { !draft.entities[$0].attributes.isEmpty }),
        let name = random.pick(draft.entities[child].attributes)?.name
      else { return }
      moveUp(attribute: name, from: [child], &draft)
    case .attributeOfSiblingsUp:
      guard let (name, children) = siblings(parents, draft, { $0.attributes.map(\.name) }) else {
        return
      }
      moveUp(attribute: name, from: children, &draft)
    case .attributeDown:
      guard let parent = random.pick(parents.filter { !draft.entities[$0].attributes.isEmpty }),
        let index = draft.entities[parent].attributes.indices.randomElement(using: &random)
      else { return }
      var attribute = draft.entities[parent].attributes.remove(at: index)
      if random.once(in: 3) {
        draft.forget(attribute.name, inFamilyOf: parent)
        rename(&attribute)
      }
      for child in someChildren(of: parent, draft) {
        draft.entities[child].attributes.append(attribute)
      }
    case .relationshipUp:
      let children = subentities.filter { !draft.entities[$0].relationships.isEmpty }
      guard let child = random.pick(children),
        let name = random.pick(draft.entities[child].relationships)?.name
      else { return }
      moveUp(relationship: name, from: [child], &draft)
    case .relationshipOfSiblingsUp:
      guard let (name, children) = siblings(parents, draft, { $0.relationships.map(\.name) })
      else { return }
      moveUp(relationship: name, from: children, &draft)
    case .relationshipDown:
      moveRelationshipDown(parents, &draft)
    }
    draft.repair()
  }

  // MARK: - Up

  /// Returns a name that properties of several children of an entity have.
  private mutating func siblings(
    _ parents: [Int],
    _ draft: ModelDraft,
    _ names: (EntityDescription) -> [String]
  ) -> (name: String, children: [Int])? {
    for parent in parents.shuffled(using: &random) {
      var owners: [String: [Int]] = [:]
      for child in draft.children(ofEntityAt: parent) {
        for name in names(draft.entities[child]) { owners[name, default: []].append(child) }
      }
      let shared = owners.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
      if let found = random.pick(shared.map { ($0.key, $0.value) }) { return found }
    }
    return nil
  }

  private mutating func moveUp(
    attribute name: String,
    from children: [Int],
    _ draft: inout ModelDraft
  ) {
    let attributes = children.flatMap { draft.entities[$0].attributes.filter { $0.name == name } }
    // Integers of several sizes come together in the largest.
    guard let parent = children.first.flatMap(draft.parent),
      var widest = attributes.max(by: { $0.type.size < $1.type.size })
    else { return }
    for child in children { draft.entities[child].attributes.removeAll { $0.name == name } }
    // Only of one canonical name can all of them become one.
    if random.once(in: 3), Set(attributes.map(\.canonicalName)).count == 1 {
      draft.forget(name, inFamilyOf: parent)
      rename(&widest)
    }
    draft.entities[parent].attributes.append(widest)
  }

  private mutating func rename(_ attribute: inout AttributeDescription) {
    attribute.renamingIdentifier = attribute.canonicalName
    attribute.name = name()
  }

  private mutating func moveUp(
    relationship name: String,
    from children: [Int],
    _ draft: inout ModelDraft
  ) {
    guard let first = children.first, let parent = draft.parent(ofEntityAt: first),
      var moved = draft.entities[first].relationships.first(where: { $0.name == name })
    else { return }
    if children.count == 1 {
      draft.redirectInverse(of: moved, from: draft.entities[first].name, to: parent)
    } else {
      moved.inverseName = nil
    }
    for child in children { draft.entities[child].relationships.removeAll { $0.name == name } }
    draft.entities[parent].relationships.append(moved)
  }

  // MARK: - Down

  private mutating func moveRelationshipDown(_ parents: [Int], _ draft: inout ModelDraft) {
    guard let parent = random.pick(parents.filter { !draft.entities[$0].relationships.isEmpty }),
      let index = draft.entities[parent].relationships.indices.randomElement(using: &random)
    else { return }
    let children = someChildren(of: parent, draft)
    var moved = draft.entities[parent].relationships[index]
    if let child = children.first, children.count == 1 {
      draft.redirectInverse(of: moved, from: draft.entities[parent].name, to: child)
    } else {
      moved.inverseName = nil
    }
    draft.entities[parent].relationships.remove(at: index)
    for child in children { draft.entities[child].relationships.append(moved) }
  }

  /// Returns one child, some, or all of them.
  private mutating func someChildren(of parent: Int, _ draft: ModelDraft) -> [Int] {
    let children = draft.children(ofEntityAt: parent).shuffled(using: &random)
    return Array(children.prefix(Int.random(in: 1...max(1, children.count), using: &random)))
  }
}

extension AttributeType {
  /// The size of integer values.
  fileprivate var size: Int {
    if case .integer(let bits) = kind { bits / 8 } else { 0 }
  }
}
