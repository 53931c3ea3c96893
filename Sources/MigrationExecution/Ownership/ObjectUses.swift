internal import SQLSyntax

/// Queries for the objects that relations call or read, by the server's own record of dependencies.
enum ObjectUses {
  /// The functions, operators, types and relations of users that a relation uses through its columns,
  /// constraints, defaults, indexes, rules, triggers, policies and statistics.
  ///
  /// - Parameter relation: The name that `pg_class` has in the query around it.
  /// - Returns: A query with the columns `class`, `id` and `owner`.
  static func ofRelation(_ relation: SQLFragment) -> SQLFragment {
    uses(of: parts(of: relation), besides: relation)
  }

  /// The same for a function, an operator or a type: the objects that its definition calls, that
  /// the constraints of a domain call, and the types of a composite type's columns.
  ///
  /// - Parameter object: The name of a row of the outer query with the columns `class` and `id`.
  /// - Returns: A query with the columns `class`, `id` and `owner`.
  static func ofObject(_ object: SQLFragment) -> SQLFragment {
    uses(
      of: """
        SELECT \(object).class, \(object).id UNION ALL \
        SELECT 'pg_catalog.pg_constraint'::pg_catalog.regclass, p.oid \
        FROM pg_catalog.pg_constraint p WHERE p.contypid OPERATOR(pg_catalog.=) \(object).id \
        AND \(object).class OPERATOR(pg_catalog.=) 'pg_catalog.pg_type'::pg_catalog.regclass UNION ALL \
        SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, p.typrelid \
        FROM pg_catalog.pg_type p WHERE p.oid OPERATOR(pg_catalog.=) \(object).id \
        AND \(object).class OPERATOR(pg_catalog.=) 'pg_catalog.pg_type'::pg_catalog.regclass
        """,
      besides: nil
    )
  }

  private static func uses(of parts: SQLFragment, besides relation: SQLFragment?) -> SQLFragment {
    let others: SQLFragment =
      relation.map { " AND d.refobjid OPERATOR(pg_catalog.<>) \($0).oid" } ?? ""
    // OFFSET keeps the planner from beginning with all dependencies of the database, of which it
    // expects few.
    return """
      SELECT d.refclassid AS class, d.refobjid AS id, COALESCE(\(owners)) AS owner \
      FROM (\(parts)) w (class, id) CROSS JOIN LATERAL (SELECT x.refclassid, x.refobjid \
      FROM pg_catalog.pg_depend x WHERE x.classid OPERATOR(pg_catalog.=) w.class \
      AND x.objid OPERATOR(pg_catalog.=) w.id OFFSET 0) d \
      WHERE d.refobjid OPERATOR(pg_catalog.>=) \(firstOfUsers) \
      AND d.refclassid OPERATOR(pg_catalog.=) ANY (\(classes))\(others)
      """
  }

  /// The catalogs of objects that can run code or lead to it, with the columns of their owners.
  static let catalogs: [(name: SQLFragment, owner: SQLFragment)] = [
    ("pg_proc", "proowner"), ("pg_operator", "oprowner"), ("pg_type", "typowner"),
    ("pg_class", "relowner"),
  ]

  private static var owners: SQLFragment {
    catalogs.map { catalog, owner -> SQLFragment in
      """
      (SELECT p.\(owner) FROM pg_catalog.\(catalog) p WHERE d.refclassid \
      OPERATOR(pg_catalog.=) 'pg_catalog.\(catalog)'::pg_catalog.regclass \
      AND p.oid OPERATOR(pg_catalog.=) d.refobjid)
      """
    }.joined(separator: ", ")
  }

  private static var classes: SQLFragment {
    let all = catalogs.map { "'pg_catalog.\($0.name)'::pg_catalog.regclass" as SQLFragment }
    return "ARRAY[\(all.joined(separator: ", "))]::pg_catalog.oid[]"
  }

  /// The first number of objects that users create.
  private static let firstOfUsers: SQLFragment = "'16384'::pg_catalog.oid"

  /// A relation, and all that belongs to it.
  private static func parts(of relation: SQLFragment) -> SQLFragment {
    let parts: [(SQLFragment, SQLFragment)] = [
      ("pg_constraint", "conrelid"), ("pg_attrdef", "adrelid"), ("pg_rewrite", "ev_class"),
      ("pg_policy", "polrelid"), ("pg_statistic_ext", "stxrelid"),
    ]
    let others = parts.map { catalog, column -> SQLFragment in
      """
      UNION ALL SELECT 'pg_catalog.\(catalog)'::pg_catalog.regclass, p.oid \
      FROM pg_catalog.\(catalog) p WHERE p.\(column) OPERATOR(pg_catalog.=) \(relation).oid
      """
    }
    return """
      SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, \(relation).oid UNION ALL \
      SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, p.indexrelid FROM pg_catalog.pg_index p \
      WHERE p.indrelid OPERATOR(pg_catalog.=) \(relation).oid UNION ALL \
      SELECT 'pg_catalog.pg_trigger'::pg_catalog.regclass, p.oid FROM pg_catalog.pg_trigger p \
      WHERE p.tgrelid OPERATOR(pg_catalog.=) \(relation).oid AND NOT p.tgisinternal \
      \(others.joined(separator: " "))
      """
  }
}
