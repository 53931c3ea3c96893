package import SQLSyntax

extension MigrationStep {
  /// How many entries of the server's table of locks the step takes up at most, all of it being one
  /// transaction.
  package var lockCount: Int {
    var objects = Set(lockedTables.map { LockedObject.relation($0.name.name) })
    for statement in statements { objects.formUnion(statement.lockedObjects) }
    return baseEntries + Self.entries(of: objects)
  }

  /// The sequences that the statements rename or drop, among other relations.
  package var replacedSequences: Set<SQLIdentifier> {
    operations.reduce(into: []) { $0.formUnion($1.base.replacedSequences) }
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
    let base = baseEntries
    var parts: [Range<Int>] = []
    var begin = start
    var objects: Set<LockedObject> = []
    var total = base
    for index in statements.indices where index >= start {
      var added = statements[index].lockedObjects.filter { !objects.contains($0) }
      let isFull = total + Self.entries(of: added) > limit
      if index > begin, isFull || index == transferPoint {
        parts.append(begin..<index)
        begin = index
        objects = []
        total = base
        added = statements[index].lockedObjects
      }
      objects.formUnion(added)
      total += Self.entries(of: added)
    }
    return parts + [begin..<max(begin, statements.count)]
  }

  /// The locks of any transaction: preconditions lock tables and indexes too, and so do the records
  /// of the metadata.
  private var baseEntries: Int { Set(preconditions.map(\.entityName)).count * 4 + 32 }

  private static func entries(of objects: Set<LockedObject>) -> Int {
    objects.reduce(0) { $0 + $1.entries }
  }
}
