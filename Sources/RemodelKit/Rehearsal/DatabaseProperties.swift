internal import MigrationExecution
internal import PostgresClient
internal import SQLSyntax

/// What a copy of a database needs besides the dump of its schema: its roles, its encoding, its limits.
struct DatabaseProperties: Sendable {
  let serverVersion: Int
  let lockCapacity: LockCapacity
  /// The role that the database is migrated by.
  let roleName: String
  /// The role that its sessions take on after their login; none if it is that of the login.
  let assumedRole: SQLIdentifier?
  /// The variables that have PostgreSQL's programs connect to the database.
  let environment: [String: String?]
  let extensions: [String]
  /// The name of the only superuser of the copy, whom nobody's code ever runs as.
  let keeper: String
  /// The name of the role that loads rows.
  let loader: String
  private let firstRole: String
  private let roles: CopiedRoles
  private let creation: [SQLFragment]
  /// Whether texts are sorted by the C library, as far as the name of a locale says all of it.
  private let isSortedByLibrary: Bool
  private let owner: SQLIdentifier
  private let privileges: [(role: SQLIdentifier?, privilege: SQLFragment)]

  var serverMajor: Int { serverVersion / 10_000 }

  init(_ connection: borrowing PostgresConnection) throws {
    serverVersion = connection.serverVersion
    lockCapacity = try LockCapacity(connection)
    environment = connection.environment
    assumedRole = connection.assumedRole
    roleName = try connection.query("SELECT current_user").value ?? connection.userName
    extensions = try connection.query("SELECT extname FROM pg_extension ORDER BY 1").rows
      .compactMap(\.first).compactMap(\.self)
    roles = try CopiedRoles(connection, migratedBy: roleName)
    keeper = roles.unusedName("remodel_rehearsal")
    loader = roles.unusedName("remodel_rehearsal_rows")
    firstRole = roles.unusedName("remodel_rehearsal_first")
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
  }

  /// Makes the superuser of a new server.
  ///
  /// - Parameter connection: A connection of the role that the server came with.
  /// - Throws: What the server says.
  func makeKeeper(_ connection: borrowing PostgresConnection) throws {
    try connection.execute("CREATE ROLE \(SQLIdentifier(keeper)) SUPERUSER LOGIN")
  }

  /// Makes the roles and an empty database on another server.
  ///
  /// - Parameters:
  ///   - name: The name of the database.
  ///   - connection: A superuser's connection to that server.
  /// - Returns: Whether the database sorts texts as the original does.
  /// - Throws: What the server says.
  func makeDatabase(
    _ name: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    // It cannot cease to be a superuser, and its name is one that databases use.
    try connection.execute(
      "ALTER ROLE \(SQLIdentifier("postgres")) RENAME TO \(SQLIdentifier(firstRole))"
    )
    try roles.make(connection)
    try connection.execute("ALTER ROLE \(SQLIdentifier(roleName)) LOGIN")
    try roles.makeLoader(SQLIdentifier(loader), connection)
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

  /// Lets a superuser that is none in the copy do there what does not need more than rights on objects.
  func grantRights(_ connection: borrowing PostgresConnection) throws {
    guard roles.isMigratedBySuperuser else { return }
    let schemas = try connection.query(
      """
      SELECT nspname FROM pg_namespace \
      WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
      """
    )
    for row in schemas {
      guard let name = row["nspname"] else { continue }
      // Also to those whom it gives objects to.
      try connection.execute("GRANT USAGE, CREATE ON SCHEMA \(SQLIdentifier(name)) TO PUBLIC")
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

  /// Returns which of the extensions a server does not have.
  func missingExtensions(_ connection: borrowing PostgresConnection) throws -> [String] {
    let available = try connection.query("SELECT name FROM pg_available_extensions").rows
      .compactMap(\.first).compactMap(\.self)
    return extensions.filter { !available.contains($0) }
  }
}
