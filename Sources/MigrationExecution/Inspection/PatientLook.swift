package import PostgresClient
internal import SQLSyntax

/// A look at a store that waits for those who change its tables meanwhile, but not for ever.
package struct PatientLook {
  private let store: StoreIdentity
  private let settings: StepExecution.Settings
  private let interruption: Interruption
  private let onEvent: ((MigrationEvent) -> Void)?

  /// Creates a look.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - settings: For how long locks are waited for.
  ///   - interruption: Ends the wait when it comes.
  ///   - onEvent: Gets what happens.
  package init(
    at store: StoreIdentity,
    _ settings: StepExecution.Settings,
    _ interruption: Interruption,
    onEvent: ((MigrationEvent) -> Void)?
  ) {
    self.store = store
    self.settings = settings
    self.interruption = interruption
    self.onEvent = onEvent
  }

  /// Looks, and again while others hold the locks that it takes.
  ///
  /// - Parameters:
  ///   - connection: A connection outside a transaction.
  ///   - look: What is read, which leaves no transaction open.
  /// - Returns: What was read.
  /// - Throws: What the look throws; that locks are not available, and who has them, when the time is
  ///   up.
  package func run<Found>(
    _ connection: borrowing PostgresConnection,
    _ look: (borrowing PostgresConnection) throws -> Found
  ) throws -> Found {
    let clock = ContinuousClock()
    let begin = clock.now
    var attempts = 0
    let limit = SQLLiteral.integer(max(1, settings.lockTimeout.inMilliseconds))
    defer { if !connection.isBroken { _ = try? connection.set(.lockTimeout, to: "0") } }
    while true {
      do {
        // Some of what is read sets a limit of its own.
        try connection.set(.lockTimeout, to: "\(limit)")
        return try look(connection)
      } catch let error as PostgresError
        where error.sqlState == .lockNotAvailable || error.sqlState == .deadlockDetected
      {
        let waited = begin.duration(to: clock.now)
        guard waited < settings.lockRetryFor else {
          let holders = try? BlockerInspection(store: store).exclusiveHolders(connection)
          throw ExecutionError(
            .lockNotAvailable(seconds: waited.inSeconds, blockers: holders ?? [])
          )
        }
        let pause = Backoff.locks.seconds(after: attempts, jitter: Double.random(in: 0...1))
        attempts += 1
        onEvent?(
          .retrying(
            sqlState: error.sqlState?.rawValue ?? "",
            attempt: attempts,
            pause: .seconds(pause)
          )
        )
        try interruption.pause(seconds: pause)
      }
    }
  }
}
