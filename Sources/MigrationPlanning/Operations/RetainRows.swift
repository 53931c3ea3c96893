internal import SQLSyntax

/// Retains the rows of a removed entity in a table of their own.
///
/// ```sql
/// CREATE TABLE "s"."remodel_retained_1_u" AS SELECT * FROM "s"."t" WHERE "_entity" IN ('U')
/// ```
struct RetainRows: SchemaOperation {
  var table: SQLIdentifier
  var newTable: SQLIdentifier
  var entityName: String
  /// Which rows are the entity's; all of them if there is no condition.
  var condition: SQLFragment?
  /// The final names of columns retained earlier, whose values are retained with the rows.
  var companions: [SQLIdentifier] = []

  var summary: String {
    "retain rows of entity \"\(entityName)\" in table \"\(newTable)\""
  }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: Set([.table(table)] + companions.map { .columnName(table, $0) }),
      provides: [.reads(table), .retainedRows(table)],
      claims: [.relation(newTable)]
    )
  }

  var rank: OperationRank { .values }
  var traits: OperationTraits { [.makesObjects] }
  var rowChange: RowChange { .rows }

  var impact: OperationImpact {
    OperationImpact(locks: [table: .accessShare, newTable: .accessExclusive], scans: [table])
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    (schema.tables[table]?.lockedParts ?? []).union(LockedObject.madeForRetained(newTable))
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let made = schema.qualified(newTable)
    return [[.create(made), .fill(made, from: schema.qualified(table), .rows)]]
  }

  var subjects: [OperationSubject] { [OperationSubject(isGoing: true)] }

  var outcome: OperationOutcome {
    OperationOutcome(
      madeTables: [newTable],
      filledTables: [newTable],
      retention: "rows of entity \"\(entityName)\" in table \"\(table)\""
    )
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let origin = QualifiedName(schema: schema, name: table)
    let name = QualifiedName(schema: schema, name: newTable)
    let filter: SQLFragment = condition.map { " WHERE \($0)" } ?? ""
    return .statements(["CREATE TABLE \(name) AS SELECT * FROM \(origin)\(filter)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    // Retained objects are not part of the schema.
  }
}
