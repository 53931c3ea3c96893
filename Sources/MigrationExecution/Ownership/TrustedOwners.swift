internal import SQLSyntax

/// The roles whose objects are trusted and may run in a session: the current role, the roles that
/// it is a member of, superusers, and roles that the user names.
///
/// Code in a session can return to the role of the login. So if the login is a superuser, or a
/// member of a superuser's role, its memberships count, whatever role is set; of the set role, only
/// its own objects are trusted.
///
/// A role that is not a superuser also trusts the owner of the database, who can replace its
/// contents anyway. A role that cannot even create a table in the store's schema is read-only, and
/// trusts the owner of the schema and the roles that can create tables there.
///
/// The conditions read only the server's catalog, and do not depend on the settings of the session:
/// they must be true before anything else is read.
struct TrustedOwners {
  let store: StoreIdentity
  /// Whether a role that only looks trusts the owners of the schema, which it does not where it writes or
  /// reads about other stores.
  var trustsSchemaOwners = true

  /// The beginning of a query that uses the condition.
  ///
  /// It has the roles that the login and the current role can take on or have the rights of, the one of the
  /// two whose rights the session can have, and all roles that are trusted. These are tables of their own,
  /// because the server plans a condition again wherever it is written.
  var tables: SQLFragment {
    """
    WITH RECURSIVE reached (start, role) AS (SELECT r.rolname, r.oid FROM pg_catalog.pg_roles r \
    WHERE r.rolname OPERATOR(pg_catalog.=) SESSION_USER OR r.rolname OPERATOR(pg_catalog.=) CURRENT_USER \
    UNION SELECT l.start, m.roleid FROM reached l \
    JOIN pg_catalog.pg_auth_members m ON m.member OPERATOR(pg_catalog.=) l.role \
    WHERE \(isUsable("set_option")) OR \(isUsable("inherit_option"))), \
    acting (name, is_superuser) AS MATERIALIZED (SELECT \
    CASE WHEN s.is_superuser THEN SESSION_USER ELSE CURRENT_USER END, s.is_superuser \
    FROM (SELECT EXISTS (SELECT FROM reached l JOIN pg_catalog.pg_roles r ON r.oid OPERATOR(pg_catalog.=) \
    l.role WHERE l.start OPERATOR(pg_catalog.=) SESSION_USER AND r.rolsuper) AS is_superuser OFFSET 0) s), \
    trusted (role) AS MATERIALIZED (SELECT l.role FROM reached l \
    JOIN acting a ON l.start OPERATOR(pg_catalog.=) a.name UNION ALL \
    SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolsuper \
    OR r.rolname OPERATOR(pg_catalog.=) CURRENT_USER\(named) UNION ALL \
    SELECT d.datdba FROM pg_catalog.pg_database d JOIN acting a ON NOT a.is_superuser \
    WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()\(trustsSchemaOwners ? ownersOfSchema : ""))
    """
  }

  /// The condition that a role is trusted.
  ///
  /// - Parameter role: The number of the role.
  /// - Returns: The condition, for a query that begins with ``tables``.
  func include(_ role: SQLFragment) -> SQLFragment {
    "EXISTS (SELECT FROM trusted WHERE trusted.role OPERATOR(pg_catalog.=) \(role))"
  }

  /// The condition that nobody else owns any function, operator, type or relation of the database.
  var ownEverything: SQLFragment {
    ObjectUses.catalogs.map { catalog, owner -> SQLFragment in
      "NOT EXISTS (SELECT FROM pg_catalog.\(catalog) p WHERE NOT \(include("p.\(owner)")))"
    }.joined(separator: " AND ")
  }

  /// Those who own the schema of the store or may create tables there, for a role that only looks.
  private var ownersOfSchema: SQLFragment {
    """
     UNION ALL SELECT o.role FROM acting a JOIN pg_catalog.pg_namespace n ON NOT a.is_superuser \
    AND NOT pg_catalog.has_schema_privilege(n.oid, 'CREATE') \
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

  /// From version 16 on, a membership may not allow using the role.
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
