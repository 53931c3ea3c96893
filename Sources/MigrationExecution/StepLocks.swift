internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The locks of a step's transaction: for how long they are waited for, and held.
struct StepLocks {
  private let execution: StepExecution
  private let session: SessionInspection
  /// The time limit of a rehearsal for its locks.
  private var hold: HoldLimit?

  init(of execution: StepExecution, in session: SessionInspection) {
    self.execution = execution
    self.session = session
  }

  // MARK: - Waiting

  /// Limits how long each statement of the transaction waits for a lock.
  func limitWait(_ connection: borrowing PostgresConnection) throws {
    try execution.runner.run(Transaction.lockTimeout(longestWait), connection)
  }

  /// Locks the tables of the step.
  func take(_ connection: borrowing PostgresConnection) throws {
    let tables = execution.step.lockedTables
    guard !tables.isEmpty else { return try prepareConstraints(connection) }
    let clock = ContinuousClock()
    let begin = clock.now
    for mode in LockMode.allCases.reversed() {
      let tables = tables.filter { $0.mode == mode }
      guard !tables.isEmpty else { continue }
      // The limit is for all locks together, lock_timeout for each of them: a session that begins to wait
      // for one of our locks must not detect a deadlock before we give up.
      let left = max(1, longestWait - begin.duration(to: clock.now).inMilliseconds)
      try execution.runner.run("SET LOCAL statement_timeout = \(left)", connection)
      try execution.runner.run(Transaction.locking(tables, mode), connection)
    }
    try execution.runner.runBatch(
      hold?.renewal ?? "SET LOCAL statement_timeout = 0",
      connection
    )
    try prepareConstraints(connection)
  }

  /// For how many milliseconds locks are waited for.
  private var longestWait: Int64 {
    let limits = [execution.settings.lockTimeout, session.longestLockWait, execution.holdLimit]
    return max(1, (limits.compactMap(\.self).min() ?? .zero).inMilliseconds)
  }

  private func prepareConstraints(_ connection: borrowing PostgresConnection) throws {
    try execution.runner.run("SET CONSTRAINTS ALL IMMEDIATE", connection)
  }

  // MARK: - Holding

  /// Has the server end a rehearsal that holds its locks for too long, even if this process dies.
  mutating func limitHold(
    before action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws {
    switch action {
    case .lockTables:
      hold = execution.holdLimit.map { HoldLimit($0) }
      if let hold {
        try execution.runner.runBatch(hold.beginning(session.serverVersion), connection)
      }
    case .completeCopy, .runStatement:
      try renewHold(before: action, connection)
    case .rollBack:
      hold = nil
    case .begin, .takeMigrationLock, .compareRecord, .askPreconditions, .enterStart,
      .recordProgress,
      .recordVersion, .commit, .findOutcome, .pause, .findBlockers, .finish:
      break
    }
  }

  /// Gives the next statement of a rehearsal the rest of its time.
  func renewHold(
    before action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let hold else { return }
    guard let renewal = hold.renewal else { throw ExecutionError(end(of: hold, in: action)) }
    try execution.runner.runBatch(renewal, connection)
  }

  /// Returns the end of a rehearsal by the server, if an error means it.
  func end(
    by error: PostgresError,
    in action: ExecutionState.Action
  ) -> ExecutionError.Fact? {
    guard action != .rollBack, action != .lockTables, let hold, hold.hasEnded(error) else {
      return nil
    }
    return end(of: hold, in: action)
  }

  private func end(
    of hold: HoldLimit,
    in action: ExecutionState.Action
  ) -> ExecutionError.Fact {
    .heldTooLong(
      seconds: hold.limit.inSeconds,
      reason: execution.step.activity(in: action)
    )
  }
}
