internal import SQLSyntax

/// Gives the links of each row places from 0 on, those that had places first and in their order.
///
/// ```sql
/// UPDATE "s"."t" SET "_p" = numbered.place FROM (SELECT …, row_number() OVER (…) - 1 AS place …)
/// ```
struct NumberLinks: SchemaOperation {
  var table: SQLIdentifier
  var position: SQLIdentifier
  /// The column with the key of those whose links have an order.
  var owner: SQLIdentifier
  /// The columns that tell one link from another; the last of them decides between equals.
  var key: [SQLIdentifier]
  /// Whether links that have places keep these, and only others get some behind them.
  var leavesPlaces = false
  /// Whether some of the links have places already.
  var hasPlaces: Bool

  /// The origin of the order, if the links have no positions.
  var formerPlace: FormerPlace?

  /// The places that links had, which are retained.
  struct FormerPlace: Hashable {
    /// The place of a link of `own`; null if it had none.
    var value: SQLFragment
    /// The retained table that has them, if it is another one.
    var table: SQLIdentifier?
  }

  var summary: String { "number the links of column \"\(owner)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [
        .table(table), .rows(table), .columnName(table, position), .columnType(table, position),
        .columnName(table, owner), .columnType(table, owner), .values(table, owner),
        .movedValues(table, position), .freedom(table, position), .quiet(table),
      ],
      provides: [.values(table, position), .ownReads(table)]
    )
  }

  var rank: OperationRank { .values }
  var traits: OperationTraits { [.appliesToNewTables] }
  var rowChange: RowChange { .derivedValues }

  var impact: OperationImpact {
    var impact = OperationImpact(locks: [table: .rowExclusive], scans: [table])
    if let former = formerPlace?.table {
      impact.locks[former] = .accessShare
      impact.scans.insert(former)
    }
    return impact
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    impact.changing(table, in: schema.name)
  }

  var subjects: [OperationSubject] { [OperationSubject(column: position)] }

  var outcome: OperationOutcome {
    OperationOutcome(writtenColumns: formerPlace == nil ? [] : [position])
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let name = QualifiedName(schema: schema, name: table)
    let places = [formerPlace?.value, hasPlaces ? "\(position)" : nil].compactMap(\.self)
    let order = (places + key.suffix(1).map { "\($0)" as SQLFragment }).joined(separator: ", ")
    let own: SQLFragment = formerPlace == nil ? "" : " AS own"
    // Links that are rows of their own always have both ends.
    let present: SQLFragment = key.count == 1 ? " WHERE \(owner) IS NOT NULL" : ""
    let names = key.indices.map { SQLIdentifier("key_\($0 + 1)") }
    let match = zip(key, names).map { "moved.\($0) = numbered.\($1)" as SQLFragment }
      .joined(separator: " AND ")
    if leavesPlaces {
      let last = names.suffix(1)
      return .statements([
        """
        UPDATE \(name) AS moved SET \(position) = numbered.place FROM (SELECT \(names), \
        coalesce(last, -1) + row_number() OVER (PARTITION BY owner ORDER BY \(Array(last))) FROM \
        (SELECT \(key + [owner, position]), max(\(position)) OVER (PARTITION BY \(owner)) \
        FROM \(name)\(present)) AS link (\(names), owner, place, last) WHERE place IS NULL) \
        AS numbered (\(names), place) WHERE \(match)
        """
      ])
    }
    return .statements([
      """
      UPDATE \(name) AS moved SET \(position) = numbered.place FROM (SELECT \(key), row_number() \
      OVER (PARTITION BY \(owner) ORDER BY \(order)) - 1 FROM \(name)\(own)\(present)) AS numbered (\(names), place) WHERE \(match)
      """
    ])
  }

  func apply(to schema: inout DatabaseSchema) {
    // Values are no part of the schema.
  }
}
