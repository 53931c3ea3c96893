internal import PostgresClient
internal import SQLSyntax

/// The parts of a database's copy that would access other servers, files and programs.
enum OutsideWorld {
  /// The extension whose functions connect to any server.
  private static let caller: SQLLiteral = .text("dblink")

  /// Cuts the extensions off from the outside, before the copy has anything else.
  ///
  /// Foreign tables are copied nevertheless; reading or writing one is an error.
  ///
  /// - Parameter connection: A superuser's connection to the copy, which is still empty.
  /// - Throws: The server's error.
  static func cutOff(_ connection: borrowing PostgresConnection) throws {
    for row in try connection.query("SELECT fdwname FROM pg_foreign_data_wrapper") {
      guard let wrapper = row["fdwname"].map({ SQLIdentifier($0) }) else { continue }
      // Without its code nothing is opened; and without its checks any option can go.
      try connection.execute("ALTER FOREIGN DATA WRAPPER \(wrapper) NO HANDLER NO VALIDATOR")
      try connection.execute("GRANT USAGE ON FOREIGN DATA WRAPPER \(wrapper) TO PUBLIC")
    }
    let routines = try connection.query(
      """
      SELECT p.oid::regprocedure::text AS routine FROM pg_extension e \
      JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid \
      AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e' JOIN pg_proc p ON p.oid = d.objid \
      WHERE e.extname = \(caller)
      """
    )
    for row in routines {
      guard let routine = row["routine"] else { continue }
      try connection.query(
        "REVOKE ALL ON FUNCTION \(SQLFragment(deparsed: routine)) FROM PUBLIC CASCADE"
      )
    }
  }

  /// Removes the addresses and logins of other servers from the copy, before it has any row.
  ///
  /// - Parameter connection: A connection of the role that creates the copy.
  /// - Throws: The server's error.
  static func forgetServers(_ connection: borrowing PostgresConnection) throws {
    let mappings = try connection.query(
      """
      SELECT s.srvname, r.rolname FROM pg_user_mappings m JOIN pg_foreign_server s \
      ON s.oid = m.srvid LEFT JOIN pg_roles r ON r.oid = m.umuser
      """
    )
    for row in mappings {
      guard let server = row["srvname"] else { continue }
      let user: SQLFragment = row["rolname"].map { "\(SQLIdentifier($0))" } ?? "PUBLIC"
      try connection.execute("DROP USER MAPPING FOR \(user) SERVER \(SQLIdentifier(server))")
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
  }
}
