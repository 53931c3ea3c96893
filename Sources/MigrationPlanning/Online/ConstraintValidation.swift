package import SQLSyntax

/// Validates a constraint for the rows that were there when it was added.
///
/// ```sql
/// ALTER TABLE "s"."t" VALIDATE CONSTRAINT "t_c_fkey"
/// ```
public struct ConstraintValidation: DeferredOperation {
  /// The table that has the constraint.
  package var table: SQLIdentifier
  /// The constraint.
  package var constraint: Constraint
  /// A Boolean value that indicates whether the partitions of the table have the constraint until then.
  package var isOfPartitions = false

  var object: SQLIdentifier { constraint.name }
  var phase: MigrationPhase { .deferred }
  var summary: String { "validate constraint \"\(constraint.name)\" of table \"\(table)\"" }

  func statements(in schema: SQLIdentifier) -> [PlannedStatement] {
    let others = [constraint.referencedTable].compactMap(\.self)
    let owner = QualifiedName(schema: schema, name: table)
    let impact = OperationImpact(
      locks: Dictionary(
        others.map { ($0, LockMode.rowShare) } + [(table, .shareUpdateExclusive)],
        uniquingKeysWith: max
      ),
      scans: Set([table] + others),
      hazards: [.failsOnData]
    )
    guard isOfPartitions else {
      let validation = UnvalidatedReference.validation(of: constraint.name, of: owner)
      return [PlannedStatement(sql: validation, reason: summary, impact: impact)]
    }
    let completion = PartitionedReference(constraint.name, of: owner).completion
    return zip(
      completion,
      [impact, AddConstraint(table: table, constraint: constraint).momentaryImpact]
    )
    .map { PlannedStatement(sql: $0, reason: summary, impact: $1) }
  }

  func apply(to schema: inout DatabaseSchema) {
    // Whether a constraint is validated is not part of the schema.
  }

  func question(of table: Table, _ rows: Rows) -> PlannedPrecondition? {
    switch constraint.definition {
    case .primaryKey, .unique, .exclusion: return nil
    case .check(let condition, _):
      return precondition(
        "constraint \"\(constraint.name)\" of table \"\(table.name)\" holds for every row",
        "Change the values, then try again.",
        rows.offending("(\(condition)) IS FALSE")
      )
    case .foreignKey(let foreignKey):
      let column = foreignKey.column
      let pairs = zip(foreignKey.keys, foreignKey.columns).map { key, column in
        "remodel_referenced.\(key) = \(rows.table).\(column)" as SQLFragment
      }
      let target = QualifiedName(schema: rows.table.schema, name: foreignKey.references)
      return precondition(
        "rows that \"\(column)\" of table \"\(table.name)\" refers to are there",
        "Mend the references, then try again.",
        rows.offending(
          """
          \(column) IS NOT NULL AND NOT EXISTS (SELECT FROM \(target) AS remodel_referenced \
          WHERE \(pairs.joined(separator: " AND ")))
          """
        )
      )
    }
  }
}
