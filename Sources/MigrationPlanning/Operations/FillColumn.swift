internal import SQLSyntax

/// ```sql
/// UPDATE "s"."t" SET "c" = 0 WHERE "c" IS NULL
/// ```
struct FillColumn: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  var value: SQLFragment
  /// Which rows have no value yet.
  var condition: SQLFragment

  var summary: String { "fill column \"\(column)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [
        .table(table), .columnName(table, column), .columnType(table, column),
        .freedom(table, column), .quiet(table),
      ],
      provides: [.values(table, column)]
    )
  }

  var impact: OperationImpact {
    OperationImpact(locks: [table: .rowExclusive], scans: [table])
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    return .statements(["UPDATE \(owner) SET \(column) = \(value) WHERE \(condition)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    // Values are no part of the schema.
  }
}
