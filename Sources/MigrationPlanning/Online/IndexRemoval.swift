package import SQLSyntax

/// Drops an index that the version does not have, while others read and write.
///
/// ```sql
/// DROP INDEX CONCURRENTLY "s"."t_c_idx"
/// ```
public struct IndexRemoval: DeferredOperation {
  /// The table.
  package var table: SQLIdentifier
  /// The index.
  package var index: SQLIdentifier
  /// A Boolean value that indicates whether the table is partitioned: the parts of its index on the
  /// partitions are dropped at once, which takes a moment.
  package var isPartitioned = false

  var object: SQLIdentifier { index }
  var phase: MigrationPhase { .deferred }
  var summary: String { "drop index \"\(index)\" of table \"\(table)\"" }

  func statements(in schema: SQLIdentifier) -> [PlannedStatement] {
    let name = QualifiedName(schema: schema, name: index)
    var statement = PlannedStatement(
      sql: isPartitioned ? "DROP INDEX \(name)" : "DROP INDEX CONCURRENTLY \(name)",
      reason: summary,
      impact: OperationImpact(
        locks: [table: isPartitioned ? .accessExclusive : .shareUpdateExclusive]
      )
    )
    statement.isTransactional = isPartitioned
    return [statement]
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.indexes.removeAll { $0.name == index }
  }

  func question(of table: Table, _ rows: Rows) -> PlannedPrecondition? { nil }
}
