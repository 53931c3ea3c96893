internal import SQLSyntax

/// Cuts the links to rows that go, so that nothing else goes with them.
///
/// ```sql
/// UPDATE "s"."t" SET "c" = NULL WHERE "c" IN (SELECT "_id" FROM "s"."u" WHERE …);
/// DELETE FROM "s"."j" WHERE "c" IN (SELECT "_id" FROM "s"."u" WHERE …)
/// ```
struct CutLinks: SchemaOperation {
  var table: SQLIdentifier
  /// The column with the keys of rows that go.
  var column: SQLIdentifier
  /// The column with the places of the links, if they have any.
  var position: SQLIdentifier?
  /// Whether each link is a row.
  var isJoinTable: Bool
  /// The table of the rows that go.
  var referenced: SQLIdentifier
  /// Which rows of that table go; all of them if there is no condition.
  var condition: SQLFragment?

  var summary: String {
    "cut links of column \"\(column)\" of table \"\(table)\" to rows that go"
  }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [
        .table(table), .table(referenced), .columnName(table, column), .freedom(table, column),
        .quiet(table),
      ],
      provides: [.cut(table), .reads(referenced)]
    )
  }

  var impact: OperationImpact {
    var locks = [referenced: LockMode.accessShare]
    locks[table] = .rowExclusive
    return OperationImpact(locks: locks, scans: [table, referenced], hazards: [.deletesData])
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    let target = QualifiedName(schema: schema, name: referenced)
    let filter: SQLFragment = condition.map { " WHERE \($0)" } ?? ""
    let goes: SQLFragment = "\(column) IN (SELECT \(StorageNames.key) FROM \(target)\(filter))"
    if isJoinTable { return .statements(["DELETE FROM \(owner) WHERE \(goes)"]) }
    let place: SQLFragment = position.map { ", \($0) = NULL" } ?? ""
    return .statements(["UPDATE \(owner) SET \(column) = NULL\(place) WHERE \(goes)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    // Values are no part of the schema.
  }
}
