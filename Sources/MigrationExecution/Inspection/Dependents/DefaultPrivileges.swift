package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// The privileges that objects get when they are created in a schema, but not when they are moved
/// to it.
package struct DefaultPrivileges {
  private let ofTables: [ObjectGrants.Grant]
  private let ofSequences: [ObjectGrants.Grant]

  /// Reads the default privileges of the role that migrates.
  package init(_ store: StoreIdentity, _ connection: borrowing PostgresConnection) throws {
    let rows = try connection.query(
      """
      SELECT d.defaclobjtype AS kind, CASE WHEN x.grantee > 0 THEN pg_get_userbyid(x.grantee)::text \
      END AS grantee, x.privilege_type AS privilege, x.is_grantable, \
      pg_get_userbyid(x.grantor)::text AS grantor FROM pg_default_acl d \
      JOIN pg_namespace n ON n.oid = d.defaclnamespace, aclexplode(d.defaclacl) \
      WITH ORDINALITY AS x (grantor, grantee, privilege_type, is_grantable, number) \
      WHERE n.nspname = $1 AND pg_get_userbyid(d.defaclrole) = \(ActingRole.name) \
      ORDER BY 1, x.number
      """,
      [store.schema.name]
    )
    func grants(_ kind: String) -> [ObjectGrants.Grant] {
      rows.filter { $0["kind"] == kind }.map { row in
        ObjectGrants.Grant(
          grantee: row["grantee"],
          privilege: row["privilege"] ?? "",
          isGrantable: row.boolean("is_grantable") == true,
          grantor: row["grantor"] ?? ""
        )
      }
    }
    ofTables = grants("r")
    ofSequences = grants("S")
  }

  /// Returns a step that gives its new tables the privileges that they would get if they were
  /// created in place.
  package func added(to step: MigrationStep) -> MigrationStep {
    step.granting(
      step.newTables.flatMap { table in
        ObjectGrants.statements(ofTables, "TABLE \(table.name)", columns: [])
          .map { ($0, table.name.name) }
          + table.sequences.flatMap { sequence in
            ObjectGrants.statements(ofSequences, "SEQUENCE \(sequence)", columns: [])
              .map { ($0, sequence.name) }
          }
      }
    )
  }
}
