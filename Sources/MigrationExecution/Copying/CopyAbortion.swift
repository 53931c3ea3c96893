internal import PostgresClient
internal import SQLSyntax

/// Takes back what a job has made, in short transactions that a rerun continues.
struct CopyAbortion {
  let store: StoreIdentity
  let job: CopyJob
  let lockLimit: SQLLiteral
  let lockRetryFor: Double
  let interruption: Interruption
  let failpoints: Failpoints

  private var jobs: CopyJobStatements { CopyJobStatements(store) }

  /// Runs it to its end; the job is `aborting` and the migration lock ours.
  func run(_ connection: borrowing PostgresConnection) throws {
    try connection.execute(jobs.ownership(job.id, epoch: job.epoch))
    // The triggers are found in the catalog, so that no plan is needed.
    let triggers = try connection.query(
      """
      SELECT n.nspname, c.relname, t.tgname FROM pg_trigger t \
      JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
      JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_namespace s ON s.oid = p.pronamespace \
      WHERE s.nspname = \(SQLLiteral.text(job.stagingSchema)) AND NOT t.tgisinternal \
      AND t.tgparentid = 0 ORDER BY n.nspname, c.relname, t.tgname
      """
    )
    for row in triggers {
      let table = QualifiedName(
        schema: SQLIdentifier(row["nspname"] ?? ""),
        name: SQLIdentifier(row["relname"] ?? "")
      )
      let trigger = SQLIdentifier(row["tgname"] ?? "")
      try transact("abort_trigger", connection) { connection in
        try connection.execute("DROP TRIGGER IF EXISTS \(trigger) ON \(table)")
      }
    }
    try transact("abort_schema", connection) { connection in
      let schema = SQLIdentifier(job.stagingSchema)
      try connection.execute("DROP SCHEMA IF EXISTS \(schema) CASCADE")
      let end = jobs.transition(job.id, epoch: job.epoch, from: .aborting, to: .aborted)
      guard try connection.execute(end) == 1 else { throw CopyStop.fenced }
      try connection.execute(jobs.forgettingBounds(of: job.id))
      try connection.execute(jobs.cancellation(job.id))
      try connection.execute(
        jobs.event(job.id, epoch: job.epoch, "state", detail: CopyJob.State.aborted.rawValue)
      )
    }
  }

  /// Runs a transaction of ours, again and again while others hold its locks.
  private func transact(
    _ name: String,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    var attempts = 0
    while true {
      try interruption.check()
      do {
        try connection.execute("BEGIN; SET LOCAL lock_timeout = \(lockLimit)")
        try failpoints.reach("\(name).begin", connection)
        let fence = jobs.fence(job.id, epoch: job.epoch)
        guard try connection.query(fence).first?["state"] == CopyJob.State.aborting.rawValue else {
          throw CopyStop.fenced
        }
        try body(connection)
        try failpoints.reach("\(name).before_commit", connection)
        try connection.execute("COMMIT")
        try failpoints.reach("\(name).after_commit", connection)
        return
      } catch {
        if !connection.isBroken { _ = try? connection.execute("ROLLBACK") }
        guard let error = error as? PostgresError,
          [.lockNotAvailable, .deadlockDetected].contains(error.sqlState),
          begin.duration(to: clock.now).inSeconds < lockRetryFor
        else { throw error }
        attempts += 1
        try interruption.pause(seconds: min(2, 0.1 * Double(attempts)) * .random(in: 0.5...1.5))
      }
    }
  }
}
