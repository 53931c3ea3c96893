package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Finds the activity for which a plan would have to wait.
package struct ActivityInspection {
  /// Shorter activity blocks nobody.
  private static let shortestSeconds = 3

  private let store: StoreIdentity
  private let locks: [String: LockMode]

  /// Creates an inspection for a plan.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - forecast: The forecast with the locks of the plan.
  package init(_ store: StoreIdentity, for forecast: PlanForecast) {
    self.store = store
    var locks: [String: LockMode] = [:]
    for block in forecast.steps.flatMap(\.blocks) where block.table.schema == store.schema {
      locks[block.table.name.name] = max(locks[block.table.name.name] ?? .share, block.lock)
    }
    self.locks = locks
  }

  /// Reads the activity, as far as the role may see it.
  package func activity(_ connection: borrowing PostgresConnection) -> Activity {
    let sees = try? connection.query(
      "SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS sees"
    ).first?.boolean("sees")
    return Activity(
      seesOthers: sees == true,
      obstacles: [migrator(connection)].compactMap(\.self) + holders(connection),
      openTransactions: openTransactions(connection),
      rowsWrittenPerSecond: writeRates(connection)
    )
  }

  // MARK: - Locks

  private func migrator(_ connection: borrowing PostgresConnection) -> Activity.Obstacle? {
    let query = BlockerInspection(store: store).migrationLockHolderQuery
    return (try? connection.query(query).first).map { .migrator(Activity.Session($0)) }
  }

  private func holders(_ connection: borrowing PostgresConnection) -> [Activity.Obstacle] {
    guard !locks.isEmpty else { return [] }
    let tables = locks.keys.sorted().map { SQLIdentifier($0) }
    let inspection = BlockerInspection(store: store)
    guard let rows = try? connection.query(inspection.lockQuery(of: tables)) else { return [] }
    // One entry for each owner of locks, with all of its tables.
    var tablesByHolder: [[String?]: [String]] = [:]
    var holders: [(key: [String?], row: QueryResult.Row)] = []
    for row in rows where isInTheWay(row) {
      guard let table = row["relname"] else { continue }
      let key = [row["pid"], row["gid"]]
      if tablesByHolder[key] == nil { holders.append((key, row)) }
      if tablesByHolder[key]?.contains(table) != true {
        tablesByHolder[key, default: []].append(table)
      }
    }
    return holders.map { key, row in
      let tables = tablesByHolder[key] ?? []
      if let name = row["gid"] {
        return .preparedTransaction(
          name: name,
          owner: row["usename"],
          since: row["since"],
          tables: tables
        )
      }
      let session = Activity.Session(row)
      return row.boolean("is_vacuum") == true
        ? .vacuum(session, tables: tables) : .session(session, tables: tables)
    }
  }

  private func isInTheWay(_ row: QueryResult.Row) -> Bool {
    guard let table = row["relname"], let needed = locks[table],
      let held = row["mode"].flatMap(LockMode.init(serverName:)), needed.conflicts(with: held)
    else { return false }
    // An ordinary autovacuum yields to sessions that wait for it.
    if row.boolean("is_autovacuum") == true { return row.boolean("is_vacuum") == true }
    return row.integer("seconds").map { $0 >= Self.shortestSeconds } ?? true
  }

  // MARK: - Snapshots and rates

  private func openTransactions(
    _ connection: borrowing PostgresConnection
  ) -> [Activity.Session] {
    let seconds = SQLLiteral.integer(Int64(Self.shortestSeconds))
    let query: SQLFragment = """
      SELECT \(BlockerInspection.sessionColumns) FROM pg_stat_activity a \
      WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() \
      AND a.xact_start < clock_timestamp() - \(seconds) * interval '1 second' \
      AND a.backend_type = 'client backend' ORDER BY a.xact_start LIMIT 5
      """
    return (try? connection.query(query).map(Activity.Session.init)) ?? []
  }

  private func writeRates(_ connection: borrowing PostgresConnection) -> [String: Double] {
    // The view with these numbers reads the tables of all schemas.
    let query: SQLFragment = """
      SELECT c.relname, round(1000 * (pg_stat_get_tuples_inserted(c.oid) \
      + pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid)) \
      / greatest(extract(epoch FROM clock_timestamp() \
      - coalesce(d.stats_reset, pg_postmaster_start_time())), 1)) AS rate \
      FROM pg_class c, pg_stat_database d \
      WHERE \(SQLFragment.isIn(store.schema)) AND c.relkind IN ('r', 'p') \
      AND d.datname = current_database() \
      AND coalesce(d.stats_reset, pg_postmaster_start_time()) \
      < clock_timestamp() - interval '10 minutes'
      """
    guard let rows = try? connection.query(query) else { return [:] }
    var rates: [String: Double] = [:]
    for row in rows {
      guard let table = row["relname"], locks[table] != nil, let rate = row.integer("rate") else {
        continue
      }
      rates[table] = Double(rate) / 1000
    }
    return rates
  }
}

extension Activity.Session {
  fileprivate init(_ row: QueryResult.Row) {
    self.init(
      pid: row.integer("pid") ?? row.integer("holder") ?? 0,
      application: row["application_name"],
      user: row["usename"],
      state: row["state"],
      since: row["since"],
      seconds: row.integer("seconds"),
      query: row["query"].map(withoutConstants)
    )
  }
}
