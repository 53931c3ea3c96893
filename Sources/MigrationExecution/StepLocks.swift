internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The locks of a step's transaction: for how long they are waited for, and held.
struct StepLocks {
  private let execution: StepExecution
  private let session: SessionInspection
  /// The time limit of a rehearsal for its locks.
  private var hold: HoldLimit?
  /// How often the locks have been asked for.
  private var attempts = 0

  init(of execution: StepExecution, in session: SessionInspection) {
    self.execution = execution
    self.session = session
  }

  // MARK: - Waiting

  /// Limits how long each statement of the transaction waits for a lock.
  func limitWait(_ connection: borrowing PostgresConnection) throws {
    try execution.runner.run(Transaction.lockTimeout(longestWait), connection)
  }

  /// Locks the tables of the step, and the sequences that go with them.
  mutating func take(_ connection: borrowing PostgresConnection) throws {
    let tables = inOrder(execution.step.lockedTables)
    let views = inOrder(execution.step.lockedViews)
    attempts += 1
    guard !tables.isEmpty || !views.isEmpty else { return try prepareConstraints(connection) }
    let clock = ContinuousClock()
    let begin = clock.now
    func lock(by statement: SQLFragment) throws {
      // The limit is for all locks together, lock_timeout for each of them: a session that begins to wait
      // for one of our locks must not detect a deadlock before we give up.
      let left = max(1, longestWait - begin.duration(to: clock.now).inMilliseconds)
      try execution.runner.run("SET LOCAL statement_timeout = \(left)", connection)
      try execution.runner.run(statement, connection)
    }
    // A reader locks a view before its tables.
    for view in views { try lock(by: Transaction.locking(view)) }
    for mode in LockMode.allCases.reversed() {
      let tables = tables.filter { $0.mode == mode }
      if !tables.isEmpty { try lock(by: Transaction.locking(tables, mode)) }
    }
    for sequence in try replacedSequences(connection) {
      // LOCK takes no sequences. This has the same lock, and changes nothing.
      try lock(by: "ALTER SEQUENCE \(sequence) SET LOGGED")
    }
    try execution.runner.runBatch(
      hold?.renewal ?? ["SET LOCAL statement_timeout = 0"],
      connection
    )
    try prepareConstraints(connection)
  }

  /// Returns names in the order in which they are locked.
  ///
  /// Transactions that use tables in the reverse order wait for the first lock and keep the last from being had, as
  /// long as there always is one: then another order finds its way.
  private func inOrder<Name>(_ names: [Name]) -> [Name] {
    switch attempts {
    case 0: names
    case 1: names.reversed()
    default: names.shuffled()
    }
  }

  /// Returns the sequences of the locked tables that the step renames or drops.
  private func replacedSequences(
    _ connection: borrowing PostgresConnection
  ) throws -> [QualifiedName] {
    let names = execution.step.replacedSequences.sorted().map { "\(text: $0.name)" as SQLFragment }
    let tables = execution.step.lockedTables.map {
      "(\(text: $0.name.schema.name), \(text: $0.name.name.name))" as SQLFragment
    }
    guard !names.isEmpty, !tables.isEmpty else { return [] }
    return try connection.query(
      """
      SELECT n.nspname, s.relname FROM pg_class s JOIN pg_namespace n ON n.oid = s.relnamespace \
      JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid \
      AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') \
      JOIN pg_class t ON t.oid = d.refobjid JOIN pg_namespace m ON m.oid = t.relnamespace \
      WHERE s.relkind = 'S' AND s.relpersistence = 'p' \
      AND s.relname IN (\(names.joined(separator: ", "))) \
      AND (m.nspname, t.relname) IN (\(tables.joined(separator: ", "))) ORDER BY 1, 2
      """
    ).compactMap { row in
      guard let schema = row["nspname"], let name = row["relname"] else { return nil }
      return QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name))
    }
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
    case .completeCopy, .runStatements:
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
