internal import SQLSyntax

/// Creates the new tables.
///
/// Foreign keys are part of a new table if the referenced table exists already; in a cycle, the
/// last one is added afterwards.
struct TableCreation {
  private(set) var operations: [MigrationOperation] = []

  private let context: StepContext
  private let links: LinkMoves

  init(_ context: StepContext, _ links: LinkMoves) {
    self.context = context
    self.links = links
    let match = context.match
    let new = match.destination.schema.tables.filter { match.oldTables[$0.key] == nil }
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

  /// Returns new tables in an order in which referenced tables are first as far as possible.
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
    let match = context.match
    return match.rows[table] != nil || links.linkedColumns[table] != nil
      || match.copiedTables.contains(table)
  }

  /// Creates a table that gets rows, and its constraints and indexes after the rows.
  private func creation(ofFilled table: Table) -> [MigrationOperation] {
    var contents = table
    contents.indexes = []
    contents.triggers = []
    contents.constraints = table.constraints.filter(\.isPrimaryKey)
    let key = contents.constraints.first?.columns ?? []
    // Links, their positions, and values that triggers maintain follow the rows.
    let derived = table.columns.filter {
      $0.generation == nil && context.match.destination.isDerived($0, in: table.name)
    }
    let isLate = Set(table.columns.map(\.name)).intersection(links.linkedColumns[table.name] ?? [])
      .union(derived.map(\.name)).subtracting(key)
    for index in contents.columns.indices where isLate.contains(contents.columns[index].name) {
      contents.columns[index].notNullConstraint = nil
    }
    let required = table.columns.compactMap { column -> MigrationOperation? in
      isLate.contains(column.name) ? context.requirement(of: column, in: table) : nil
    }
    let later = table.constraints.filter { !$0.isPrimaryKey }
    return [.createTable(CreateTable(contents: contents))] + required
      + later.map { .addConstraint(AddConstraint(table: table.name, constraint: $0)) }
      + Self.indexesAndTriggers(of: table)
  }
}
