internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" SET DEFAULT 1
/// ```
struct SetDefault: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  /// The expression; none to drop the default.
  var expression: SQLFragment?
  /// Whether the column comes in the same ALTER TABLE, which drops defaults before it adds columns.
  var isOfNewColumn = false

  var summary: String {
    "\(expression == nil ? "drop" : "set") default of column \"\(column)\" of table \"\(table)\""
  }

  var dependencies: OperationDependencies {
    OperationDependencies(requires: [.table(table), .columnName(table, column)])
  }

  var impact: OperationImpact { .accessExclusive(table) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let removal: SQLFragment = isOfNewColumn ? "SET DEFAULT NULL" : "DROP DEFAULT"
    guard let expression else { return .clauses(["ALTER COLUMN \(column) \(removal)"]) }
    return .clauses(["ALTER COLUMN \(column) SET DEFAULT \(expression)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.withColumn(column) { $0.defaultExpression = expression }
  }
}
