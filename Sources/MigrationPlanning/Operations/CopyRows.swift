internal import SQLSyntax

/// Rows that come to a table of their own keep their keys; new ones get keys above them.
///
/// ```sql
/// INSERT INTO "s"."u" ("_id", "c") SELECT "_id", "t_c" FROM "s"."t" WHERE "_entity" IN ('U');
/// SELECT pg_catalog.setval('"s"."u__id_seq"', …)
/// ```
struct CopyRows: SchemaOperation {
  /// The table that the rows are in.
  var source: SQLIdentifier
  /// The table that they come to.
  var table: SQLIdentifier
  var columns: [UpdateRows.Assignment]
  /// Which rows are copied; all of them if there is no condition.
  var condition: SQLFragment?
  /// The key of the new table.
  var key: SQLIdentifier = StorageNames.key
  /// The sequence of the new table's keys.
  var sequence: SQLIdentifier?
  /// The OVERRIDING clause for values of a column with a sequence.
  var overriding: SQLFragment = ""
  var readColumns: Set<SQLIdentifier>

  var summary: String { "copy rows from table \"\(source)\" to table \"\(table)\"" }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = [.table(table), .table(source), .cut(source)]
    dependencies.provides = [.rows(table), .arrived(table), .reads(source)]
    for column in readColumns {
      dependencies.requires.insert(.columnName(source, column))
      dependencies.provides.insert(.linkReads(source, column))
    }
    for column in columns.map(\.column) {
      dependencies.provides.insert(.movedValues(table, column))
      dependencies.provides.insert(.values(table, column))
    }
    return dependencies
  }

  var rank: OperationRank { .values }
  var traits: OperationTraits { [] }
  var rowChange: RowChange { .rows }

  var impact: OperationImpact {
    OperationImpact(locks: [source: .accessShare, table: .rowExclusive], scans: [source])
  }

  /// The next key is set by the greatest one, which the index of the keys has.
  func impact(ofStatement index: Int) -> OperationImpact {
    index == 0 ? impact : OperationImpact(locks: [table: .accessShare])
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    [[.fill(schema.qualified(table), from: schema.qualified(source), .rows)]]
  }

  var outcome: OperationOutcome { OperationOutcome(filledTables: [table]) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let target = QualifiedName(schema: schema, name: table)
    let origin = QualifiedName(schema: schema, name: source)
    let values = columns.map(\.value).joined(separator: ", ")
    let filter: SQLFragment = condition.map { " WHERE \($0)" } ?? ""
    var statements: [SQLFragment] = [
      """
      INSERT INTO \(target) (\(columns.map(\.column)))\(overriding) \
      SELECT \(values) FROM \(origin)\(filter)
      """
    ]
    if let sequence {
      let name = SQLLiteral.text(QualifiedName(schema: schema, name: sequence).quoted)
      statements.append(
        """
        SELECT pg_catalog.setval(\(name), greatest(max(\(key)), 1), \
        coalesce(max(\(key)) >= 1, false)) FROM \(target)
        """
      )
    }
    return .statements(statements)
  }

  func apply(to schema: inout DatabaseSchema) {
    // Rows are no part of the schema.
  }
}
