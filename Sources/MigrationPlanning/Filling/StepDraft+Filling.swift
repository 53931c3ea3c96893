internal import ModelMapping
internal import SQLSyntax

extension StepDraft {
  /// Returns the draft of the same step that fills columns in place of copying or rewriting their
  /// tables; `nil` if it does neither.
  ///
  /// - Returns: The draft.
  /// - Throws: Why it cannot.
  func filled() throws(FillObstacle) -> StepDraft? {
    if let table = redividedTables.keys.min() {
      throw FillObstacle(reason: "table \"\(table)\" is divided into other partitions")
    }
    return try FillCompiler(self)?.filled()
  }

  /// A Boolean value that indicates whether there is anything to fill, as far as that is known
  /// without looking whether it can be done.
  package var mayBeFilled: Bool {
    !changes.match.copiedTables.isEmpty || !slowTables.isEmpty
  }

  /// The large tables that stay and that a step is slow on: a type of a column rewrites them, or columns get
  /// values in place of others, or of none.
  var slowTables: Set<SQLIdentifier> {
    let retyped = changes.operations.compactMap { operation -> SQLIdentifier? in
      guard case .changeColumnType(let change) = operation, !change.impact.rewrites.isEmpty
      else { return nil }
      return change.table
    }
    return Set(retyped.filter(changes.isLarge)).union(changes.updatedColumns.map(\.table))
  }

  /// Returns the mapping by which exactly some tables are copied.
  func widened(to tables: Set<SQLIdentifier>) throws(FillObstacle) -> CompleteMapping {
    let projection = destination.projection
    var roots: Set<String> = []
    for table in tables.subtracting(changes.match.copiedTables) {
      guard case .root(let entity) = projection.tableOrigins[table] else {
        throw FillObstacle(reason: "table \"\(table)\" has links and no rows of an entity")
      }
      roots.insert(entity)
    }
    guard !roots.isEmpty else { return mapping }
    let wider = mapping.copying(
      rootsNamed: roots,
      joins: [],
      from: source.projection.model,
      to: projection.model
    )
    guard projection.copiedTables(wider.copyScope) == tables else {
      throw FillObstacle(reason: "other tables have to be rebuilt as well")
    }
    return wider
  }
}

extension SchemaChanges {
  /// The columns of large tables that stay and get values in place of others, or of none.
  var updatedColumns: Set<ColumnReference> {
    let places = operations.flatMap { operation -> [ColumnReference] in
      guard case .updateRows(let update) = operation, isLarge(update.table),
        update.purpose == .fillNulls || update.purpose == .moveValues
      else { return [] }
      return update.assignments.map { ColumnReference(table: update.table, column: $0.column) }
    }
    return Set(places.filter { match.oldColumns[$0]?.table == match.oldTables[$0.table] })
  }

  /// Returns whether a table stays and is large; those of an unfinished fill are, whatever their sizes are now.
  func isLarge(_ table: SQLIdentifier) -> Bool {
    guard let old = match.oldTables[table] else { return false }
    let begun = planner.strategy == .filled ? planner.madeTables : []
    return begun.isEmpty ? !planner.smallTables.contains(old) : begun.contains(old)
  }
}
