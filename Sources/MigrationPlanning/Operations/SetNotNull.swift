internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" SET NOT NULL
/// ```
struct SetNotNull: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  /// The name that the server gives the constraint by itself.
  var constraint: SQLIdentifier

  var summary: String { "set column \"\(column)\" of table \"\(table)\" to not null" }

  var dependencies: OperationDependencies {
    OperationDependencies(requires: .settled([column], of: table))
  }

  var impact: OperationImpact {
    var impact = OperationImpact.accessExclusive(table, .failsOnData, .breaksPreviousRelease)
    impact.scans = [table]
    return impact
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .clauses(["ALTER COLUMN \(column) SET NOT NULL"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.withColumn(column) { $0.notNullConstraint = constraint }
  }
}
