import PostgresClient
import SQLSyntax

/// Everything that there is to say of the objects of users, in the server's own words, but for the
/// types of columns.
struct DependentSnapshot: Hashable {
  private(set) var lines: Set<String> = []

  init(_ url: String) throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    for query in Self.queries {
      for row in try connection.query(query) { lines.insert(row.values.map { $0 ?? "" }.joined()) }
    }
  }

  /// The lines that only one of two snapshots has.
  func difference(to other: DependentSnapshot) -> [String] {
    lines.subtracting(other.lines).sorted().map { "- \($0)" }
      + other.lines.subtracting(lines).sorted().map { "+ \($0)" }
  }

  private static func grants(
    _ list: SQLFragment,
    _ kind: SQLLiteral,
    _ owner: SQLFragment
  ) -> SQLFragment {
    """
    (SELECT string_agg(concat_ws('/', x.grantor::regrole, x.grantee::regrole, x.privilege_type, \
    x.is_grantable), ' ' ORDER BY x.grantee, x.privilege_type) \
    FROM aclexplode(coalesce(\(list), acldefault(\(kind), \(owner)))) x)
    """
  }

  private static let queries: [SQLFragment] = [
    """
    SELECT concat_ws('|', 'relation', c.oid::regclass, c.relkind, pg_get_viewdef(c.oid), \
    c.relowner::regrole, \(grants("c.relacl", .text("r"), "c.relowner")), \
    (SELECT string_agg(o, ',' ORDER BY o) FROM unnest(c.reloptions) o), \
    obj_description(c.oid, 'pg_class'), c.relispopulated, c.reltablespace, \
    (SELECT reloptions FROM pg_class WHERE oid = c.reltoastrelid)) \
    FROM pg_class c WHERE c.relkind IN ('v', 'm') AND c.relnamespace >= 2200 \
    AND c.relnamespace NOT IN ('remodel'::regnamespace, 'information_schema'::regnamespace)
    """,
    """
    SELECT concat_ws('|', 'column', c.oid::regclass, a.attnum, a.attname, \
    pg_get_expr(d.adbin, d.adrelid), \(grants("a.attacl", .text("c"), "c.relowner")), \
    col_description(c.oid, a.attnum), nullif(a.attstattarget, -1), \
    (SELECT string_agg(o, ',' ORDER BY o) FROM unnest(a.attoptions) o WHERE o NOT LIKE 'pg\\_%'), \
    a.attcompression, CASE c.relkind WHEN 'm' THEN a.attstorage END) \
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 \
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
    WHERE c.relkind IN ('v', 'm') AND c.oid > 16383 AND c.relnamespace <> 'remodel'::regnamespace
    """,
    """
    SELECT concat_ws('|', 'index', i.oid::regclass, pg_get_indexdef(i.oid), x.indisclustered, \
    obj_description(i.oid, 'pg_class'), i.reloptions, i.relowner::regrole, (SELECT array_agg(\
    a.attstattarget) FROM pg_attribute a WHERE a.attrelid = i.oid AND a.attstattarget >= 0)) \
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid \
    WHERE t.relnamespace NOT IN ('remodel'::regnamespace, 'pg_toast'::regnamespace) AND t.oid > 16383
    """,
    """
    SELECT concat_ws('|', 'routine', p.oid::regprocedure, CASE p.prokind WHEN 'a' THEN '' \
    ELSE pg_get_functiondef(p.oid) END, p.proowner::regrole, \
    \(grants("p.proacl", .text("f"), "p.proowner")), obj_description(p.oid, 'pg_proc')) \
    FROM pg_proc p WHERE p.oid > 16383
    """,
    """
    SELECT concat_ws('|', 'policy', p.polrelid::regclass, p.polname, p.polcmd, p.polpermissive, \
    p.polroles::regrole[], pg_get_expr(p.polqual, p.polrelid), \
    pg_get_expr(p.polwithcheck, p.polrelid), obj_description(p.oid, 'pg_policy')) FROM pg_policy p
    """,
    """
    SELECT concat_ws('|', 'trigger', pg_get_triggerdef(t.oid), t.tgenabled, \
    obj_description(t.oid, 'pg_trigger')) FROM pg_trigger t WHERE NOT t.tgisinternal
    """,
    """
    SELECT concat_ws('|', 'rule', pg_get_ruledef(r.oid), r.ev_enabled, \
    obj_description(r.oid, 'pg_rewrite')) FROM pg_rewrite r \
    WHERE r.oid > 16383 AND r.rulename <> '_RETURN'
    """,
    """
    SELECT concat_ws('|', 'statistics', pg_get_statisticsobjdef(s.oid), s.stxowner::regrole, \
    nullif(s.stxstattarget, -1), obj_description(s.oid, 'pg_statistic_ext')) FROM pg_statistic_ext s
    """,
    """
    SELECT concat_ws('|', 'publication', p.pubname, r.prrelid::regclass, (SELECT array_agg(a.attname \
    ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = r.prrelid \
    AND a.attnum = ANY (r.prattrs)), pg_get_expr(r.prqual, r.prrelid)) \
    FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid
    """,
  ]
}
