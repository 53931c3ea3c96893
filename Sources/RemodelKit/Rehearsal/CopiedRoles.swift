internal import PostgresClient
internal import SQLSyntax

/// The roles of a server in a copy: none of them is a superuser, can log in, or can create roles,
/// which before PostgreSQL 16 gives access to the server's files and programs.
///
/// The copy of a superuser has its rights on objects as a member of all other roles.
struct CopiedRoles: Sendable {
  /// A Boolean value that indicates whether the role that migrates is a superuser.
  let isMigratedBySuperuser: Bool
  /// The superusers, who are none in the copy.
  let superusers: Set<SQLIdentifier>
  private let names: [String]
  private let creation: [SQLFragment]
  private let memberships: [SQLFragment]

  init(_ connection: borrowing PostgresConnection, migratedBy roleName: String) throws {
    let rows = try connection.query(
      """
      SELECT rolname, rolsuper, rolinherit, rolbypassrls FROM pg_roles \
      WHERE rolname NOT LIKE 'pg\\_%' ORDER BY 1
      """
    )
    names = rows.compactMap { $0["rolname"] }
    let superusers = rows.filter { $0.boolean("rolsuper") == true }.compactMap { $0["rolname"] }
    self.superusers = Set(superusers.map { SQLIdentifier($0) })
    isMigratedBySuperuser = superusers.contains(roleName)
    creation = rows.map { row in
      let isSuperuser = row.boolean("rolsuper") == true
      let bypass: SQLFragment =
        isSuperuser || row.boolean("rolbypassrls") == true ? " BYPASSRLS" : ""
      let inheritance: SQLFragment =
        row.boolean("rolinherit") == false && !isSuperuser ? " NOINHERIT" : ""
      return "CREATE ROLE \(SQLIdentifier(row["rolname"] ?? "")) NOLOGIN\(inheritance)\(bypass)"
    }
    var memberships = try Self.memberships(connection)
    for superuser in superusers {
      // No two of them are members of each other.
      let others = names.filter {
        !superusers.contains($0) || superuser == roleName && $0 != roleName
      }
      memberships += others.map { "GRANT \(SQLIdentifier($0)) TO \(SQLIdentifier(superuser))" }
    }
    self.memberships = memberships
  }

  /// The predefined roles that give rights on the rows and the settings of the copy, and on nothing
  /// outside of it.
  private static let predefined = [
    "pg_checkpoint", "pg_maintain", "pg_monitor", "pg_read_all_data", "pg_read_all_settings",
    "pg_read_all_stats", "pg_stat_scan_tables", "pg_write_all_data",
  ]

  /// Who is a member of which, but of superusers and of predefined roles that lead out of the copy.
  private static func memberships(
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLFragment] {
    let hasOptions = connection.serverVersion >= 160_000
    let predefined = Self.predefined.map { "\(SQLLiteral.text($0))" as SQLFragment }
    let options: SQLFragment = hasOptions ? ", bool_or(inherit_option) AS inherits" : ""
    return try connection.query(
      """
      SELECT r.rolname AS role, m.rolname AS member\(options) FROM pg_auth_members a \
      JOIN pg_roles r ON r.oid = a.roleid JOIN pg_roles m ON m.oid = a.member \
      WHERE m.rolname NOT LIKE 'pg\\_%' AND NOT r.rolsuper AND (r.rolname NOT LIKE 'pg\\_%' \
      OR r.rolname IN (\(predefined.joined(separator: ", ")))) GROUP BY 1, 2 ORDER BY 1, 2
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
  }

  /// Returns a name that no role has.
  func unusedName(_ name: String) -> String {
    var name = name
    while names.contains(name) { name += "_" }
    return name
  }

  /// Makes the roles on another server.
  func make(_ connection: borrowing PostgresConnection) throws {
    for statement in creation + memberships { try connection.execute(statement) }
  }

  /// Creates the role that creates the copy: a member of all others, so that it can give objects to
  /// them, without a predefined role.
  ///
  /// Its writes count as a replica's: neither triggers nor foreign keys check the rows.
  func makeMaker(
    _ name: SQLIdentifier,
    password: SQLLiteral,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.execute("CREATE ROLE \(name) LOGIN BYPASSRLS PASSWORD \(password)")
    for role in names { try connection.execute("GRANT \(SQLIdentifier(role)) TO \(name)") }
    try connection.execute("ALTER ROLE \(name) SET session_replication_role = replica")
  }
}
