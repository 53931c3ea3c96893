internal import MigrationPlanning
public import PostgresClient
public import SQLSyntax

/// What has become since of tables that a mapping model had filled.
public struct MadeTable: Hashable, Sendable {
  /// The table.
  public let name: SQLIdentifier
  /// How many rows were inserted or changed since.
  public let writtenCount: Int
  /// How many rows at least were deleted since; none if it is not known how many there were.
  public let deletedCount: Int?
  /// A Boolean value that indicates whether the server can still tell what was written since.
  public let isTold: Bool

  /// A Boolean value that indicates whether it is certain that nothing was written since.
  public var isUntouched: Bool { isTold && writtenCount == 0 && deletedCount == 0 }
}

extension MetadataStore {
  /// Reads what has become of the tables that a mapping model had filled when a version was reached.
  ///
  /// A row is newer than the step if its transaction is; transactions are told apart for two thousand
  /// million of them.
  public func madeTables(
    of version: String,
    _ connection: borrowing PostgresConnection
  ) throws -> [MadeTable] {
    guard try layoutVersion(connection) >= 6 else { return [] }
    let rows = try connection.query(MetadataStatements(identity).madeTables(of: version)).map {
      (
        name: $0["table_name"] ?? "", transaction: $0.integer("transaction_id") ?? 0,
        age: $0.integer("age") ?? 0, count: $0.integer("row_count")
      )
    }
    return try rows.map { row in
      let name = SQLIdentifier(row.name)
      let table = QualifiedName(schema: identity.schema, name: name)
      let found = try connection.query(
        """
        SELECT count(*) AS present, count(*) FILTER (WHERE \
        ((xmin::text::bigint - \(SQLLiteral.integer(Int64(row.transaction)))) & 4294967295) \
        BETWEEN 1 AND 2147483647) AS written FROM \(table)
        """
      ).first
      let written = found?.integer("written") ?? 0
      let present = found?.integer("present") ?? 0
      return MadeTable(
        name: name,
        writtenCount: written,
        deletedCount: row.count.map { max(0, $0 - present) },
        isTold: (0..<2_000_000_000).contains(row.age)
      )
    }
  }
}

extension MetadataStatements {
  /// The tables that a mapping model had filled when a version was reached, with how many
  /// transactions ago that was.
  fileprivate func madeTables(of version: String) -> SQLFragment {
    """
    SELECT table_name, transaction_id::text::bigint AS transaction_id, row_count, \
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint - transaction_id::text::bigint AS age \
    FROM \(relation("made_table")) WHERE store = \(storeID) \
    AND version_name = \(SQLLiteral.text(version)) ORDER BY table_name
    """
  }
}
