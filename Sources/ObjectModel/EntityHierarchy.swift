/// Who inherits from whom, by position; safe to ask even where parents form a cycle.
struct EntityHierarchy: Hashable, Sendable {
  /// The first entity of each name.
  let indexByName: [String: Int]
  /// The parent of each entity that has one that exists.
  let parents: [Int?]
  /// The entities that name each entity as their parent.
  let children: [[Int]]
  /// How many entities each one inherits from; those of a cycle are counted once.
  let depths: [Int]

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
    depths = Self.depths(parents)
  }

  /// Follows the parents of each entity up to one whose depth is known.
  private static func depths(_ parents: [Int?]) -> [Int] {
    var depths = [Int?](repeating: nil, count: parents.count)
    for start in parents.indices {
      guard parents[start] != nil else {
        depths[start] = 0
        continue
      }
      var path: [Int] = []
      var positions: [Int: Int] = [:]
      var current: Int? = start
      while let index = current, depths[index] == nil {
        if let first = positions[index] {
          let cycle = path[first...]
          for member in cycle { depths[member] = cycle.count - 1 }
          path.removeSubrange(first...)
          break
        }
        positions[index] = path.count
        path.append(index)
        current = parents[index]
      }
      for index in path.reversed() {
        depths[index] = parents[index].map { (depths[$0] ?? 0) + 1 } ?? 0
      }
    }
    return depths.map { $0 ?? 0 }
  }

  func ancestors(of index: Int) -> [Int] {
    var ancestors: [Int] = []
    ancestors.reserveCapacity(depths[index])
    var current = parents[index]
    while ancestors.count < depths[index], let parent = current {
      ancestors.append(parent)
      current = parents[parent]
    }
    return ancestors
  }

  func family(of index: Int) -> [Int] {
    if children[index].isEmpty { return [index] }
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
}
