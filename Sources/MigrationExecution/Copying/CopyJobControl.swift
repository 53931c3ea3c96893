internal import MigrationPlanning
public import PostgresClient
internal import SQLSyntax

/// Has jobs wait, go on, or taken back, whoever works on them.
public struct CopyJobControl: Sendable {
  private let store: StoreIdentity
  private let settings: StepExecution.Settings
  private let interruption: Interruption
  private let silence: Double
  private let failpoints: Failpoints

  private var jobs: CopyJobStatements { CopyJobStatements(store) }

  /// Creates control over the jobs of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - settings: How long it may wait for what.
  ///   - copySettings: What copies go by.
  ///   - interruption: Ends what is done when it comes.
  public init(
    of store: StoreIdentity,
    settings: StepExecution.Settings,
    copySettings: CopySettings = CopySettings(),
    interruption: Interruption
  ) {
    self.store = store
    self.settings = settings
    self.interruption = interruption
    silence = copySettings.silence
    failpoints = copySettings.failpoints
  }

  /// Finds a job by the beginning of its name; the latest one if there is no name.
  public func job(
    _ name: String?,
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJob {
    // What is read and written of a job is in more relations than its own.
    try MetadataStore(store).checkOwners(connection)
    let all = try CopyJob.all(of: store, connection)
    let found = name.map { name in
      all.filter { !name.isEmpty && $0.id.hasPrefix(name.lowercased()) }
    }
    guard let job = (found ?? all).last, (found?.count ?? 1) == 1 else {
      throw ExecutionError(.noSuchJob(name))
    }
    return job
  }

  /// Has a job wait, or go on.
  public func setPaused(
    _ isPaused: Bool,
    _ job: CopyJob,
    _ connection: borrowing PostgresConnection
  ) throws {
    let isFound = try CopyJobQueue(store).intervene(connection) { connection in
      guard try !connection.query(jobs.pausing(job.id, isPaused)).isEmpty else { return false }
      try connection.execute(
        jobs.event(job.id, epoch: job.epoch, isPaused ? "paused" : "resumed", detail: nil)
      )
      return true
    }
    guard isFound else {
      throw ExecutionError(.jobEnded(id: job.id, try self.job(job.id, connection).state))
    }
  }

  /// Takes back all that a job has made; a rerun continues.
  public func cancel(_ job: CopyJob, _ connection: borrowing PostgresConnection) throws {
    try refuseCancelling(job)
    // No row is written, but what is dropped may call event triggers.
    try StoreOwnership(of: [QualifiedName](), in: store, isWriting: true).check(connection)
    try connection.prepareForJob(silence: silence)
    var taken = job
    guard let epoch = try takeAway(job, connection) else {
      let found = try self.job(job.id, connection)
      try refuseCancelling(found)
      throw ExecutionError(.jobUnfinished(id: job.id, .takenOver))
    }
    taken.epoch = epoch
    var migrationLock = MigrationLock(of: store, outlastsTransactions: true)
    try waitForMigrationLock(&migrationLock, job, connection)
    defer { migrationLock.giveUp(connection) }
    let limit = min(
      settings.lockTimeout,
      try SessionInspection(connection).longestLockWait
    )
    try CopyAbortion(
      store: store,
      job: taken,
      lockLimit: .integer(max(1, limit.inMilliseconds)),
      lockRetryFor: settings.lockRetryFor.inSeconds,
      interruption: interruption,
      failpoints: failpoints
    ).run(connection)
  }

  private func refuseCancelling(_ job: CopyJob) throws {
    if job.state.isEnded { throw ExecutionError(.jobEnded(id: job.id, job.state)) }
    if job.state == .settling { throw ExecutionError(.jobUnfinished(id: job.id, .settling)) }
  }

  /// Ends a job whose tables are in their places; does nothing if there is none.
  public func settle(_ connection: borrowing PostgresConnection) throws {
    guard let job = try settlingJob(connection) else { return }
    try connection.prepareForJob(silence: silence)
    var migrationLock = MigrationLock(of: store, outlastsTransactions: true)
    try waitForMigrationLock(&migrationLock, job, connection)
    defer { migrationLock.giveUp(connection) }
    try settleUnderLock(connection)
  }

  /// Does the same where nothing else is left to do, unless another process is at it or somebody has
  /// asked the job to wait.
  ///
  /// - Parameter connection: A connection outside a transaction.
  /// - Returns: Why the job is not ended; none if it is, or if there is none.
  /// - Throws: Why it cannot be ended.
  public func settleIfFree(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobWarning? {
    guard let job = try settlingJob(connection) else { return nil }
    if job.isPaused { return .settlingIsPaused(id: job.id) }
    try connection.prepareForJob(silence: silence)
    var migrationLock = MigrationLock(of: store, outlastsTransactions: true)
    if try !migrationLock.take(connection) {
      try SilentOwner(store: store, silence: silence).dismiss(connection)
      guard try migrationLock.take(connection) else {
        let holder = try BlockerInspection(store: store).migrationLockHolder(connection)
        return .settlingIsTaken(id: job.id, holder: holder)
      }
    }
    defer { migrationLock.giveUp(connection) }
    do {
      try settleUnderLock(connection)
      return nil
    } catch let error as ExecutionError {
      if case .jobUnfinished(let id, .paused) = error.fact { return .settlingIsPaused(id: id) }
      if case .jobUnfinished(let id, .takenOver) = error.fact {
        return .settlingIsTaken(id: id, holder: nil)
      }
      throw error
    }
  }

  private func settlingJob(_ connection: borrowing PostgresConnection) throws -> CopyJob? {
    let job = try CopyJob.unfinished(of: store, connection)
    return job?.state == .settling ? job : nil
  }

  private func settleUnderLock(_ connection: borrowing PostgresConnection) throws {
    guard let found = try settlingJob(connection) else { return }
    if found.isPaused { throw ExecutionError(.jobUnfinished(id: found.id, .paused)) }
    guard let epoch = try connection.query(jobs.claim(found.id, for: nil)).first?.integer("epoch")
    else { return }
    try connection.execute(
      jobs.event(found.id, epoch: epoch, "claimed", detail: "process \(connection.backendPID)")
    )
    let settlement = CopySettlement(
      store: store,
      jobID: found.id,
      epoch: epoch,
      interruption: interruption,
      failpoints: failpoints,
      onEvent: nil
    )
    do {
      try retryingLocks { _ = try settlement.run(connection) }
    } catch let error as PostgresError where error.kind == .server {
      try interruption.check()
      let reason = "ending copy job \(found.id), validating foreign keys"
      let text = error.recordedText(reason)
      _ = try? connection.execute(
        jobs.failure(found.id, epoch: epoch, text, sqlState: error.sqlState?.rawValue)
      )
      throw ExecutionError(ExecutionError.Fact(error, reason, store))
    } catch let stop as CopyStop {
      throw ExecutionError(
        .jobUnfinished(id: found.id, stop == .paused ? .paused : .takenOver)
      )
    }
  }

  /// Does something again and again while others hold its locks.
  private func retryingLocks(_ body: () throws -> Void) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    while true {
      do {
        return try body()
      } catch let error as PostgresError
        where error.sqlState == .lockNotAvailable || error.sqlState == .deadlockDetected
      {
        let waited = begin.duration(to: clock.now)
        guard waited < settings.lockRetryFor else {
          throw ExecutionError(.lockNotAvailable(seconds: waited.inSeconds, blockers: []))
        }
        try interruption.pause(seconds: Double.random(in: 0.2...1))
      }
    }
  }

  /// Fences the owner, and ends a statement of its that would keep us waiting for long.
  ///
  /// - Returns: The new epoch, or none if the job has ended meanwhile.
  private func takeAway(
    _ job: CopyJob,
    _ connection: borrowing PostgresConnection
  ) throws -> Int? {
    let queue = CopyJobQueue(store)
    var attempts = 0
    while true {
      try interruption.check()
      do {
        // Whoever gives up loses the place, so that the last attempt waits for as long as it takes.
        let patience = Duration.seconds(attempts < 5 ? 1 : 0)
        let epoch = try queue.intervene(connection, patience: patience) { connection in
          try connection.execute("SET LOCAL lock_timeout = '1s'")
          let epoch = try connection.query(jobs.abortion(job.id)).first?.integer("epoch")
          if let epoch {
            try connection.execute(jobs.event(job.id, epoch: epoch, "cancelled", detail: nil))
          }
          try failpoints.reach("cancel.before_commit", connection)
          return epoch
        }
        try failpoints.reach("cancel.after_commit", connection)
        return epoch
      } catch {
        // A signal cancels what is waited for.
        try interruption.check()
        guard let error = error as? PostgresError, error.sqlState == .lockNotAvailable else {
          throw error
        }
        attempts += 1
        let owner = try self.job(job.id, connection).ownerPID
        try queue.cancelOthers(owner: owner, connection)
      }
    }
  }

  private func waitForMigrationLock(
    _ migrationLock: inout MigrationLock,
    _ job: CopyJob,
    _ connection: borrowing PostgresConnection
  ) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    while try !migrationLock.take(connection) {
      try SilentOwner(store: store, silence: silence).dismiss(connection)
      let waited = begin.duration(to: clock.now)
      guard waited < settings.waitForMigrationLock else {
        let holder = try BlockerInspection(store: store).migrationLockHolder(connection)
        throw ExecutionError(
          .jobUnfinished(id: job.id, .taken(seconds: waited.inSeconds, holder: holder))
        )
      }
      try interruption.pause(seconds: Double.random(in: 0.1...0.3))
    }
  }
}
