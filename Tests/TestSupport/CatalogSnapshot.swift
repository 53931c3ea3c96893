package import PostgresClient
package import SQLSyntax

/// The contents of a schema, in the server's own words: databases with equal snapshots have the
/// same tables.
///
/// It ignores the order of columns, and can leave out retained objects.
package struct CatalogSnapshot: Hashable, Sendable {
  /// A line for each object, by its kind and its name: `column book.title` and its definition.
  package private(set) var lines: [String: String] = [:]

  /// The objects left out of a snapshot.
  package struct Exclusions: Hashable, Sendable {
    /// The tables with all that belongs to them.
    package var tables: Set<String> = []
    /// The columns, by their tables.
    package var columns: [String: Set<String>] = [:]
    /// The indexes and sequences.
    package var relations: Set<String> = []

    /// Creates exclusions; nothing is left out by default.
    package init() {}
  }

  /// Takes a snapshot of a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - connection: A connection whose `search_path` does not have the schema in it.
  ///   - exclusions: The objects to leave out.
  /// - Throws: The server's error.
  package init(
    of schema: SQLIdentifier,
    on connection: borrowing PostgresConnection,
    leavingOut exclusions: Exclusions = Exclusions()
  ) throws(PostgresError) {
    for query in Self.queries {
      for row in try connection.query(query, [schema.name]) {
        guard let kind = row["kind"], let name = row["name"], let table = row["table"] else {
          continue
        }
        let isExcluded =
          switch kind {
          case "column": exclusions.columns[table]?.contains(name) ?? false
          case "index", "sequence": exclusions.relations.contains(name)
          default: false
          }
        guard !isExcluded, !exclusions.tables.contains(table) else { continue }
        lines["\(kind) \(table).\(name)"] = row["definition"] ?? ""
      }
    }
  }

  /// Returns the lines that only one of two snapshots has: `-` is this one's, `+` the other's.
  ///
  /// - Parameter other: The other snapshot.
  /// - Returns: The lines, none if the snapshots are equal.
  package func difference(to other: CatalogSnapshot) -> [String] {
    var difference: [String] = []
    for key in Set(lines.keys).union(other.lines.keys).sorted() where lines[key] != other.lines[key]
    {
      if let line = lines[key] { difference.append("- \(key): \(line)") }
      if let line = other.lines[key] { difference.append("+ \(key): \(line)") }
    }
    return difference
  }

  /// Each query returns kind, table, name and definition of the objects in the schema `$1`.
  private static let queries: [SQLFragment] = [
    """
    SELECT 'table' AS kind, c.relname AS table, '' AS name, concat(c.relkind, c.relpersistence, pg_get_partkeydef(c.oid)) AS \
    definition FROM pg_class AS c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
    """,
    """
    SELECT 'column' AS kind, c.relname AS table, a.attname AS name, concat_ws(' ', format_type(\
    a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'GENERATED ' || nullif(\
    a.attgenerated::text, ''), 'DEFAULT ' || pg_get_expr(\
    d.adbin, d.adrelid), 'IDENTITY ' || nullif(a.attidentity::text, ''), 'COLLATE ' || nullif(\
    a.attcollation, 0)) AS definition FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid \
    LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE c.relnamespace \
    = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
    """,
    """
    SELECT 'constraint' AS kind, c.relname AS table, k.conname AS name, concat_ws(' ', \
    pg_get_constraintdef(k.oid), CASE WHEN NOT k.convalidated THEN 'NOT VALID' END) AS definition \
    FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid WHERE c.relnamespace = \
    $1::regnamespace AND k.conparentid = 0 AND NOT c.relispartition
    """,
    """
    SELECT 'index' AS kind, c.relname AS table, i.relname AS name, pg_get_indexdef(i.oid) || CASE \
    WHEN x.indisvalid THEN '' ELSE ' INVALID' END AS definition FROM pg_index AS x JOIN pg_class AS c \
    ON c.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid WHERE c.relnamespace = \
    $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    """,
    """
    SELECT 'trigger' AS kind, c.relname AS table, t.tgname AS name, pg_get_triggerdef(t.oid) AS \
    definition FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid WHERE c.relnamespace = \
    $1::regnamespace AND NOT t.tgisinternal AND NOT c.relispartition
    """,
    """
    SELECT 'function' AS kind, '' AS table, p.proname AS name, pg_get_functiondef(p.oid) AS \
    definition FROM pg_proc AS p WHERE p.pronamespace = $1::regnamespace AND p.prokind <> 'a'
    """,
    """
    SELECT 'sequence' AS kind, c.relname AS table, s.relname AS name, concat_ws(' ', a.attname, \
    format_type(q.seqtypid, NULL), q.seqstart, q.seqincrement, q.seqmin, q.seqmax) AS definition \
    FROM pg_class AS s JOIN pg_sequence AS q ON q.seqrelid = s.oid LEFT JOIN pg_depend AS d ON \
    d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.refobjsubid > 0 LEFT JOIN pg_class \
    AS c ON c.oid = d.refobjid LEFT JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum \
    = d.refobjsubid WHERE s.relnamespace = $1::regnamespace AND s.relkind = 'S'
    """,
  ]
}
