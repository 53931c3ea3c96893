internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" DROP CONSTRAINT "t_c_key"
/// ```
struct DropConstraint: SchemaOperation {
  var table: SQLIdentifier
  /// The constraint with the names that tables and columns have by then.
  var constraint: Constraint

  var summary: String { "drop constraint \"\(constraint.name)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = [.table(table)]
    dependencies.provides = Set(constraint.columns.map { .freedom(table, $0) })
    if let referenced = constraint.referencedTable {
      dependencies.provides.insert(.unreferenced(referenced))
    }
    dependencies.releases = [.constraint(table, constraint.name)]
    if constraint.hasIndex { dependencies.releases.insert(.relation(constraint.name)) }
    return dependencies
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership] }

  var impact: OperationImpact {
    var impact = OperationImpact.accessExclusive(table)
    if let referenced = constraint.referencedTable { impact.locks[referenced] = .accessExclusive }
    return impact
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    var objects: Set<LockedObject> = [.constraint(constraint.name, of: table)]
    if constraint.hasIndex { objects.insert(.relation(constraint.name)) }
    if constraint.referencedTable != nil {
      objects.insert(.keyTriggers(constraint.name, of: table))
    }
    return objects
  }

  var subjects: [OperationSubject] { constraint.subjects }
  var dependentBreakage: DependentBreakage { .partDropped(constraint.name) }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    finding.cause == .formerObject(constraint.name, table: table) ? 0 : nil
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .clauses(["DROP CONSTRAINT \(constraint.name)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.constraints.removeAll { $0.name == constraint.name }
  }
}
