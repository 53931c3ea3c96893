internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" DROP COLUMN "c"
/// ```
struct DropColumn: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  /// The columns that its values are computed from, which it keeps a hold of.
  var readColumns: [SQLIdentifier] = []
  /// Whether a column of the same name, whose values are computed, takes its place.
  var isReplaced = false

  var summary: String { "drop column \"\(column)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies(
      requires: [
        .table(table), .freedom(table, column), .unread(table, column), .quiet(table),
      ],
      provides: Set(readColumns.map { .unread(table, $0) })
    )
    if isReplaced {
      // For all others the column of this name is the one that takes its place.
      dependencies.requires.insert(.formerColumn(table, column))
      dependencies.provides.insert(.vacancy(table, column))
    } else {
      dependencies.requires.formUnion([
        .columnName(table, column), .reads(table), .ownReads(table), .rows(table),
        .departed(table),
      ])
    }
    return dependencies
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership, .staysInTable] }

  var impact: OperationImpact {
    isReplaced ? .accessExclusive(table) : .accessExclusive(table, .deletesData)
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.notNull(column, of: table), .columnDefault(column, of: table)]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column, isGoing: !isReplaced)] }
  var outcome: OperationOutcome { OperationOutcome(settledNotNull: column) }
  var dependentBreakage: DependentBreakage { .columnDropped(column) }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    guard finding.isAbout(column, of: table) else { return nil }
    if case .columnDropped = finding.breakage { return 0 }
    if case .typeChanged = finding.breakage { return 1 }
    return nil
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .clauses(["DROP COLUMN \(column)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.columns.removeAll { $0.name == column }
    schema.tables[table]?.indexes.removeAll { $0.readColumns.contains(column) }
  }
}
