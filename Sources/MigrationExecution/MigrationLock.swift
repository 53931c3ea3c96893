package import PostgresClient
internal import SQLSyntax

/// The migration lock of one migrator, which only one of a store has at a time: an advisory lock.
package struct MigrationLock {
  private let key: SQLLiteral
  /// Whether the lock is held from one transaction of the step to the next.
  private let outlastsTransactions: Bool
  /// Whether the session itself holds the lock, and not just the transaction.
  private var isHeldBySession = false

  init(of store: StoreIdentity, outlastsTransactions: Bool) {
    key = .integer(store.migrationLockKey)
    self.outlastsTransactions = outlastsTransactions
  }

  /// Takes the migration lock for the transaction that runs, or for all that follow.
  ///
  /// - Returns: Whether it is free.
  mutating func take(_ connection: borrowing PostgresConnection) throws -> Bool {
    if isHeldBySession { return true }
    guard outlastsTransactions else { return try isTakenByTransaction(connection) }
    // A client whose network has failed must not block others from the store.
    let limit = SQLLiteral.text(SessionSetting.idleSession.name.text)
    isHeldBySession = try isTaken(
      """
      SELECT taken, CASE WHEN taken THEN set_config(\(limit), '60s', false) END \
      FROM (SELECT pg_try_advisory_lock(\(key)) AS taken OFFSET 0) AS attempt
      """,
      connection
    )
    return isHeldBySession
  }

  /// Waits until the migration lock is free or a condition holds, ten seconds at most.
  func waitForOthers(
    orUntil isSettled: (borrowing PostgresConnection) throws -> Bool,
    _ connection: borrowing PostgresConnection,
    _ interruption: Interruption
  ) throws {
    // Outside a transaction, the lock is released at once.
    for _ in 0..<100 {
      if try isTakenByTransaction(connection) || isSettled(connection) { return }
      interruption.sleep(seconds: 0.1)
    }
  }

  /// Runs a function while the session has the migration lock.
  ///
  /// It polls for the lock: a session that waits for it inside the server would block a concurrent
  /// index build, whose session has the lock.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - runner: Ends the wait, and reports it.
  ///   - limit: The time to wait for the lock.
  ///   - silence: The seconds after which an idle owner of a job loses the lock.
  ///   - connection: A connection outside of a transaction.
  ///   - body: The function.
  /// - Returns: The function's result.
  /// - Throws: An error with the owner of the lock when the time is up, or the function's error.
  package static func holding<Result>(
    of store: StoreIdentity,
    _ runner: TransactionRunner,
    within limit: Duration,
    silence: Double,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    var lock = MigrationLock(of: store, outlastsTransactions: true)
    let clock = ContinuousClock()
    let begin = clock.now
    var refusals = 0
    while try !lock.take(connection) {
      if refusals == 0 { runner.onEvent?(.waitingForMigrationLock) }
      refusals += 1
      if try SilentOwner(store: store, silence: silence).dismiss(connection) { continue }
      let waited = begin.duration(to: clock.now)
      guard waited < limit else {
        let holder = try BlockerInspection(store: store).migrationLockHolder(connection)
        let job = try CopyJob.unfinished(of: store, connection)
        throw ExecutionError(
          job.map { .jobUnfinished(id: $0.id, .taken(seconds: waited.inSeconds, holder: holder)) }
            ?? .migrationLockNotAvailable(seconds: waited.inSeconds, holder: holder)
        )
      }
      let pause = Backoff.migrationLock.seconds(
        after: refusals - 1,
        jitter: Double.random(in: 0...1)
      )
      let left = (limit - waited).inSeconds
      try runner.interruption.pause(seconds: min(pause, max(0.01, left)))
    }
    defer { lock.giveUp(connection) }
    return try body(connection)
  }

  /// Releases locks that outlast transactions; the server does so itself when the session ends.
  mutating func giveUp(_ connection: borrowing PostgresConnection) {
    guard isHeldBySession else { return }
    isHeldBySession = false
    guard !connection.isBroken else { return }
    _ = try? connection.query("SELECT pg_advisory_unlock(\(key))")
  }

  private func isTakenByTransaction(_ connection: borrowing PostgresConnection) throws -> Bool {
    try isTaken("SELECT pg_try_advisory_xact_lock(\(key)) AS taken", connection)
  }

  private func isTaken(
    _ query: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    try connection.query(query).first?.boolean("taken") == true
  }
}
