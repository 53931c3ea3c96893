internal import PostgresClient
internal import SQLSyntax

/// The migration lock of one migrator, which only one of a store has at a time: an advisory lock.
struct MigrationLock {
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
    isHeldBySession = try isTaken("SELECT pg_try_advisory_lock(\(key)) AS taken", connection)
    return isHeldBySession
  }

  /// Waits until the migration lock is free, ten seconds at most.
  func waitForOthers(
    _ connection: borrowing PostgresConnection,
    _ interruption: Interruption
  ) throws {
    // Outside a transaction, the lock is released at once.
    for _ in 0..<100 {
      if try isTakenByTransaction(connection) { return }
      interruption.sleep(seconds: 0.1)
    }
  }

  /// Runs something that only one migrator of a store does at a time, in a session prepared for a job.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - runner: Ends the wait, and tells that there is one.
  ///   - limit: For how long the lock is waited for.
  ///   - silence: After how many seconds an owner of a job that does nothing loses the lock.
  ///   - connection: A connection outside a transaction.
  ///   - obstacle: What keeps us from it when the time is up.
  ///   - body: What is done.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or the obstacle.
  static func holding<Result>(
    of store: StoreIdentity,
    _ runner: TransactionRunner,
    within limit: Duration,
    silence: Double,
    _ connection: borrowing PostgresConnection,
    else obstacle: (Double, Blocker?) -> ExecutionError.Fact = {
      .migrationLockNotAvailable(seconds: $0, holder: $1)
    },
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    try connection.prepareForJob(silence: silence)
    var lock = MigrationLock(of: store, outlastsTransactions: true)
    let clock = ContinuousClock()
    let begin = clock.now
    var refusals = 0
    while try !lock.take(connection) {
      if refusals == 0 { runner.onEvent?(.waitingForMigrationLock) }
      if try SilentOwner(store: store, silence: silence).dismiss(connection) { continue }
      let waited = begin.duration(to: clock.now)
      guard waited < limit else {
        let holder = try BlockerInspection(store: store).migrationLockHolder(connection)
        throw ExecutionError(obstacle(waited.inSeconds, holder))
      }
      try runner.interruption.pause(
        seconds: Backoff.migrationLock.seconds(after: refusals, jitter: Double.random(in: 0...1))
      )
      refusals += 1
    }
    defer { lock.giveUp(connection) }
    return try body(connection)
  }

  /// Gives up what outlasts the transactions; the server does it by itself where the session ends.
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
