internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The operations that turn the tables of one version into those of another, in no order yet.
struct SchemaChanges {
  let source: PlannedVersion
  let destination: PlannedVersion
  let match: SchemaMatch
  let planner: MigrationPlanner
  var operations: [MigrationOperation] = []
  var retained: RetainedNames
  /// What the tables of the source are called after all renames.
  private(set) var tableNames: [SQLIdentifier: SQLIdentifier]
  /// What the columns of tables that stay are called after all renames, by the tables' old names.
  private(set) var columnNames: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]
  /// The columns of each table that links come to which were elsewhere before.
  var linkedColumns: [SQLIdentifier: Set<SQLIdentifier>] = [:]
  /// The columns of the source whose links move.
  var movedLinkColumns: Set<ColumnReference> = []
  /// The tables that are asked which links move, as they are called by then.
  var linkEndTables: Set<SQLIdentifier> = []
  /// The entities whose rows leave tables that stay, by the names that these have by then.
  var leavingEntities: [SQLIdentifier: Set<String>] = [:]
  /// The tables in which rows change, so that triggers have to be silent.
  var busyTables: Set<SQLIdentifier> = []
  /// The names that the destination's tables, indexes and sequences have.
  let neededRelations: Set<SQLIdentifier>

  var sourceSchema: DatabaseSchema { source.projection.schema }
  var destinationSchema: DatabaseSchema { destination.projection.schema }

  init(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    _ match: SchemaMatch,
    _ planner: MigrationPlanner,
    retained: [RetainedObject]
  ) {
    self.source = source
    self.destination = destination
    self.match = match
    self.planner = planner
    let needed = destination.projection.schema.tables.values.flatMap(\.relationNames)
    neededRelations = Set(needed)
    self.retained = RetainedNames(retained, neededRelations: neededRelations)
    tableNames = match.tables
  }

  mutating func collect() {
    for table in sourceSchema.sortedTables where match.tables[table.name] == nil {
      guard neededRelations.contains(table.name) else { continue }
      tableNames[table.name] = nameOutOfTheWay(table.name)
    }
    retained.tablesRenamed(tableNames)
    for rename in Rename.breakingCircles(tableNames) {
      operations.append(
        .renameTable(
          RenameTable(
            name: rename.from,
            newName: rename.to,
            isFromTemporary: rename.isFromTemporary
          )
        )
      )
    }
    nameColumns()
    moveLinks()
    moveRows()
    reinstateRows()
    cutDanglingLinks()
    for (before, after) in match.tables.sorted(by: { $0.value < $1.value }) {
      guard let old = sourceSchema.tables[before], let new = destinationSchema.tables[after] else {
        continue
      }
      changeTable(old, into: new)
    }
    for table in sourceSchema.sortedTables where match.tables[table.name] == nil {
      removeTable(table)
    }
    let kept = Set(match.tables.values)
    create(destinationSchema.sortedTables.filter { !kept.contains($0.name) })
    giveUpNames()
    retainCompanions()
    orderMovedLinks()
    reinstateCompanions()
    computeDerived()
    quietStamps()
    operations += retained.operations
    operations = ObjectRenames.breakingCircles(in: operations)
  }

  /// Notes the columns of relationships whose links people's SQL makes when the rows are there.
  mutating func leaveLinks(ofMappingsIn mapping: MappingModel) {
    // Places are given when all links are there.
    for table in match.copiedTables {
      for (column, origin) in destination.projection.columnOrigins[table] ?? [:] {
        if case .position = origin { linkedColumns[table, default: []].insert(column) }
      }
    }
    for entity in mapping.entityMappings where entity.makesWrittenLinks {
      guard
        let target = entity.destinationEntityName.flatMap({
          destination.projection.model.entity(named: $0)
        })
      else { continue }
      for declaring in destination.projection.model.lineage(of: target) {
        for relationship in declaring.relationships {
          let origin = ColumnOrigin.reference(entity: declaring.name, relationship.name)
          guard let place = destination.projection.columns[origin],
            match.copiedTables.contains(place.table)
          else { continue }
          linkedColumns[place.table, default: []].insert(place.column)
        }
      }
    }
  }

  // MARK: - Names

  private mutating func nameColumns() {
    for (before, after) in match.tables.sorted(by: { $0.value < $1.value }) {
      guard let old = sourceSchema.tables[before], let new = destinationSchema.tables[after] else {
        continue
      }
      var names = match.columns[before] ?? [:]
      for column in old.columns.map(\.name) where names[column] == nil {
        names[column] = new.column(column) == nil ? column : nameOutOfTheWay(column)
      }
      columnNames[before] = names
    }
  }

  /// Returns what a table of the source is called after all renames.
  func currentName(of table: SQLIdentifier) -> SQLIdentifier { tableNames[table] ?? table }

  /// Returns what a column of the source is called after all renames.
  func currentName(of column: ColumnReference) -> SQLIdentifier {
    columnNames[column.table]?[column.column] ?? column.column
  }

  /// Returns a name for something that goes although its name is needed: whatever has to be done to
  /// it is done under that name, so that it is never taken for what has the name now.
  mutating func nameOutOfTheWay(_ name: SQLIdentifier) -> SQLIdentifier {
    switch planner.removals {
    case .drop: StorageNames.temporary(name)
    case .retain, .refuse: retained.freeName(for: name, of: source.name)
    }
  }

  /// What is retained gives up the names that the destination needs.
  private mutating func giveUpNames() {
    retained.giveUpRelations(neededRelations)
    for table in match.tables.values.sorted() {
      let columns = destinationSchema.tables[table]?.columns.map(\.name) ?? []
      retained.giveUpColumns(Set(columns), of: table)
    }
  }

  // MARK: - New tables

  /// Foreign keys are part of a new table where what they refer to is there by then; in circles the
  /// last one is added afterwards.
  private mutating func create(_ tables: [Table]) {
    let new = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var created: Set<SQLIdentifier> = []
    for name in creationOrder(of: new) {
      guard let table = new[name] else { continue }
      created.insert(name)
      operations +=
        isFilled(name)
        ? creation(ofFilled: table)
        : Self.creation(of: table) { new[$0] == nil || created.contains($0) }
    }
  }

  /// Returns new tables so that those which others refer to come first as far as possible.
  private func creationOrder(of tables: [SQLIdentifier: Table]) -> [SQLIdentifier] {
    var order: [SQLIdentifier] = []
    var seen: Set<SQLIdentifier> = []
    for start in tables.keys.sorted() {
      // Depth first without recursion: a chain of tables may be long.
      var stack: [(name: SQLIdentifier, isDone: Bool)] = [(start, false)]
      while let (name, isDone) = stack.popLast() {
        if isDone {
          order.append(name)
          continue
        }
        guard seen.insert(name).inserted, let table = tables[name] else { continue }
        stack.append((name, true))
        let referenced = table.constraints.compactMap(\.referencedTable).sorted()
        stack += referenced.reversed().filter { tables[$0] != nil && !seen.contains($0) }
          .map { ($0, false) }
      }
    }
    return order
  }

  private static func creation(
    of table: Table,
    isThere: (SQLIdentifier) -> Bool
  ) -> [MigrationOperation] {
    var contents = table
    contents.indexes = []
    contents.triggers = []
    contents.constraints = table.constraints.filter { $0.referencedTable.map(isThere) ?? true }
    let later = table.constraints.filter { !contents.constraints.contains($0) }
    return [.createTable(CreateTable(contents: contents))]
      + later.map { .addConstraint(AddConstraint(table: table.name, constraint: $0)) }
      + indexesAndTriggers(of: table)
  }

  private static func indexesAndTriggers(of table: Table) -> [MigrationOperation] {
    table.indexes.map { .createIndex(CreateIndex(table: table.name, index: $0)) }
      + table.triggers.map {
        .createTrigger(
          CreateTrigger(table: table.name, trigger: $0, columns: table.columns.map(\.name))
        )
      }
  }

  /// Returns whether a new table gets rows that were elsewhere before.
  private func isFilled(_ table: SQLIdentifier) -> Bool {
    match.rows[table] != nil || linkedColumns[table] != nil || match.copiedTables.contains(table)
  }

  /// A table that gets rows has its constraints and indexes made when they are there.
  private func creation(ofFilled table: Table) -> [MigrationOperation] {
    var contents = table
    contents.indexes = []
    contents.triggers = []
    contents.constraints = table.constraints.filter(\.isPrimaryKey)
    let key = contents.constraints.first?.columns ?? []
    // Links, the places that they get, and what triggers keep come after the rows.
    let derived = table.columns.filter { $0.generation == nil && isDerived($0, in: table.name) }
    let isLate = Set(table.columns.map(\.name)).intersection(linkedColumns[table.name] ?? [])
      .union(derived.map(\.name)).subtracting(key)
    for index in contents.columns.indices where isLate.contains(contents.columns[index].name) {
      contents.columns[index].notNullConstraint = nil
    }
    let required = table.columns.compactMap { column -> MigrationOperation? in
      isLate.contains(column.name) ? requirement(of: column, in: table) : nil
    }
    let later = table.constraints.filter { !$0.isPrimaryKey }
    return [.createTable(CreateTable(contents: contents))] + required
      + later.map { .addConstraint(AddConstraint(table: table.name, constraint: $0)) }
      + Self.indexesAndTriggers(of: table)
  }
}
