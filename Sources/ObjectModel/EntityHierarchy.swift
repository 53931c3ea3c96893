/// Who inherits from whom, by position; safe to ask even where parents form a cycle.
struct EntityHierarchy: Sendable {
  /// The first entity of each name.
  let indexByName: [String: Int]
  /// The parent of each entity that has one that exists.
  let parents: [Int?]
  /// The entities that name each entity as their parent.
  let children: [[Int]]

  init(_ entities: [EntityDescription]) {
    let indexByName = Dictionary(
      entities.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    let parents = entities.map { entity in entity.superentityName.flatMap { indexByName[$0] } }
    var children = [[Int]](repeating: [], count: entities.count)
    for (index, parent) in parents.enumerated() {
      if let parent { children[parent].append(index) }
    }
    self.indexByName = indexByName
    self.parents = parents
    self.children = children
  }

  func ancestors(of index: Int) -> [Int] {
    var ancestors: [Int] = []
    var current = parents[index]
    while let parent = current, parent != index, !ancestors.contains(parent) {
      ancestors.append(parent)
      current = parents[parent]
    }
    return ancestors
  }

  func family(of index: Int) -> [Int] {
    var family: [Int] = []
    var pending = [index]
    var seen: Set<Int> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      family.append(next)
      pending += children[next].reversed()
    }
    return family
  }

  /// The entities whose chain of parents never ends.
  var cyclicIndices: [Int] {
    parents.indices.filter { start in
      var seen: Set<Int> = [start]
      var current = parents[start]
      while let parent = current {
        if parent == start { return true }
        guard seen.insert(parent).inserted else { return false }
        current = parents[parent]
      }
      return false
    }
  }
}
