internal import PostgresClient
internal import SQLSyntax

/// Finds out who holds what a migration waits for.
struct BlockerInspection {
  let store: StoreIdentity

  /// Returns those who hold locks on the tables that a step needs.
  func holders(
    of tables: [SQLIdentifier],
    _ connection: borrowing PostgresConnection
  ) throws -> [Blocker] {
    guard !tables.isEmpty else { return [] }
    let names = tables.map { "\(SQLLiteral.text($0.name))" as SQLFragment }.joined(separator: ", ")
    let query: SQLFragment = """
      SELECT DISTINCT ON (l.pid) l.pid, a.application_name, left(a.query, 200) AS query, \
      to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') AS since, c.relname \
      FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
      JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_stat_activity a ON a.pid = l.pid \
      WHERE l.granted AND l.pid <> pg_backend_pid() \
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
      AND n.nspname = \(SQLLiteral.text(store.schema.name)) AND c.relname IN (\(names)) \
      ORDER BY l.pid, c.relname LIMIT 10
      """
    return try connection.query(query).map(Self.blocker)
  }

  /// Returns who has the turn.
  func turnHolder(_ connection: borrowing PostgresConnection) throws -> Blocker? {
    let key = UInt64(bitPattern: store.turnKey)
    let query: SQLFragment = """
      SELECT l.pid, a.application_name, left(a.query, 200) AS query, \
      to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') AS since, \
      NULL AS relname FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid \
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 \
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
      AND l.classid = \(SQLLiteral.integer(Int64(key >> 32)))::oid \
      AND l.objid = \(SQLLiteral.integer(Int64(key & 0xffff_ffff)))::oid LIMIT 1
      """
    return try connection.query(query).first.map(Self.blocker)
  }

  private static func blocker(_ row: QueryResult.Row) -> Blocker {
    Blocker(
      pid: row.integer("pid") ?? 0,
      application: row["application_name"],
      query: row["query"],
      since: row["since"],
      table: row["relname"]
    )
  }
}
