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

  var object: SQLIdentifier { index }
  var phase: MigrationPhase { .deferred }
  var summary: String { "drop index \"\(index)\" of table \"\(table)\"" }

  func statements(in schema: SQLIdentifier) -> [PlannedStatement] {
    var statement = PlannedStatement(
      sql: "DROP INDEX CONCURRENTLY \(QualifiedName(schema: schema, name: index))",
      reason: summary,
      impact: OperationImpact(locks: [table: .shareUpdateExclusive])
    )
    statement.isTransactional = false
    return [statement]
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.indexes.removeAll { $0.name == index }
  }

  func question(of table: Table, _ rows: Rows) -> PlannedPrecondition? { nil }
}
