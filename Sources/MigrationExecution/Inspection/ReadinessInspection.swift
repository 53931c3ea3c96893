package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Checks before a migration that the server accepts it, and that the role has the rights for it.
package struct ReadinessInspection {
  let store: StoreIdentity
  let metadataLayout: Int?

  /// Creates an inspection.
  ///
  /// - Parameters:
  ///   - store: The store that is to change.
  ///   - metadataLayout: The version of the metadata's layout; none if there is no metadata.
  package init(_ store: StoreIdentity, metadataLayout: Int?) {
    self.store = store
    self.metadataLayout = metadataLayout
  }

  /// Checks that steps can be carried out.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - makesSchemas: Whether schemas are created as well.
  ///   - connection: A connection outside of a transaction.
  /// - Returns: The start time of the server, which distinguishes a restart from the end of a
  ///   session.
  /// - Throws: An error if it accepts no writes, or with all missing rights of the role.
  @discardableResult
  package func check(
    _ steps: [MigrationStep],
    makesSchemas: Bool = false,
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
    var rights: [MissingRights.Right] = []
    if row?.boolean("creates") == false, try makesSchemas || makesSchema(steps, connection) {
      rights.append(.createSchemas(database: SQLIdentifier(row?["database"] ?? "")))
    }
    rights +=
      try schemaRights(of: steps, connection)
      + readingRights(
        of: steps.filter(\.isIntoSchema).flatMap(\.lockedTables).map(\.name),
        withKeys: true,
        connection
      )
      + tableRights(of: steps, connection)
      + routineRights(of: steps, connection) + rowRights(of: steps, connection)
      + metadataRights(connection)
    try refuse(rights, as: row?["role"])
    try checkOwners(of: steps, connection)
    return row?["started"] ?? ""
  }

  /// Checks that the objects that steps change and call belong to trusted roles.
  package func checkOwners(
    of steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws {
    for step in steps { try StoreOwnership(of: step, in: store).check(connection) }
  }

  func refuse(_ rights: [MissingRights.Right], as role: String?) throws {
    guard !rights.isEmpty else { return }
    var different: [MissingRights.Right] = []
    for right in rights where !different.contains(right) { different.append(right) }
    throw ExecutionError(
      .rightsMissing(MissingRights(role: SQLIdentifier(role ?? ""), rights: different))
    )
  }

  /// Checks that tables can be rebuilt, since dependent objects need this.
  package func checkCreation(_ connection: borrowing PostgresConnection) throws {
    let rights = try schemaRights(makesObjects: true, connection)
    guard !rights.isEmpty else { return }
    try refuse(rights, as: connection.query("SELECT current_user::text").value)
  }

  /// Reads when the server started.
  package static func serverStart(_ connection: borrowing PostgresConnection) throws -> String {
    try connection.query("SELECT pg_postmaster_start_time()::text").value ?? ""
  }

  private func makesSchema(
    _ steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    if metadataLayout == nil
      || steps.contains(where: { $0.statements.contains { $0.madeSchema != nil } })
    {
      return true
    }
    let copies = steps.compactMap(\.copy).flatMap(\.preparation)
    guard copies.contains(where: { $0.madeSchema != nil }) else { return false }
    // A job that is continued has its schema.
    let staging = try connection.query(
      "SELECT 1 FROM pg_namespace WHERE nspname = $1",
      [store.stagingSchema.name]
    )
    return staging.isEmpty
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
    // The creator of a schema owns it.
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

  /// Existing tables of which the steps do more than read rows.
  private func tableRights(
    of steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    let steps = steps.filter { !$0.isIntoSchema }
    // Objects retained in tables of their own are renamed back, or dropped with them.
    let owned = Set(steps.flatMap(\.alteredTables))
      .union(steps.flatMap(\.droppedRetained).map(\.table.name))
    let locks = Dictionary(
      steps.flatMap(\.lockedTables).map { ($0.name.name.name, $0.mode) },
      uniquingKeysWith: max
    )
    let all = Set(locks.keys).union(owned)
    guard !all.isEmpty else { return [] }
    let queried = Set(steps.flatMap(\.queriedTables))
    // A version that is only recorded refers to nothing.
    let refers = steps.contains { !$0.isMetadataOnly }
    return try connection.query(
      """
      SELECT c.relname, pg_get_userbyid(c.relowner)::text AS owner, \
      has_table_privilege(c.oid, 'SELECT') AS selects, \
      has_table_privilege(c.oid, 'REFERENCES') AS refers, \
      has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE') AS locks \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = $1 AND \(SQLFragment.isIn(store.schema)) \
      AND c.relkind IN ('r', 'p') AND NOT pg_has_role(c.relowner, 'USAGE') \
      AND c.relname::text IN (SELECT json_array_elements_text($2::json)) ORDER BY 1
      """,
      [store.schema.name, JSONText.text(all.sorted())]
    ).compactMap { row in
      let name = row["relname"] ?? ""
      let table = QualifiedName(schema: store.schema, name: SQLIdentifier(name))
      if owned.contains(name) {
        return .own(table: table, owner: SQLIdentifier(row["owner"] ?? ""))
      }
      // A referenced table need not be owned, but it is locked, which takes more than REFERENCES.
      let missing: [MissingRights.Privilege] =
        (locks[name] ?? .accessShare) <= .rowShare
        ? [row.boolean("selects") == false ? .select : nil].compactMap(\.self)
        : [
          queried.contains(name) && row.boolean("selects") == false ? .select : nil,
          refers && row.boolean("refers") == false ? .references : nil,
          row.boolean("locks") == false ? .update : nil,
        ].compactMap(\.self)
      return missing.isEmpty ? nil : .access(table: table, privileges: missing)
    }
  }

  /// The rights needed to create functions, and triggers that call functions of others.
  private func routineRights(
    of steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    var rights: [MissingRights.Right] = []
    if steps.contains(where: \.makesFunctions) {
      let language = try connection.query(
        "SELECT has_language_privilege(oid, 'USAGE') AS uses FROM pg_language WHERE lanname = 'plpgsql'"
      ).first
      if language?.boolean("uses") == false { rights.append(.useLanguage("plpgsql")) }
    }
    let called = Set(steps.flatMap(\.calledRoutines)).map { [$0.schema.name, $0.name.name] }
    guard !called.isEmpty else { return rights }
    let rows = try connection.query(
      """
      SELECT n.nspname, p.proname, has_schema_privilege(n.oid, 'USAGE') AS uses, \
      has_function_privilege(p.oid, 'EXECUTE') AS executes \
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.pronargs = 0 \
      AND (n.nspname, p.proname) IN (SELECT (e ->> 0)::name, (e ->> 1)::name \
      FROM json_array_elements($1::json) AS e) ORDER BY 1, 2
      """,
      [JSONText.text(called)]
    )
    for row in rows {
      let schema = SQLIdentifier(row["nspname"] ?? "")
      if row.boolean("uses") == false { rights.append(.use(schema: schema)) }
      guard row.boolean("executes") == false else { continue }
      let name = QualifiedName(schema: schema, name: SQLIdentifier(row["proname"] ?? ""))
      rights.append(.execute(function: name))
    }
    return rights
  }

  /// Tables of the role's own whose policies would hide rows from it.
  private func rowRights(
    of steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws -> [MissingRights.Right] {
    let tables = Set(steps.flatMap(\.queriedTables))
    guard !tables.isEmpty else { return [] }
    return try connection.query(
      """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = $1 AND \(SQLFragment.isIn(store.schema)) \
      AND c.relrowsecurity AND c.relkind IN ('r', 'p') AND pg_has_role(c.relowner, 'USAGE') \
      AND row_security_active(c.oid) \
      AND c.relname::text IN (SELECT json_array_elements_text($2::json)) ORDER BY 1
      """,
      [store.schema.name, JSONText.text(tables.sorted())]
    ).map { row in
      .bypassRowSecurity(
        table: QualifiedName(schema: store.schema, name: SQLIdentifier(row["relname"] ?? ""))
      )
    }
  }
}
