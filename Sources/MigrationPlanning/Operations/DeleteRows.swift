internal import SQLSyntax

/// Deletes rows that have moved to another table, or of a removed entity.
///
/// ```sql
/// DELETE FROM "s"."t" WHERE "_entity" IN ('U')
/// ```
struct DeleteRows: SchemaOperation {
  var table: SQLIdentifier
  /// Which rows go; all of them if there is no condition.
  var condition: SQLFragment?
  /// Tables with rows that lead to these and go as well, before them.
  var referringTables: Set<SQLIdentifier> = []
  /// The locks of the foreign keys that refer to the table, even without such rows.
  var referringLocks: [SQLIdentifier: LockMode] = [:]
  /// Whether rows or values go that are nowhere else.
  var losesRows: Bool
  /// The entities whose rows or values go.
  var lostEntities: [String] = []

  var summary: String { "delete rows that leave table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: referringTables.reduce(
        into: [.table(table), .reads(table), .unreferenced(table), .quiet(table)]
      ) { $0.insert(.departed($1)) },
      provides: [.rows(table), .departed(table)]
    )
  }

  var rank: OperationRank { .values }
  var traits: OperationTraits { [] }
  var rowChange: RowChange { .rows }

  var impact: OperationImpact {
    OperationImpact(
      locks: referringLocks.merging([table: .rowExclusive], uniquingKeysWith: max),
      scans: [table],
      hazards: losesRows ? [.deletesData] : []
    )
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    [[.delete(schema.qualified(table))]]
  }

  var subjects: [OperationSubject] { [OperationSubject(isGoing: true)] }
  var dependentBreakage: DependentBreakage { .rowsLeave }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    guard finding.cause == .rows(table) else { return nil }
    return finding.isOfEntityNames ? 1 : 0
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    let filter: SQLFragment = condition.map { " WHERE \($0)" } ?? ""
    return .statements(["DELETE FROM \(owner)\(filter)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    // Rows are no part of the schema.
  }
}
