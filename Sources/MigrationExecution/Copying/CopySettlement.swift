internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// What is left of a job when its tables are in their places and the version is recorded: foreign keys
/// are validated, each in a transaction of its own, while others read and write.
struct CopySettlement {
  let store: StoreIdentity
  let jobID: String
  let epoch: Int
  let interruption: Interruption
  let failpoints: Failpoints
  let onEvent: (@Sendable (MigrationEvent) -> Void)?

  private var jobs: CopyJobStatements { CopyJobStatements(store) }

  /// Runs it to its end.
  ///
  /// - Returns: Whether there was anything to do.
  func run(_ connection: borrowing PostgresConnection) throws -> Bool {
    guard try state(connection) == .settling else { return false }
    for row in try connection.query(jobs.unvalidated(of: jobID)) {
      guard try state(connection) == .settling else { throw CopyStop.fenced }
      guard let number = row.integer("no"), let table = row["table_name"],
        let constraint = row["constraint_name"]
      else { throw ExecutionError(.damagedMetadata("a validation cannot be read")) }
      try transact("validate", connection) { connection in
        // One that somebody has validated or dropped meanwhile is nothing to be done about.
        if row.boolean("convalidated") == false {
          try run(
            LateReference.validation(
              of: SQLIdentifier(constraint),
              of: QualifiedName(schema: store.schema, name: SQLIdentifier(table))
            ),
            connection
          )
        }
        try fence(connection)
        try run(jobs.validated(number, of: jobID), connection)
      }
    }
    try transact("settled", connection) { connection in
      try fence(connection)
      let end = jobs.transition(jobID, epoch: epoch, from: .settling, to: .finished)
      guard try connection.execute(end) == 1 else { throw CopyStop.fenced }
      try run(jobs.forgettingBounds(of: jobID), connection)
      try run(
        jobs.event(jobID, epoch: epoch, "state", detail: CopyJob.State.finished.rawValue),
        connection
      )
    }
    return true
  }

  /// What the job is at, unless it is to wait: nothing is read from end to end to no purpose.
  private func state(_ connection: borrowing PostgresConnection) throws -> CopyJob.State? {
    let row = try connection.query(jobs.state(of: jobID)).first
    guard row?.integer("epoch") == epoch else { throw CopyStop.fenced }
    if row?.boolean("paused") == true { throw CopyStop.paused }
    return row?["state"].flatMap(CopyJob.State.init(rawValue:))
  }

  /// Makes sure that the job is still ours until the transaction ends.
  ///
  /// It comes last: to look at all rows takes long, and whoever pauses the job need not wait for it.
  private func fence(_ connection: borrowing PostgresConnection) throws {
    guard let row = try connection.query(jobs.fence(jobID, epoch: epoch)).first,
      row["state"] == CopyJob.State.settling.rawValue
    else { throw CopyStop.fenced }
    if row.boolean("paused") == true { throw CopyStop.paused }
  }

  private func transact(
    _ name: String,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    try interruption.check()
    do {
      try connection.execute("BEGIN")
      // Who reads or writes rows does not wait behind this lock, and an automatic vacuum only gives
      // way to one that has been waiting for the time of the check for deadlocks.
      try connection.query(
        """
        SELECT set_config('lock_timeout', (extract(epoch FROM \
        current_setting('deadlock_timeout')::interval) * 1000 + 500)::integer::text, true)
        """
      )
      try failpoints.reach("\(name).begin", connection)
      try body(connection)
      try failpoints.reach("\(name).before_commit", connection)
      try run("COMMIT", connection)
      try failpoints.reach("\(name).after_commit", connection)
    } catch {
      if !connection.isBroken, connection.transactionStatus != .idle {
        _ = try? connection.execute("ROLLBACK")
      }
      throw error
    }
  }

  private func run(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    let rows = try connection.execute(sql)
    onEvent?(.statement(sql: sql.text, duration: begin.duration(to: clock.now), rows: rows))
  }
}
