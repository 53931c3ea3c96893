internal import SQLSyntax

/// ```sql
/// DROP INDEX "s"."t_c_idx"
/// ```
struct DropIndex: SchemaOperation {
  var table: SQLIdentifier
  /// The name of the table at this point: indexes are dropped before tables are renamed.
  var formerTable: SQLIdentifier?
  var index: SQLIdentifier

  var summary: String { "drop index \"\(index)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(releases: [.relation(index)])
  }

  var rank: OperationRank { .earlyDrops }
  var traits: OperationTraits { [.needsOwnership] }

  var impact: OperationImpact { .accessExclusive(formerTable ?? table) }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> { [.relation(index)] }

  var subjects: [OperationSubject] { [OperationSubject(isOfKey: true)] }
  var dependentBreakage: DependentBreakage { .partDropped(index) }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    finding.cause == .formerObject(index, table: table) ? 0 : nil
  }

  func divided(by changes: OnlineChanges) -> OnlineChanges.Division? {
    guard changes.largeTables.contains(table), changes.isDroppedLater(self) else { return nil }
    let removal = IndexRemoval(
      table: table,
      index: index,
      isPartitioned: changes.partitions(of: table) != nil
    )
    return ([], [.dropIndex(removal)])
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .statements(["DROP INDEX \(QualifiedName(schema: schema, name: index))"])
  }

  func apply(to schema: inout DatabaseSchema) {
    for table in schema.tables.keys {
      schema.tables[table]?.indexes.removeAll { $0.name == index }
    }
  }
}
