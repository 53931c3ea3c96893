internal import SQLSyntax

/// Renames retained objects whose names are needed again, and keeps the records.
struct RetainedNames {
  /// The objects retained earlier, with their old and current names.
  private var earlier: [(before: RetainedObject, now: RetainedObject)]
  /// The objects that this step retains.
  private(set) var added: [RetainedObject] = []
  /// The tables for which rows are retained, by their positions among the added objects.
  private var homes: [Int: SQLIdentifier] = [:]
  /// The objects that are no longer retained.
  private(set) var dropped: Set<RetainedObject> = []
  private(set) var operations: [MigrationOperation] = []
  private var takenRelations: Set<SQLIdentifier>
  /// The version of the objects that this step retains.
  let version: String
  /// The names that the destination's tables, indexes and sequences have.
  let neededRelations: Set<SQLIdentifier>

  init(_ earlier: [RetainedObject], version: String, neededRelations: Set<SQLIdentifier>) {
    self.earlier = earlier.map { ($0, $0) }
    self.version = version
    self.neededRelations = neededRelations
    takenRelations = neededRelations.union(earlier.flatMap(\.relationNames))
  }

  private var staying: [(before: RetainedObject, now: RetainedObject)] {
    earlier.filter { !dropped.contains($0.before) }
  }

  /// The objects retained earlier whose names change.
  var renamed: [RetainedObject: RetainedObject] {
    Dictionary(
      staying.filter { $0.before != $0.now }.map { ($0.before, $0.now) },
      uniquingKeysWith: { $1 }
    )
  }

  /// Notes that tables of the source have new names.
  mutating func tablesRenamed(_ names: [SQLIdentifier: SQLIdentifier]) {
    let retainedTables = Set(earlier.filter { $0.before.column == nil }.map(\.before.table))
    for index in earlier.indices where !retainedTables.contains(earlier[index].before.table) {
      let table = earlier[index].now.table
      earlier[index].now.table = names[table] ?? table
    }
  }

  mutating func tableDropped(_ table: SQLIdentifier) {
    dropped.formUnion(earlier.filter { $0.now.table == table }.map(\.before))
  }

  /// Notes that something is in use again, as it is called in the end.
  mutating func reuse(_ object: RetainedObject) {
    if let entry = earlier.last(where: { $0.now == object }) { dropped.insert(entry.before) }
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
    staying.map(\.now).filter { $0.column != nil && $0.table == table }
  }

  /// Returns the objects retained earlier among some, by their current names.
  func objects(among spares: Set<RetainedObject>) -> [RetainedObject] {
    spares.isEmpty ? [] : staying.filter { spares.contains($0.before) }.map(\.now)
  }

  /// Records the values retained earlier that rows take along when they leave a table.
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

  /// Gives up the names that the destination needs.
  ///
  /// - Parameter tables: The tables of the destination that stay.
  mutating func giveUpNames(of tables: [Table]) {
    giveUpRelations()
    let crowded = Set((earlier.map(\.now) + added).filter { $0.column != nil }.map(\.table))
    for table in tables where crowded.contains(table.name) {
      giveUpColumns(Set(table.columns.map(\.name)), of: table.name)
    }
  }

  /// Renames the relations that take up a name which the new tables, indexes or sequences need.
  private mutating func giveUpRelations() {
    for index in earlier.indices where !dropped.contains(earlier[index].before) {
      earlier[index].now = givingUpRelations(of: earlier[index].now)
    }
    // Objects retained of a table earlier are retained with the table.
    let tables = Dictionary(
      earlier.filter { $0.before.column == nil }.map { ($0.before.table, $0.now.table) },
      uniquingKeysWith: { first, _ in first }
    )
    for index in earlier.indices where earlier[index].now.column != nil {
      let (before, now) = earlier[index]
      earlier[index].now.table = tables[before.table] ?? now.table
    }
    for index in added.indices { added[index] = givingUpRelations(of: added[index]) }
  }

  private mutating func givingUpRelations(of retained: RetainedObject) -> RetainedObject {
    var object = retained
    for (position, name) in object.relationNames.enumerated() where neededRelations.contains(name) {
      let newName = freeName(for: name, object.version) { takenRelations.contains($0) }
      takenRelations.insert(newName)
      let isTable = object.column == nil && object.table == name
      operations.append(
        .rename(
          RenameObject(
            kind: isTable ? .retainedTable : .retainedPart,
            name: name,
            newName: newName
          )
        )
      )
      object.relationNames[position] = newName
      if isTable { object.table = newName }
    }
    return object
  }

  /// Renames the retained columns of a table that take up the name of a column which is to come.
  private mutating func giveUpColumns(_ needed: Set<SQLIdentifier>, of table: SQLIdentifier) {
    let taken = needed.union(
      (earlier.map(\.now) + added).filter { $0.table == table }.compactMap(\.column)
    )
    for index in earlier.indices
    where earlier[index].now.table == table && !dropped.contains(earlier[index].before) {
      earlier[index].now = givingUpColumn(needed, taken, of: earlier[index].now)
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
      .rename(
        RenameObject(kind: .retainedColumn(of: object.table), name: column, newName: newName)
      )
    )
    object.column = newName
    return object
  }

  /// Gives out a name for something that this step retains although its name is needed.
  mutating func freeName(for name: SQLIdentifier) -> SQLIdentifier {
    let columns = Set(earlier.compactMap(\.now.column))
    let free = freeName(for: name, version) {
      takenRelations.contains($0) || columns.contains($0)
    }
    takenRelations.insert(free)
    return free
  }

  /// Returns the new name of a retained object, before it is cut to the maximum length.
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
