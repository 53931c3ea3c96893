internal import PostgresClient
internal import SQLSyntax

/// Finds the owners of the locks that a migration waits for.
struct BlockerInspection {
  let store: StoreIdentity

  /// The columns of a session `a`, as far as the role may see them.
  static let sessionColumns: SQLFragment = """
    a.pid, a.application_name, a.usename, a.state, left(a.query, 200) AS query, \
    to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') AS since, \
    extract(epoch FROM clock_timestamp() - a.xact_start)::bigint AS seconds
    """

  /// Returns those who hold locks on the tables that a step needs.
  func holders(
    of tables: [SQLIdentifier],
    _ connection: borrowing PostgresConnection
  ) throws -> [Blocker] {
    guard !tables.isEmpty else { return [] }
    let here = try holders(lockQuery(of: tables), connection)
    guard connection.hasCitus, here.isEmpty else { return here }
    return try holders(onWorkersOf: tables, connection)
  }

  /// Returns those who hold locks on tables of a schema.
  func holders(
    in schema: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> [Blocker] {
    try holders(lockQuery(in: schema, where: "true"), connection)
  }

  /// Returns those who keep everybody from looking at something in the store's schema.
  func exclusiveHolders(_ connection: borrowing PostgresConnection) throws -> [Blocker] {
    try holders(lockQuery(where: "l.mode = 'AccessExclusiveLock'"), connection)
  }

  private func holders(
    _ query: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> [Blocker] {
    var pids: Set<String?> = []
    return try connection.query(query)
      .filter { $0["gid"] != nil || pids.insert($0["pid"]).inserted }
      .prefix(10).map(Self.blocker)
  }

  /// Returns the owner of the migration lock.
  func migrationLockHolder(_ connection: borrowing PostgresConnection) throws -> Blocker? {
    try connection.query(migrationLockHolderQuery).first.map(Self.blocker)
  }

  /// Returns those whom a process waits for; one that is prepared to commit has the number 0.
  func blockers(
    of pid: Int,
    _ connection: borrowing PostgresConnection
  ) throws -> [Blocker] {
    let query: SQLFragment = """
      SELECT DISTINCT b.pid AS holder, \(Self.sessionColumns), NULL AS gid, NULL AS relname \
      FROM unnest(pg_blocking_pids(\(pid)::integer)) AS b(pid) \
      LEFT JOIN pg_stat_activity a ON a.pid = b.pid \
      WHERE b.pid <> pg_backend_pid() ORDER BY b.pid LIMIT 10
      """
    return try connection.query(query).map(Self.blocker)
  }

  /// Returns those who hold locks on tables in sessions on workers; a lock that is taken on the coordinator
  /// is one of a session there.
  private func holders(
    onWorkersOf tables: [SQLIdentifier],
    _ connection: borrowing PostgresConnection
  ) throws -> [Blocker] {
    let names = tables.map { "\(text: $0.name)" as SQLFragment }.joined(separator: ", ")
    // Another search path may be set there.
    let locks: SQLFragment = """
      SELECT pg_catalog.json_agg(pg_catalog.json_build_object('pid', a.pid, \
      'application', a.application_name, 'query', pg_catalog.left(a.query, 200), \
      'since', pg_catalog.to_char(pg_catalog.timezone('UTC', a.xact_start), 'YYYY-MM-DD HH24:MI:SS "UTC"'), \
      'table', c.relname)) FROM pg_catalog.pg_locks l \
      JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) l.relation \
      JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace \
      JOIN pg_catalog.pg_stat_activity a ON a.pid OPERATOR(pg_catalog.=) l.pid \
      WHERE l.granted AND n.nspname OPERATOR(pg_catalog.=) \(text: store.schema.name)::pg_catalog.name \
      AND c.relname OPERATOR(pg_catalog.=) ANY (ARRAY[\(names)]::pg_catalog.name[]) \
      AND a.datname OPERATOR(pg_catalog.=) pg_catalog.current_database() \
      AND a.application_name OPERATOR(pg_catalog.!~~) 'citus_internal%'
      """
    var holders: [Blocker] = []
    for row in try connection.query(
      "SELECT nodename, nodeport, result FROM run_command_on_workers(\(text: locks.text)) WHERE success"
    ) {
      guard let result = row["result"], !result.isEmpty, let host = row["nodename"] else {
        continue
      }
      for lock in try JSONText.value([LockOnWorker].self, in: result)
      where !holders.contains(where: { $0.pid == lock.pid }) {
        holders.append(
          Blocker(
            pid: lock.pid,
            node: "\(host):\(row["nodeport"] ?? "")",
            application: lock.application,
            query: lock.query.map(withoutConstants),
            since: lock.since,
            table: lock.table
          )
        )
      }
    }
    return Array(holders.prefix(10))
  }

  /// A lock of a session on a worker, in the server's words.
  private struct LockOnWorker: Decodable {
    let pid: Int
    let application: String?
    let query: String?
    let since: String?
    let table: String
  }

  /// The query for the locks on tables and their owners, including prepared transactions.
  func lockQuery(of tables: [SQLIdentifier]) -> SQLFragment {
    let names = tables.map { "\(text: $0.name)" as SQLFragment }.joined(separator: ", ")
    return lockQuery(where: "c.relname IN (\(names))")
  }

  private func lockQuery(
    in schema: SQLIdentifier? = nil,
    where condition: SQLFragment
  ) -> SQLFragment {
    """
    SELECT l.pid, h.application_name, coalesce(h.usename, p.owner) AS usename, h.state, \
    h.query, coalesce(h.since, \
    to_char(p.prepared AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')) AS since, h.seconds, \
    p.gid, c.relname, l.mode, h.backend_type = 'autovacuum worker' AS is_autovacuum, \
    h.query LIKE 'autovacuum:%(to prevent wraparound)' AS is_vacuum \
    FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
    JOIN pg_namespace n ON n.oid = c.relnamespace \
    LEFT JOIN (SELECT \(Self.sessionColumns), a.backend_type FROM pg_stat_activity a) h \
    ON h.pid = l.pid \
    LEFT JOIN pg_locks t ON l.pid IS NULL AND t.pid IS NULL AND t.locktype = 'transactionid' \
    AND t.virtualtransaction = l.virtualtransaction \
    LEFT JOIN pg_prepared_xacts p ON p.transaction = t.transactionid \
    WHERE l.granted AND l.pid IS DISTINCT FROM pg_backend_pid() \
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
    AND n.nspname = \(text: (schema ?? store.schema).name) AND \(condition) \
    ORDER BY h.since, l.pid, p.gid, c.relname, l.mode LIMIT 1000
    """
  }

  /// The query for the owner of the migration lock.
  var migrationLockHolderQuery: SQLFragment {
    let key = UInt64(bitPattern: store.migrationLockKey)
    return """
      SELECT l.pid AS holder, \(Self.sessionColumns), NULL AS relname \
      FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid \
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 \
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
      AND l.classid = \(key >> 32)::oid \
      AND l.objid = \(key & 0xffff_ffff)::oid LIMIT 1
      """
  }

  private static func blocker(_ row: QueryResult.Row) -> Blocker {
    Blocker(
      pid: row.integer("pid") ?? row.integer("holder") ?? 0,
      preparedTransaction: row["gid"],
      application: row["application_name"],
      query: row["query"].map(withoutConstants),
      since: row["since"],
      table: row["relname"]
    )
  }
}
