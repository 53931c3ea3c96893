internal import PostgresClient
internal import SQLSyntax

/// What of a copy of a database would reach other servers, files and programs.
enum OutsideWorld {
  /// Extensions whose functions connect to whatever they are told.
  private static let callers = [
    "aws_lambda", "aws_s3", "dblink", "dblink_plus", "http", "pg_cron", "pg_net", "plproxy",
  ]

  /// Takes everything out of the copy that is known to lead elsewhere, before any row is there.
  ///
  /// Foreign tables stay, and whoever reads or writes one gets an error.
  ///
  /// - Parameter connection: A superuser's connection to the copy.
  /// - Throws: What the server says.
  static func cutOff(_ connection: borrowing PostgresConnection) throws {
    try dropUserMappings(connection)
    for row in try connection.query("SELECT fdwname FROM pg_foreign_data_wrapper") {
      guard let name = row["fdwname"] else { continue }
      // Without its code nothing is opened; and without its checks any option can go.
      try connection.execute(
        "ALTER FOREIGN DATA WRAPPER \(SQLIdentifier(name)) NO HANDLER NO VALIDATOR"
      )
    }
    let options = try connection.query(
      """
      SELECT s.srvname, o.option_name FROM pg_foreign_server s, \
      pg_options_to_table(s.srvoptions) o
      """
    )
    for row in options {
      guard let server = row["srvname"], let option = row["option_name"] else { continue }
      try connection.execute(
        "ALTER SERVER \(SQLIdentifier(server)) OPTIONS (DROP \(SQLIdentifier(option)))"
      )
    }
    try revokeCalls(connection)
  }

  private static func dropUserMappings(_ connection: borrowing PostgresConnection) throws {
    let mappings = try connection.query(
      """
      SELECT s.srvname, r.rolname FROM pg_user_mapping m JOIN pg_foreign_server s \
      ON s.oid = m.umserver LEFT JOIN pg_roles r ON r.oid = m.umuser
      """
    )
    for row in mappings {
      guard let server = row["srvname"] else { continue }
      let user: SQLFragment = row["rolname"].map { "\(SQLIdentifier($0))" } ?? "PUBLIC"
      try connection.execute("DROP USER MAPPING FOR \(user) SERVER \(SQLIdentifier(server))")
    }
  }

  private static func revokeCalls(_ connection: borrowing PostgresConnection) throws {
    let names = callers.map { "\(SQLLiteral.text($0))" as SQLFragment }.joined(separator: ", ")
    let grants = try connection.query(
      """
      SELECT DISTINCT p.oid::regprocedure::text AS routine, r.rolname FROM pg_extension e \
      JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid \
      AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e' JOIN pg_proc p ON p.oid = d.objid \
      CROSS JOIN aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a \
      LEFT JOIN pg_roles r ON r.oid = a.grantee \
      WHERE e.extname IN (\(names)) AND a.grantee <> p.proowner AND p.prokind <> 'p'
      """
    )
    for row in grants {
      guard let routine = row["routine"] else { continue }
      let grantee: SQLFragment = row["rolname"].map { "\(SQLIdentifier($0))" } ?? "PUBLIC"
      try connection.execute(
        "REVOKE ALL ON FUNCTION \(SQLFragment(deparsed: routine)) FROM \(grantee) CASCADE"
      )
    }
  }
}
