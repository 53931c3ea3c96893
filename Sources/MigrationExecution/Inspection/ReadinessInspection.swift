package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Whether the server takes what is to be done, and the role may do it: asked before anything is.
package struct ReadinessInspection {
  private let store: StoreIdentity
  private let metadataLayout: Int?

  /// Creates an inspection.
  ///
  /// - Parameters:
  ///   - store: The store that is to change.
  ///   - metadataLayout: The version of the metadata's layout; none if there is no metadata.
  package init(_ store: StoreIdentity, metadataLayout: Int?) {
    self.store = store
    self.metadataLayout = metadataLayout
  }

  /// Makes sure that steps can be taken.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - connection: A connection outside a transaction.
  /// - Returns: When the server started, which tells a restart from the end of the session alone.
  /// - Throws: That it takes no writes, or all that the role may not do.
  @discardableResult
  package func check(
    _ steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws -> String {
    let row = try connection.query(
      """
      SELECT current_user::text AS role, current_database()::text AS database, \
      pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only, \
      pg_postmaster_start_time()::text AS started, \
      has_database_privilege(current_database(), 'CREATE') AS creates
      """
    ).first
    if row?.boolean("standby") == true { throw ExecutionError(.readOnly(isStandby: true)) }
    if row?.boolean("read_only") == true { throw ExecutionError(.readOnly(isStandby: false)) }
    let rights =
      try databaseRights(of: steps, row?["database"] ?? "", row?.boolean("creates"), connection)
      + schemaRights(of: steps, connection) + tableRights(of: steps, connection)
      + metadataRights(connection)
    guard rights.isEmpty else {
      throw ExecutionError(
        .rightsMissing(MissingRights(role: SQLIdentifier(row?["role"] ?? ""), rights: rights))
      )
    }
    return row?["started"] ?? ""
  }

  /// Makes sure that tables can be made anew, without which nothing that depends on them can be.
  package func checkCreation(_ connection: borrowing PostgresConnection) throws {
    let rights = try schemaRights(makesObjects: true, connection)
    guard !rights.isEmpty else { return }
    let role = try connection.query("SELECT current_user::text").value ?? ""
    throw ExecutionError(
      .rightsMissing(MissingRights(role: SQLIdentifier(role), rights: rights))
    )
  }

  /// Reads when the server started.
  package static func serverStart(_ connection: borrowing PostgresConnection) throws -> String {
    try connection.query("SELECT pg_postmaster_start_time()::text").value ?? ""
  }

  private func databaseRights(
    of steps: [MigrationStep],
    _ database: String,
    _ createsSchemas: Bool?,
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    guard createsSchemas == false else { return [] }
    let right = MissingRights.Right.createSchemas(database: SQLIdentifier(database))
    if metadataLayout == nil
      || steps.contains(where: { $0.statements.contains(where: \.makesSchema) })
    {
      return [right]
    }
    let copies = steps.contains { $0.copy?.preparation.contains(where: \.makesSchema) ?? false }
    guard copies else { return [] }
    // A job that is continued has its schema.
    let staging = try connection.query(
      "SELECT 1 FROM pg_namespace WHERE nspname = $1",
      [store.stagingSchema.name]
    )
    return staging.isEmpty ? [right] : []
  }

  private func schemaRights(
    of steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    guard steps.contains(where: { !$0.isMetadataOnly }) else { return [] }
    return try schemaRights(makesObjects: steps.contains(where: \.makesObjects), connection)
  }

  private func schemaRights(
    makesObjects: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    // Whoever makes a schema owns it.
    let row = try connection.query(
      """
      SELECT has_schema_privilege(oid, 'USAGE') AS uses, has_schema_privilege(oid, 'CREATE') AS creates \
      FROM pg_namespace WHERE nspname = $1
      """,
      [store.schema.name]
    ).first
    return [
      row?.boolean("uses") == false ? .use(schema: store.schema) : nil,
      makesObjects && row?.boolean("creates") == false ? .create(schema: store.schema) : nil,
    ].compactMap(\.self)
  }

  /// Tables that are there already and of which not only rows are read.
  private func tableRights(
    of steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    let locks = steps.filter { !$0.isIntoSchema }.flatMap(\.lockedTables)
    let owned = steps.filter { !$0.isIntoSchema }.flatMap(\.alteredTables)
    let all = Set(locks.map(\.name.name.name) + owned)
    guard !all.isEmpty else { return [] }
    // What is only referred to need not be owned.
    return try connection.query(
      """
      SELECT c.relname, pg_get_userbyid(c.relowner)::text AS owner \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = $1 AND \(SQLFragment.isIn(store.schema)) \
      AND c.relkind IN ('r', 'p') AND NOT pg_has_role(c.relowner, 'USAGE') \
      AND c.relname::text IN (SELECT json_array_elements_text($2::json)) \
      AND (c.relname::text IN (SELECT json_array_elements_text($3::json)) \
      OR NOT (has_table_privilege(c.oid, 'REFERENCES') AND has_table_privilege(c.oid, 'UPDATE'))) \
      ORDER BY 1
      """,
      [store.schema.name, JSONText.array(all.sorted()), JSONText.array(owned)]
    ).map { row in
      .own(
        table: QualifiedName(schema: store.schema, name: SQLIdentifier(row["relname"] ?? "")),
        owner: SQLIdentifier(row["owner"] ?? "")
      )
    }
  }

  private func metadataRights(
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    guard let metadataLayout else { return [] }
    let schema = store.metadataSchema
    let row = try connection.query(
      """
      SELECT pg_get_userbyid(n.nspowner)::text AS owner, pg_has_role(n.nspowner, 'USAGE') AS owns, \
      has_schema_privilege(n.oid, 'USAGE') AS uses, (SELECT bool_and(\
      has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') \
      AND has_table_privilege(c.oid, 'DELETE')) \
      FROM pg_class c WHERE c.relnamespace = n.oid AND \(SQLFragment.isIn(schema)) \
      AND c.relkind = 'r') AS writes \
      FROM pg_namespace n WHERE n.nspname = $1
      """,
      [schema.name]
    ).first
    if metadataLayout != MetadataStore.layoutVersion, row?.boolean("owns") == false {
      return [.ownMetadata(schema: schema, owner: SQLIdentifier(row?["owner"] ?? ""))]
    }
    return [
      row?.boolean("uses") == false ? .use(schema: schema) : nil,
      row?.boolean("writes") == false ? .write(metadata: schema) : nil,
    ].compactMap(\.self)
  }
}

extension PlannedStatement {
  fileprivate var makesSchema: Bool { sql.text.hasPrefix("CREATE SCHEMA ") }
}
