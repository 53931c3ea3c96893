internal import MigrationPlanning
package import PostgresClient
package import SQLSyntax

/// The schemas of a database that stores can be in.
package enum SchemaList {
  /// Reads the names of the schemas, neither those of the server and of extensions nor those of
  /// remodel itself, in no order.
  ///
  /// - Parameters:
  ///   - metadataSchema: The schema of the metadata.
  ///   - connection: The database.
  /// - Returns: The names.
  /// - Throws: The server's error.
  package static func names(
    besides metadataSchema: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLIdentifier] {
    try connection.query(
      """
      SELECT n.nspname FROM pg_namespace n WHERE n.nspname !~ '^pg_' \
      AND n.nspname <> 'information_schema' AND n.nspname !~ '^remodel_staging_[0-9a-f]{8}$' \
      AND n.nspname <> \(text: metadataSchema.name) \
      AND NOT starts_with(coalesce(obj_description(n.oid, 'pg_namespace'), ''), \
      \(text: VersionInterface.comment)) \
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_namespace'::regclass \
      AND d.objid = n.oid AND d.deptype = 'e')
      """
    ).compactMap { $0["nspname"].map { SQLIdentifier($0) } }
  }
}
