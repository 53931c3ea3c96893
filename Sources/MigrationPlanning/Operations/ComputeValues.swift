internal import SQLSyntax

/// Computes the values of a column that triggers keep from then on.
///
/// ```sql
/// UPDATE "s"."t" SET "c" = (SELECT …) WHERE "c" IS DISTINCT FROM (SELECT …)
/// ```
struct ComputeValues: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  var value: SQLFragment
  /// Which rows may have another value.
  var condition: SQLFragment
  /// The inputs of the value.
  var reads: [ColumnReference]

  var summary: String { "compute column \"\(column)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies(
      requires: [
        .table(table), .columnName(table, column), .columnType(table, column),
        .freedom(table, column), .quiet(table), .rows(table), .movedValues(table, column),
      ],
      provides: [.values(table, column)]
    )
    for read in reads {
      dependencies.requires.formUnion(
        Set<OperationDependencies.Resource>.settled([read.column], of: read.table)
      )
    }
    return dependencies
  }

  var rank: OperationRank { .values }
  var traits: OperationTraits { [.staysInTable, .appliesToNewTables] }
  var rowChange: RowChange { .derivedValues }

  var impact: OperationImpact {
    var impact = OperationImpact(
      locks: [table: .rowExclusive],
      scans: Set(reads.map(\.table)).union([table]),
      hazards: [.failsOnData]
    )
    for read in reads where read.table != table { impact.locks[read.table] = .accessShare }
    return impact
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    impact.changing(table, in: schema.name)
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column)] }

  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool {
    let known = risks.destination.schema.tables[table]?.column(column)
    return risks.mayFailToCompute(known, value, table) || risks.mayBreakWhatStays(column, table)
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    return .statements(["UPDATE \(owner) SET \(column) = \(value) WHERE \(condition)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    // Values are no part of the schema.
  }
}
