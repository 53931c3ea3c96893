internal import SQLSyntax

/// ```sql
/// DROP TABLE "s"."t"
/// ```
struct DropTable: SchemaOperation {
  var contents: Table

  var table: SQLIdentifier { contents.name }
  var summary: String { "drop table \"\(table)\"" }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = [.table(table), .unreferenced(table), .reads(table)]
    // If its own name is needed, it is already renamed.
    dependencies.releases = Set(
      contents.relationNames.filter { $0 != table }.map { .relation($0) }
    )
    return dependencies
  }

  var rank: OperationRank { .tableDrops }
  var traits: OperationTraits { [.needsOwnership] }

  var impact: OperationImpact {
    var impact = OperationImpact.accessExclusive(table, .deletesData)
    for referenced in contents.constraints.compactMap(\.referencedTable) {
      impact.locks[referenced] = .accessExclusive
    }
    return impact
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    contents.columns.reduce(into: contents.lockedWhole) { objects, column in
      if !column.isNullable { objects.insert(.notNull(column.name, of: table)) }
      if column.defaultExpression != nil || column.generation != nil {
        objects.insert(.columnDefault(column.name, of: table))
      }
    }
  }

  var replacedSequences: Set<SQLIdentifier> { Set(contents.relationNames) }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    [[.drop(schema.qualified(table))]]
  }

  var subjects: [OperationSubject] { [OperationSubject(isGoing: true)] }
  var outcome: OperationOutcome { OperationOutcome(removesTable: true) }
  var dependentBreakage: DependentBreakage { .tableDropped }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    finding.cause == .table(table) ? 0 : nil
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .statements(["DROP TABLE \(QualifiedName(schema: schema, name: table))"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table] = nil
  }
}
