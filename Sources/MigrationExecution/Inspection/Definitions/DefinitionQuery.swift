internal import CatalogComparison
internal import SQLSyntax

/// Queries the catalog for the definitions of all objects of a kind that belong to some tables.
///
/// The same queries record definitions and read them, so that both texts are the server's. They do
/// not depend on the `search_path`: only names in `pg_catalog` are unqualified.
struct DefinitionQuery {
  /// The schema of the tables.
  let schema: SQLIdentifier
  /// A query for the names of the tables.
  let tables: SQLFragment
  /// The names of the functions of triggers, by the tables that these are of.
  let functions: [String: [String]]

  /// The kinds that a migration records; the others are only ever additions.
  static let recordedKinds: [CatalogObject.Kind] = [
    .table, .column, .constraint, .index, .sequence, .trigger, .function,
  ]

  /// Returns the query for `table_name`, `name` and `definition`; `nil` for a kind without a query.
  func sql(_ kind: CatalogObject.Kind) -> SQLFragment? {
    switch kind {
    case .schema, .metadata, .view: nil
    case .table: tableQuery
    case .column: columnQuery
    case .constraint: constraintQuery
    case .index: indexQuery
    case .sequence: sequenceQuery
    case .trigger: triggerQuery
    case .function: functionQuery
    case .rule: ruleQuery
    case .policy: policyQuery
    case .child: childQuery
    }
  }

  /// The condition that `c` is one of the tables; the names are cast so that the index finds them
  /// among the tables of any number of other schemas.
  private var isAskedFor: SQLFragment {
    """
    c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = \(text: schema.name)) \
    AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname IN (SELECT asked.name::name FROM (\(tables)) AS asked (name))
    """
  }

  private static let qualifiedRelation: SQLFragment = """
    SELECT format('%I.%I', rn.nspname, r.relname) FROM pg_class r \
    JOIN pg_namespace rn ON rn.oid = r.relnamespace
    """

  // MARK: - Tables and columns

  /// The partition key of relation `c`, with names as they are: `RANGE (placed)`; none if it has no partitions.
  static let partitionKey: SQLFragment = """
    SELECT CASE WHEN 0 = ANY (k.partattrs) THEN pg_get_partkeydef(c.oid) ELSE \
    CASE k.partstrat WHEN 'r' THEN 'RANGE' WHEN 'l' THEN 'LIST' ELSE 'HASH' END || ' (' \
    || (SELECT string_agg(a.attname, ', ' ORDER BY array_position(k.partattrs::int2[], a.attnum)) \
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (k.partattrs)) || ')' END \
    FROM pg_partitioned_table k WHERE k.partrelid = c.oid
    """

  private var tableQuery: SQLFragment {
    """
    SELECT c.relname::text AS table_name, '' AS name, jsonb_build_object(\
    'relationKind', CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' \
    WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'foreign table' END, \
    'partitionKey', (\(Self.partitionKey)), \
    'persistence', CASE c.relpersistence WHEN 'u' THEN 'unlogged' WHEN 't' THEN 'temporary' \
    ELSE 'permanent' END, \
    'rowSecurity', CASE WHEN NOT c.relrowsecurity THEN NULL WHEN c.relforcerowsecurity THEN 'forced' \
    ELSE 'on' END, \
    'replicaIdentity', CASE c.relreplident WHEN 'd' THEN 'default' WHEN 'n' THEN 'nothing' \
    WHEN 'f' THEN 'full' ELSE 'index ' || coalesce((SELECT i.relname::text FROM pg_index x \
    JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid AND x.indisreplident), '') END, \
    'inherits', (SELECT string_agg(p.name, ', ') FROM (SELECT (\(Self.qualifiedRelation) \
    WHERE r.oid = h.inhparent) AS name FROM pg_inherits h WHERE h.inhrelid = c.oid \
    ORDER BY h.inhseqno) p), \
    'accessMethod', (SELECT m.amname FROM pg_am m WHERE m.oid = c.relam), \
    'storage', (SELECT string_agg(option_name || '=' || option_value, ', ' ORDER BY option_name) \
    FROM pg_options_to_table(c.reloptions)), \
    'owner', pg_get_userbyid(c.relowner)) AS definition FROM pg_class c WHERE \(isAskedFor)
    """
  }

  private var columnQuery: SQLFragment {
    """
    SELECT c.relname::text AS table_name, a.attname::text AS name, jsonb_build_object(\
    'type', format_type(a.atttypid, a.atttypmod), \
    'collation', CASE WHEN a.attcollation <> t.typcollation THEN (SELECT format('%I.%I', ln.nspname, \
    l.collname) FROM pg_collation l JOIN pg_namespace ln ON ln.oid = l.collnamespace \
    WHERE l.oid = a.attcollation) END, \
    'nullability', CASE WHEN NOT a.attnotnull THEN 'NULL' WHEN k.convalidated IS FALSE \
    THEN 'NOT NULL NOT VALID' ELSE 'NOT NULL' END, \
    'notNullConstraint', k.conname, \
    'defaultExpression', CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END, \
    'identity', CASE a.attidentity WHEN 'a' THEN 'ALWAYS' WHEN 'd' THEN 'BY DEFAULT' END, \
    'generation', CASE WHEN a.attgenerated <> '' THEN '(' || pg_get_expr(d.adbin, d.adrelid) || ') ' \
    || CASE a.attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END END) AS definition \
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 \
    AND NOT a.attisdropped JOIN pg_type t ON t.oid = a.atttypid \
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
    LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'n' \
    AND k.conkey = ARRAY[a.attnum] WHERE \(isAskedFor)
    """
  }

  private var sequenceQuery: SQLFragment {
    """
    SELECT c.relname::text AS table_name, s.relname::text AS name, jsonb_build_object(\
    'column', a.attname, 'type', format_type(q.seqtypid, NULL), 'start', q.seqstart::text, \
    'increment', q.seqincrement::text, 'minimum', q.seqmin::text, 'maximum', q.seqmax::text, \
    'cache', q.seqcache::text, 'cycle', CASE WHEN q.seqcycle THEN 'CYCLE' ELSE 'NO CYCLE' END\
    ) AS definition FROM pg_class c JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass \
    AND d.refobjid = c.oid AND d.refobjsubid > 0 AND d.classid = 'pg_class'::regclass \
    AND d.deptype IN ('i', 'a') JOIN pg_class s ON s.oid = d.objid JOIN pg_sequence q ON q.seqrelid = s.oid \
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid WHERE \(isAskedFor)
    """
  }

  // MARK: - Constraints and indexes

  /// That a constraint is not yet validated is a facet of its own.
  private var constraintQuery: SQLFragment {
    """
    SELECT c.relname::text AS table_name, k.conname::text AS name, jsonb_build_object(\
    'constraintKind', CASE k.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' \
    WHEN 'c' THEN 'CHECK' WHEN 'f' THEN 'FOREIGN KEY' ELSE 'EXCLUDE' END, \
    'columns', (SELECT string_agg(a.attname::text, ', ' ORDER BY o.number) \
    FROM unnest(k.conkey) WITH ORDINALITY AS o (attnum, number) \
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = o.attnum), \
    'references', (SELECT rn.nspname || '.' || r.relname FROM pg_class r \
    JOIN pg_namespace rn ON rn.oid = r.relnamespace WHERE r.oid = k.confrelid), \
    'onDelete', CASE WHEN k.contype = 'f' THEN CASE k.confdeltype WHEN 'a' THEN 'NO ACTION' \
    WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' \
    ELSE 'SET DEFAULT' END END, \
    'deferrability', CASE WHEN NOT k.condeferrable THEN 'NOT DEFERRABLE' WHEN k.condeferred \
    THEN 'INITIALLY DEFERRED' ELSE 'DEFERRABLE' END, \
    'validity', CASE WHEN k.convalidated THEN 'valid' ELSE 'NOT VALID' END, \
    'enforcement', CASE WHEN EXISTS (SELECT FROM pg_trigger g WHERE g.tgconstraint = k.oid \
    AND g.tgenabled IN ('D', 'R')) THEN 'disabled' ELSE 'enabled' END, \
    'definition', regexp_replace(pg_get_constraintdef(k.oid), ' NOT VALID$', '')) AS definition \
    FROM pg_class c JOIN pg_constraint k ON k.conrelid = c.oid \
    AND k.contype IN ('p', 'u', 'c', 'f', 'x') \
    AND NOT (k.contype = 'f' AND k.conparentid <> 0) WHERE \(isAskedFor)
    """
  }

  /// The storage of an index is left to its administrator.
  private var indexQuery: SQLFragment {
    """
    SELECT c.relname::text AS table_name, i.relname::text AS name, jsonb_build_object(\
    'columns', (SELECT string_agg(coalesce(a.attname::text, '(expression)') \
    || CASE WHEN x.indoption[o.number - 1] & 1 = 1 THEN ' DESC' ELSE '' END, ', ' ORDER BY o.number) \
    FROM unnest(x.indkey::smallint[]) WITH ORDINALITY AS o (attnum, number) \
    LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = o.attnum \
    WHERE o.number <= x.indnkeyatts), \
    'uniqueness', CASE WHEN x.indisunique THEN 'unique' END, \
    'extent', CASE WHEN x.indpred IS NOT NULL THEN 'partial' END, \
    'validity', CASE WHEN x.indisvalid AND x.indisready AND x.indislive THEN 'valid' \
    ELSE 'invalid' END, \
    'definition', CASE WHEN i.relkind = 'I' \
    THEN regexp_replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON ') \
    WHEN i.reloptions IS NULL THEN pg_get_indexdef(i.oid) ELSE \
    regexp_replace(pg_get_indexdef(i.oid), ' WITH \\(([^()'']|''[^'']*'')*\\)', '') END\
    ) AS definition FROM pg_class c JOIN pg_index x ON x.indrelid = c.oid \
    JOIN pg_class i ON i.oid = x.indexrelid WHERE \(isAskedFor) AND NOT EXISTS (\
    SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.conindid = x.indexrelid \
    AND k.contype IN ('p', 'u', 'x'))
    """
  }

  // MARK: - Triggers

  private var triggerQuery: SQLFragment {
    """
    SELECT c.relname::text AS table_name, g.tgname::text AS name, jsonb_build_object(\
    'firing', CASE g.tgenabled WHEN 'O' THEN 'enabled' WHEN 'D' THEN 'disabled' \
    WHEN 'R' THEN 'enabled for replicas only' ELSE 'enabled always' END, \
    'function', (SELECT pn.nspname || '.' || p.proname FROM pg_proc p \
    JOIN pg_namespace pn ON pn.oid = p.pronamespace WHERE p.oid = g.tgfoid), \
    'definition', pg_get_triggerdef(g.oid)) AS definition \
    FROM pg_class c JOIN pg_trigger g ON g.tgrelid = c.oid AND NOT g.tgisinternal \
    WHERE \(isAskedFor)
    """
  }

  /// A function may be there without its trigger.
  private var functionQuery: SQLFragment {
    """
    SELECT o.key AS table_name, p.proname::text AS name, jsonb_build_object(\
    'definition', pg_get_functiondef(p.oid)) AS definition \
    FROM json_each(\(text: JSONText.text(functions))::json) AS o \
    CROSS JOIN LATERAL json_array_elements_text(o.value) AS f (name) \
    JOIN pg_proc p ON p.proname = f.name::name AND p.pronargs = 0 AND p.pronamespace = \
    (SELECT oid FROM pg_namespace WHERE nspname = \(text: schema.name))
    """
  }

  // MARK: - What only others add

  private var ruleQuery: SQLFragment {
    """
    SELECT c.relname::text AS table_name, w.rulename::text AS name, jsonb_build_object(\
    'definition', pg_get_ruledef(w.oid)) AS definition FROM pg_class c \
    JOIN pg_rewrite w ON w.ev_class = c.oid AND w.rulename <> '_RETURN' WHERE \(isAskedFor)
    """
  }

  private var policyQuery: SQLFragment {
    """
    SELECT c.relname::text AS table_name, p.polname::text AS name, jsonb_build_object(\
    'definition', concat_ws(' ', CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END, \
    'FOR', CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' \
    WHEN 'd' THEN 'DELETE' ELSE 'ALL' END, 'TO', (SELECT string_agg(CASE WHEN r.id = 0 THEN 'PUBLIC' \
    ELSE quote_ident(pg_get_userbyid(r.id)) END, ', ') FROM unnest(p.polroles) AS r (id)), \
    'USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', \
    'WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')) AS definition \
    FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid WHERE \(isAskedFor)
    """
  }

  private var childQuery: SQLFragment {
    """
    SELECT c.relname::text AS table_name, hn.nspname || '.' || h.relname AS name, \
    jsonb_build_object('relationKind', CASE WHEN h.relispartition THEN 'partition' \
    ELSE 'table that inherits' END, 'references', format('%I.%I', hn.nspname, h.relname), \
    'definition', CASE WHEN h.relispartition THEN 'partition ' || pg_get_expr(h.relpartbound, h.oid) \
    ELSE 'table that inherits' END) AS definition FROM pg_class c \
    JOIN pg_inherits ih ON ih.inhparent = c.oid JOIN pg_class h ON h.oid = ih.inhrelid \
    JOIN pg_namespace hn ON hn.oid = h.relnamespace WHERE \(isAskedFor)
    """
  }
}
