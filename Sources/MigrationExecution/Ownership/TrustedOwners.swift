internal import SQLSyntax

/// Whose objects are believed and may run in a session: the current role's, those of roles that it is a
/// member of, of superusers, and of roles that the user names.
///
/// What runs in a session can go back to the role of the login. So if that is a superuser, or can take on
/// a superuser's role, its memberships count, whatever role it has taken on; of this one, nothing but its
/// own objects is believed.
///
/// A role that is no superuser trusts the owner of the database besides, who can replace what it has
/// anyway. One that cannot even make a table in the schema of the store only looks, and believes those
/// who own the schema or may make tables there.
///
/// The conditions read nothing but the server's catalog, and mean the same whatever the settings of a
/// session are: they have to be true before anything else is looked at.
struct TrustedOwners {
  let store: StoreIdentity
  /// Whether something is written, which a role that only looks is not believed for.
  var isWriting = false

  /// The beginning of a query that uses the condition.
  ///
  /// It has the role whose rights the session can have, whether it is a superuser, its memberships, by which it
  /// can take on another role or has its rights, and all roles that are trusted. These are a table of their
  /// own, because the server plans a condition again wherever it is written.
  var tables: SQLFragment {
    """
    WITH RECURSIVE login (role) AS (SELECT r.oid FROM pg_catalog.pg_roles r \
    WHERE r.rolname OPERATOR(pg_catalog.=) SESSION_USER UNION SELECT m.roleid FROM login l \
    JOIN pg_catalog.pg_auth_members m ON m.member OPERATOR(pg_catalog.=) l.role \
    WHERE \(isUsable("set_option")) OR \(isUsable("inherit_option"))), \
    acting (role, is_superuser, looks) AS (SELECT r.oid, s.is_superuser, \
    NOT s.is_superuser AND NOT COALESCE(\
    (SELECT pg_catalog.has_schema_privilege(n.oid, 'CREATE') FROM pg_catalog.pg_namespace n \
    WHERE n.nspname OPERATOR(pg_catalog.=) \(name(store.schema))), false) \
    FROM (SELECT EXISTS (SELECT FROM login l JOIN pg_catalog.pg_roles r \
    ON r.oid OPERATOR(pg_catalog.=) l.role WHERE r.rolsuper) AS is_superuser) s \
    JOIN pg_catalog.pg_roles r ON r.rolname OPERATOR(pg_catalog.=) \
    CASE WHEN s.is_superuser THEN SESSION_USER ELSE CURRENT_USER END), \
    own (role) AS (SELECT a.role FROM acting a UNION SELECT m.roleid \
    FROM own JOIN pg_catalog.pg_auth_members m ON m.member OPERATOR(pg_catalog.=) own.role \
    WHERE \(isUsable("set_option")) OR \(isUsable("inherit_option"))), \
    trusted (role) AS MATERIALIZED (SELECT role FROM own UNION ALL \
    SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolsuper \
    OR r.rolname OPERATOR(pg_catalog.=) CURRENT_USER\(named) UNION ALL \
    SELECT d.datdba FROM pg_catalog.pg_database d JOIN acting a ON NOT a.is_superuser \
    WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()\(isWriting ? "" : ownersOfSchema))
    """
  }

  /// The condition that a role is trusted.
  ///
  /// - Parameter role: The number of the role.
  /// - Returns: The condition, for a query that begins with ``tables``.
  func include(_ role: SQLFragment) -> SQLFragment {
    "EXISTS (SELECT FROM trusted WHERE trusted.role OPERATOR(pg_catalog.=) \(role))"
  }

  /// Those who own the schema of the store or may create tables there, for a role that only looks.
  private var ownersOfSchema: SQLFragment {
    """
     UNION ALL SELECT o.role FROM acting a JOIN pg_catalog.pg_namespace n ON a.looks \
    CROSS JOIN LATERAL (SELECT n.nspowner UNION ALL SELECT x.grantee \
    FROM pg_catalog.aclexplode(n.nspacl) x \
    WHERE x.privilege_type OPERATOR(pg_catalog.=) 'CREATE') o (role) \
    WHERE n.nspname OPERATOR(pg_catalog.=) \(name(store.schema))
    """
  }

  /// Roles that the user has named.
  private var named: SQLFragment {
    guard !store.trustedOwners.isEmpty else { return "" }
    return " OR r.rolname OPERATOR(pg_catalog.=) ANY (\(Self.names(store.trustedOwners.sorted())))"
  }

  private func name(_ identifier: SQLIdentifier) -> SQLFragment {
    "\(text: identifier.name)::pg_catalog.name"
  }

  /// A membership does not let one use the role where servers since 16 say so.
  private func isUsable(_ option: SQLIdentifier) -> SQLFragment {
    """
    COALESCE(pg_catalog.to_jsonb(m) OPERATOR(pg_catalog.->>) \(text: option.name), 'true') \
    OPERATOR(pg_catalog.=) 'true'
    """
  }

  /// Names as an array of the server's type for them.
  static func names(_ names: [SQLIdentifier]) -> SQLFragment {
    let list = names.map { "\(text: $0.name)" as SQLFragment }.joined(separator: ", ")
    return "ARRAY[\(list)]::pg_catalog.name[]"
  }
}
