internal import MigrationPlanning
package import PostgresClient
package import SQLSyntax

extension SchemaInspection {
  /// Returns the names that belong to relations outside of the store, each with the model of the
  /// store that created it, if one has.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - hasMetadata: Whether there is any metadata.
  ///   - connection: The database.
  /// - Returns: The relations, by their names.
  /// - Throws: The server's error.
  package func takenNames(
    among names: Set<SQLIdentifier>,
    hasMetadata: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> [(name: SQLIdentifier, modelName: String?)] {
    guard !names.isEmpty else { return [] }
    let list = names.sorted().map { "\(text: $0.name)" as SQLFragment }
      .joined(separator: ", ")
    let metadata = MetadataSchema(name: store.metadataSchema)
    let owner: SQLFragment =
      hasMetadata
      ? """
      (SELECT min(s.model_name) FROM (SELECT store, table_name FROM \(metadata.relation("store_table")) \
      UNION SELECT store, table_name FROM \(metadata.relation("retained_object"))) t \
      JOIN \(metadata.relation("store")) s ON s.id = t.store \
      WHERE s.schema_name = n.nspname AND t.table_name = c.relname)
      """ : "NULL::text"
    let query: SQLFragment = """
      SELECT c.relname, \(owner) AS model_name FROM pg_class c \
      JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = \(text: store.schema.name) AND c.relname IN (\(list)) ORDER BY 1
      """
    return try connection.query(query).compactMap { row in
      guard let name = row["relname"], row["model_name"] != store.modelName else { return nil }
      return (SQLIdentifier(name), row["model_name"])
    }
  }
}
