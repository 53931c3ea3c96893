internal import HeapModule
internal import SQLSyntax

/// Sorts operations by their dependencies.
///
/// Among operations that are possible next, it takes the one of the lowest rank, then the one with
/// the first table, then the one planned first; the order depends on nothing else.
struct OperationGraph {
  private let operations: [MigrationOperation]
  private var successors: [[Int]]
  private var predecessorCounts: [Int]

  init(_ operations: [MigrationOperation]) {
    self.operations = operations
    successors = Array(repeating: [], count: operations.count)
    predecessorCounts = Array(repeating: 0, count: operations.count)

    let dependencies = operations.map(\.base.dependencies)
    var providers: [OperationDependencies.Resource: [Int]] = [:]
    var releasers: [OperationDependencies.NameSlot: [Int]] = [:]
    for (index, dependency) in dependencies.enumerated() {
      for resource in dependency.provides { providers[resource, default: []].append(index) }
      for slot in dependency.releases { releasers[slot, default: []].append(index) }
    }
    for (index, dependency) in dependencies.enumerated() {
      for resource in dependency.requires {
        for provider in providers[resource] ?? [] { add(provider, before: index) }
      }
      for slot in dependency.claims {
        for releaser in releasers[slot] ?? [] { add(releaser, before: index) }
      }
    }
  }

  private mutating func add(_ first: Int, before second: Int) {
    guard first != second else { return }
    successors[first].append(second)
    predecessorCounts[second] += 1
  }

  /// Returns the operations in order.
  ///
  /// - Throws: The operations that wait for one another in a circle, which is a fault of the planner.
  func sorted() throws(CircularOperations) -> [MigrationOperation] {
    var counts = predecessorCounts
    var ready = Heap(operations.indices.filter { counts[$0] == 0 }.map(position))
    var order: [MigrationOperation] = []
    order.reserveCapacity(operations.count)
    while let next = ready.popMin() {
      order.append(operations[next.index])
      for successor in successors[next.index] {
        counts[successor] -= 1
        if counts[successor] == 0 { ready.insert(position(of: successor)) }
      }
    }
    guard order.count == operations.count else {
      let waiting = operations.indices.filter { counts[$0] > 0 }
      throw CircularOperations(summaries: waiting.map { operations[$0].base.summary })
    }
    return order
  }

  private func position(of index: Int) -> Position {
    let operation = operations[index]
    return Position(rank: operation.base.rank, table: operation.base.table.name, index: index)
  }

  private struct Position: Comparable {
    let rank: OperationRank
    let table: String
    let index: Int

    static func < (first: Self, second: Self) -> Bool {
      if first.rank != second.rank { return first.rank < second.rank }
      // Indexes and tables keep the order in which they were planned.
      if first.rank == .alterations, first.table != second.table {
        return byBytes(first.table, second.table)
      }
      return first.index < second.index
    }
  }
}

/// Operations that wait for one another.
struct CircularOperations: Error {
  let summaries: [String]
}
