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
    !changes.match.copiedTables.isEmpty || !retypedTables.isEmpty
  }

  /// The large tables that stay and that a type of a column has rewritten; those of an unfinished fill,
  /// whatever their sizes are now.
  var retypedTables: Set<SQLIdentifier> {
    let begun = planner.strategy == .filled ? planner.madeTables : []
    return Set(
      changes.operations.compactMap { operation in
        guard case .changeColumnType(let change) = operation, !change.impact.rewrites.isEmpty,
          let old = changes.match.oldTables[change.table],
          begun.isEmpty ? !planner.smallTables.contains(old) : begun.contains(old)
        else { return nil }
        return change.table
      }
    )
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
