internal import SQLSyntax

/// Moves what is retained out of the way of names that are needed again, and keeps the records.
struct RetainedNames {
  /// What had been retained before.
  private let earlier: [RetainedObject]
  private var current: [RetainedObject]
  /// What this step retains.
  private(set) var added: [RetainedObject] = []
  /// The tables that rows stay for which are retained, by the places of these among what is added.
  private var homes: [Int: SQLIdentifier] = [:]
  private(set) var dropped: Set<RetainedObject> = []
  private(set) var operations: [MigrationOperation] = []
  private var takenRelations: Set<SQLIdentifier>

  init(_ earlier: [RetainedObject], neededRelations: Set<SQLIdentifier>) {
    self.earlier = earlier
    current = earlier
    takenRelations = neededRelations.union(earlier.flatMap(\.relationNames))
  }

  /// What had been retained before and is called something else now.
  var renamed: [RetainedObject: RetainedObject] {
    var renamed: [RetainedObject: RetainedObject] = [:]
    for (before, after) in zip(earlier, current) where before != after && !dropped.contains(before)
    {
      renamed[before] = after
    }
    return renamed
  }

  /// Notes that tables of the source have new names.
  mutating func tablesRenamed(_ names: [SQLIdentifier: SQLIdentifier]) {
    let retainedTables = Set(earlier.filter { $0.column == nil }.map(\.table))
    for index in current.indices where !retainedTables.contains(earlier[index].table) {
      current[index].table = names[current[index].table] ?? current[index].table
    }
  }

  mutating func tableDropped(_ table: SQLIdentifier) {
    for (index, object) in current.enumerated() where object.table == table {
      dropped.insert(earlier[index])
    }
  }

  /// Notes that something is in use again, as it is called in the end.
  mutating func reuse(_ object: RetainedObject) {
    guard let index = current.lastIndex(of: object) else { return }
    dropped.insert(earlier[index])
  }

  mutating func add(_ object: RetainedObject) {
    added.append(object)
    takenRelations.formUnion(object.relationNames)
  }

  // MARK: - Columns beside rows

  /// Adds rows that leave a table.
  mutating func add(_ object: RetainedObject, from table: SQLIdentifier) {
    homes[added.count] = table
    add(object)
  }

  /// Returns the columns that had been retained before in a table that stays, as they are called in
  /// the end.
  func columns(of table: SQLIdentifier) -> [RetainedObject] {
    zip(earlier, current).filter {
      !dropped.contains($0.0) && $0.1.column != nil && $0.1.table == table
    }.map(\.1)
  }

  /// Returns what had been retained before among some, as it is called by now.
  func objects(among spares: Set<RetainedObject>) -> [RetainedObject] {
    zip(earlier, current).filter { !dropped.contains($0.0) && spares.contains($0.0) }.map(\.1)
  }

  /// Notes for rows that leave a table which values they take along of what had been retained before.
  ///
  /// - Returns: The names of the columns, by the tables.
  mutating func noteCompanions() -> [SQLIdentifier: [SQLIdentifier]] {
    var names: [SQLIdentifier: [SQLIdentifier]] = [:]
    for (index, table) in homes {
      let columns = columns(of: table)
      guard !columns.isEmpty else { continue }
      names[table] = columns.compactMap(\.column)
      added[index].origin?.companions = columns.compactMap { object in
        guard let name = object.origin?.columns.first?.name, let column = object.column else {
          return nil
        }
        return .init(version: object.version, name: name, retainedName: column.name)
      }
    }
    return names
  }

  // MARK: - Conflicts

  /// Renames the relations that take up a name which the new tables, indexes or sequences need.
  mutating func giveUpRelations(_ needed: Set<SQLIdentifier>) {
    for index in current.indices where !dropped.contains(earlier[index]) {
      current[index] = givingUpRelations(needed, of: current[index])
    }
    // What was retained of a table before the table itself was goes with it.
    let tables = Dictionary(
      zip(earlier, current).filter { $0.0.column == nil }.map { ($0.0.table, $0.1.table) },
      uniquingKeysWith: { first, _ in first }
    )
    for index in current.indices where current[index].column != nil {
      current[index].table = tables[earlier[index].table] ?? current[index].table
    }
    for index in added.indices { added[index] = givingUpRelations(needed, of: added[index]) }
  }

  private mutating func givingUpRelations(
    _ needed: Set<SQLIdentifier>,
    of retained: RetainedObject
  ) -> RetainedObject {
    var object = retained
    for (position, name) in object.relationNames.enumerated() where needed.contains(name) {
      let newName = freeName(for: name, object.version) { takenRelations.contains($0) }
      takenRelations.insert(newName)
      let isTable = object.column == nil && object.table == name
      operations.append(
        .renameRetained(
          RenameRetained(kind: isTable ? .table : .part, name: name, newName: newName)
        )
      )
      object.relationNames[position] = newName
      if isTable { object.table = newName }
    }
    return object
  }

  /// Renames the retained columns of a table that take up the name of a column which is to come.
  mutating func giveUpColumns(_ needed: Set<SQLIdentifier>, of table: SQLIdentifier) {
    let taken = needed.union((current + added).filter { $0.table == table }.compactMap(\.column))
    for index in current.indices
    where current[index].table == table && !dropped.contains(earlier[index]) {
      current[index] = givingUpColumn(needed, taken, of: current[index])
    }
    for index in added.indices where added[index].table == table {
      added[index] = givingUpColumn(needed, taken, of: added[index])
    }
  }

  private mutating func givingUpColumn(
    _ needed: Set<SQLIdentifier>,
    _ taken: Set<SQLIdentifier>,
    of retained: RetainedObject
  ) -> RetainedObject {
    var object = retained
    guard let column = object.column, needed.contains(column) else { return object }
    let newName = freeName(for: column, object.version) { taken.contains($0) }
    operations.append(
      .renameRetained(
        RenameRetained(kind: .column(of: object.table), name: column, newName: newName)
      )
    )
    object.column = newName
    return object
  }

  /// Gives out a name for something that this step retains although its name is needed.
  mutating func freeName(for name: SQLIdentifier, of version: String) -> SQLIdentifier {
    let columns = Set(current.compactMap(\.column))
    let free = freeName(for: name, version) {
      takenRelations.contains($0) || columns.contains($0)
    }
    takenRelations.insert(free)
    return free
  }

  /// Returns what a name becomes that is given up, before it is cut to the length that names can have.
  static func base(for name: SQLIdentifier, of version: String) -> String {
    "remodel_retained_\(version)_\(name.name)"
  }

  private func freeName(
    for name: SQLIdentifier,
    _ version: String,
    isTaken: (SQLIdentifier) -> Bool
  ) -> SQLIdentifier {
    let base = Self.base(for: name, of: version)
    var candidate = StorageNames.fitted(base)
    var count = 1
    while isTaken(candidate) {
      count += 1
      candidate = StorageNames.fitted("\(base)_\(count)")
    }
    return candidate
  }
}
