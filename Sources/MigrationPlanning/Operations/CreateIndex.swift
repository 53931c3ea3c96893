internal import SQLSyntax

/// ```sql
/// CREATE INDEX "t_c_idx" ON "s"."t" ("c")
/// ```
struct CreateIndex: SchemaOperation {
  var table: SQLIdentifier
  var index: Index

  var summary: String { "create index \"\(index.name)\" on table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: .settled(index.readColumns, of: table),
      claims: [.relation(index.name)]
    )
  }

  var rank: OperationRank { .indexes }
  var traits: OperationTraits {
    [.needsOwnership, .makesObjects, .staysInTable, .appliesToNewTables]
  }

  var impact: OperationImpact {
    // Rows may be too long for any index.
    OperationImpact(locks: [table: .share], scans: [table], hazards: [.failsOnData])
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    [[.indexing(index, of: table, in: schema)]]
  }

  var subjects: [OperationSubject] {
    let columns = index.readColumns
    return columns.isEmpty
      ? [OperationSubject(isOfKey: true)]
      : columns.map { OperationSubject(column: $0, isOfKey: true) }
  }

  var outcome: OperationOutcome {
    OperationOutcome(indexedColumns: index.elements.compactMap(\.column))
  }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    finding.cause == .object(index.name, table: table) ? 0 : nil
  }

  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool {
    risks.mayFail(index, table, places)
  }

  func completesTable(among copied: Set<SQLIdentifier>) -> Bool { true }

  func divided(by changes: OnlineChanges) -> OnlineChanges.Division? {
    // A unique index must not be missing for a while.
    let isRemade = index.isUnique && changes.formerUniques.contains(index.name)
    guard changes.largeTables.contains(table), !isRemade else { return nil }
    let partitions = changes.partitions(of: table)
    return ([], [.buildIndex(IndexBuild(table: table, index: index, partitions: partitions))])
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    return .statements([index.creation(of: owner)])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.indexes.append(index)
  }
}
