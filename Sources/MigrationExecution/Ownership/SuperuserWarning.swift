package import Diagnostics
package import PostgresClient
internal import SQLSyntax

/// The warning about a superuser's session in a database where other roles own objects, whatever
/// role it has assumed, or about one that can assume a superuser's role.
package enum SuperuserWarning {
  /// Returns the warning; `nil` if the session is not a superuser's, or if no other role owns
  /// anything.
  package static func diagnostic(
    _ connection: borrowing PostgresConnection
  ) throws -> Diagnostic? {
    let row = try connection.query(
      """
      SELECT r.rolname, EXISTS (SELECT FROM pg_shdepend d JOIN pg_roles o ON o.oid = d.refobjid \
      WHERE d.refclassid = 'pg_authid'::regclass AND d.deptype = 'o' AND NOT o.rolsuper \
      AND d.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())) AS shares \
      FROM pg_roles r WHERE r.rolsuper AND pg_has_role(session_user, r.oid, 'MEMBER') \
      ORDER BY r.rolname = session_user DESC LIMIT 1
      """
    ).first
    guard let row, row.boolean("shares") == true else { return nil }
    return Diagnostic(
      .warning,
      "the session is a superuser's, and other roles own objects in the database",
      detail: "Their objects could run with the rights of \"\(row["rolname"] ?? "")\".",
      hint: "Log in as a role that is no superuser: the owner of the tables, or a member of it."
    )
  }
}
