internal import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Pauses, resumes and cancels jobs of any process.
package struct CopyJobControl: Sendable {
  private let store: StoreIdentity
  private let settings: StepExecution.Settings
  private let silence: Double
  private let runner: TransactionRunner

  private var jobs: CopyJobStatements { CopyJobStatements(store) }

  /// Creates control over the jobs of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - settings: The time limits.
  ///   - copySettings: The settings of copies.
  ///   - interruption: Ends the work.
  package init(
    of store: StoreIdentity,
    settings: StepExecution.Settings,
    copySettings: CopySettings = CopySettings(),
    interruption: Interruption
  ) {
    self.store = store
    self.settings = settings
    silence = copySettings.silence
    runner = TransactionRunner(interruption: interruption, failpoints: copySettings.failpoints)
  }

  /// Finds a job by the beginning of its name; the latest one if there is no name.
  package func job(
    _ name: String?,
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJob {
    // The records of a job are in more relations than its own.
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

  /// Finds the job that is not ended; `nil` if there is none.
  package func unfinishedJob(_ connection: borrowing PostgresConnection) throws -> CopyJob? {
    try CopyJob.all(of: store, connection).last { !$0.state.isEnded }
  }

  /// Pauses a job, or resumes it.
  package func setPaused(
    _ isPaused: Bool,
    _ job: CopyJob,
    _ connection: borrowing PostgresConnection
  ) throws {
    let isFound = try runner.transact(CopyJobQueue(store).intervention(), connection) {
      connection in
      guard try !connection.query(jobs.pausing(job.id, isPaused)).isEmpty else { return false }
      try owner(of: job, job.epoch).note(isPaused ? "paused" : "resumed", nil, connection)
      return true
    }
    guard isFound else {
      throw ExecutionError(.jobEnded(id: job.id, try self.job(job.id, connection).state))
    }
  }

  private func owner(of job: CopyJob, _ epoch: Int) -> JobOwner {
    JobOwner(jobs: jobs, jobID: job.id, epoch: epoch)
  }

  // MARK: - Cancelling

  /// Removes all objects of a job; a rerun continues.
  package func cancel(_ job: CopyJob, _ connection: borrowing PostgresConnection) throws {
    try refuseCancelling(job)
    // No row is written, but dropping objects may call event triggers.
    try StoreOwnership(of: [QualifiedName](), in: store, isWriting: true).check(connection)
    try connection.prepareForJob(silence: silence)
    guard let epoch = try takeAway(job, connection) else {
      let found = try self.job(job.id, connection)
      try refuseCancelling(found)
      throw ExecutionError(.jobUnfinished(id: job.id, .takenOver))
    }
    try holdingMigrationLock(connection) { connection in
      try CopyAbortion(
        store: store,
        stagingSchema: SQLIdentifier(job.stagingSchema),
        fills: job.strategy == CopyStrategy.filled.rawValue,
        owner: owner(of: job, epoch),
        lockLimit: try SessionInspection(connection).lockLimit(settings),
        lockRetryFor: settings.lockRetryFor,
        runner: runner
      ).run(connection)
    }
  }

  private func refuseCancelling(_ job: CopyJob) throws {
    if job.state.isEnded { throw ExecutionError(.jobEnded(id: job.id, job.state)) }
    if job.state == .settling { throw ExecutionError(.jobUnfinished(id: job.id, .settling)) }
  }

  /// Fences the owner, and cancels a statement of the owner that would keep us waiting for long.
  ///
  /// - Returns: The new epoch, or none if the job has ended meanwhile.
  private func takeAway(
    _ job: CopyJob,
    _ connection: borrowing PostgresConnection
  ) throws -> Int? {
    let queue = CopyJobQueue(store)
    var attempts = 0
    while true {
      do {
        // An attempt that gives up loses its place, so the last one waits for as long as it takes.
        let patience = Duration.seconds(attempts < 5 ? 1 : 0)
        let intervention = queue.intervention("cancel", patience: patience)
        return try runner.transact(intervention, connection) { connection in
          try connection.query(Transaction.lockTimeout(1_000))
          let epoch = try connection.query(jobs.abortion(job.id)).first?.integer("epoch")
          if let epoch { try owner(of: job, epoch).note("cancelled", nil, connection) }
          return epoch
        }
      } catch let error as PostgresError {
        // A signal cancels the statement that waits.
        try runner.interruption.check()
        guard error.sqlState == .lockNotAvailable else { throw error }
        attempts += 1
        let pid = try self.job(job.id, connection).ownerPID
        try queue.cancelOthers(owner: pid, connection)
      }
    }
  }

  private func holdingMigrationLock(
    within limit: Duration? = nil,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    try connection.prepareForJob(silence: silence)
    try MigrationLock.holding(
      of: store,
      runner,
      within: limit ?? settings.waitForMigrationLock,
      silence: silence,
      connection,
      body
    )
  }

  // MARK: - Settling

  /// Ends a job whose tables are in their places; does nothing if there is none.
  package func settle(_ connection: borrowing PostgresConnection) throws {
    try settle(within: settings.waitForMigrationLock, connection)
  }

  /// Does the same where nothing else is left to do, unless another process does it or the job is paused.
  ///
  /// - Parameter connection: A connection outside a transaction.
  /// - Returns: Why the job is not ended; none if it is, or if there is none.
  /// - Throws: Why it cannot be ended.
  package func settleIfFree(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobWarning? {
    do {
      try settle(within: .zero, connection)
      return nil
    } catch let error as ExecutionError {
      // Another process has ended the job, and still has the lock.
      if case .migrationLockNotAvailable = error.fact { return nil }
      guard case .jobUnfinished(let id, let obstacle) = error.fact else { throw error }
      switch obstacle {
      case .paused: return .settlingIsPaused(id: id)
      case .taken(_, let holder): return .settlingIsTaken(id: id, holder: holder)
      case .takenOver: return .settlingIsTaken(id: id, holder: nil)
      case .otherPlan, .comesFirst, .settling: throw error
      }
    }
  }

  private func settle(
    within limit: Duration,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard try settlingJob(connection) != nil else { return }
    try holdingMigrationLock(within: limit, connection) { connection in
      guard let found = try settlingJob(connection),
        let epoch = try connection.query(jobs.claim(found.id, for: nil)).first?.integer("epoch")
      else { return }
      let owner = owner(of: found, epoch)
      try owner.note("claimed", "process \(connection.backendPID)", connection)
      do {
        let settlement = CopySettlement(store: store, owner: owner, runner: runner)
        try runner.retryingLocks(
          for: settings.lockRetryFor,
          connection,
          blockers: { try settlement.blockers($0) }
        ) { _ = try settlement.run($0) }
      } catch let error as PostgresError where error.kind == .server {
        try runner.interruption.check()
        let reason = "ending copy job \(found.id), validating foreign keys"
        try? owner.noteFailure(error.recordedText(reason), error.sqlState, connection)
        throw ExecutionError(ExecutionError.Fact(error, reason, store))
      } catch let stop as CopyStop {
        throw ExecutionError(
          .jobUnfinished(id: found.id, stop == .paused ? .paused : .takenOver)
        )
      }
    }
  }

  /// Returns the job whose foreign keys are still to be validated, if there is one.
  private func settlingJob(_ connection: borrowing PostgresConnection) throws -> CopyJob? {
    guard let job = try CopyJob.unfinished(of: store, connection), job.state == .settling else {
      return nil
    }
    if job.isPaused { throw ExecutionError(.jobUnfinished(id: job.id, .paused)) }
    return job
  }
}
