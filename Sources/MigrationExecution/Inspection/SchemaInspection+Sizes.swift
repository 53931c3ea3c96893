package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

extension SchemaInspection {
  /// Returns the sizes of the schema's tables, as the statistics have them: the rows to a page as they
  /// were counted last, and the pages that there are now.
  package func tableSizes(_ connection: borrowing PostgresConnection) throws -> [String: TableSize]
  {
    // The server opens what it measures, and each table has several indexes and a table of large values,
    // so it measures the indexes of a table that has grown since its pages were counted, and the large
    // values where there are some.
    let query: SQLFragment = """
      SELECT c.relname, CASE WHEN c.reltuples < 0 OR c.relpages = 0 \
      THEN greatest(c.reltuples, m.main / 100) ELSE c.reltuples::float8 / c.relpages \
      * (m.main / b.size) END::bigint AS rows, m.main + m.maps + s.indexes + s.toast AS bytes, \
      s.indexes AS index_bytes, s.toast AS toast_bytes \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      CROSS JOIN (SELECT current_setting('block_size')::bigint AS size) b \
      CROSS JOIN LATERAL (SELECT pg_relation_size(c.oid) AS main, \
      pg_relation_size(c.oid, 'fsm') + pg_relation_size(c.oid, 'vm') AS maps OFFSET 0) m \
      CROSS JOIN LATERAL (SELECT \
      coalesce(sum(x.relpages) FILTER (WHERE d.indrelid = c.oid), 0)::bigint AS own, \
      coalesce(sum(x.relpages) FILTER (WHERE d.indrelid <> c.oid), 0)::bigint AS toast \
      FROM pg_index d JOIN pg_class x ON x.oid = d.indexrelid \
      WHERE d.indrelid IN (c.oid, c.reltoastrelid)) p \
      CROSS JOIN LATERAL (SELECT CASE WHEN m.main = c.relpages * b.size \
      THEN p.own * b.size ELSE pg_indexes_size(c.oid) END AS indexes, \
      CASE WHEN m.main = 0 OR c.reltoastrelid = 0 OR pg_relation_size(c.reltoastrelid) = 0 \
      THEN p.toast * b.size ELSE pg_total_relation_size(c.reltoastrelid) END AS toast OFFSET 0) s \
      WHERE n.nspname = \(schemaName) AND c.relkind = 'r' AND \(SQLFragment.isIn(store.schema))
      """
    var sizes: [String: TableSize] = [:]
    for row in try measured("\(query) UNION ALL \(partitionedSizes)", connection) {
      if let name = row["relname"] { sizes[name] = TableSize(row) }
    }
    guard connection.hasCitus else { return sizes }
    // The coordinator's own table is empty.
    for row in try connection.query("SELECT c.relname \(tablesOfCitus)") {
      if let name = row["relname"] { sizes[name] = nil }
    }
    for row in try shardedSizes(connection) {
      if let name = row["relname"] { sizes[name] = TableSize(row) }
    }
    return sizes
  }

  /// The query for the sizes of partitioned tables, as the statistics of their partitions have them.
  private var partitionedSizes: SQLFragment {
    """
    SELECT c.relname, sum(CASE WHEN l.reltuples < 0 THEN pg_relation_size(l.oid) / 100 \
    ELSE l.reltuples END)::bigint, sum(pg_total_relation_size(l.oid))::bigint, \
    sum(pg_indexes_size(l.oid))::bigint, \
    coalesce(sum(pg_total_relation_size(nullif(l.reltoastrelid, 0))), 0)::bigint \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    CROSS JOIN LATERAL pg_partition_tree(c.oid) t JOIN pg_class l ON l.oid = t.relid AND t.isleaf \
    WHERE c.relkind = 'p' AND n.nspname = \(schemaName) AND \(SQLFragment.isIn(store.schema)) \
    GROUP BY c.oid, c.relname
    """
  }

  private var tablesOfCitus: SQLFragment {
    """
    FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid \
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = \(schemaName) \
    AND (d.partmethod <> 'n' OR d.repmodel = 't' OR d.colocationid <> 0)
    """
  }

  /// Returns the sizes of tables whose rows are on other nodes: the sum of their shards, and one of the
  /// equal contents of a reference table; none while a node does not tell.
  private func shardedSizes(
    _ connection: borrowing PostgresConnection
  ) throws -> [QueryResult.Row] {
    let query: SQLFragment = """
      SELECT relname, sum(main)::bigint / 100 AS rows, sum(total)::bigint AS bytes, \
      sum(total - with_toast)::bigint AS index_bytes, \
      greatest(sum(with_toast - main), 0)::bigint AS toast_bytes FROM (SELECT c.relname, \
      citus_relation_size(l.oid) / p.copies AS main, citus_table_size(l.oid) / p.copies AS with_toast, \
      citus_total_relation_size(l.oid) / p.copies AS total \
      FROM (SELECT c.oid, c.relname, c.relkind, d.repmodel \(tablesOfCitus) OFFSET 0) c \
      CROSS JOIN LATERAL (SELECT c.oid WHERE c.relkind <> 'p' \
      UNION ALL SELECT t.relid FROM pg_partition_tree(c.oid) t WHERE c.relkind = 'p' AND t.isleaf) l \
      CROSS JOIN LATERAL (SELECT CASE c.repmodel WHEN 't' THEN greatest(count(*), 1) ELSE 1 END AS copies \
      FROM pg_dist_shard s JOIN pg_dist_placement m ON m.shardid = s.shardid \
      WHERE s.logicalrelid = l.oid) p OFFSET 0) sizes GROUP BY relname
      """
    guard connection.transactionStatus == .idle else { return [] }
    do {
      return Array(try connection.query(query))
    } catch {
      guard error.kind == .server else { throw error }
      return []
    }
  }

  /// Reads the sizes of the tables under a lock; if another session blocks that, it returns the
  /// last known sizes.
  private func measured(
    _ query: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> [QueryResult.Row] {
    let noted: SQLFragment = """
      SELECT c.relname, greatest(c.reltuples, 0)::bigint AS rows, \
      (c.relpages + i.pages + coalesce(t.relpages, 0)) * b.size AS bytes, \
      i.pages * b.size AS index_bytes, coalesce(t.relpages, 0) * b.size AS toast_bytes \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      LEFT JOIN pg_class t ON t.oid = c.reltoastrelid \
      CROSS JOIN (SELECT current_setting('block_size')::bigint AS size) b \
      CROSS JOIN LATERAL (SELECT coalesce(sum(x.relpages), 0)::bigint AS pages FROM pg_index d \
      JOIN pg_class x ON x.oid = d.indexrelid WHERE d.indrelid = c.oid) i \
      WHERE n.nspname = \(schemaName) AND c.relkind = 'r' AND \(SQLFragment.isIn(store.schema)) \
      UNION ALL SELECT r.relname, sum(greatest(c.reltuples, 0))::bigint, \
      sum((greatest(c.relpages, 0) + i.pages + coalesce(t.relpages, 0)) * b.size)::bigint, \
      sum(i.pages * b.size)::bigint, sum(coalesce(t.relpages, 0) * b.size)::bigint \
      FROM (WITH RECURSIVE part (root, relname, oid) AS (SELECT c.oid, c.relname, c.oid FROM pg_class c \
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = \(schemaName) \
      AND c.relkind = 'p' AND \(SQLFragment.isIn(store.schema)) UNION ALL \
      SELECT p.root, p.relname, h.inhrelid FROM part p JOIN pg_inherits h ON h.inhparent = p.oid) \
      SELECT root, relname, oid FROM part) r JOIN pg_class c ON c.oid = r.oid \
      LEFT JOIN pg_class t ON t.oid = c.reltoastrelid \
      CROSS JOIN (SELECT current_setting('block_size')::bigint AS size) b \
      CROSS JOIN LATERAL (SELECT coalesce(sum(x.relpages), 0)::bigint AS pages FROM pg_index d \
      JOIN pg_class x ON x.oid = d.indexrelid WHERE d.indrelid = c.oid AND x.relpages > 0) i \
      GROUP BY r.root, r.relname
      """
    guard connection.transactionStatus == .idle else { return Array(try connection.query(query)) }
    try connection.set(.lockTimeout, to: "200")
    var rows: [QueryResult.Row]?
    do {
      rows = Array(try connection.query(query))
    } catch {
      guard error.sqlState == .lockNotAvailable else { throw error }
    }
    try connection.set(.lockTimeout, to: "0")
    return try rows ?? Array(connection.query(noted))
  }
}

extension TableSize {
  /// Creates a size from a row; none of a table that was dropped meanwhile.
  fileprivate init?(_ row: QueryResult.Row) {
    guard let rows = row.integer("rows"), let bytes = row.integer("bytes") else { return nil }
    self.init(
      rows: rows,
      bytes: bytes,
      indexBytes: row.integer("index_bytes") ?? 0,
      toastBytes: row.integer("toast_bytes") ?? 0
    )
  }
}
