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

  var rank: OperationRank { .triggers }
  var traits: OperationTraits {
    [.needsOwnership, .makesObjects, .makesFunctions, .appliesToNewTables]
  }

  var impact: OperationImpact { OperationImpact(locks: [table: .shareRowExclusive]) }

  /// The function is no matter of the table.
  func impact(ofStatement index: Int) -> OperationImpact {
    index == 0 ? OperationImpact() : impact
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.triggerFunction(of: trigger.name)]
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let creation = trigger.creation(on: QualifiedName(schema: schema, name: table))
    return .statements([creation.function, creation.trigger])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.triggers.append(trigger)
  }
}
