internal import SQLSyntax

/// Leaves a column where it is, without NOT NULL, so that rows can be added which lack it.
///
/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" DROP NOT NULL
/// ```
struct RetainColumn: SchemaOperation {
  var table: SQLIdentifier
  var column: Column

  var summary: String { "retain column \"\(column.name)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(requires: [.table(table), .columnName(table, column.name)])
  }

  var impact: OperationImpact {
    column.isNullable ? OperationImpact() : .accessExclusive(table)
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    column.isNullable ? .clauses([]) : .clauses(["ALTER COLUMN \(column.name) DROP NOT NULL"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.columns.removeAll { $0.name == column.name }
    // An index of nothing but retained columns stays with them.
    schema.tables[table]?.indexes.removeAll { $0.columns.contains(column.name) }
  }
}
