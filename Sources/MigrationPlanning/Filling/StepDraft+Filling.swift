internal import ModelMapping
internal import SQLSyntax

extension StepDraft {
  /// Returns the draft of the same step that fills columns in place of copying or rewriting their
  /// tables; the same draft if it does neither.
  ///
  /// - Returns: The draft.
  /// - Throws: Why it cannot.
  func filled() throws(FillObstacle) -> StepDraft {
    if let table = redividedTables.keys.min() {
      throw FillObstacle(reason: "table \"\(table)\" is divided into other partitions")
    }
    var tables = retypedTables
    var updateReasons: [SQLIdentifier: String] = [:]
    let updated = Set(changes.updatedColumns().map(\.table)).subtracting(tables)
    // An update of rows may also stay one, in the transaction.
    for table in updated.sorted() {
      do {
        _ = try FillCompiler(self, tables.union([table]))?.filled()
        tables.insert(table)
      } catch {
        updateReasons[table] = error.reason
      }
    }
    var draft = try FillCompiler(self, tables)?.filled() ?? self
    draft.updateReasons = updateReasons
    return draft
  }

  /// A Boolean value that indicates whether there is anything to fill, as far as that is known
  /// without looking whether it can be done.
  package var mayBeFilled: Bool {
    !changes.match.copiedTables.isEmpty || !retypedTables.isEmpty
      || !changes.updatedColumns().isEmpty
  }

  /// The large tables that stay and that a type of a column has rewritten.
  private var retypedTables: Set<SQLIdentifier> {
    Set(
      changes.operations.compactMap { operation in
        guard case .changeColumnType(let change) = operation, !change.impact.rewrites.isEmpty,
          changes.isLarge(change.table)
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

extension SchemaChanges {
  /// Returns the columns of large tables that stay and get values in place of nulls alone.
  ///
  /// - Parameter copied: The tables that would be copied whatever their sizes are.
  /// - Returns: The columns.
  func updatedColumns(copied: Set<SQLIdentifier> = []) -> Set<ColumnReference> {
    func columns(_ purpose: UpdateRows.Purpose) -> Set<ColumnReference> {
      Set(
        operations.flatMap { operation -> [ColumnReference] in
          guard case .updateRows(let update) = operation, update.purpose == purpose,
            isLarge(update.table, copied: copied)
          else { return [] }
          return update.assignments.map { ColumnReference(table: update.table, column: $0.column) }
        }
      )
    }
    // Values from elsewhere may have to be converted, which can fail.
    return columns(.fillNulls).subtracting(columns(.moveValues))
  }

  /// Returns whether a table stays and is large; those of an unfinished fill are, whatever their sizes are now.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - copied: The tables that are filled whatever their sizes are.
  /// - Returns: Whether it is.
  func isLarge(_ table: SQLIdentifier, copied: Set<SQLIdentifier> = []) -> Bool {
    guard let old = match.oldTables[table] else { return false }
    let begun = planner.strategy == .filled ? planner.madeTables : []
    return begun.isEmpty || copied.contains(table)
      ? !planner.smallTables.contains(old) : begun.contains(old)
  }
}
