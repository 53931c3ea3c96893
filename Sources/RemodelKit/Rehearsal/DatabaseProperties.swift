internal import MigrationExecution
internal import PostgresClient
internal import SQLSyntax

/// The properties of a database that a copy needs besides the dump of its schema: its roles, its
/// encoding, its limits.
struct DatabaseProperties: Sendable {
  let serverVersion: Int
  let lockCapacity: LockCapacity
  /// The role that the database is migrated by.
  let roleName: String
  /// The role that its sessions take on after their login; none if it is that of the login.
  let assumedRole: SQLIdentifier?
  /// The variables that have PostgreSQL's programs connect to the database.
  let environment: [String: String?]
  /// The name of the only superuser of the copy's server; no user's code runs as this role.
  let keeper: String
  /// The name of the role that creates the copy, with the rights of all owners.
  let maker: String
  /// The objects of the database that only a superuser can create.
  let superuserObjects: SuperuserObjects
  let extensions: CopiedExtensions
  private let roles: CopiedRoles
  private let creation: [SQLFragment]
  /// Whether the C library sorts texts, as far as the name of a locale is enough for this.
  private let isSortedByLibrary: Bool
  private let owner: SQLIdentifier
  private let privileges: [(role: SQLIdentifier?, privilege: SQLFragment)]
  /// The schemas in which every role may create objects.
  private let openSchemas: Set<String>

  var serverMajor: Int { serverVersion / 10_000 }

  /// The superusers of the server, whom a copy has to trust although they are none there.
  var superusers: Set<SQLIdentifier> { roles.superusers }

  init(_ connection: borrowing PostgresConnection) throws {
    serverVersion = connection.serverVersion
    lockCapacity = try LockCapacity(connection)
    environment = connection.environment
    assumedRole = connection.assumedRole
    roleName = try connection.query("SELECT current_user").value ?? connection.userName
    extensions = try CopiedExtensions(connection)
    superuserObjects = try SuperuserObjects(connection)
    roles = try CopiedRoles(connection, migratedBy: roleName)
    keeper = roles.unusedName("remodel_rehearsal")
    maker = roles.unusedName("remodel_rehearsal_maker")
    let row = try connection.query(
      """
      SELECT pg_encoding_to_char(encoding) AS encoding, datcollate, datctype, \
      datlocprovider = 'c' AS is_libc, \
      pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = current_database()
      """
    ).first
    owner = SQLIdentifier(row?["owner"] ?? "postgres")
    isSortedByLibrary = row?.boolean("is_libc") != false
    let encoding: SQLFragment =
      "TEMPLATE template0 ENCODING \(SQLLiteral.text(row?["encoding"] ?? "UTF8"))"
    let collation: SQLFragment = """
      LC_COLLATE \(SQLLiteral.text(row?["datcollate"] ?? "C")) \
      LC_CTYPE \(SQLLiteral.text(row?["datctype"] ?? "C"))
      """
    creation = ["\(encoding) \(collation)", "\(encoding) LC_COLLATE 'C' LC_CTYPE 'C'"]
    privileges = try connection.query(
      """
      SELECT r.rolname, a.privilege_type FROM pg_database d, aclexplode(d.datacl) a \
      LEFT JOIN pg_roles r ON r.oid = a.grantee \
      WHERE d.datname = current_database() AND a.privilege_type IN ('CREATE', 'TEMPORARY')
      """
    ).map { row in
      (
        row["rolname"].map { SQLIdentifier($0) },
        row["privilege_type"] == "CREATE" ? "CREATE" : "TEMPORARY"
      )
    }
    openSchemas = Set(
      try connection.query(
        """
        SELECT nspname FROM pg_namespace WHERE EXISTS (SELECT FROM aclexplode(nspacl) a \
        WHERE a.grantee = 0 AND a.privilege_type = 'CREATE')
        """
      ).compactMap { $0["nspname"] }
    )
  }

  /// Creates the roles and an empty database on another server.
  ///
  /// - Parameters:
  ///   - name: The name of the database.
  ///   - password: The password of the roles other than superusers.
  ///   - connection: A superuser's connection to that server.
  /// - Returns: Whether the database sorts texts as the original does.
  /// - Throws: The server's error.
  func makeDatabase(
    _ name: SQLIdentifier,
    password: String,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    let password = SQLLiteral.text(password)
    try roles.make(connection)
    try connection.execute("ALTER ROLE \(SQLIdentifier(roleName)) LOGIN PASSWORD \(password)")
    try roles.makeMaker(SQLIdentifier(maker), password: password, connection)
    var isSame = isSortedByLibrary
    do {
      try connection.execute("CREATE DATABASE \(name) OWNER \(owner) \(creation[0])")
    } catch {
      guard error.kind == .server else { throw error }
      // A locale of the other machine.
      isSame = false
      try connection.execute("CREATE DATABASE \(name) OWNER \(owner) \(creation[1])")
    }
    try grantPrivileges(on: name, connection)
    return isSame
  }

  /// Makes a copy of a copy, with the same owner.
  func makeDatabase(
    _ name: SQLIdentifier,
    from template: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.execute("CREATE DATABASE \(name) OWNER \(owner) TEMPLATE \(template)")
    try grantPrivileges(on: name, connection)
  }

  /// Lets all roles create objects in the database while it is being copied, since only a role that
  /// can create an object there can become its owner.
  ///
  /// - Parameters:
  ///   - name: The name of the database.
  ///   - connection: A superuser's connection to the database, which is still empty.
  /// - Throws: The server's error.
  func openSchemas(
    of name: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.execute("GRANT CREATE ON DATABASE \(name) TO PUBLIC")
    try connection.execute("GRANT CREATE ON SCHEMA public TO PUBLIC")
    try connection.execute(
      "ALTER DEFAULT PRIVILEGES FOR ROLE \(SQLIdentifier(maker)) GRANT CREATE ON SCHEMAS TO PUBLIC"
    )
  }

  /// Revokes the rights on the database that `openSchemas(of:_:)` granted.
  func closeDatabase(
    _ name: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard !privileges.contains(where: { $0.role == nil && $0.privilege == "CREATE" }) else {
      return
    }
    try connection.execute("REVOKE CREATE ON DATABASE \(name) FROM PUBLIC")
  }

  /// Revokes the rights on the schemas that `openSchemas(of:_:)` granted, and grants the copy of a
  /// superuser all rights on objects.
  ///
  /// - Parameters:
  ///   - metadata: The schema of the metadata, in which no other role may create objects.
  ///   - connection: A connection to the copy of the role that creates it.
  /// - Throws: The server's error.
  func closeSchemas(
    metadata: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    let schemas = try connection.query(
      """
      SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' \
      AND nspname <> 'information_schema' AND pg_has_role(nspowner, 'USAGE')
      """
    ).compactMap { $0["nspname"] }
    for name in schemas {
      let schema = SQLIdentifier(name)
      if roles.isMigratedBySuperuser, schema != metadata {
        // Also to those whom it gives objects to.
        try connection.execute("GRANT USAGE, CREATE ON SCHEMA \(schema) TO PUBLIC")
      } else if !openSchemas.contains(name) {
        try connection.execute("REVOKE CREATE ON SCHEMA \(schema) FROM PUBLIC")
      }
    }
  }

  private func grantPrivileges(
    on name: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    for (role, privilege) in privileges {
      let grantee: SQLFragment = role.map { "\($0)" } ?? "PUBLIC"
      try connection.execute("GRANT \(privilege) ON DATABASE \(name) TO \(grantee)")
    }
  }
}
