internal import PostgresClient
internal import SQLSyntax

/// The migration lock of one migrator, which only one of a store has at a time: an advisory lock.
struct MigrationLock {
  private let key: SQLLiteral
  /// Whether the step takes several transactions, between which nobody else gets the migration lock.
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

  /// Waits until nobody has the migration lock, ten seconds at most, and leaves a transaction open that has it.
  func waitForOthers(
    _ connection: borrowing PostgresConnection,
    _ interruption: Interruption
  ) throws {
    for _ in 0..<100 {
      try connection.execute("BEGIN")
      if try isTakenByTransaction(connection) { return }
      try connection.execute("ROLLBACK")
      Pause.sleep(seconds: 0.1, interruption)
    }
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
