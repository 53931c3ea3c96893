internal import MigrationExecution
internal import PostgresClient
internal import SQLSyntax

/// What a copy of a database needs besides the dump of its schema: its roles, its encoding, its limits.
struct DatabaseProperties: Sendable {
  let serverVersion: Int
  let lockCapacity: LockCapacity
  let roleName: String
  /// The variables that have PostgreSQL's programs connect to the database.
  let environment: [String: String?]
  let extensions: [String]
  private let roles: [SQLFragment]
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
    roleName = try connection.query("SELECT session_user").value ?? connection.userName
    extensions = try connection.query("SELECT extname FROM pg_extension ORDER BY 1").rows
      .compactMap(\.first).compactMap(\.self)
    roles = try Self.roles(connection)
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

  /// The roles with what they may do, and who is a member of which; none of them can log in.
  private static func roles(_ connection: borrowing PostgresConnection) throws -> [SQLFragment] {
    let attributes: [(column: String, word: SQLFragment)] = [
      ("rolsuper", "SUPERUSER"), ("rolcreaterole", "CREATEROLE"), ("rolcreatedb", "CREATEDB"),
      ("rolbypassrls", "BYPASSRLS"),
    ]
    let roles = try connection.query(
      """
      SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles \
      WHERE rolname NOT LIKE 'pg\\_%' AND rolname <> 'postgres' ORDER BY 1
      """
    ).map { row -> SQLFragment in
      let words = attributes.filter { row.boolean($0.column) == true }
        .map { " \($0.word)" as SQLFragment }
      let inheritance: SQLFragment = row.boolean("rolinherit") == false ? " NOINHERIT" : ""
      return """
        CREATE ROLE \(SQLIdentifier(row["rolname"] ?? "")) NOLOGIN\(inheritance)\
        \(words.joined(separator: ""))
        """
    }
    let hasOptions = connection.serverVersion >= 160_000
    let options: SQLFragment = hasOptions ? ", bool_or(inherit_option) AS inherits" : ""
    let members = try connection.query(
      """
      SELECT r.rolname AS role, m.rolname AS member\(options) FROM pg_auth_members a \
      JOIN pg_roles r ON r.oid = a.roleid JOIN pg_roles m ON m.oid = a.member \
      WHERE m.rolname NOT LIKE 'pg\\_%' GROUP BY 1, 2 ORDER BY 1, 2
      """
    ).map { row -> SQLFragment in
      let inherits: SQLFragment =
        switch hasOptions ? row.boolean("inherits") : nil {
        case true: " WITH INHERIT TRUE"
        case false: " WITH INHERIT FALSE"
        case nil: ""
        }
      return """
        GRANT \(SQLIdentifier(row["role"] ?? "")) TO \(SQLIdentifier(row["member"] ?? ""))\(inherits)
        """
    }
    return roles + members
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
    for role in roles { try connection.execute(role) }
    try connection.execute("ALTER ROLE \(SQLIdentifier(roleName)) LOGIN")
    var isSame = isSortedByLibrary
    do {
      try connection.execute("CREATE DATABASE \(name) OWNER \(owner) \(creation[0])")
    } catch {
      guard error.kind == .server else { throw error }
      // A locale of the other machine.
      isSame = false
      try connection.execute("CREATE DATABASE \(name) OWNER \(owner) \(creation[1])")
    }
    for (role, privilege) in privileges {
      let grantee: SQLFragment = role.map { "\($0)" } ?? "PUBLIC"
      try connection.execute("GRANT \(privilege) ON DATABASE \(name) TO \(grantee)")
    }
    return isSame
  }

  /// Returns which of the extensions a server does not have.
  func missingExtensions(_ connection: borrowing PostgresConnection) throws -> [String] {
    let available = try connection.query("SELECT name FROM pg_available_extensions").rows
      .compactMap(\.first).compactMap(\.self)
    return extensions.filter { !available.contains($0) }
  }
}
