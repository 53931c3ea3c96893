package import MigrationPlanning
package import PostgresClient
package import SQLSyntax

/// Reads the tables in the schema of a store, and their sizes.
package struct SchemaInspection {
  let store: StoreIdentity

  /// Creates an inspection of a store's schema.
  package init(_ store: StoreIdentity) {
    self.store = store
  }

  private var schemaName: SQLLiteral { .text(store.schema.name) }

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
      WHERE n.nspname = \(text: store.stagingSchema.name) AND c.relkind = 'r' \
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

  /// Returns the sizes of the schema's tables, as the statistics have them: the rows to a page as they
  /// were counted last, and the pages that there are now.
  package func tableSizes(_ connection: borrowing PostgresConnection) throws -> [String: TableSize]
  {
    // The server opens what it measures, and each table has several indexes and a table of large values,
    // so it measures the indexes of a table that has grown since its pages were counted, and the large
    // values where there are some.
    let query: SQLFragment = """
      SELECT c.relname, CASE WHEN c.reltuples < 0 OR c.relpages = 0 \
      THEN greatest(c.reltuples, m.main / 100) ELSE c.reltuples::float8 / c.relpages \
      * (m.main / b.size) END::bigint AS rows, m.main + m.maps + s.indexes + s.toast AS bytes, \
      s.indexes AS index_bytes, s.toast AS toast_bytes \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      CROSS JOIN (SELECT current_setting('block_size')::bigint AS size) b \
      CROSS JOIN LATERAL (SELECT pg_relation_size(c.oid) AS main, \
      pg_relation_size(c.oid, 'fsm') + pg_relation_size(c.oid, 'vm') AS maps OFFSET 0) m \
      CROSS JOIN LATERAL (SELECT \
      coalesce(sum(x.relpages) FILTER (WHERE d.indrelid = c.oid), 0)::bigint AS own, \
      coalesce(sum(x.relpages) FILTER (WHERE d.indrelid <> c.oid), 0)::bigint AS toast \
      FROM pg_index d JOIN pg_class x ON x.oid = d.indexrelid \
      WHERE d.indrelid IN (c.oid, c.reltoastrelid)) p \
      CROSS JOIN LATERAL (SELECT CASE WHEN m.main = c.relpages * b.size \
      THEN p.own * b.size ELSE pg_indexes_size(c.oid) END AS indexes, \
      CASE WHEN m.main = 0 OR c.reltoastrelid = 0 OR pg_relation_size(c.reltoastrelid) = 0 \
      THEN p.toast * b.size ELSE pg_total_relation_size(c.reltoastrelid) END AS toast OFFSET 0) s \
      WHERE n.nspname = \(schemaName) AND c.relkind = 'r' AND \(SQLFragment.isIn(store.schema))
      """
    var sizes: [String: TableSize] = [:]
    for row in try measured(query, connection) {
      guard let name = row["relname"] else { continue }
      // A table dropped meanwhile has no size.
      guard let rows = row.integer("rows"), let bytes = row.integer("bytes") else { continue }
      sizes[name] = TableSize(
        rows: rows,
        bytes: bytes,
        indexBytes: row.integer("index_bytes") ?? 0,
        toastBytes: row.integer("toast_bytes") ?? 0
      )
    }
    return sizes
  }

  /// Reads the sizes of the tables under a lock; if another session blocks that, it returns the
  /// last known sizes.
  private func measured(
    _ query: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> [QueryResult.Row] {
    let noted: SQLFragment = """
      SELECT c.relname, greatest(c.reltuples, 0)::bigint AS rows, \
      (c.relpages + i.pages + coalesce(t.relpages, 0)) * b.size AS bytes, \
      i.pages * b.size AS index_bytes, coalesce(t.relpages, 0) * b.size AS toast_bytes \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      LEFT JOIN pg_class t ON t.oid = c.reltoastrelid \
      CROSS JOIN (SELECT current_setting('block_size')::bigint AS size) b \
      CROSS JOIN LATERAL (SELECT coalesce(sum(x.relpages), 0)::bigint AS pages FROM pg_index d \
      JOIN pg_class x ON x.oid = d.indexrelid WHERE d.indrelid = c.oid) i \
      WHERE n.nspname = \(schemaName) AND c.relkind = 'r' AND \(SQLFragment.isIn(store.schema))
      """
    guard connection.transactionStatus == .idle else { return Array(try connection.query(query)) }
    try connection.set(.lockTimeout, to: "200")
    var rows: [QueryResult.Row]?
    do {
      rows = Array(try connection.query(query))
    } catch {
      guard error.sqlState == .lockNotAvailable else { throw error }
    }
    try connection.set(.lockTimeout, to: "0")
    return try rows ?? Array(connection.query(noted))
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
