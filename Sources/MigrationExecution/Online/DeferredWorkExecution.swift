public import MigrationPlanning
public import PostgresClient
internal import SQLSyntax

/// Does what online migrations have left to do, one after the other, while others read and write.
///
/// Whatever it was interrupted at, it looks at what there is and goes on from there.
public struct DeferredWorkExecution: Sendable {
  /// Work that was done.
  public struct Done: Hashable, Sendable {
    /// The work.
    public let work: PendingWork
    /// What it did, in a line.
    public let summary: String
    /// How long it took.
    public let duration: Duration
  }

  let store: StoreIdentity
  let source: ConnectionSource?
  let settings: StepExecution.Settings
  let silence: Double
  let failpoints: Failpoints
  let interruption: Interruption
  let onEvent: (@Sendable (MigrationEvent) -> Void)?

  /// Creates an execution.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - source: The server, to find out on another connection whom a statement waits for; without it
  ///     nothing is told of that.
  ///   - settings: How long it may wait for what.
  ///   - copySettings: What else it is to go by.
  ///   - interruption: Ends it when it comes.
  ///   - onEvent: Is told what happens.
  public init(
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
    failpoints = copySettings.failpoints
    self.interruption = interruption
    self.onEvent = onEvent
  }

  /// Does what is left to do in some phases.
  ///
  /// - Parameters:
  ///   - phases: The phases.
  ///   - connection: A connection outside a transaction.
  ///   - willBegin: Is called before the first piece, if there is any.
  ///   - onDone: Is told of each piece when it is done.
  /// - Returns: What was done.
  /// - Throws: Why something could not be done; what comes before it is done.
  @discardableResult
  public func run(
    _ phases: Set<MigrationPhase>,
    _ connection: borrowing PostgresConnection,
    willBegin: (borrowing PostgresConnection) throws -> Void = { _ in },
    onDone: (Done) -> Void = { _ in }
  ) throws -> [Done] {
    guard try !pending(phases, connection).isEmpty else { return [] }
    try connection.prepareForJob(silence: silence)
    var migrationLock = MigrationLock(of: store, outlastsTransactions: true)
    try waitForMigrationLock(&migrationLock, connection)
    defer { migrationLock.giveUp(connection) }
    // The process that had the migration lock before may have done it.
    let pending = try pending(phases, connection)
    guard !pending.isEmpty else { return [] }
    try willBegin(connection)
    let session = try DeferredWorkSession(self, connection)
    let tables = session.schema.tables.keys.map { session.schema.qualified($0) }
    try StoreOwnership(of: tables, in: store, isWriting: true).check(connection)
    return try pending.compactMap { work in
      let done = try session.carryOut(work, connection)
      if let done { onDone(done) }
      return done
    }
  }

  private func pending(
    _ phases: Set<MigrationPhase>,
    _ connection: borrowing PostgresConnection
  ) throws -> [PendingWork] {
    try PendingWork.all(of: store, connection).filter { phases.contains($0.phase) }
  }

  private func waitForMigrationLock(
    _ migrationLock: inout MigrationLock,
    _ connection: borrowing PostgresConnection
  ) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    var refusals = 0
    while try !migrationLock.take(connection) {
      if refusals == 0 { onEvent?(.waitingForMigrationLock) }
      let waited = begin.duration(to: clock.now)
      guard waited < settings.waitForMigrationLock else {
        let holder = try BlockerInspection(store: store).migrationLockHolder(connection)
        throw ExecutionError(.migrationLockNotAvailable(seconds: waited.inSeconds, holder: holder))
      }
      try interruption.pause(
        seconds: Backoff.migrationLock.seconds(after: refusals, jitter: Double.random(in: 0...1))
      )
      refusals += 1
    }
  }
}
