package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// The privileges that roles need at the place of links that their release does not know, since the triggers that keep
/// both places in step run with their rights.
package struct LinkPrivileges {
  private let schema: SQLIdentifier

  /// Creates the privileges of a store.
  package init(_ store: StoreIdentity) {
    schema = store.schema
  }

  /// Returns a step that grants those who write links at one place what they need at the other.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - connection: The database, before the step.
  /// - Returns: The step.
  /// - Throws: The server's error.
  package func added(
    to step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws -> MigrationStep {
    var grants: [(SQLFragment, SQLIdentifier)] = []
    for access in step.linkAccesses {
      let grantees = try writers(of: access.tables, connection)
      for target in access.targets {
        for grantee in grantees {
          let sql: SQLFragment =
            "GRANT \(target.privileges) ON TABLE \(target.table) TO \(grantee)"
          grants.append((sql, target.table.name))
        }
      }
    }
    return step.granting(grants)
  }

  /// Returns the roles that may write rows of tables or single columns of them.
  private func writers(
    of tables: [SQLIdentifier],
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLFragment] {
    let names = tables.map { "\(text: $0.name)" as SQLFragment }.joined(separator: ", ")
    let rows = try connection.query(
      """
      SELECT DISTINCT CASE WHEN x.grantee > 0 THEN pg_get_userbyid(x.grantee)::text END AS grantee \
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace, \
      LATERAL (SELECT * FROM aclexplode(c.relacl) UNION ALL SELECT e.* FROM pg_attribute AS a, \
      aclexplode(a.attacl) AS e WHERE a.attrelid = c.oid AND NOT a.attisdropped) AS x \
      WHERE n.nspname = \(text: schema.name) AND c.relname IN (\(names)) \
      AND x.privilege_type IN ('INSERT', 'UPDATE', 'DELETE') AND x.grantee <> c.relowner ORDER BY 1
      """
    )
    return rows.map { row in row["grantee"].map { "\(SQLIdentifier($0))" } ?? "PUBLIC" }
  }
}
