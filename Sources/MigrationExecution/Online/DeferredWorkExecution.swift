package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Carries out the deferred work of online migrations, piece by piece, while others read and write.
///
/// After an interruption it reads the catalog and continues from there.
public struct DeferredWorkExecution: Sendable {
  /// Work that was done.
  public struct Done: Hashable, Sendable {
    /// The work.
    public let work: PendingWork
    /// A summary in a line.
    public let summary: String
    /// How long it took.
    public let duration: Duration
  }

  let store: StoreIdentity
  let source: ConnectionSource?
  let settings: StepExecution.Settings
  let silence: Double
  let runner: TransactionRunner

  /// Creates an execution.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - source: The server, for another connection that finds the sessions for which a statement
  ///     waits; without it they are not reported.
  ///   - settings: The time limits.
  ///   - copySettings: Further settings.
  ///   - interruption: Ends the execution.
  ///   - onEvent: Gets the events.
  package init(
    of store: StoreIdentity,
    source: ConnectionSource? = nil,
    settings: StepExecution.Settings,
    copySettings: CopySettings = CopySettings(),
    interruption: Interruption,
    onEvent: (@Sendable (MigrationEvent) -> Void)? = nil
  ) {
    self.store = store
    self.source = source
    self.settings = settings
    silence = copySettings.silence
    runner = TransactionRunner(
      interruption: interruption,
      failpoints: copySettings.failpoints,
      onEvent: onEvent
    )
  }

  /// Does the deferred work of some phases.
  ///
  /// - Parameters:
  ///   - phases: The phases.
  ///   - connection: A connection outside of a transaction.
  ///   - willBegin: Called before the first piece, if there is one.
  ///   - onDone: Called after each piece.
  /// - Returns: The finished pieces.
  /// - Throws: The reason why a piece failed; earlier ones are finished.
  @discardableResult
  package func run(
    _ phases: Set<MigrationPhase>,
    _ connection: borrowing PostgresConnection,
    willBegin: (borrowing PostgresConnection) throws -> Void = { _ in },
    onDone: (Done) -> Void = { _ in }
  ) throws -> [Done] {
    guard try !pending(phases, connection).isEmpty else { return [] }
    try connection.prepareForJob(silence: silence)
    return try MigrationLock.holding(
      of: store,
      runner,
      within: settings.waitForMigrationLock,
      silence: silence,
      connection
    ) { connection in
      // An earlier holder of the migration lock may have done it.
      let pending = try pending(phases, connection)
      guard !pending.isEmpty else { return [] }
      try willBegin(connection)
      let session = try DeferredWorkSession(self, connection)
      let tables = session.schema.tables.keys.map { session.schema.qualified($0) }
      try StoreOwnership(of: tables, in: store, isWriting: true).check(connection)
      var all: [Done] = []
      for work in pending {
        guard let done = try session.carryOut(work, connection) else { continue }
        onDone(done)
        all.append(done)
      }
      return all
    }
  }

  private func pending(
    _ phases: Set<MigrationPhase>,
    _ connection: borrowing PostgresConnection
  ) throws -> [PendingWork] {
    try PendingWork.all(of: store, connection).filter { phases.contains($0.phase) }
  }
}
