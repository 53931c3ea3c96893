package import PostgresClient
internal import SQLSyntax

/// A look at a store that waits for those who change its tables meanwhile, but not for ever.
package struct PatientLook {
  private let store: StoreIdentity
  private let settings: StepExecution.Settings
  private let interruption: Interruption
  private let onEvent: (@Sendable (MigrationEvent) -> Void)?

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
    onEvent: (@Sendable (MigrationEvent) -> Void)?
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
    let limit = SQLLiteral.integer(max(1, settings.lockTimeout.inMilliseconds))
    defer { if !connection.isBroken { _ = try? connection.set(.lockTimeout, to: "0") } }
    return try TransactionRunner(interruption: interruption, onEvent: onEvent).retryingLocks(
      for: settings.lockRetryFor,
      connection,
      blockers: { try BlockerInspection(store: store).exclusiveHolders($0) }
    ) { connection in
      // Some of what is read sets a limit of its own.
      try connection.set(.lockTimeout, to: "\(limit)")
      return try look(connection)
    }
  }
}
