internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The locks of a step's transaction: for how long they are waited for, and held.
struct StepLocks {
  private let execution: StepExecution
  private let session: SessionInspection
  /// When a rehearsal has to let go of its locks.
  private var hold: HoldLimit?

  init(of execution: StepExecution, in session: SessionInspection) {
    self.execution = execution
    self.session = session
  }

  // MARK: - Waiting

  /// Has no statement of the transaction wait for a lock without end.
  func limitWait(_ connection: borrowing PostgresConnection) throws {
    try execution.run("SET LOCAL lock_timeout = \(SQLLiteral.integer(longestWait))", connection)
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
      // The limit is for all locks together, and lock_timeout for each of them: whoever begins to
      // wait for one that we have must not find out about a deadlock before we give up.
      let left = max(1, longestWait - begin.duration(to: clock.now).inMilliseconds)
      try execution.run("SET LOCAL statement_timeout = \(SQLLiteral.integer(left))", connection)
      try execution.run(LockStatement.sql(tables, mode), connection)
    }
    try execution.run(hold?.renewal ?? "SET LOCAL statement_timeout = 0", connection)
    try prepareConstraints(connection)
  }

  /// For how many milliseconds locks are waited for.
  private var longestWait: Int64 {
    let limits = [execution.settings.lockTimeout, session.longestLockWait, execution.holdLimit]
    return max(1, (limits.compactMap(\.self).min() ?? .zero).inMilliseconds)
  }

  private func prepareConstraints(_ connection: borrowing PostgresConnection) throws {
    try execution.run("SET CONSTRAINTS ALL IMMEDIATE", connection)
  }

  // MARK: - Holding

  /// Has the server end a rehearsal that holds its locks for too long, whatever becomes of us.
  mutating func limitHold(
    before action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws {
    switch action {
    case .lockTables:
      hold = execution.holdLimit.map { HoldLimit($0) }
      if let hold { try execution.run(hold.beginning(session.serverVersion), connection) }
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

  /// Gives the next statement of a rehearsal what is left of its time.
  func renewHold(
    before action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let hold else { return }
    guard let renewal = hold.renewal else { throw ExecutionError(end(of: hold, in: action)) }
    try execution.run(renewal, connection)
  }

  /// Returns what has happened where an error is the server's end of a rehearsal.
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
