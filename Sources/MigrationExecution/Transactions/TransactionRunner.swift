internal import MigrationPlanning
internal import ModelMapping
package import PostgresClient
internal import SQLSyntax

/// Runs statements and transactions: the one place that begins and ends them, and tries again while others
/// hold their locks.
package struct TransactionRunner: Sendable {
  let interruption: Interruption
  let failpoints: Failpoints
  let onEvent: (@Sendable (MigrationEvent) -> Void)?
  /// What policies in code share.
  let manager = MigrationManager()

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - interruption: Keeps transactions from beginning, and ends waits.
  ///   - failpoints: The places at which a test intervenes.
  ///   - onEvent: Gets an event for each statement and each retry.
  package init(
    interruption: Interruption = Interruption(),
    failpoints: Failpoints = Failpoints(),
    onEvent: (@Sendable (MigrationEvent) -> Void)? = nil
  ) {
    self.interruption = interruption
    self.failpoints = failpoints
    self.onEvent = onEvent
  }

  // MARK: - Statements

  /// Runs a statement and reports it.
  ///
  /// Authored SQL may be several statements. Each is sent by itself, and the server refuses text
  /// that it parses as several.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - place: The failpoint after it.
  ///   - connection: The connection.
  /// - Returns: The number of changed rows.
  /// - Throws: The server's error, or an error if the statement has ended its transaction.
  @discardableResult
  func run(
    _ sql: SQLFragment,
    at place: String? = nil,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    let status = connection.transactionStatus
    let text = sql.text
    let written = text.utf8.contains(UInt8(ascii: ";")) ? WrittenSQL(text) : nil
    let rows = try telling(of: sql) {
      // A statement that is not allowed in a transaction is left to the server, which refuses it
      // among several.
      guard let written, written.fault == nil, written.statements.count > 1 else {
        return try connection.query(sql).affectedRows
      }
      return try written.statements.reduce(0) { rows, statement in
        try rows + connection.query(SQLFragment(deparsed: statement)).affectedRows
      }
    }
    guard connection.transactionStatus == status else {
      throw PostgresError(
        .server,
        "a statement has ended the transaction that it ran in",
        sqlState: .invalidTransactionTermination
      )
    }
    if let place { try failpoints.reach(place, connection) }
    return rows
  }

  /// Runs a statement of a plan, or lets a policy in code create the rows in its place.
  @discardableResult
  func run(
    _ statement: PlannedStatement,
    of step: MigrationStep,
    _ policies: [String: any EntityMigrationPolicy],
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    guard let rowPolicy = statement.rowPolicy else { return try run(statement.sql, connection) }
    let rowPolicies = step.copy?.rowPolicies ?? []
    if rowPolicies.first(where: { $0.creatorName == nil })?.mappingName == rowPolicy.mappingName {
      manager.begin(
        Dictionary(
          rowPolicies.filter { $0.creatorName != nil }.map { ($0.mappingName, $0.layout) },
          uniquingKeysWith: { first, _ in first }
        )
      )
    }
    return try RowPolicyRun(rowPolicy, of: step, policies, self)
      .run(CopyChunk(number: 0, lower: nil, upper: nil), connection)
  }

  /// Runs several statements of our own in one round trip.
  ///
  /// - Parameters:
  ///   - statements: The statements.
  ///   - connection: The connection.
  ///   - onAnswer: Gets how many of them have succeeded, after each.
  /// - Throws: The error of the first one that failed, after which the server has run no other.
  func runBatch(
    _ statements: [SQLFragment],
    _ connection: borrowing PostgresConnection,
    onAnswer: (Int) -> Void = { _ in }
  ) throws {
    _ = try telling(of: statements.joined(separator: ";\n")) {
      try connection.execute(statements, onAnswer: onAnswer)
    }
  }

  /// Tells of a statement that something else sends, with its time and its rows.
  func telling(of sql: SQLFragment, _ send: () throws -> Int) throws -> Int {
    let clock = ContinuousClock()
    let begin = clock.now
    let rows = try send()
    onEvent?(.statement(sql: sql.text, duration: begin.duration(to: clock.now), rows: rows))
    return rows
  }

  // MARK: - Transactions

  /// Runs a transaction: commits it when the body returns, and rolls it back when the body throws.
  ///
  /// If the connection is lost during the commit, the statement of the error is `COMMIT`, and only
  /// the metadata shows, on another connection, whether the transaction was committed.
  @discardableResult
  package func transact<Result>(
    _ transaction: Transaction,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    try interruption.check()
    do {
      try begin(transaction, connection)
      let result = try body(connection)
      try end(transaction, connection)
      return result
    } catch {
      // The original error is more important than that of the rollback.
      try? rollBack(connection)
      throw error
    }
  }

  func begin(_ transaction: Transaction, _ connection: borrowing PostgresConnection) throws {
    let path = connection.hasCitus ? [Transaction.lookingUpInCatalog] : []
    let statements = [transaction.mode.beginning] + path + transaction.settings
    try runBatch(statements, connection)
    try reach("begin", of: transaction, connection)
    guard let fence = transaction.fence else { return }
    try fence(connection)
    try reach("fenced", of: transaction, connection)
  }

  func end(_ transaction: Transaction, _ connection: borrowing PostgresConnection) throws {
    try reach("before_commit", of: transaction, connection)
    if transaction.isRolledBack {
      try rollBack(connection)
    } else {
      // The server silently rolls a failed transaction back at COMMIT.
      guard connection.transactionStatus != .failed else {
        throw PostgresError(
          .server,
          "a transaction with a failed statement cannot be committed",
          sqlState: .failedTransaction
        )
      }
      try runBatch(["COMMIT"], connection)
    }
    try reach("after_commit", of: transaction, connection)
  }

  /// Rolls back the open transaction, if there is one.
  func rollBack(_ connection: borrowing PostgresConnection) throws {
    guard !connection.isBroken, connection.transactionStatus != .idle else { return }
    try runBatch(["ROLLBACK"], connection)
  }

  private func reach(
    _ moment: String,
    of transaction: Transaction,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let name = transaction.name else { return }
    try failpoints.reach("\(name).\(moment)", connection)
  }

  // MARK: - Locks

  /// Repeats a function while others hold the locks that it needs.
  ///
  /// - Parameters:
  ///   - limit: The time limit.
  ///   - connection: A connection outside of a transaction.
  ///   - blockers: Finds the owners of the locks when the time is up.
  ///   - body: The function, which leaves no transaction open.
  /// - Returns: What the body returns.
  /// - Throws: The function's error, or an error with the owners of the locks.
  @discardableResult
  func retryingLocks<Result>(
    for limit: Duration,
    _ connection: borrowing PostgresConnection,
    blockers: (borrowing PostgresConnection) throws -> [Blocker],
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    let clock = ContinuousClock()
    let begin = clock.now
    var attempts = 0
    while true {
      do {
        return try body(connection)
      } catch let error as PostgresError {
        guard let sqlState = error.sqlState, sqlState.isLockConflict else { throw error }
        let waited = begin.duration(to: clock.now)
        // A deadlock may have ended long work, so one more attempt is worth it.
        let isFirstDeadlock = sqlState == .deadlockDetected && attempts == 0
        guard waited < limit || isFirstDeadlock else {
          let holders = (try? blockers(connection)) ?? []
          throw ExecutionError(.lockNotAvailable(seconds: waited.inSeconds, blockers: holders))
        }
        let pause = Backoff.locks.seconds(after: attempts, jitter: Double.random(in: 0...1))
        attempts += 1
        onEvent?(
          .retrying(sqlState: sqlState.rawValue, attempt: attempts, pause: .seconds(pause))
        )
        try interruption.pause(seconds: pause)
      }
    }
  }
}
