internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" DROP NOT NULL
/// ```
struct DropNotNull: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  /// The name of the constraint, which another one may need.
  var constraint: SQLIdentifier?

  var summary: String { "drop not null of column \"\(column)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [.table(table), .columnName(table, column)],
      provides: [.freedom(table, column)],
      releases: constraint.map { [.constraint(table, $0)] } ?? []
    )
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership] }

  var impact: OperationImpact { .accessExclusive(table) }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.notNull(column, of: table)]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column)] }
  var outcome: OperationOutcome { OperationOutcome(settledNotNull: column) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .clauses(["ALTER COLUMN \(column) DROP NOT NULL"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.withColumn(column) { $0.notNullConstraint = nil }
  }
}
