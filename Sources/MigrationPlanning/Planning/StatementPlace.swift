internal import SQLSyntax

/// A table or column that an operation of a statement is about.
struct StatementPlace: Hashable, Sendable {
  /// A table, or a column of it.
  struct Location: Hashable, Sendable {
    var table: SQLIdentifier
    var column: SQLIdentifier?
  }

  /// What it was called in the source.
  var before: Location?
  /// What it is called in the destination; none if it goes.
  var after: Location?
  /// Whether it is about an index, or a constraint that has one.
  var isOfKey = false
  /// What the operation may hurt by.
  var hazards: Set<Hazard> = []
}

extension StatementPlace {
  /// Creates the place of a table that is made.
  init(made table: SQLIdentifier) {
    self.init(after: Location(table: table))
  }
}

/// Finds out what operations are about, in the order in which they run: names change meanwhile.
struct StatementPlaces {
  /// What tables were called, by what they are called now.
  private var formerTables: [SQLIdentifier: SQLIdentifier] = [:]
  /// What columns were called, by what they are called now.
  private var formerColumns: [ColumnReference: SQLIdentifier] = [:]

  /// Returns what the next operation is about.
  mutating func places(of operation: MigrationOperation) -> [StatementPlace] {
    follow(operation)
    let table = operation.base.table
    var places = places(of: operation, on: table)
    let hazards = Set(operation.base.impact.allHazards)
    for index in places.indices { places[index].hazards = hazards }
    return places
  }

  private mutating func follow(_ operation: MigrationOperation) {
    if case .renameTable(let rename) = operation {
      formerTables[rename.newName] = formerTables.removeValue(forKey: rename.name) ?? rename.name
    }
    if case .renameColumn(let rename) = operation {
      let before = ColumnReference(table: rename.table, column: rename.name)
      formerColumns[ColumnReference(table: rename.table, column: rename.newName)] =
        formerColumns.removeValue(forKey: before) ?? rename.name
    }
  }

  private func places(
    of operation: MigrationOperation,
    on table: SQLIdentifier
  ) -> [StatementPlace] {
    switch operation {
    case .addColumn(let addition): return [place(table, addition.column.name)]
    case .dropColumn(let drop): return [place(table, drop.column, isGoing: !drop.isReplaced)]
    case .renameColumn(let rename): return [place(table, rename.newName)]
    case .retainColumn(let retention): return [place(table, retention.column.name, isGoing: true)]
    case .changeColumnType(let change): return [place(table, change.column)]
    case .setNotNull(let change): return [place(table, change.column)]
    case .dropNotNull(let change): return [place(table, change.column)]
    case .setDefault(let change): return [place(table, change.column)]
    case .dropExpression(let change): return [place(table, change.column)]
    case .computeValues(let computation): return [place(table, computation.column)]
    case .updateRows(let update):
      return update.assignments.map { place(table, $0.column) }
    case .cutLinks(let cut): return [place(table, cut.column)]
    case .cutDanglingLinks(let cut): return [place(table, cut.column)]
    case .moveLinks(let move): return [place(table, move.place.target)]
    case .numberLinks(let numbering): return [place(table, numbering.position)]
    case .addConstraint(let addition): return places(of: addition.constraint, on: table)
    case .dropConstraint(let drop): return places(of: drop.constraint, on: table)
    case .createIndex(let creation):
      let columns = creation.index.readColumns
      guard !columns.isEmpty else { return [place(table, isOfKey: true)] }
      return columns.map { place(table, $0, isOfKey: true) }
    case .dropIndex: return [place(table, isOfKey: true)]
    case .dropTable, .retainTable, .retainRows, .deleteRows:
      return [place(table, isGoing: true)]
    case .dropTrigger(let drop):
      return [StatementPlace(before: .init(table: drop.table), after: .init(table: drop.newTable))]
    case .createTable, .installTable, .renameTable, .copyRows, .renameConstraint, .renameIndex,
      .renameSequence, .createTrigger, .reinstateRows:
      return [place(table)]
    case .renameRetained, .dropDependent, .createDependent: return []
    }
  }

  private func places(of constraint: Constraint, on table: SQLIdentifier) -> [StatementPlace] {
    constraint.columns.map { place(table, $0, isOfKey: constraint.hasIndex) }
  }

  private func place(
    _ table: SQLIdentifier,
    _ column: SQLIdentifier? = nil,
    isGoing: Bool = false,
    isOfKey: Bool = false
  ) -> StatementPlace {
    let formerColumn = column.map {
      formerColumns[ColumnReference(table: table, column: $0)] ?? $0
    }
    return StatementPlace(
      before: .init(table: formerTables[table] ?? table, column: formerColumn),
      after: isGoing ? nil : .init(table: table, column: column),
      isOfKey: isOfKey
    )
  }
}

extension PlannedStatement {
  /// The tables that the statement is about, by the names that they have afterwards.
  package var tables: [String] {
    var names: [String] = []
    for place in places {
      guard let name = (place.after ?? place.before)?.table.name, !names.contains(name) else {
        continue
      }
      names.append(name)
    }
    return names
  }
}
