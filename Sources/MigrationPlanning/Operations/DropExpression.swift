internal import SQLSyntax

/// Makes a generated column a plain one that keeps its values.
///
/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" DROP EXPRESSION
/// ```
struct DropExpression: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  /// The columns that its values were computed from.
  var readColumns: [SQLIdentifier]

  var summary: String { "drop expression of column \"\(column)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [.table(table), .columnName(table, column)],
      provides: Set(readColumns.map { .unread(table, $0) })
        .union([.freedom(table, column), .unread(table, column)])
    )
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership] }

  var impact: OperationImpact { .accessExclusive(table) }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.columnDefault(column, of: table)]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column)] }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    guard case .valueRequired = finding.breakage else { return nil }
    return finding.isAbout(column, of: table) ? 3 : nil
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .clauses(["ALTER COLUMN \(column) DROP EXPRESSION"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.withColumn(column) { $0.generation = nil }
  }
}
