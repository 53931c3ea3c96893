package import MigrationPlanning
package import PostgresClient
package import SQLSyntax

/// Reads the tables in the schema of a store.
package struct SchemaInspection {
  let store: StoreIdentity

  /// Creates an inspection of a store's schema.
  package init(_ store: StoreIdentity) {
    self.store = store
  }

  var schemaName: SQLLiteral { .text(store.schema.name) }

  /// Returns whether the schema exists.
  package func exists(_ connection: borrowing PostgresConnection) throws -> Bool {
    let query: SQLFragment = "SELECT 1 FROM pg_namespace WHERE nspname = \(schemaName)"
    return try connection.query(query).value != nil
  }

  /// Returns the tables in the staging schema of the store.
  package func stagedTables(
    _ connection: borrowing PostgresConnection
  ) throws -> Set<SQLIdentifier> {
    let query: SQLFragment = """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = \(text: store.stagingSchema.name) AND c.relkind IN ('r', 'p') \
      AND \(SQLFragment.isIn(store.stagingSchema))
      """
    return Set(try connection.query(query).compactMap { $0["relname"].map { SQLIdentifier($0) } })
  }

  /// Returns up to ten relations that neither an extension nor another store accounts for.
  package func foreignRelations(
    _ connection: borrowing PostgresConnection,
    hasMetadata: Bool
  ) throws -> [String] {
    let metadata = MetadataSchema(name: store.metadataSchema)
    let storeTables: SQLFragment =
      hasMetadata
      ? """
      AND NOT EXISTS (SELECT FROM \(metadata.relation("store_table")) t \
      JOIN \(metadata.relation("store")) s ON s.id = t.store \
      WHERE s.schema_name = n.nspname AND t.table_name = c.relname) \
      AND NOT EXISTS (SELECT FROM \(metadata.relation("retained_object")) r \
      JOIN \(metadata.relation("store")) s ON s.id = r.store \
      WHERE s.schema_name = n.nspname AND r.table_name = c.relname)
      """ : ""
    let query: SQLFragment = """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = \(schemaName) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') \
      AND \(SQLFragment.isIn(store.schema)) \
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass \
      AND d.objid = c.oid AND d.deptype = 'e') \(storeTables) ORDER BY 1 LIMIT 10
      """
    return try connection.query(query).compactMap { $0["relname"] }
  }

  /// Returns NOT NULL constraints that differ from those of a version, because others have created
  /// or renamed them: from PostgreSQL 18 on they have names.
  ///
  /// - Parameters:
  ///   - schema: The tables of the version.
  ///   - connection: The connection.
  /// - Returns: The constraints by column.
  /// - Throws: The server's error.
  package func foundNotNull(
    besides schema: DatabaseSchema,
    _ connection: borrowing PostgresConnection
  ) throws -> [ColumnReference: NotNullConstraint] {
    let query: SQLFragment = """
      SELECT c.relname, a.attname, k.conname, k.convalidated FROM pg_constraint k \
      JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1] \
      WHERE k.contype = 'n' AND n.nspname = \(schemaName) AND \(SQLFragment.isIn(store.schema))
      """
    var found: [ColumnReference: NotNullConstraint] = [:]
    for row in try connection.query(query) {
      guard let table = row["relname"].map({ SQLIdentifier($0) }),
        let column = row["attname"].map({ SQLIdentifier($0) }),
        let name = row["conname"].map({ SQLIdentifier($0) }),
        schema.tables[table]?.column(column)?.notNullConstraint != name
      else { continue }
      found[ColumnReference(table: table, column: column)] = NotNullConstraint(
        name: name,
        isValid: row.boolean("convalidated") == true
      )
    }
    return found
  }
}

extension SQLFragment {
  /// The condition that relation `c` is in a schema, by the dependencies of the schema: `pg_class`
  /// has no index on the schema, and may have the tables of a thousand others.
  static func isIn(_ schema: SQLIdentifier) -> SQLFragment {
    """
    c.oid IN (SELECT i.objid FROM pg_depend i WHERE i.refclassid = 'pg_namespace'::regclass \
    AND i.refobjid = (SELECT oid FROM pg_namespace WHERE nspname = \(text: schema.name)) \
    AND i.classid = 'pg_class'::regclass)
    """
  }
}
