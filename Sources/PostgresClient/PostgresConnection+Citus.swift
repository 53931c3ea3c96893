package import SQLSyntax

extension PostgresConnection {
  /// The settings of a session on a database that Citus spreads over several servers.
  ///
  /// - One connection to each node, so that changes of several tables are one transaction there, too.
  /// - Limits of a transaction, above all that of waits for locks, hold on other nodes.
  /// - Every change reaches them, and a new schema or table is an ordinary one.
  /// - No table moves because of what it refers to, or no longer does.
  private static let settingsOfCitus: [(name: String, value: String)] = [
    ("citus.multi_shard_modify_mode", "sequential"),
    ("citus.propagate_set_commands", "local"),
    ("citus.enable_ddl_propagation", "on"),
    ("citus.enable_schema_based_sharding", "off"),
    ("citus.use_citus_managed_tables", "off"),
    ("citus.enable_local_reference_table_foreign_keys", "off"),
  ]

  /// The condition that the database has Citus, whose tables nobody but a superuser can put there.
  package static let hasCitusCatalog: SQLFragment =
    "pg_catalog.to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"

  /// The expression after `SELECT`, or `PERFORM` in a block, that gives a session these settings; it has a row
  /// for each where the database has Citus.
  package static var prologueOfCitus: SQLFragment {
    let settings = settingsOfCitus.map { name, value in
      "(\(text: name), \(text: value))" as SQLFragment
    }
    return """
      pg_catalog.set_config(s.name, s.value, false) \
      FROM (VALUES \(settings.joined(separator: ", "))) AS s (name, value) WHERE \(hasCitusCatalog)
      """
  }

  /// The names of these settings.
  static var namesOfCitus: [SQLFragment] {
    settingsOfCitus.map { SQLFragment(deparsed: $0.name) }
  }

  /// Refuses a session on a worker: what the store consists of is on the coordinator.
  borrowing func refuseWorker() throws(PostgresError) {
    let row = try query(
      """
      SELECT c.nodename, c.nodeport FROM pg_catalog.pg_dist_local_group l \
      LEFT JOIN pg_catalog.pg_dist_node c ON c.groupid OPERATOR(pg_catalog.=) 0 \
      WHERE l.groupid OPERATOR(pg_catalog.<>) 0 LIMIT 1
      """
    ).first
    guard let row else { return }
    let coordinator = row["nodename"].map { "\"\($0)\", port \(row["nodeport"] ?? "?")" }
    throw PostgresError(
      .worker,
      "server at \(serverDescription) is a worker of Citus",
      detail: "Tables are changed on the coordinator, which passes changes on to the workers.",
      hint: coordinator.map { "Connect to the coordinator: \($0)." }
        ?? "Connect to the coordinator."
    )
  }
}
