package import CatalogComparison
package import PostgresClient
internal import SQLSyntax

/// Reads the tables of a schema that no store has created, with all of their parts.
package struct CatalogInspection {
  private let store: StoreIdentity

  /// Creates an inspection of the schema that a store is to be in.
  package init(_ store: StoreIdentity) {
    self.store = store
  }

  /// Reads the tables, by name; not those of extensions and of other stores.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - hasMetadata: Whether there is a metadata schema, which identifies the tables of other
  ///     stores.
  /// - Returns: The tables.
  /// - Throws: The server's error.
  package func tables(
    _ connection: borrowing PostgresConnection,
    hasMetadata: Bool
  ) throws -> [CatalogTable] {
    try connection.query(tableQuery(hasMetadata: hasMetadata)).map { row in
      do {
        return try JSONText.value(CatalogTable.self, in: row["definition"])
      } catch {
        let name = row["name"] ?? ""
        throw ExecutionError(.damagedMetadata("the catalog of table \"\(name)\" cannot be read"))
      }
    }
  }

  /// Reads which other schemas have tables of their own, and how many.
  package func otherSchemas(
    _ connection: borrowing PostgresConnection
  ) throws -> [(name: String, tableCount: Int)] {
    try connection.query(
      """
      SELECT n.nspname::text AS name, count(*) AS count FROM pg_class c \
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'f') \
      AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', \
      \(text: store.schema.name), \(text: store.metadataSchema.name)) \
      AND NOT n.nspname LIKE 'pg\\_temp\\_%' AND NOT n.nspname LIKE 'remodel\\_staging\\_%' \
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass \
      AND d.objid = c.oid AND d.deptype = 'e') GROUP BY 1 ORDER BY 1
      """
    ).compactMap { row in
      guard let name = row["name"], let count = row.integer("count") else { return nil }
      return (name, count)
    }
  }

  /// Reads which tables have partitions that pg_partman makes.
  package func tablesOfPartman(_ connection: borrowing PostgresConnection) throws -> [String] {
    let extensionSchema = try connection.query(
      """
      SELECT n.nspname::text AS name FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace \
      JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'part_config' AND c.relkind = 'r' \
      WHERE e.extname = 'pg_partman' AND has_schema_privilege(n.oid, 'USAGE') \
      AND has_table_privilege(c.oid, 'SELECT')
      """
    ).value
    guard let extensionSchema else { return [] }
    let records = QualifiedName(schema: SQLIdentifier(extensionSchema), name: "part_config")
    return try connection.query(
      """
      SELECT c.relname::text COLLATE "C" AS name FROM \(records) p JOIN pg_class c \
      ON p.parent_table = \(text: store.schema.name) || '.' || c.relname JOIN pg_namespace n \
      ON n.oid = c.relnamespace WHERE n.nspname = \(text: store.schema.name) ORDER BY 1
      """
    ).compactMap { $0["name"] }
  }

  // MARK: - The query

  private func tableQuery(hasMetadata: Bool) -> SQLFragment {
    """
    SELECT c.relname::text COLLATE "C" AS name, json_build_object('name', c.relname, \
    'kind', c.relkind, 'persistence', c.relpersistence, 'isChild', c.relispartition \
    OR EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid), 'isPartition', c.relispartition AND EXISTS (SELECT FROM pg_inherits h \
    JOIN pg_class p ON p.oid = h.inhparent WHERE h.inhrelid = c.oid \
    AND p.relnamespace = c.relnamespace), 'partitioning', \(Self.partitioning), \
    'isTyped', c.reloftype <> 0, \
    'storage', (SELECT coalesce(json_object_agg(option_name, option_value), '{}') \
    FROM pg_options_to_table(c.reloptions)), \
    'columns', \(Self.columns), 'constraints', \(Self.constraints), 'indexes', \(Self.indexes), \
    'triggers', \(Self.list(Self.triggers)), 'rules', \(Self.list(Self.rules)), \
    'policies', \(Self.list(Self.policies)), 'children', \(Self.list(Self.children))) AS definition \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = \(text: store.schema.name) AND c.relkind IN ('r', 'p', 'f') \
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass \
    AND d.objid = c.oid AND d.deptype = 'e')\(others(hasMetadata: hasMetadata)) ORDER BY 1
    """
  }

  private func others(hasMetadata: Bool) -> SQLFragment {
    guard hasMetadata else { return "" }
    let metadata = MetadataSchema(name: store.metadataSchema)
    return """
       AND NOT EXISTS (SELECT FROM \(metadata.relation("store")) s \
      LEFT JOIN \(metadata.relation("store_table")) t ON t.store = s.id \
      LEFT JOIN \(metadata.relation("retained_object")) r ON r.store = s.id \
      AND r.column_name IS NULL WHERE s.schema_name = n.nspname \
      AND c.relname::text IN (t.table_name, r.table_name))
      """
  }

  private static func list(_ query: SQLFragment) -> SQLFragment {
    "(SELECT coalesce(json_agg(q.item ORDER BY q.item), '[]') FROM (\(query)) q)"
  }

  private static let triggers: SQLFragment = """
    SELECT g.tgname::text COLLATE "C" AS item FROM pg_trigger g WHERE g.tgrelid = c.oid \
    AND NOT g.tgisinternal
    """

  private static let rules: SQLFragment = """
    SELECT w.rulename::text COLLATE "C" AS item FROM pg_rewrite w WHERE w.ev_class = c.oid \
    AND w.rulename <> '_RETURN'
    """

  private static let policies: SQLFragment = """
    SELECT p.polname::text COLLATE "C" AS item FROM pg_policy p WHERE p.polrelid = c.oid
    """

  private static let children: SQLFragment = """
    SELECT (hn.nspname || '.' || h.relname) COLLATE "C" AS item FROM pg_inherits ih \
    JOIN pg_class h ON h.oid = ih.inhrelid JOIN pg_namespace hn ON hn.oid = h.relnamespace \
    WHERE ih.inhparent = c.oid AND NOT h.relispartition
    """

  /// The ends of intervals are read for one column alone, as what they are by its type.
  private static let partitioning: SQLFragment = """
    (SELECT json_build_object('strategy', k.partstrat, \
    'columns', \(names(of: "k.partattrs::smallint[]", in: "k.partrelid")), \
    'isPlain', NOT EXISTS (SELECT FROM unnest(k.partattrs::smallint[], k.partclass::oid[], \
    k.partcollation::oid[]) AS o (attnum, class_id, collation_id) LEFT JOIN pg_attribute a \
    ON a.attrelid = k.partrelid AND a.attnum = o.attnum LEFT JOIN pg_opclass p ON p.oid = o.class_id \
    WHERE o.attnum = 0 OR NOT p.opcdefault OR o.collation_id <> a.attcollation), 'partitions', \
    (SELECT coalesce(json_agg(json_build_object('bound', pg_get_expr(h.relpartbound, h.oid), \
    'isPartitioned', h.relkind = 'p', 'low', \(end("e.low")), 'high', \(end("e.high")), \
    'isAhead', coalesce(\(moment("e.low")) > timezone('UTC', now()), false)) \
    ORDER BY h.relname::text COLLATE "C"), '[]') FROM pg_inherits ih JOIN pg_class h ON h.oid = ih.inhrelid \
    LEFT JOIN pg_attribute y ON y.attrelid = k.partrelid AND k.partnatts = 1 \
    AND y.attnum = k.partattrs[0] LEFT JOIN LATERAL (SELECT format_type(y.atttypid, NULL) AS type, \
    \(end(of: 1)) AS low, \(end(of: 2)) AS high FROM regexp_match(pg_get_expr(h.relpartbound, h.oid), \
    '^FOR VALUES FROM \\((.+)\\) TO \\((.+)\\)$') AS m) e ON true WHERE ih.inhparent = c.oid)) \
    FROM pg_partitioned_table k WHERE k.partrelid = c.oid)
    """

  private static func end(of number: Int) -> SQLFragment {
    let text: SQLFragment = "btrim(m[\(.integer(Int64(number)))], '''')"
    return "CASE WHEN \(text) NOT IN ('MINVALUE', 'MAXVALUE') THEN \(text) END"
  }

  /// The moment of a text, in UTC; none if it is that of something else.
  private static func moment(_ text: SQLFragment) -> SQLFragment {
    """
    CASE e.type WHEN 'timestamp with time zone' THEN timezone('UTC', \(text)::timestamptz) \
    WHEN 'timestamp without time zone' THEN \(text)::timestamp \
    WHEN 'date' THEN \(text)::date::timestamp END
    """
  }

  private static func end(_ text: SQLFragment) -> SQLFragment {
    let month: SQLFragment = "(extract(year FROM t.at) * 12 + extract(month FROM t.at) - 1)::bigint"
    return """
      (SELECT CASE WHEN isfinite(t.at) THEN json_build_object('value', extract(epoch FROM t.at)::bigint, \
      'month', CASE WHEN date_trunc('month', t.at) = t.at THEN \(month) END) \
      WHEN e.type IN ('smallint', 'integer', 'bigint') AND \(text) IS NOT NULL \
      THEN json_build_object('value', \(text)::bigint) END \
      FROM (SELECT \(moment(text)) AS at) t)
      """
  }

  /// The names of the columns of a table with given numbers, in the order of these.
  private static func names(of numbers: SQLFragment, in table: SQLFragment) -> SQLFragment {
    """
    (SELECT coalesce(json_agg(a.attname ORDER BY o.number), '[]') \
    FROM unnest(\(numbers)) WITH ORDINALITY AS o (attnum, number) \
    JOIN pg_attribute a ON a.attrelid = \(table) AND a.attnum = o.attnum)
    """
  }

  private static let columns: SQLFragment = """
    (SELECT coalesce(json_agg(json_build_object('name', a.attname, \
    'type', format_type(a.atttypid, a.atttypmod), 'ownType', CASE WHEN tn.nspname <> 'pg_catalog' \
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass \
    AND d.objid = e.oid AND d.deptype = 'e') THEN format_type(e.oid, NULL) END, \
    'isNullable', NOT a.attnotnull, 'notNullConstraint', (SELECT k.conname FROM pg_constraint k \
    WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND k.conkey = ARRAY[a.attnum]), \
    'defaultExpression', CASE WHEN a.attgenerated = '' \
    THEN pg_get_expr(d.adbin, d.adrelid) END, 'generation', CASE WHEN a.attgenerated <> '' \
    THEN pg_get_expr(d.adbin, d.adrelid) END, 'isStored', a.attgenerated IN ('', 's'), \
    'identity', nullif(a.attidentity::text, ''), 'sequence', s.name, \
    'isSerial', a.attidentity = '' AND coalesce(pg_get_expr(d.adbin, d.adrelid) \
    = format('nextval(%L::regclass)', s.qualified), false)) ORDER BY a.attnum), '[]') \
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid \
    JOIN pg_type e ON e.oid = CASE WHEN t.typelem <> 0 AND t.typcategory = 'A' THEN t.typelem \
    ELSE t.oid END JOIN pg_namespace tn ON tn.oid = e.typnamespace \
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
    LEFT JOIN LATERAL (SELECT r.relname::text AS name, \
    format('%I.%I', rn.nspname, r.relname) AS qualified FROM pg_depend o \
    JOIN pg_class r ON r.oid = o.objid AND r.relkind = 'S' \
    JOIN pg_namespace rn ON rn.oid = r.relnamespace WHERE o.classid = 'pg_class'::regclass \
    AND o.refclassid = 'pg_class'::regclass AND o.refobjid = a.attrelid \
    AND o.refobjsubid = a.attnum AND o.deptype IN ('a', 'i') \
    AND r.relnamespace = c.relnamespace ORDER BY r.relname LIMIT 1) s ON true \
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
    """

  private static let constraints: SQLFragment = """
    (SELECT coalesce(json_agg(json_build_object('name', k.conname, 'kind', k.contype, \
    'columns', \(names(of: "k.conkey", in: "k.conrelid")), \
    'expression', pg_get_expr(k.conbin, k.conrelid), 'referencedSchema', fn.nspname, \
    'referencedTable', f.relname, \
    'referencedColumns', \(names(of: "k.confkey", in: "k.confrelid")), \
    'onDelete', CASE WHEN k.contype = 'f' THEN k.confdeltype END, \
    'onUpdate', CASE WHEN k.contype = 'f' THEN k.confupdtype END, \
    'isDeferrable', k.condeferrable, 'isDeferred', k.condeferred, 'isValidated', k.convalidated, \
    'isPlain', CASE k.contype WHEN 'p' THEN pg_get_constraintdef(k.oid) ~ '^PRIMARY KEY \\([^()]*\\)' \
    AND pg_get_constraintdef(k.oid) !~ '\\) INCLUDE \\(' \
    WHEN 'u' THEN pg_get_constraintdef(k.oid) ~ '^UNIQUE \\(' \
    AND pg_get_constraintdef(k.oid) !~ '\\) INCLUDE \\(' WHEN 'f' THEN k.confmatchtype = 's' \
    AND pg_get_constraintdef(k.oid) !~ ' ON DELETE SET (NULL|DEFAULT) \\(' \
    WHEN 'c' THEN NOT k.connoinherit AND k.conislocal WHEN 'x' THEN \
    pg_get_constraintdef(k.oid) ~ '^EXCLUDE USING gist \\(("[^"]*"|[^ ,()"]+) WITH (=|&&)(, ("[^"]*"|[^ ,()"]+) WITH (=|&&))*\\)$' \
    AND (SELECT bool_or(t.typtype = 'r') AND bool_and(o.oprname = CASE WHEN t.typtype = 'r' \
    AND t.typnamespace = 'pg_catalog'::regnamespace THEN '&&' ELSE '=' END) \
    FROM unnest(k.conkey, k.conexclop) AS e (attnum, operator) \
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = e.attnum \
    JOIN pg_type t ON t.oid = a.atttypid JOIN pg_operator o ON o.oid = e.operator) \
    ELSE true END) \
    ORDER BY k.conname::text COLLATE "C"), '[]') FROM pg_constraint k \
    LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace \
    WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u', 'c', 'f', 'x') \
    AND NOT (k.contype = 'f' AND k.conparentid <> 0))
    """

  private static let indexes: SQLFragment = """
    (SELECT coalesce(json_agg(json_build_object('name', i.relname, 'isUnique', x.indisunique, \
    'isValid', x.indisvalid AND x.indisready AND x.indislive, 'isPlain', m.amname = 'btree' \
    AND x.indpred IS NULL AND x.indnatts = x.indnkeyatts AND pg_get_indexdef(i.oid) !~ \
    ' NULLS NOT DISTINCT' AND NOT EXISTS (SELECT FROM \
    unnest(x.indkey::smallint[], x.indoption::smallint[], x.indclass::oid[], \
    x.indcollation::oid[]) AS o (attnum, options, class_id, collation_id) \
    LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = o.attnum \
    LEFT JOIN pg_opclass p ON p.oid = o.class_id WHERE o.attnum = 0 OR o.options NOT IN (0, 3) \
    OR NOT p.opcdefault OR o.collation_id <> a.attcollation), 'elements', \
    (SELECT json_agg(json_build_object('column', a.attname, 'isDescending', \
    x.indoption[o.number - 1] & 1 = 1) ORDER BY o.number) \
    FROM unnest(x.indkey::smallint[]) WITH ORDINALITY AS o (attnum, number) \
    LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = o.attnum \
    WHERE o.number <= x.indnkeyatts), 'definition', substr(w.text, length(format('CREATE %sINDEX %I ON %s%I.%I ', \
    CASE WHEN x.indisunique THEN 'UNIQUE ' ELSE '' END, i.relname, \
    CASE WHEN c.relkind = 'p' THEN 'ONLY ' ELSE '' END, n.nspname, c.relname)) + 1)) \
    ORDER BY i.relname::text COLLATE "C"), '[]') FROM pg_index x \
    JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_am m ON m.oid = i.relam \
    CROSS JOIN LATERAL (SELECT CASE WHEN i.reloptions IS NULL THEN pg_get_indexdef(i.oid) ELSE \
    regexp_replace(pg_get_indexdef(i.oid), ' WITH \\(([^()'']|''[^'']*'')*\\)', '') END AS text) w \
    WHERE x.indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid \
    AND k.conindid = x.indexrelid AND k.contype IN ('p', 'u', 'x')))
    """
}
