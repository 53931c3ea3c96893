internal import SQLSyntax

/// Cuts links to rows that went while nothing held to them, before something does again.
///
/// ```sql
/// UPDATE "s"."t" SET "c" = NULL WHERE "c" IS NOT NULL AND NOT EXISTS (SELECT FROM "s"."u" WHERE …);
/// DELETE FROM "s"."j" WHERE NOT EXISTS (SELECT FROM "s"."u" WHERE …)
/// ```
struct CutDanglingLinks: SchemaOperation {
  var table: SQLIdentifier
  /// The column with the keys.
  var column: SQLIdentifier
  /// The column with the places of the links, if they have any.
  var position: SQLIdentifier?
  /// Whether each link is a row.
  var isJoinTable: Bool
  /// The table that the keys are of.
  var referenced: SQLIdentifier
  /// The key of that table.
  var referencedKey: SQLIdentifier = StorageNames.key
  /// The columns of both tables that tell on which node their rows are, where the key alone does not.
  var distribution: ForeignKey.DistributionColumns?

  var summary: String {
    "cut links of column \"\(column)\" of table \"\(table)\" to rows that are gone"
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies(
      requires: [
        .table(table), .table(referenced), .columnName(table, column), .columnType(table, column),
        .quiet(table), .rows(referenced), .arrived(referenced), .returned(referenced),
      ],
      provides: [.values(table, column), .movedValues(table, column)]
    )
    if let position { dependencies.requires.insert(.columnName(table, position)) }
    return dependencies
  }

  var rank: OperationRank { .values }
  var traits: OperationTraits { [] }
  var rowChange: RowChange { .returns }

  var impact: OperationImpact {
    var locks = [referenced: LockMode.accessShare]
    locks[table] = .rowExclusive
    return OperationImpact(locks: locks, scans: [table, referenced])
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let name = schema.qualified(table)
    return [[.read(schema.qualified(referenced)), isJoinTable ? .delete(name) : .change(name)]]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column)] }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    let target = QualifiedName(schema: schema, name: referenced)
    let isBeside: SQLFragment =
      distribution.map { " AND r.\($0.key) = t.\($0.column)" as SQLFragment } ?? ""
    let isGone: SQLFragment = """
      NOT EXISTS (SELECT FROM \(target) AS r WHERE r.\(referencedKey) = t.\(column)\(isBeside))
      """
    let place: SQLFragment = position.map { ", \($0) = NULL" } ?? ""
    return .statements([
      isJoinTable
        ? "DELETE FROM \(owner) AS t WHERE \(isGone)"
        : """
        UPDATE \(owner) AS t SET \(column) = NULL\(place) WHERE t.\(column) IS NOT NULL AND \(isGone)
        """
    ])
  }

  func apply(to schema: inout DatabaseSchema) {
    // Values are no part of the schema.
  }
}
