internal import SQLSyntax

/// Cuts the links to rows that will be removed, so that no other rows are removed with them.
///
/// ```sql
/// CREATE TABLE "s"."remodel_retained_1_t_c" AS SELECT "_id", "c" FROM "s"."t" WHERE "c" IN (…);
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
  /// The key of the table, if the links are not rows.
  var key: SQLIdentifier = StorageNames.key
  /// The table of the rows that go.
  var referenced: SQLIdentifier
  /// The key of that table.
  var referencedKey: SQLIdentifier = StorageNames.key
  /// Which rows of that table go; all of them if there is no condition.
  var condition: SQLFragment?
  /// The table in which the links are retained.
  var retainedTable: SQLIdentifier?

  var summary: String {
    "cut links of column \"\(column)\" of table \"\(table)\" to rows that go"
  }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [
        .table(table), .table(referenced), .columnName(table, column), .freedom(table, column),
        .quiet(table), .retainedRows(table),
      ],
      provides: [.cut(table), .reads(referenced)],
      claims: Set([retainedTable].compactMap(\.self).map { .relation($0) })
    )
  }

  var rank: OperationRank { .values }
  var traits: OperationTraits { [.makesObjects] }
  var rowChange: RowChange { .links }

  var impact: OperationImpact {
    var locks = [referenced: LockMode.accessShare]
    locks[table] = .rowExclusive
    return OperationImpact(
      locks: locks,
      scans: [table, referenced],
      hazards: retainedTable == nil ? [.deletesData] : []
    )
  }

  /// Links that are retained are read before they are cut.
  func impact(ofStatement index: Int) -> OperationImpact {
    guard index == 0, retainedTable != nil else { return impact }
    return OperationImpact(
      locks: Dictionary(
        [table, referenced].map { ($0, .accessShare) },
        uniquingKeysWith: { first, _ in first }
      ),
      scans: [table, referenced]
    )
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    Set([table, referenced].compactMap { schema.tables[$0] }.flatMap(\.lockedParts))
      .union(retainedTable.map(LockedObject.madeForRetained) ?? [])
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let name = schema.qualified(table)
    let cutting: [RowWork] = [
      .read(schema.qualified(referenced)), isJoinTable ? .delete(name) : .change(name),
    ]
    guard let retained = retainedTable.map(schema.qualified) else { return [cutting] }
    return [[.create(retained), .fill(retained, from: name, .links)], cutting]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column)] }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    let target = QualifiedName(schema: schema, name: referenced)
    let filter: SQLFragment = condition.map { " WHERE \($0)" } ?? ""
    let goes: SQLFragment = "\(column) IN (SELECT \(referencedKey) FROM \(target)\(filter))"
    var statements: [SQLFragment] = []
    if let retainedTable {
      let name = QualifiedName(schema: schema, name: retainedTable)
      let columns: SQLFragment =
        isJoinTable ? "*" : "\([key, column] + [position].compactMap(\.self))"
      statements.append("CREATE TABLE \(name) AS SELECT \(columns) FROM \(owner) WHERE \(goes)")
    }
    let place: SQLFragment = position.map { ", \($0) = NULL" } ?? ""
    statements.append(
      isJoinTable
        ? "DELETE FROM \(owner) WHERE \(goes)"
        : "UPDATE \(owner) SET \(column) = NULL\(place) WHERE \(goes)"
    )
    return .statements(statements)
  }

  func apply(to schema: inout DatabaseSchema) {
    // Values are no part of the schema.
  }
}
