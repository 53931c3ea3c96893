internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" SET DEFAULT 1
/// ```
struct SetDefault: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  /// The expression; none to drop the default.
  var expression: SQLFragment?

  var summary: String {
    "\(expression == nil ? "drop" : "set") default of column \"\(column)\" of table \"\(table)\""
  }

  var dependencies: OperationDependencies {
    OperationDependencies(requires: [.table(table), .columnName(table, column)])
  }

  var impact: OperationImpact { .accessExclusive(table) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    guard let expression else { return .clauses(["ALTER COLUMN \(column) DROP DEFAULT"]) }
    return .clauses(["ALTER COLUMN \(column) SET DEFAULT \(expression)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.withColumn(column) { $0.defaultExpression = expression }
  }
}
