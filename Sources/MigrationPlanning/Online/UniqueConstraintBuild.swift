package import SQLSyntax

/// Makes values unique while others read and write: the index first, then the constraint of it.
///
/// ```sql
/// CREATE UNIQUE INDEX CONCURRENTLY "t_c_key" ON "s"."t" ("c");
/// ALTER TABLE "s"."t" ADD CONSTRAINT "t_c_key" UNIQUE USING INDEX "t_c_key"
/// ```
public struct UniqueConstraintBuild: DeferredOperation {
  /// The table.
  package var table: SQLIdentifier
  /// The constraint.
  package var constraint: Constraint

  var object: SQLIdentifier { constraint.name }
  var phase: MigrationPhase { .now }
  var summary: String { "add constraint \"\(constraint.name)\" to table \"\(table)\"" }

  /// The index of the constraint, as it is until the constraint has it.
  package var index: Index {
    Index(
      name: constraint.name,
      elements: constraint.columns.map { Index.Element(column: $0) },
      isUnique: true
    )
  }

  func statements(in schema: SQLIdentifier) -> [PlannedStatement] {
    let owner = QualifiedName(schema: schema, name: table)
    let name = constraint.name
    return [
      IndexBuild.statement(
        index,
        of: table,
        in: schema,
        "create index \"\(name)\" on table \"\(table)\""
      ),
      PlannedStatement(
        sql: "ALTER TABLE \(owner) ADD CONSTRAINT \(name) UNIQUE USING INDEX \(name)",
        reason: summary,
        impact: .accessExclusive(table)
      ),
    ]
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.constraints.append(constraint)
  }

  func question(of table: Table, _ rows: Rows) -> PlannedPrecondition? {
    IndexBuild.duplicates(
      of: constraint.columns.map { "\($0)" },
      in: rows,
      of: self,
      "constraint \"\(constraint.name)\""
    )
  }
}
