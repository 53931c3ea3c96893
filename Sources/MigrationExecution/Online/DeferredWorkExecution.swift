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

  /// How much of the work may be done.
  package struct Allowance: Hashable, Sendable {
    /// How many pieces; any number if there is none.
    private let count: Int?
    /// When no further piece begins; never if there is none.
    private let end: ContinuousClock.Instant?

    /// Creates an allowance; by default of everything.
    package init(count: Int? = nil, end: ContinuousClock.Instant? = nil) {
      self.count = count
      self.end = end
    }

    /// Returns what is left of it after some pieces.
    package func after(_ done: Int) -> Allowance {
      Allowance(count: count.map { max(0, $0 - done) }, end: end)
    }

    /// A Boolean value that indicates whether another piece may begin.
    fileprivate var isLeft: Bool {
      count != 0 && end.map { $0 > .now } ?? true
    }
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
  ///   - allowance: How much of it.
  ///   - willBegin: Called before the first piece, if there is one.
  ///   - onDone: Called after each piece.
  /// - Returns: The finished pieces.
  /// - Throws: The reason why a piece failed; earlier ones are finished.
  @discardableResult
  package func run(
    _ phases: Set<MigrationPhase>,
    _ connection: borrowing PostgresConnection,
    upTo allowance: Allowance = Allowance(),
    willBegin: (borrowing PostgresConnection) throws -> Void = { _ in },
    onDone: (Done) -> Void = { _ in }
  ) throws -> [Done] {
    guard try allowance.isLeft && !pending(phases, connection).isEmpty else { return [] }
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
      runner.onEvent?(.deferredWorkPlanned(pending))
      var all: [Done] = []
      for work in pending where allowance.after(all.count).isLeft {
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
