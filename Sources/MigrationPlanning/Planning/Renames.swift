internal import SQLSyntax

/// Renames that wait for one another in a circle: where two columns change places, so do the names of their
/// indexes.
enum Renames {
  /// Returns the operations with a temporary name on the way of one rename of each circle.
  static func breakingCircles(in operations: [MigrationOperation]) -> [MigrationOperation] {
    let split = renamesToSplit(in: operations)
    guard !split.isEmpty else { return operations }
    return operations.indices.flatMap { index in
      split.contains(index) ? operations[index].splitRename : [operations[index]]
    }
  }

  /// Takes away the renames that wait for none that is left; while only circles are left, lets one
  /// rename give up its name at once.
  private static func renamesToSplit(in operations: [MigrationOperation]) -> Set<Int> {
    let renames = operations.indices.filter { !operations[$0].splitRename.isEmpty }
    var releasers: [OperationDependencies.NameSlot: Int] = [:]
    for index in renames {
      for slot in operations[index].base.dependencies.releases { releasers[slot] = index }
    }
    var awaited: [Int: Set<Int>] = [:]
    var waiting: [Int: [Int]] = [:]
    for index in renames {
      let needed = operations[index].base.dependencies.claims.compactMap { releasers[$0] }
      awaited[index] = Set(needed).subtracting([index])
      for other in awaited[index] ?? [] { waiting[other, default: []].append(index) }
    }

    var split: Set<Int> = []
    var ready = renames.filter { awaited[$0]?.isEmpty ?? true }
    var left = Set(renames).subtracting(ready)
    while true {
      while let next = ready.popLast() {
        for other in waiting[next] ?? [] {
          awaited[other]?.remove(next)
          if awaited[other]?.isEmpty ?? false, left.remove(other) != nil { ready.append(other) }
        }
      }
      guard let start = left.min() else { return split }
      // A rename that is met twice on the way along those that are waited for is in a circle.
      var met: Set<Int> = []
      var current = start
      while met.insert(current).inserted { current = awaited[current]?.min() ?? current }
      split.insert(current)
      for other in waiting[current] ?? [] {
        awaited[other]?.remove(current)
        if awaited[other]?.isEmpty ?? false, left.remove(other) != nil { ready.append(other) }
      }
    }
  }
}

extension MigrationOperation {
  /// A rename as two, by way of a temporary name; empty for everything else.
  fileprivate var splitRename: [MigrationOperation] {
    guard let rename else { return [] }
    switch rename.kind {
    case .table, .column, .constraint, .notNull, .index, .sequence:
      var (first, second) = (rename, rename)
      first.newName = StorageNames.temporary(rename.name)
      second.name = first.newName
      second.isFromTemporary = true
      return [.rename(first), .rename(second)]
    case .retainedTable, .retainedPart, .retainedColumn: return []
    }
  }
}
