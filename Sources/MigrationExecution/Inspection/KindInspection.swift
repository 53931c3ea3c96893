package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

extension SchemaInspection {
  /// Returns the kinds of the schema's tables.
  ///
  /// - Parameter connection: A prepared session.
  /// - Returns: The kinds of those that are not ordinary.
  /// - Throws: The server's error.
  package func tableKinds(_ connection: borrowing PostgresConnection) throws -> TableKinds {
    var kinds: [SQLIdentifier: TableKind] = [:]
    for row in try connection.query(partitionQuery) {
      guard let name = row["relname"] else { continue }
      kinds[SQLIdentifier(name)] = TableKind(
        partitionKey: row["key"],
        partitionColumns: JSONText.strings(in: row["columns"]).map { SQLIdentifier($0) },
        leaves: try JSONText.value([Leaf].self, in: row["leaves"]).map(\.name)
      )
    }
    guard connection.hasCitus else { return TableKinds(kinds) }
    for row in try connection.query(placementQuery) {
      guard let name = row["relname"], let placement = TableKind.Placement(row) else { continue }
      kinds[SQLIdentifier(name), default: TableKind()].placement = placement
      kinds[SQLIdentifier(name)]?.isConverted = row.boolean("autoconverted") == true
    }
    let colocation = try connection.query(
      """
      SELECT s.colocationid FROM pg_dist_schema s JOIN pg_namespace n ON n.oid = s.schemaid \
      WHERE n.nspname = \(text: store.schema.name)
      """
    ).first?.integer("colocationid")
    var found = TableKinds(kinds, schemaColocation: colocation, hasCitus: true)
    for row in try connection.query(additionQuery) {
      guard let table = row["table"].map({ SQLIdentifier($0) }),
        let name = row["name"].map({ SQLIdentifier($0) })
      else { continue }
      if row["columns"] == nil {
        found.triggers[table, default: []].append(name)
      } else {
        let columns = JSONText.strings(in: row["columns"]).map { SQLIdentifier($0) }
        found.uniqueIndexes[table, default: [:]][name] = columns
      }
    }
    return found
  }

  /// The triggers and unique indexes of tables, which people may have added.
  private var additionQuery: SQLFragment {
    let schema: SQLFragment = "n.nspname = \(text: store.schema.name) AND c.relkind IN ('r', 'p')"
    return """
      SELECT c.relname AS table, t.tgname AS name, NULL AS columns FROM pg_trigger t \
      JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE NOT t.tgisinternal AND \(schema) UNION ALL \
      SELECT c.relname, i.relname, (SELECT coalesce(json_agg(a.attname), '[]')::text \
      FROM pg_attribute a WHERE a.attrelid = c.oid \
      AND a.attnum = ANY ((x.indkey::smallint[])[0:x.indnkeyatts - 1])) \
      FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid \
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE x.indisunique AND \(schema) ORDER BY 1, 2
      """
  }

  /// The name of a partition, in the server's words.
  private struct Leaf: Decodable {
    let schema: String
    let table: String

    var name: QualifiedName {
      QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(table))
    }
  }

  private var partitionQuery: SQLFragment {
    """
    SELECT c.relname, (\(DefinitionQuery.partitionKey)) AS key, \
    (SELECT coalesce(json_agg(a.attname), '[]') FROM pg_partitioned_table k JOIN pg_attribute a \
    ON a.attrelid = c.oid AND a.attnum = ANY (k.partattrs) WHERE k.partrelid = c.oid) AS columns, \
    (SELECT coalesce(json_agg(json_build_object('schema', m.nspname, 'table', l.relname) \
    ORDER BY m.nspname, l.relname), '[]') FROM pg_partition_tree(c.oid) t \
    JOIN pg_class l ON l.oid = t.relid AND t.isleaf AND l.relkind = 'r' \
    JOIN pg_namespace m ON m.oid = l.relnamespace) AS leaves \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'p' \
    AND n.nspname = \(text: store.schema.name) AND \(SQLFragment.isIn(store.schema))
    """
  }

  private var placementQuery: SQLFragment {
    """
    SELECT c.relname, p.partmethod, p.repmodel, p.colocationid, p.autoconverted, o.shardcount, \
    CASE p.partmethod WHEN 'h' THEN column_to_column_name(p.logicalrelid, p.partkey) END AS key \
    FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid \
    JOIN pg_namespace n ON n.oid = c.relnamespace \
    LEFT JOIN pg_dist_colocation o ON o.colocationid = p.colocationid \
    WHERE n.nspname = \(text: store.schema.name)
    """
  }
}

extension TableKind.Placement {
  /// Creates a placement from a row of Citus' own catalog.
  fileprivate init?(_ row: QueryResult.Row) {
    let colocation = row.integer("colocationid") ?? 0
    switch (row["partmethod"], row["repmodel"]) {
    case ("n", "t"): self = .reference
    case ("n", _): self = colocation == 0 ? .coordinator : .singleShard(colocation: colocation)
    default:
      guard let key = row["key"] else { return nil }
      self = .distributed(by: key, shards: row.integer("shardcount") ?? 0, colocation: colocation)
    }
  }
}
