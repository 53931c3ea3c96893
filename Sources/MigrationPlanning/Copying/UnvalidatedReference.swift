package import SQLSyntax

/// A foreign key from or to a copied table, which is added when the tables are moved into place and
/// validated afterwards, while others read and write.
///
/// Before that, queries check that the referenced rows exist: at first for all rows, then for
/// changed ones.
package struct UnvalidatedReference: Hashable, Sendable {
  /// The table that has the key, under the name that it has in the end.
  package var table: SQLIdentifier
  /// The name of the constraint.
  package var constraint: SQLIdentifier
  /// The table that it refers to, under the name that it has in the end.
  package var referencedTable: SQLIdentifier
  /// A Boolean value that indicates whether the partitions of the table have the constraint until then.
  package var isOfPartitions = false
  /// The place of the rows until then; `nil` if there are none, or they refer to nothing.
  package var rows: Rows?

  /// Rows that refer to others.
  package struct Rows: Hashable, Sendable {
    /// The table that they are in.
    package var table: QualifiedName
    /// The column that refers.
    package var column: SQLIdentifier
    /// Their primary key.
    package var key: [SQLIdentifier]
    /// The table that they refer to.
    package var referenced: QualifiedName
    /// The key of that table.
    package var referencedKey: SQLIdentifier
  }

  func validation(in schema: SQLIdentifier) -> [PlannedStatement] {
    let (name, referenced) = (
      QualifiedName(schema: schema, name: table),
      QualifiedName(schema: schema, name: referencedTable)
    )
    let statements =
      isOfPartitions
      ? PartitionedReference(constraint, of: name).completion
      : [Self.validation(of: constraint, of: name)]
    return statements.enumerated().map { position, sql in
      PlannedStatement(
        sql: sql,
        reason: "validate constraint \"\(constraint)\" of table \"\(table)\"",
        impact: OperationImpact(
          locks: Dictionary(
            position == 0
              ? [(referencedTable, LockMode.rowShare), (table, .shareUpdateExclusive)]
              : [(referencedTable, .shareRowExclusive), (table, .shareRowExclusive)],
            uniquingKeysWith: max
          ),
          scans: position == 0 ? [table, referencedTable] : []
        ),
        rowWork: position == 0 ? [.checkReferences(from: name, to: referenced)] : []
      )
    }
  }

  /// Returns the statement that validates a constraint which was added without.
  package static func validation(
    of constraint: SQLIdentifier,
    of table: QualifiedName
  ) -> SQLFragment {
    "ALTER TABLE \(table) VALIDATE CONSTRAINT \(constraint)"
  }
}

extension UnvalidatedReference {
  /// Finds the rows of a foreign key that can be validated when the transaction has ended; none if it is
  /// validated when it is added.
  ///
  /// A key waits only where the rows on both sides are those of copied tables, or of tables whose rows and
  /// links stay as they are: their references are known before.
  init?(_ addition: AddConstraint, of changes: SchemaChanges, stagingSchema: SQLIdentifier) {
    let copied = changes.match.copiedTables
    guard let referencedTable = addition.constraint.referencedTable,
      let column = addition.constraint.columns.first, addition.constraint.columns.count == 1,
      copied.contains(addition.table) || copied.contains(referencedTable),
      changes.keepsRows(of: addition.table), changes.keepsRows(of: referencedTable)
    else { return nil }
    table = addition.table
    isOfPartitions =
      changes.match.destination.schema.tables[table]?.partitioning != nil
      && changes.planner.serverMajor < 18
    constraint = addition.constraint.name
    self.referencedTable = referencedTable

    let referenced: (table: QualifiedName, key: SQLIdentifier)
    if copied.contains(referencedTable) {
      referenced = (
        QualifiedName(schema: stagingSchema, name: referencedTable),
        changes.match.destination.key(of: referencedTable)
      )
    } else if let old = changes.match.oldTables[referencedTable] {
      referenced = (changes.match.source.schema.qualified(old), changes.match.source.key(of: old))
    } else {
      return nil
    }

    let place: (table: QualifiedName, column: SQLIdentifier, contents: Table?)
    if copied.contains(table) {
      place = (
        QualifiedName(schema: stagingSchema, name: table), column,
        changes.match.destination.schema.tables[table]
      )
    } else {
      // Links that are moved at the end cannot be checked before.
      let newPlace = ColumnReference(table: table, column: column)
      guard let old = changes.match.oldTables[table],
        changes.linkedColumns[table]?.contains(column) != true,
        changes.match.columnSources[newPlace] == nil
      else { return nil }
      // A column that is new refers to nothing.
      guard let oldColumn = changes.match.oldColumns[newPlace] else { return }
      guard oldColumn.table == old else { return nil }
      place = (
        changes.match.source.schema.qualified(old), oldColumn.column,
        changes.match.source.schema.tables[old]
      )
    }
    guard let key = place.contents?.rowKey, !key.isEmpty else { return nil }
    rows = Rows(
      table: place.table,
      column: place.column,
      key: key,
      referenced: referenced.table,
      referencedKey: referenced.key
    )
  }
}

extension SchemaChanges {
  /// Returns whether no rows and no links of a table are moved at the end.
  fileprivate func keepsRows(of table: SQLIdentifier) -> Bool {
    match.copiedTables.contains(table)
      || !operations.contains { operation in
        operation.base.rowChange.movesRows && operation.base.table == table
      }
  }
}

/// Something that a copied table gets from the one that it takes the place of: an index that people have
/// added, how its rows are stored.
///
/// It is added before the table takes its place, and again where it changes meanwhile.
package struct CarriedPart: Hashable, Sendable {
  /// The statements that create it.
  package var statements: [PlannedStatement]
  /// The statements that undo them; none if that cannot be done.
  package var removal: [SQLFragment]
  /// A Boolean value that indicates whether it is added before there are rows.
  package var comesBeforeRows: Bool
}
