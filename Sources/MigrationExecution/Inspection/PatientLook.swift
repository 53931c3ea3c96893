package import PostgresClient
internal import SQLSyntax

/// A look at a store that waits for those who change its tables meanwhile, but not for ever.
package struct PatientLook {
  private let store: StoreIdentity
  private let settings: StepExecution.Settings
  private let interruption: Interruption
  private let onEvent: (@Sendable (MigrationEvent) -> Void)?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - settings: The time to wait for locks.
  ///   - interruption: Ends the wait.
  ///   - onEvent: Gets the events.
  package init(
    at store: StoreIdentity,
    _ settings: StepExecution.Settings,
    _ interruption: Interruption,
    onEvent: (@Sendable (MigrationEvent) -> Void)?
  ) {
    self.store = store
    self.settings = settings
    self.interruption = interruption
    self.onEvent = onEvent
  }

  /// Reads, and repeats this while others hold the locks that it takes.
  ///
  /// - Parameters:
  ///   - connection: A connection outside of a transaction.
  ///   - look: The function that reads, which leaves no transaction open.
  /// - Returns: The function's result.
  /// - Throws: The function's error, or an error with the owners of the locks when the time is up.
  package func run<Found>(
    _ connection: borrowing PostgresConnection,
    _ look: (borrowing PostgresConnection) throws -> Found
  ) throws -> Found {
    let limit = SQLLiteral.integer(max(1, settings.lockTimeout.inMilliseconds))
    defer { if !connection.isBroken { _ = try? connection.set(.lockTimeout, to: "0") } }
    return try TransactionRunner(interruption: interruption, onEvent: onEvent).retryingLocks(
      for: settings.lockRetryFor,
      connection,
      blockers: { try BlockerInspection(store: store).exclusiveHolders($0) }
    ) { connection in
      // Some reads set a limit of their own.
      try connection.set(.lockTimeout, to: "\(limit)")
      return try look(connection)
    }
  }
}
