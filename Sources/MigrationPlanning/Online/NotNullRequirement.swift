package import SQLSyntax

/// Has a column be NOT NULL for the rows that were there, too, without looking at them under a lock
/// that keeps others out.
///
/// ```sql
/// ALTER TABLE "s"."t" VALIDATE CONSTRAINT "remodel_temporary_t_c_not_null";
/// ALTER TABLE "s"."t" ALTER COLUMN "c" SET NOT NULL;
/// ALTER TABLE "s"."t" DROP CONSTRAINT "remodel_temporary_t_c_not_null"
/// ```
public struct NotNullRequirement: DeferredOperation {
  /// The table.
  package var table: SQLIdentifier
  /// The column.
  package var column: SQLIdentifier
  /// The name of its NOT NULL constraint.
  package var constraint: SQLIdentifier
  /// The form that refuses nulls until then.
  package var form: NotNullForm

  var object: SQLIdentifier { column }
  var phase: MigrationPhase { .now }
  var summary: String { "set column \"\(column)\" of table \"\(table)\" to not null" }

  func statements(in schema: SQLIdentifier) -> [PlannedStatement] {
    let owner = QualifiedName(schema: schema, name: table)
    let proof: SQLIdentifier =
      switch form {
      case .check(let name): name
      case .notNull: constraint
      }
    let validation = PlannedStatement(
      sql: UnvalidatedReference.validation(of: proof, of: owner),
      reason: "validate constraint \"\(proof)\" of table \"\(table)\"",
      impact: OperationImpact(
        locks: [table: .shareUpdateExclusive],
        scans: [table],
        hazards: [.failsOnData]
      )
    )
    guard case .check = form else { return [validation] }
    // A single statement would drop the proof before using it.
    return [
      validation,
      PlannedStatement(
        sql: "ALTER TABLE \(owner) ALTER COLUMN \(column) SET NOT NULL",
        reason: summary,
        impact: .accessExclusive(table)
      ),
      PlannedStatement(
        sql: "ALTER TABLE \(owner) DROP CONSTRAINT \(proof)",
        reason: "drop constraint \"\(proof)\" of table \"\(table)\"",
        impact: .accessExclusive(table)
      ),
    ]
  }

  /// Returns the statement that keeps nulls out from then on.
  package func promise(in schema: SQLIdentifier) -> SQLFragment {
    let owner = QualifiedName(schema: schema, name: table)
    return "ALTER TABLE \(owner) ADD \(form.clause(for: column, named: constraint))"
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.withColumn(column) { $0.notNullConstraint = constraint }
  }

  func question(of table: Table, _ rows: Rows) -> PlannedPrecondition? {
    precondition(
      "column \"\(column)\" of table \"\(table.name)\" has a value in every row",
      "Fill the rows, then try again.",
      rows.offending("\(column) IS NULL")
    )
  }
}

/// The ways to refuse nulls in a column that may still contain some.
package enum NotNullForm: Hashable, Sendable {
  /// A check of this name, which proves to the server that it need not look at the rows.
  case check(SQLIdentifier)
  /// The NOT NULL constraint itself, which is not validated yet: from version 18 on.
  case notNull

  /// Returns the clause of ADD that refuses nulls.
  func clause(for column: SQLIdentifier, named constraint: SQLIdentifier) -> SQLFragment {
    switch self {
    case .check(let name): "CONSTRAINT \(name) CHECK (\(column) IS NOT NULL) NOT VALID"
    case .notNull: "CONSTRAINT \(constraint) NOT NULL \(column) NOT VALID"
    }
  }

  init(of column: SQLIdentifier, of table: SQLIdentifier, serverMajor: Int) {
    let name = StorageNames.object(table, [column], label: "not_null")
    self = serverMajor >= 18 ? .notNull : .check(StorageNames.temporary(name))
  }
}
