internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" SET NOT NULL
/// ```
struct SetNotNull: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  /// The name that the server gives the constraint by itself.
  var constraint: SQLIdentifier
  /// What keeps nulls out from now on, where the rows that are there are looked at later; none if they
  /// are looked at at once.
  var unvalidatedForm: NotNullForm?

  var summary: String { "set column \"\(column)\" of table \"\(table)\" to not null" }

  var dependencies: OperationDependencies {
    OperationDependencies(requires: .settled([column], of: table))
  }

  var impact: OperationImpact {
    var impact = OperationImpact.accessExclusive(table, .breaksPreviousRelease)
    if unvalidatedForm == nil {
      impact.scans = [table]
      impact.hazards.insert(.failsOnData)
    }
    return impact
  }

  var breakages: [ReleaseBreakage] { [.valueRequired(column, table: table)] }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let promise = unvalidatedForm?.clause(for: column, named: constraint)
    return .clauses([promise.map { "ADD \($0)" } ?? "ALTER COLUMN \(column) SET NOT NULL"])
  }

  func apply(to schema: inout DatabaseSchema) {
    guard unvalidatedForm == nil else { return }
    schema.tables[table]?.withColumn(column) { $0.notNullConstraint = constraint }
  }
}
