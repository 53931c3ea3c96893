internal import PostgresClient
internal import SQLSyntax

/// Removes the objects of a job, in short transactions that a rerun continues.
struct CopyAbortion {
  let store: StoreIdentity
  let stagingSchema: SQLIdentifier
  /// Whether it has added columns to tables that stay.
  let fills: Bool
  let owner: JobOwner
  let lockLimit: Int64
  let lockRetryFor: Duration
  let runner: TransactionRunner

  /// Runs it to its end; the job is `aborting` and the migration lock ours.
  func run(_ connection: borrowing PostgresConnection) throws {
    try connection.query(owner.jobs.ownership(owner.jobID, epoch: owner.epoch))
    if fills { try removeColumns(connection) }
    // The triggers are found in the catalog, so that no plan is needed.
    let triggers = try connection.query(
      """
      SELECT n.nspname, c.relname, t.tgname FROM pg_trigger t \
      JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
      JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_namespace s ON s.oid = p.pronamespace \
      WHERE s.nspname = \(text: stagingSchema.name) AND NOT t.tgisinternal \
      AND t.tgparentid = 0 ORDER BY n.nspname, c.relname, t.tgname
      """
    )
    for row in triggers {
      let table = QualifiedName(
        schema: SQLIdentifier(row["nspname"] ?? ""),
        name: SQLIdentifier(row["relname"] ?? "")
      )
      let trigger = SQLIdentifier(row["tgname"] ?? "")
      try transact("abort_trigger", blockers: { try $0.holders(of: [table.name], $1) }, connection)
      { connection in
        _ = try connection.query("DROP TRIGGER IF EXISTS \(trigger) ON \(table)")
      }
    }
    try transact("abort_schema", blockers: { try $0.holders(in: stagingSchema, $1) }, connection) {
      connection in
      try connection.query("DROP SCHEMA IF EXISTS \(stagingSchema) CASCADE")
      try owner.move(from: .aborting, to: .aborted, connection)
      try connection.query(owner.jobs.cancellation(owner.jobID))
    }
  }

  /// Removes what tables have got, each in a transaction of its own.
  private func removeColumns(_ connection: borrowing PostgresConnection) throws {
    let tables = try connection.query(owner.jobs.sources(of: owner.jobID))
      .compactMap { $0["table_name"].map { SQLIdentifier($0) } }
    for row in try connection.query(owner.jobs.carried(by: owner.jobID)) {
      guard let id = row.integer("id"), let removal = row["removal"] else { continue }
      try transact("abort_fill", blockers: { try $0.holders(of: tables, $1) }, connection) {
        connection in
        try connection.execute(SQLFragment(deparsed: removal))
        try connection.query(owner.jobs.dropping(id))
      }
    }
  }

  private func transact(
    _ name: String,
    blockers: (BlockerInspection, borrowing PostgresConnection) throws -> [Blocker],
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    let transaction = Transaction(
      name: name,
      settings: [Transaction.lockTimeout(lockLimit)],
      fence: { try owner.hold(.aborting, $0) }
    )
    try runner.retryingLocks(
      for: lockRetryFor,
      connection,
      blockers: { try blockers(BlockerInspection(store: store), $0) }
    ) { connection in
      try runner.transact(transaction, connection, body)
    }
  }
}
