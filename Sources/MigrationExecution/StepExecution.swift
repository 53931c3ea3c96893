internal import FoundationEssentials
package import MigrationPlanning
package import ModelMapping
internal import ObjectModel
package import PostgresClient
internal import SQLSyntax

/// Carries out one step of a plan.
package struct StepExecution: Sendable {
  /// The settings of an execution.
  package struct Settings: Sendable {
    var lockTimeout: Duration
    var lockRetryFor: Duration
    package var waitForMigrationLock: Duration
    var waitForServer: Duration

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - lockTimeout: The time that one attempt may wait for locks.
    ///   - lockRetryFor: The total time for attempts.
    ///   - waitForMigrationLock: The time to wait for another migrator of the same store.
    ///   - waitForServer: The time to wait for a server that restarts.
    package init(
      lockTimeout: Duration,
      lockRetryFor: Duration,
      waitForMigrationLock: Duration,
      waitForServer: Duration = .seconds(30)
    ) {
      self.lockTimeout = lockTimeout
      self.lockRetryFor = lockRetryFor
      self.waitForMigrationLock = waitForMigrationLock
      self.waitForServer = waitForServer
    }
  }

  /// The end of a step that did not fail.
  package enum Result: Hashable, Sendable {
    case committed
    /// The database has another version than the step was planned for: plan again.
    case superseded
    /// There are more changes than the transaction may copy while others wait; only at the end of a
    /// copy.
    case deferred
    /// All was undone, as it was to be.
    case rehearsed
  }

  let step: MigrationStep
  /// The digest of the step, for which all of it is read.
  let digest: String
  let store: StoreIdentity
  let settings: Settings
  let source: ConnectionSource
  let interruption: Interruption
  let onEvent: (@Sendable (MigrationEvent) -> Void)?
  let policies: [String: any EntityMigrationPolicy]
  let approval: PlanApproval?
  /// The places of a step at which a test can intervene.
  package var failpoints = Failpoints()
  /// The end of a copy, where the step is one.
  var cutover: CopyCutover?
  /// The copy of rows from another database, if the step has one.
  package var transfer: StoreTransfer?
  /// The condition for a step whose objects all exist.
  package var adoption: AdoptionCheck?
  /// The digest of the files from which the destination was read, if it is to be noted with the version.
  package var filesDigest: String?
  /// Watches the transactions of the step.
  package var observer: StepObserver?
  /// For how long locks may be held, where all is undone in the end; none where it is to stay.
  package var holdLimit: Duration?

  /// Creates an execution.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - store: The store.
  ///   - settings: The time limits.
  ///   - source: The server, for the entries of the audit log that have transactions of their own.
  ///   - policies: The policies in code, by the class names that mappings have.
  ///   - approval: The approval of the plan, for the audit log.
  ///   - interruption: Ends the execution.
  ///   - onEvent: Gets the events.
  package init(
    _ step: MigrationStep,
    in store: StoreIdentity,
    settings: Settings,
    source: ConnectionSource,
    policies: [String: any EntityMigrationPolicy] = [:],
    approval: PlanApproval? = nil,
    interruption: Interruption,
    onEvent: (@Sendable (MigrationEvent) -> Void)? = nil
  ) {
    self.step = step
    digest = step.digest
    self.store = store
    self.settings = settings
    self.source = source
    self.policies = policies
    self.approval = approval
    self.interruption = interruption
    self.onEvent = onEvent
  }

  /// Runs the step in one transaction, again and again while others hold its locks.
  ///
  /// - Parameter connection: A connection outside a transaction.
  /// - Returns: Whether it was committed.
  /// - Throws: Why it was not; the transaction is rolled back by then.
  package func run(_ connection: borrowing PostgresConnection) throws -> Result {
    let clock = ContinuousClock()
    let begin = clock.now
    if cutover == nil, !step.kind.staysAtVersion {
      onEvent?(
        .stepStarted(
          source: step.source?.name,
          destination: step.destination.name,
          statementCount: step.statementCount
        )
      )
    }
    let session = try SessionInspection(connection)
    var transaction = StepTransaction(
      execution: self,
      session: session,
      application: connection.applicationName,
      archive: try ModelArchive.text(of: model)
    )
    var state = ExecutionState(
      // What watches or limits each statement needs it by itself.
      transactions: observer == nil && holdLimit == nil
        ? step.groups : step.transactions.map { $0.map { $0..<$0 + 1 } },
      limits: ExecutionState.Limits(
        waitForMigrationLock: settings.waitForMigrationLock.inSeconds,
        lockRetryFor: settings.lockRetryFor.inSeconds
      ),
      endsCopy: cutover != nil,
      isRehearsal: holdLimit != nil
    )
    var lastSQLState: SQLState?
    var lockBegin: ContinuousClock.Instant?
    while true {
      let action = state.next()
      if case .finish(let conclusion) = action {
        let duration = begin.duration(to: clock.now)
        let result = try transaction.conclude(conclusion, after: duration, connection)
        if result == .committed, cutover == nil { noteEnd(after: begin.duration(to: clock.now)) }
        return result
      }
      if action == .lockTables, !step.lockedTables.isEmpty { lockBegin = lockBegin ?? clock.now }
      if case .pause = action, lastSQLState?.isLockConflict == true {
        transaction.tellBlockers(connection)
      }
      let outcome = transaction.perform(action, connection)
      if action == .commit || action == .rollBack, let begin = lockBegin {
        lockBegin = nil
        onEvent?(.locksHeld(begin.duration(to: clock.now)))
      }
      if action == .enterStart { state.noteStartEntered() }
      if case .failed(let sqlState?) = outcome, action != .rollBack { lastSQLState = sqlState }
      if case .pause(let seconds) = action, let sqlState = lastSQLState {
        lastSQLState = nil
        onEvent?(
          .retrying(
            sqlState: sqlState.rawValue,
            attempt: state.attempts,
            pause: .seconds(seconds)
          )
        )
      }
      state.record(
        outcome,
        at: begin.duration(to: clock.now).inSeconds,
        jitter: Double.random(in: 0...1)
      )
    }
  }

  private func noteEnd(after duration: Duration) {
    switch step.kind {
    case .migration, .revert:
      onEvent?(
        .stepEnded(
          source: step.source?.name,
          destination: step.destination.name,
          duration: duration
        )
      )
    case .cleanup, .interfaces:
      guard !step.statements.isEmpty else { return }
      onEvent?(.cleanedUp(step.statements.map(\.reason), duration: duration))
    }
  }

  var runner: TransactionRunner {
    TransactionRunner(
      interruption: interruption,
      failpoints: cutover?.context.settings.failpoints ?? failpoints,
      onEvent: onEvent
    )
  }

  /// The reconnection after a lost connection.
  var reconnection: Reconnection {
    Reconnection(to: source, within: settings.waitForServer, interruption)
  }

  private var model: ManagedObjectModel { step.destination.projection.model }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  package var inMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

extension StepExecution {
  /// Returns whether the metadata still has the step as the next one.
  ///
  /// - Parameters:
  ///   - done: The number of committed statements of a creation in several transactions.
  ///   - connection: A connection with the migration lock.
  /// - Returns: Whether the step may continue; otherwise the plan is out of date.
  /// - Throws: An error if another job precedes it, or the server's error.
  func isStillNext(
    after done: Int,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    let metadata = MetadataStore(store)
    let presence = try metadata.presenceWithJob(connection)
    let layout = presence == .noMetadata ? nil : try metadata.layoutVersion(connection)
    var hasNoJob = false
    if case .store(let record) = presence { hasNoJob = record.unfinishedJobID == nil }
    if cutover == nil, step.source != nil, !hasNoJob,
      let job = try CopyJob.unfinished(of: store, inCheckedLayout: layout, connection)
    {
      // Another process has cut over, and still has foreign keys to validate.
      if job.state == .settling { return false }
      // The tables are watched or guarded for that job.
      let obstacle: ExecutionError.JobObstacle =
        step.kind.staysAtVersion
        ? .comesFirst : .otherPlan(source: job.source, target: job.target)
      throw ExecutionError(.jobUnfinished(id: job.id, obstacle))
    }
    guard step.follows(presence, after: done, digest: digest) else { return false }
    if !step.droppedRetained.isEmpty {
      let retained = try metadata.retained(connection)
      guard step.droppedRetained.isSubset(of: retained) else { return false }
    }
    if step.kind.staysAtVersion { return true }
    // The deferred work of the last version precedes the next step.
    if step.source != nil, !step.isIntoSchema, step.kind != .revert,
      try !PendingWork.all(of: store, inCheckedLayout: layout, connection).isEmpty
    {
      return false
    }
    guard let copied = step.copiedStore(store) else { return true }
    return try step.isOf(MetadataStore(copied).presence(connection))
  }
}

extension StepExecution {
  /// Returns whether the step handles every object that depends on its tables.
  ///
  /// Views and the like are read before the locks; only the locks keep others from creating more.
  func accountsForDependents(_ connection: borrowing PostgresConnection) throws -> Bool {
    // The new plan names them.
    guard try step.publicationsInTheWay(connection).isEmpty,
      try step.rowFunctionsInTheWay(connection).isEmpty
    else { return false }
    guard let source = step.source, step.mayBreakDependents else { return true }
    let retained = try MetadataStore(store).retained(connection)
    let objects = StoreObjects(
      source.projection.schema,
      retained: retained,
      stagingSchema: store.stagingSchema,
      besides: try MetadataStore(store).interfaces(connection)
    )
    return step.accounts(for: try DependentInspection(objects).dependents(connection))
  }
}
