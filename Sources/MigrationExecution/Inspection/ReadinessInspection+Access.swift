package import PostgresClient
package import SQLSyntax

extension ReadinessInspection {
  /// Checks that the metadata can be used, since the store is unknown without it, and that the rows
  /// of the store's tables can be read.
  ///
  /// - Parameters:
  ///   - isWriting: Whether the metadata will be written as well.
  ///   - connection: A connection outside of a transaction.
  /// - Throws: An error with the missing rights of the role.
  package func checkAccess(
    isWriting: Bool,
    _ connection: borrowing PostgresConnection
  ) throws {
    // Objects of other owners are not read for this either.
    let presence = try? MetadataStore(store).presence(connection)
    let recorded =
      presence == nil
      ? nil
      : try? connection.query(MetadataStatements(store).storeTables)
        .compactMap { $0["table_name"] }
    let tables = (recorded ?? []).map {
      QualifiedName(schema: store.schema, name: SQLIdentifier($0))
    }
    let rights =
      try metadataRights(isWriting: isWriting, connection) + readingRights(of: tables, connection)
    guard !rights.isEmpty else { return }
    try refuse(rights, as: connection.query("SELECT current_user::text").value)
  }

  /// Checks that all rows of tables can be read, and the numbers of their sequences, and that they
  /// belong to trusted roles.
  package func checkReading(
    of tables: [QualifiedName],
    _ connection: borrowing PostgresConnection
  ) throws {
    let rights = try readingRights(of: tables, withKeys: true, connection)
    if !rights.isEmpty {
      try refuse(rights, as: connection.query("SELECT current_user::text").value)
    }
    try StoreOwnership(of: tables, in: store, isWriting: false).check(connection)
  }

  /// The rights needed to read all rows of existing tables, and the numbers of their sequences.
  func readingRights(
    of tables: [QualifiedName],
    withKeys: Bool = false,
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    guard let schema = tables.first?.schema else { return [] }
    let rows = try connection.query(
      """
      SELECT c.relname, has_schema_privilege(n.oid, 'USAGE') AS uses, \
      has_table_privilege(c.oid, 'SELECT') AS selects \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = $1 AND \(SQLFragment.isIn(schema)) AND (c.relkind IN ('r', 'p') \
      AND c.relname::text IN (SELECT json_array_elements_text($2::json)) \
      OR $3::boolean AND c.relkind = 'S' AND EXISTS (SELECT FROM pg_depend d \
      JOIN pg_class t ON t.oid = d.refobjid WHERE d.classid = 'pg_class'::regclass \
      AND d.objid = c.oid AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') \
      AND t.relnamespace = n.oid \
      AND t.relname::text IN (SELECT json_array_elements_text($2::json)))) ORDER BY 1
      """,
      [schema.name, JSONText.text(tables.map(\.name.name).sorted()), withKeys ? "t" : "f"]
    )
    return (rows.first?.boolean("uses") == false ? [.use(schema: schema)] : [])
      + rows.compactMap { row in
        let name = SQLIdentifier(row["relname"] ?? "")
        return row.boolean("selects") == false
          ? .access(table: QualifiedName(schema: schema, name: name), privileges: [.select]) : nil
      }
  }

  func metadataRights(
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    guard let metadataLayout else { return [] }
    if metadataLayout != MetadataStore.layoutVersion {
      let row = try connection.query(
        """
        SELECT pg_get_userbyid(nspowner)::text AS owner, pg_has_role(nspowner, 'USAGE') AS owns \
        FROM pg_namespace WHERE nspname = $1
        """,
        [store.metadataSchema.name]
      ).first
      if row?.boolean("owns") == false {
        return [
          .ownMetadata(schema: store.metadataSchema, owner: SQLIdentifier(row?["owner"] ?? ""))
        ]
      }
    }
    return try metadataRights(isWriting: true, connection)
  }

  private func metadataRights(
    isWriting: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    let schema = store.metadataSchema
    let rows = try connection.query(
      """
      SELECT has_schema_privilege(n.oid, 'USAGE') AS uses, \
      CASE WHEN NOT r.rolsuper THEN r.rolname END AS owner, \
      bool_and(has_any_column_privilege(c.oid, 'SELECT')) AS reads, \
      bool_and(has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') \
      AND has_table_privilege(c.oid, 'DELETE')) FILTER (WHERE c.relkind = 'r') AS writes \
      FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'v') \
      JOIN pg_roles r ON r.oid = c.relowner \
      WHERE n.nspname = $1 AND \(SQLFragment.isIn(schema)) GROUP BY n.oid, 2 ORDER BY 2
      """,
      [schema.name]
    )
    return rows.flatMap { row -> [MissingRights.Right] in
      let reads = row.boolean("reads") != false
      let writes = row.boolean("writes") != false
      let owner = row["owner"].map { SQLIdentifier($0) }
      return [
        row.boolean("uses") == false ? .use(schema: schema) : nil,
        isWriting && !(reads && writes) ? .write(metadata: schema, owner: owner) : nil,
        !isWriting && !reads ? .read(metadata: schema) : nil,
      ].compactMap(\.self)
    }
  }
}
