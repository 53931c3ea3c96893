package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Something in or about the schema of a store that is not the store's.
public struct Bystander: Hashable, Sendable {
  /// Its kind, in the server's words: `view`, `table`, `function`.
  public let kind: String
  /// Its name with its schema.
  public let identity: String
  /// A Boolean value that indicates whether it uses tables of the store.
  public let usesStore: Bool
}

/// Lists the objects in a store's schema that do not belong to the store, and the views on its
/// tables.
package struct BystanderInspection {
  private let store: StoreIdentity

  /// Creates an inspection of a store's schema.
  package init(_ store: StoreIdentity) {
    self.store = store
  }

  /// Returns the objects that belong neither to the store nor to an extension or another store.
  ///
  /// - Parameters:
  ///   - schema: The tables of the store.
  ///   - retained: The retained objects.
  ///   - interfaces: The versions that the store serves.
  ///   - hasMetadata: Whether there is a metadata schema, which identifies the objects of other
  ///     stores.
  ///   - connection: The connection.
  /// - Returns: The objects, by name.
  /// - Throws: The server's error.
  package func bystanders(
    of schema: DatabaseSchema,
    retained: [RetainedObject],
    besides interfaces: [VersionInterface] = [],
    hasMetadata: Bool = true,
    _ connection: borrowing PostgresConnection
  ) throws -> [Bystander] {
    let metadata = MetadataSchema(name: store.metadataSchema)
    let others: SQLFragment =
      hasMetadata
      ? """
      SELECT c.oid FROM \(metadata.relation("store")) s \
      JOIN \(metadata.relation("store_table")) t ON t.store = s.id \
      JOIN pg_namespace n ON n.nspname = s.schema_name \
      JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = t.table_name
      """ : "SELECT oid FROM pg_class WHERE false"
    let tables = JSONText.text(
      Set(schema.tables.keys).union(retained.map(\.table)).map(\.name).sorted()
    )
    let triggers = schema.tables.values.flatMap(\.triggers)
    let functions = JSONText.text(triggers.map(\.name.name).sorted())
    let rows = try connection.query(
      """
      WITH RECURSIVE own AS MATERIALIZED (
        SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname::text IN (SELECT json_array_elements_text($2::json))
        UNION SELECT c.oid FROM own JOIN pg_inherits i ON i.inhparent = own.oid
        JOIN pg_class c ON c.oid = i.inhrelid AND c.relispartition
      ), other AS MATERIALIZED (
        \(others)
      ), viewing AS MATERIALIZED (
        SELECT DISTINCT w.ev_class AS oid FROM pg_rewrite w JOIN pg_depend d
        ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
        AND d.refclassid = 'pg_class'::regclass AND d.refobjid IN (SELECT oid FROM own)
        WHERE w.ev_class NOT IN (SELECT oid FROM own) AND w.ev_class NOT IN (SELECT v.oid FROM pg_class v
        JOIN pg_namespace m ON m.oid = v.relnamespace WHERE m.nspname IN (SELECT json_array_elements_text($4::json)))
      ), found AS (
        SELECT 'pg_class'::regclass AS classid, c.oid, c.oid IN (SELECT oid FROM viewing) AS uses
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c')
        AND (n.nspname = $1 OR c.oid IN (SELECT oid FROM viewing))
        AND c.oid NOT IN (SELECT oid FROM own) AND c.oid NOT IN (SELECT oid FROM other)
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
        AND d.objid = c.oid AND c.relkind = 'S' AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0)
        UNION ALL
        SELECT 'pg_proc'::regclass, p.oid, EXISTS (SELECT FROM pg_trigger g
        WHERE g.tgfoid = p.oid AND g.tgrelid IN (SELECT oid FROM own))
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1
        AND NOT (p.pronargs = 0 AND p.proname::text IN (SELECT json_array_elements_text($3::json)))
        AND NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgfoid = p.oid AND g.tgname = p.proname
        AND g.tgrelid IN (SELECT oid FROM other))
        UNION ALL
        SELECT 'pg_type'::regclass, t.oid, EXISTS (SELECT FROM pg_attribute a
        WHERE a.atttypid IN (t.oid, t.typarray) AND a.attrelid IN (SELECT oid FROM own))
        FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
        WHERE n.nspname = $1 AND t.typrelid = 0 AND t.typcategory <> 'A' AND t.typtype <> 'm'
      )
      SELECT o.type, o.identity COLLATE "C" AS identity, f.uses FROM found f
      CROSS JOIN LATERAL pg_identify_object(f.classid, f.oid, 0) o
      WHERE NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = f.classid AND d.objid = f.oid
      AND d.deptype = 'e') ORDER BY 1, 2
      """,
      [store.schema.name, tables, functions, JSONText.text(interfaces.map(\.schema.name))]
    )
    return rows.map {
      Bystander(
        kind: $0["type"] ?? "",
        identity: $0["identity"] ?? "",
        usesStore: $0.boolean("uses") == true
      )
    }
  }
}
