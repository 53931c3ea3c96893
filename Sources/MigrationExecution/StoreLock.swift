package import PostgresClient
internal import SQLSyntax

/// The migration lock of a store, which a session takes before it looks at what it is to change.
package struct StoreLock {
  private let store: StoreIdentity
  private let settings: StepExecution.Settings
  private let silence: Double
  private let interruption: Interruption
  private let onEvent: ((MigrationEvent) -> Void)?

  /// Creates the lock of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - settings: For how long to wait for another migrator.
  ///   - silence: The seconds after which the owner of a copy job counts as hanging.
  ///   - interruption: Ends the wait.
  ///   - onEvent: Gets that there is something to wait for.
  package init(
    of store: StoreIdentity,
    _ settings: StepExecution.Settings,
    silence: Double,
    _ interruption: Interruption,
    onEvent: ((MigrationEvent) -> Void)?
  ) {
    self.store = store
    self.settings = settings
    self.silence = silence
    self.interruption = interruption
    self.onEvent = onEvent
  }

  /// Does something while the session has the lock.
  ///
  /// The server is asked for the lock again and again: a session that waits inside of it would keep an
  /// index from being built concurrently, and the builder from giving the lock up.
  ///
  /// - Parameters:
  ///   - connection: A connection outside a transaction.
  ///   - body: What is done.
  /// - Returns: What the body returns.
  /// - Throws: Who has the lock when the time to wait is up; what the body throws.
  package func hold<Result>(
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    var lock = MigrationLock(of: store, outlastsTransactions: true)
    try wait(for: &lock, connection)
    // A client whose network is gone must not keep others from the store.
    try connection.set(.idleSession, to: "'60s'")
    defer {
      lock.giveUp(connection)
      if !connection.isBroken { _ = try? connection.set(.idleSession, to: "0") }
    }
    return try body(connection)
  }

  private func wait(
    for lock: inout MigrationLock,
    _ connection: borrowing PostgresConnection
  ) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    var refusals = 0
    while try !lock.take(connection) {
      if refusals == 0 { onEvent?(.waitingForMigrationLock) }
      _ = try SilentOwner(store: store, silence: silence).dismiss(connection)
      let waited = begin.duration(to: clock.now)
      guard waited < settings.waitForMigrationLock else {
        let holder = try BlockerInspection(store: store).migrationLockHolder(connection)
        let job = try CopyJob.unfinished(of: store, connection)
        throw ExecutionError(
          job.map { .jobUnfinished(id: $0.id, .taken(seconds: waited.inSeconds, holder: holder)) }
            ?? .migrationLockNotAvailable(seconds: waited.inSeconds, holder: holder)
        )
      }
      let pause = Backoff.migrationLock.seconds(after: refusals, jitter: Double.random(in: 0...1))
      let left = (settings.waitForMigrationLock - waited).inSeconds
      try interruption.pause(seconds: min(pause, max(0.01, left)))
      refusals += 1
    }
  }
}
