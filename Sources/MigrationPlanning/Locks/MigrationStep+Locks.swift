internal import SQLSyntax

extension MigrationStep {
  /// How many entries of the server's table of locks the step takes up at most, all of it being one
  /// transaction.
  public var lockCount: Int {
    var objects = Set(lockedTables.map { LockedObject.relation($0.name.name) })
    for statement in statements { objects.formUnion(statement.lockedObjects) }
    return entries(of: objects)
  }

  /// Returns the statements from one on, divided into transactions that keep to a number of locks.
  ///
  /// A statement that takes more than that by itself has a transaction to itself.
  ///
  /// - Parameters:
  ///   - start: The first statement.
  ///   - limit: The locks that a transaction may take.
  /// - Returns: The statements of each transaction; a single one if nothing has to be done.
  package func transactions(from start: Int, limit: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var begin = start
    var objects: Set<LockedObject> = []
    for index in statements.indices where index >= start {
      let together = objects.union(statements[index].lockedObjects)
      if index > begin, entries(of: together) > limit {
        parts.append(begin..<index)
        begin = index
        objects = statements[index].lockedObjects
      } else {
        objects = together
      }
    }
    return parts + [begin..<max(begin, statements.count)]
  }

  private func entries(of objects: Set<LockedObject>) -> Int {
    // Questions to the rows lock tables and indexes too, and so do the records of the metadata.
    let asked = Set(preconditions.map(\.entityName)).count
    return objects.reduce(asked * 4 + 32) { $0 + $1.entries }
  }
}
