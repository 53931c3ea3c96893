internal import SQLSyntax

/// The privileges on an object, as its access control list has them.
struct ObjectGrants: Decodable {
  let grants: [Grant]?
  /// Whether the object has its default privileges.
  let isDefault: Bool
  /// The roles to which the current role's default privileges would grant rights on a new object.
  let defaultGrantees: [String]?

  /// One privilege of one role.
  struct Grant: Decodable {
    /// The role; none for everybody.
    let grantee: String?
    let privilege: String
    let isGrantable: Bool
    let grantor: String
  }

  /// Returns the JSON object with these values.
  ///
  /// - Parameters:
  ///   - list: The access control list.
  ///   - kind: The kind of the object, as `acldefault` and `pg_default_acl` have it.
  ///   - owner: The role that owns the object.
  ///   - schema: The schema that it is in.
  /// - Returns: The expression of the object.
  static func json(
    _ list: SQLFragment,
    kind: SQLLiteral,
    owner: SQLFragment,
    schema: SQLFragment
  ) -> SQLFragment {
    """
    json_build_object('isDefault', \(list) IS NULL, 'grants', \
    \(grants("coalesce(\(list), acldefault(\(kind), \(owner)))")), 'defaultGrantees', \
    (SELECT json_agg(DISTINCT pg_get_userbyid(x.grantee)) FROM pg_default_acl a, \
    aclexplode(a.defaclacl) x WHERE pg_get_userbyid(a.defaclrole) = \(ActingRole.name) \
    AND a.defaclobjtype = \(kind) AND a.defaclnamespace IN (0, \(schema)) AND x.grantee > 0))
    """
  }

  /// Returns the JSON array of the privileges in a list.
  static func grants(_ list: SQLFragment) -> SQLFragment {
    """
    (SELECT json_agg(json_build_object('grantee', CASE WHEN x.grantee > 0 \
    THEN pg_get_userbyid(x.grantee) END, 'privilege', x.privilege_type, \
    'isGrantable', x.is_grantable, 'grantor', pg_get_userbyid(x.grantor)) ORDER BY x.number) \
    FROM aclexplode(\(list)) WITH ORDINALITY \
    AS x (grantor, grantee, privilege_type, is_grantable, number))
    """
  }

  /// Returns the statements that give a new object of an owner these privileges and no others.
  func statements(_ target: SQLFragment, owner: String) -> [SQLFragment] {
    guard let roles = revokedRoles(owner: owner) else { return [] }
    return ["REVOKE ALL ON \(target) FROM PUBLIC, \(roles)"]
      + Self.statements(grants ?? [], target, columns: [])
  }

  /// Returns the roles that may have other privileges on a new object of an owner; `nil` if it has
  /// the right ones.
  func revokedRoles(owner: String) -> [SQLIdentifier]? {
    let others = (defaultGrantees ?? []).filter { $0 != owner }
    guard !isDefault || defaultGrantees != nil else { return nil }
    return ([owner] + others).map { SQLIdentifier($0) }
  }

  /// Returns privileges, those of one role and one kind of grant together.
  static func runs(_ grants: [Grant]) -> [[Grant]] {
    var runs: [[Grant]] = []
    var rest = grants[...]
    while let first = rest.first {
      let run = rest.prefix { $0.grantee == first.grantee && $0.isGrantable == first.isGrantable }
      rest = rest.dropFirst(run.count)
      runs.append(Array(run))
    }
    return runs
  }

  /// Returns the statements that grant privileges, one for each role and kind of grant.
  ///
  /// - Parameters:
  ///   - grants: The privileges.
  ///   - target: The object.
  ///   - columns: The columns; none for the whole object.
  /// - Returns: The statements.
  static func statements(
    _ grants: [Grant],
    _ target: SQLFragment,
    columns: [SQLIdentifier]
  ) -> [SQLFragment] {
    runs(grants).map { run in
      let names = columns.isEmpty ? "" as SQLFragment : " (\(columns))"
      let privileges = run.map { "\(SQLFragment(deparsed: $0.privilege))\(names)" as SQLFragment }
      let grantee: SQLFragment = run.first?.grantee.map { "\(SQLIdentifier($0))" } ?? "PUBLIC"
      let option: SQLFragment = run.first?.isGrantable == true ? " WITH GRANT OPTION" : ""
      return "GRANT \(privileges.joined(separator: ", ")) ON \(target) TO \(grantee)\(option)"
    }
  }

  /// Returns why privileges cannot be granted again: only a role itself can grant in its name.
  static func obstacle(_ grants: [Grant]?, owner: String) -> String? {
    guard let grantor = grants?.first(where: { $0.grantor != owner })?.grantor else { return nil }
    return "Role \"\(grantor)\", which does not own it, has granted privileges on it."
  }
}
