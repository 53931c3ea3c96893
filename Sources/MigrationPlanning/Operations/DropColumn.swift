internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" DROP COLUMN "c"
/// ```
struct DropColumn: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier

  var summary: String { "drop column \"\(column)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [
        .table(table), .columnName(table, column), .freedom(table, column), .quiet(table),
        .reads(table), .ownReads(table),
      ]
    )
  }

  var impact: OperationImpact { .accessExclusive(table, .deletesData, .breaksPreviousRelease) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .clauses(["DROP COLUMN \(column)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.columns.removeAll { $0.name == column }
    schema.tables[table]?.indexes.removeAll { $0.columns.contains(column) }
  }
}
