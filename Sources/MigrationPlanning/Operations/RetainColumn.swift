internal import SQLSyntax

/// Leaves a column where it is, without NOT NULL, so that rows can be added which lack it; a generated
/// one keeps its values and computes no more.
///
/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" DROP NOT NULL
/// ```
struct RetainColumn: SchemaOperation {
  var table: SQLIdentifier
  var column: Column

  var summary: String { "retain column \"\(column.name)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [.table(table), .columnName(table, column.name)],
      provides: Set(column.readColumns.map { .unread(table, $0) }),
      releases: column.notNullConstraint.map { isFreed ? [.constraint(table, $0)] : [] } ?? []
    )
  }

  /// Whether rows can be added without a value only afterwards: with a sequence they can already.
  private var isFreed: Bool { !column.isNullable && column.sequence == nil }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership] }

  var impact: OperationImpact {
    !isFreed && column.generation == nil ? OperationImpact() : .accessExclusive(table)
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.notNull(column.name, of: table), .columnDefault(column.name, of: table)]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column.name, isGoing: true)] }

  var outcome: OperationOutcome {
    OperationOutcome(
      settledNotNull: column.name,
      retention: "column \"\(column.name)\" of table \"\(table)\""
    )
  }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    guard case .columnDropped = finding.breakage else { return nil }
    return finding.isAbout(column.name, of: table) ? 0 : nil
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    var clauses: [SQLFragment] = []
    if column.generation != nil { clauses.append("ALTER COLUMN \(column.name) DROP EXPRESSION") }
    if isFreed { clauses.append("ALTER COLUMN \(column.name) DROP NOT NULL") }
    return .clauses(clauses)
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.columns.removeAll { $0.name == column.name }
    // An index of nothing but retained columns stays with them.
    schema.tables[table]?.indexes.removeAll { $0.readColumns.contains(column.name) }
  }
}
