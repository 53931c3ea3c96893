internal import SQLSyntax

/// Adds a column; a default, even of a required column, is stored in the catalog without a rewrite.
///
/// The server checks a reference only for rows with a value, so a new null column needs no scan. A
/// generated column is computed for every row, which rewrites the table.
///
/// ```sql
/// ALTER TABLE "s"."t" ADD COLUMN "c" bigint CONSTRAINT "t_c_fkey" REFERENCES "s"."u" ("_id") …
/// ```
struct AddColumn: SchemaOperation {
  var table: SQLIdentifier
  var column: Column
  /// The foreign key, if the column is one of a relationship.
  var reference: Constraint?
  /// The name of the retained column that becomes this one again.
  var retainedName: SQLIdentifier?

  var summary: String {
    retainedName == nil
      ? "add column \"\(column.name)\" to table \"\(table)\""
      : "bind column \"\(column.name)\" of table \"\(table)\" again"
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = [.table(table), .vacancy(table, column.name)]
    if let foreignKey = reference?.foreignKey {
      dependencies.requires.formUnion([
        .table(foreignKey.references), .columnName(foreignKey.references, foreignKey.key),
        .placed(foreignKey.references),
      ])
    }
    if !column.readColumns.isEmpty {
      dependencies.requires.formUnion(
        Set<OperationDependencies.Resource>.settled(column.readColumns, of: table)
      )
    }
    dependencies.provides = [.columnName(table, column.name), .columnType(table, column.name)]
    if retainedName != column.name { dependencies.claims = [.column(table, column.name)] }
    if let retainedName, retainedName != column.name {
      dependencies.releases = [.column(table, retainedName)]
    }
    if let sequence = column.identitySequence { dependencies.claims.insert(.relation(sequence)) }
    for name in [reference?.name, column.notNullConstraint].compactMap({ $0 }) {
      dependencies.claims.insert(.constraint(table, name))
    }
    return dependencies
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership, .staysInTable] }

  var impact: OperationImpact {
    var impact = OperationImpact.accessExclusive(table)
    if let referenced = reference?.referencedTable, referenced != table {
      impact.locks[referenced] = .shareRowExclusive
    }
    if column.generation != nil || column.identitySequence != nil {
      impact.rewrites = [table]
      impact.scans = [table]
      if column.generation != nil { impact.hazards = [.failsOnData] }
    } else if column.defaultExpression?.mayBeVolatile ?? false {
      impact.rewrites = [table]
      impact.scans = [table]
    } else if !column.isNullable, column.defaultExpression == nil {
      // There must be no rows, and the server looks for them where rows may have been.
      impact.scans = [table]
      impact.hazards = [.failsOnData]
    }
    return impact
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    var objects: Set<LockedObject> = []
    let isRewritten = !impact.rewrites.isEmpty
    if isRewritten { objects.insert(.rewrite(of: table)) }
    // The existing rows have values in it.
    if isRewritten || column.defaultExpression != nil { objects.insert(.rowTypes(of: table)) }
    // The server looks at the rows, or at the indexes for a key to be referred to.
    if isRewritten || reference != nil || !column.isNullable && column.defaultExpression == nil {
      objects.formUnion(schema.tables[table]?.lockedParts ?? [])
    }
    if let reference { objects.insert(.constraint(reference.name, of: table)) }
    return objects
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column.name)] }

  var outcome: OperationOutcome {
    OperationOutcome(addedColumn: retainedName == nil ? column.name : nil)
  }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    if let reference, finding.cause == .object(reference.name, table: table) { return 0 }
    guard finding.isAbout(column.name, of: table) else { return nil }
    if case .valueComputed = finding.breakage { return 0 }
    if case .computationRequired = finding.breakage { return 0 }
    if case .valueRequired = finding.breakage { return 1 }
    return nil
  }

  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool {
    guard let generation = column.generation else { return risks.isAsked(places) }
    return risks.mayComputeNothing(column, table)
      || risks.mayFailToCompute(column, generation, table)
  }

  /// There may be no rows where a column is required that has no value to begin with: the server would
  /// look for them, however much of the table is empty.
  func divided(by changes: OnlineChanges) -> OnlineChanges.Division? {
    guard changes.largeTables.contains(table), let constraint = column.notNullConstraint,
      column.defaultExpression == nil, column.generation == nil, column.identitySequence == nil
    else { return nil }
    var nullable = self
    nullable.column.notNullConstraint = nil
    let requirement = SetNotNull(table: table, column: column.name, constraint: constraint)
    let later = requirement.postponed(on: changes.serverMajor)
    return ([.addColumn(nullable)] + later.operations, later.deferredWork)
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    if let retainedName {
      let owner = QualifiedName(schema: schema, name: table)
      return .statements(
        retainedName == column.name
          ? [] : ["ALTER TABLE \(owner) RENAME COLUMN \(retainedName) TO \(column.name)"]
      )
    }
    var clause: SQLFragment = "ADD COLUMN \(column.definition(in: schema))"
    if let reference, let foreignKey = reference.foreignKey {
      clause.append(" CONSTRAINT \(reference.name) \(foreignKey.clause(in: schema))")
    }
    let creation = column.sequenceCreation(in: schema)
    if creation.isEmpty { return .clauses([clause]) }
    let owner = QualifiedName(schema: schema, name: table)
    return .statements(
      creation + ["ALTER TABLE \(owner) \(clause)"]
        + column.sequenceBinding(to: table, in: schema)
    )
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.columns.append(column)
    if let reference { schema.tables[table]?.constraints.append(reference) }
  }
}
