package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

extension MetadataStore {
  /// Reads the state of tables when a mapping model had filled them and a version was reached.
  package func madeTables(
    of version: String,
    _ connection: borrowing PostgresConnection
  ) throws -> [MadeTable] {
    guard try layoutVersion(connection) >= 6 else { return [] }
    return try connection.query(MetadataStatements(identity).madeTables(of: version)).map { row in
      MadeTable(
        name: SQLIdentifier(row["table_name"] ?? ""),
        transaction: row["transaction_id"] ?? "0",
        snapshot: row["snapshot"] ?? "",
        rowCount: row.integer("row_count"),
        isAuthored: row.boolean("is_authored") == true,
        isTold: row.boolean("is_told") == true
      )
    }
  }
}

extension MetadataStatements {
  /// The tables that a mapping model filled on the way to a version.
  ///
  /// Transaction numbers are unique for two thousand million transactions, and not across clusters,
  /// where tables have other numbers.
  fileprivate func madeTables(of version: String) -> SQLFragment {
    """
    SELECT table_name, transaction_id, snapshot, row_count, is_authored, \
    table_oid IS NOT DISTINCT FROM to_regclass(format('%I.%I', \
    \(text: store.schema.name)::text, table_name))::oid \
    AND pg_snapshot_xmax(pg_current_snapshot())::text::numeric - transaction_id::text::numeric \
    BETWEEN 0 AND 2000000000 AS is_told \
    FROM \(relation("made_table")) WHERE store = \(storeID) \
    AND version_name = \(text: version) ORDER BY table_name
    """
  }
}
