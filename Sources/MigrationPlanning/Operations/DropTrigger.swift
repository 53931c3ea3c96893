internal import SQLSyntax

/// ```sql
/// DROP TRIGGER "t_c_cascade" ON "s"."t";
/// DROP FUNCTION "s"."t_c_cascade"()
/// ```
struct DropTrigger: SchemaOperation {
  /// The table under the name that it has before anything is renamed.
  var table: SQLIdentifier
  var trigger: SQLIdentifier
  /// The table under the name that it is to have.
  var newTable: SQLIdentifier

  var summary: String { "drop trigger \"\(trigger)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      provides: [.quiet(newTable), .quiet(table)],
      // The table keeps its old name until the trigger is dropped.
      releases: [.function(trigger), .relation(newTable)]
    )
  }

  var rank: OperationRank { .earlyDrops }
  var traits: OperationTraits { [.needsOwnership] }

  var impact: OperationImpact { .accessExclusive(table) }

  /// The function is no matter of the table.
  func impact(ofStatement index: Int) -> OperationImpact {
    index == 0 ? impact : OperationImpact()
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> { [.trigger(trigger)] }

  var subjects: [OperationSubject] { [OperationSubject(newTable: newTable)] }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .statements([
      "DROP TRIGGER \(trigger) ON \(QualifiedName(schema: schema, name: table))",
      "DROP FUNCTION \(QualifiedName(schema: schema, name: trigger))()",
    ])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.triggers.removeAll { $0.name == trigger }
  }
}
