internal import SQLSyntax

/// ```sql
/// CREATE FUNCTION "s"."t_c_cascade"() RETURNS trigger …;
/// CREATE TRIGGER "t_c_cascade" AFTER DELETE ON "s"."t" FOR EACH ROW …
/// ```
struct CreateTrigger: SchemaOperation {
  var table: SQLIdentifier
  var trigger: Trigger
  /// The columns that the trigger reads are those of a settled table.
  var columns: [SQLIdentifier]

  var summary: String { "create trigger \"\(trigger.name)\" on table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: .settled(columns, of: table),
      claims: [.function(trigger.name)]
    )
  }

  var impact: OperationImpact { OperationImpact(locks: [table: .shareRowExclusive]) }

  /// The function is no matter of the table.
  func impact(ofStatement index: Int) -> OperationImpact {
    index == 0 ? OperationImpact() : impact
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    let function = QualifiedName(schema: schema, name: trigger.name)
    let body: SQLFragment = "\nBEGIN\n  \(trigger.body)\n  RETURN \(trigger.result);\nEND\n"
    return .statements([
      """
      CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql
        SET search_path = \(.catalogPath) AS \(body.dollarQuoted)
      """,
      """
      CREATE TRIGGER \(trigger.name) \(trigger.event(on: owner)) EXECUTE FUNCTION \(function)()
      """,
    ])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.triggers.append(trigger)
  }
}
