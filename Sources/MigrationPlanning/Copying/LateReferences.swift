internal import SQLSyntax

/// Finds the foreign keys of a step that can be validated when its transaction has ended.
///
/// What refers to rows is known before: a key waits only where the rows on both sides are those of
/// tables that are made, or of tables whose rows and links stay as they are.
struct LateReferences {
  let changes: SchemaChanges
  let copied: Set<SQLIdentifier>
  let stagingSchema: SQLIdentifier

  /// Returns what is known of a key; none if it is validated when it is added.
  func reference(_ addition: AddConstraint) -> LateReference? {
    guard let referenced = addition.constraint.referencedTable,
      let column = addition.constraint.columns.first, addition.constraint.columns.count == 1,
      copied.contains(addition.table) || copied.contains(referenced),
      isSettled(addition.table), isSettled(referenced)
    else { return nil }
    var reference = LateReference(
      table: addition.table,
      constraint: addition.constraint.name,
      referencedTable: referenced
    )
    guard let target = place(of: referenced) else { return nil }
    if copied.contains(addition.table) {
      reference.rows = rows(
        of: QualifiedName(schema: stagingSchema, name: addition.table),
        column,
        changes.destinationSchema.tables[addition.table],
        referringTo: target
      )
      return reference.rows == nil ? nil : reference
    }
    // Links that come from elsewhere at the end cannot be asked about before.
    guard let old = changes.match.oldTables[addition.table],
      changes.linkedColumns[addition.table]?.contains(column) != true
    else { return nil }
    let place = ColumnReference(table: addition.table, column: column)
    guard changes.match.columnSources[place] == nil else { return nil }
    // A column that is new refers to nothing.
    guard let oldColumn = changes.match.oldColumns[place] else { return reference }
    guard oldColumn.table == old else { return nil }
    reference.rows = rows(
      of: changes.sourceSchema.qualified(old),
      oldColumn.column,
      changes.sourceSchema.tables[old],
      referringTo: target
    )
    return reference.rows == nil ? nil : reference
  }

  /// Returns the table that a key of a table that stays refers to as yet.
  private func formerTarget(of rows: LateReference.Rows) -> SQLIdentifier? {
    changes.sourceSchema.tables[rows.table.name]?.constraints
      .first { $0.columns == [rows.column] && $0.referencedTable != nil }?.referencedTable
  }

  /// Where the rows of a table are until the end.
  private func place(of table: SQLIdentifier) -> (table: QualifiedName, key: SQLIdentifier)? {
    if copied.contains(table) {
      return (
        QualifiedName(schema: stagingSchema, name: table),
        changes.destination.projection.key(of: table)
      )
    }
    return changes.match.oldTables[table].map {
      (changes.sourceSchema.qualified($0), changes.source.projection.key(of: $0))
    }
  }

  private func rows(
    of table: QualifiedName,
    _ column: SQLIdentifier,
    _ contents: Table?,
    referringTo target: (table: QualifiedName, key: SQLIdentifier)
  ) -> LateReference.Rows? {
    guard let key = contents?.constraints.first(where: \.isPrimaryKey)?.columns else { return nil }
    return LateReference.Rows(
      table: table,
      column: column,
      key: key,
      referenced: target.table,
      referencedKey: target.key
    )
  }

  /// Whether no rows and no links of a table come or go at the end.
  private func isSettled(_ table: SQLIdentifier) -> Bool {
    copied.contains(table)
      || !changes.operations.contains { operation in
        switch operation {
        case .copyRows, .retainRows, .deleteRows, .cutLinks, .moveLinks:
          operation.base.table == table
        default: false  // Nothing else moves rows, or keys of others.
        }
      }
  }

  /// Tables that stay are watched, too, where they may come to refer to a row that is left out.
  func watch(_ references: [LateReference], _ compiler: inout CopyCompiler) {
    for reference in references where copied.contains(reference.referencedTable) {
      guard let rows = reference.rows, rows.table.schema != stagingSchema else { continue }
      let isSafe = formerTarget(of: rows).map {
        compiler.keepsAllRows(of: $0, in: reference.referencedTable)
      }
      guard isSafe != true else { continue }
      compiler.reads.watch(rows.key + [rows.column], of: rows.table.name)
    }
  }
}
