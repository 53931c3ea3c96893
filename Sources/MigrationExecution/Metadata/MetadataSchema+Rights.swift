internal import SQLSyntax

extension MetadataSchema {
  /// Takes back what default privileges have given to others: what stands in the metadata is run, so nobody
  /// else writes to it.
  ///
  /// - Parameter layout: The layout before; what that had, keeps its rights. None if all of it is new.
  /// - Returns: Statements for the transaction that has made the relations.
  func withdrawnRights(since layout: Int?) -> [SQLFragment] {
    let names = MetadataRelation.all.filter { $0.layout > layout ?? 0 }
      .map { "\(SQLLiteral.text($0.name.name))" as SQLFragment }
    let namespace = SQLLiteral.text(name.name)
    let grantee: SQLFragment = "coalesce(nullif(a.grantee, 0::oid)::regrole::text, 'PUBLIC')"
    var withdrawals: [SQLFragment] = []
    if !names.isEmpty {
      withdrawals.append(
        """
        SELECT format('REVOKE %s ON %s %s FROM %s CASCADE', \
        string_agg(DISTINCT a.privilege_type, ', '), \
        CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass, \(grantee)) \
        FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid, aclexplode(c.relacl) a \
        WHERE n.nspname = \(namespace) AND (c.relname IN (\(names.joined(separator: ", "))) \
        OR c.relkind = 'S') \
        AND a.grantee <> c.relowner AND (a.grantee <> 0 OR a.privilege_type <> 'SELECT') \
        GROUP BY c.oid, a.grantee
        """
      )
    }
    if layout == nil {
      withdrawals.append(
        """
        SELECT format('REVOKE CREATE ON SCHEMA %I FROM %s CASCADE', n.nspname, \(grantee)) \
        FROM pg_namespace n, aclexplode(n.nspacl) a WHERE n.nspname = \(namespace) \
        AND n.xmin = pg_current_xact_id()::xid \
        AND a.privilege_type = 'CREATE' AND a.grantee <> n.nspowner AND NOT EXISTS (\
        SELECT FROM pg_roles r WHERE r.oid = a.grantee AND r.rolname = current_user)
        """
      )
    }
    guard !withdrawals.isEmpty else { return [] }
    let body: SQLFragment = """

      DECLARE
        withdrawal text;
      BEGIN
        FOR withdrawal IN \(withdrawals.joined(separator: " UNION ALL ")) LOOP
          EXECUTE withdrawal;
        END LOOP;
      END

      """
    return ["DO \(body.dollarQuoted)"]
  }
}
