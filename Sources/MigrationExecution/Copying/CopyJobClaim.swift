internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// How a session comes by the job of its step: it goes on with one that there is, or makes one.
struct CopyJobClaim {
  let job: CopyJobExecution
  let lockLimit: SQLLiteral

  private var execution: StepExecution { job.execution }
  private var step: MigrationStep { execution.step }
  private var store: StoreIdentity { execution.store }
  private var jobs: CopyJobStatements { CopyJobStatements(store) }

  /// What a session finds that would go on with a job.
  enum Finding {
    case superseded
    case noJob
    case owned(CopyContext, CopyJob.State)
  }

  // MARK: - Going on

  /// Takes over the job that there is.
  func takeOver(_ connection: borrowing PostgresConnection) throws -> Finding {
    let found = try CopyJob.unfinished(of: store, connection)
    // What is at its end goes on whatever the step is.
    if found?.state != .settling {
      let presence = try MetadataStore(store).presence(connection)
      guard step.follows(presence, after: 0) else { return .superseded }
    }
    guard let found else { return .noJob }
    if found.state == .aborting {
      try abort(found, connection)
      return .noJob
    }
    guard found.state == .settling || isContinued(found) else {
      let obstacle = ExecutionError.JobObstacle.otherPlan(
        source: found.source,
        target: found.target
      )
      throw ExecutionError(.jobUnfinished(id: found.id, obstacle))
    }
    if found.isPaused { throw ExecutionError(.jobUnfinished(id: found.id, .paused)) }
    let claim = jobs.claim(found.id, for: found.state == .settling ? nil : step)
    let claimed = try CopyJobQueue(store).intervene(connection) { connection in
      try connection.query(claim).first
    }
    guard let row = claimed, let epoch = row.integer("epoch"), let text = row["state"],
      let state = CopyJob.State(rawValue: text)
    else { throw CopyStop.fenced }
    return .owned(
      makeContext(found.id, epoch: epoch, isOnline: row["strategy"] == "online"),
      state
    )
  }

  /// Returns whether a job copies what the step copies.
  private func isContinued(_ found: CopyJob) -> Bool {
    found.copyDigest.map { $0 == step.copyDigest } ?? (found.planDigest == step.digest)
  }

  /// Goes on with what somebody has begun to take back.
  private func abort(_ found: CopyJob, _ connection: borrowing PostgresConnection) throws {
    var found = found
    let taken = try CopyJobQueue(store).intervene(connection) { connection in
      try connection.query(jobs.abortion(found.id)).first?.integer("epoch")
    }
    guard let epoch = taken else { return }
    found.epoch = epoch
    try CopyAbortion(
      store: store,
      job: found,
      lockLimit: lockLimit,
      lockRetryFor: execution.settings.lockRetryFor.inSeconds,
      interruption: execution.interruption,
      failpoints: job.settings.failpoints
    ).run(connection)
  }

  // MARK: - Beginning

  /// Enters a job and makes its schema, all in one transaction.
  func make(_ connection: borrowing PostgresConnection) throws -> CopyContext {
    let preliminary = makeContext("", epoch: 1, isOnline: step.strategy == .online)
    try preliminary.checkObstacles(connection)
    try job.askPreconditions(connection)
    let failpoints = job.settings.failpoints
    do {
      try connection.execute("BEGIN")
      try connection.execute("SET LOCAL lock_timeout = \(lockLimit)")
      try failpoints.reach("prepare.begin", connection)
      guard let id = try connection.query(jobs.creation(of: step, job.plan)).value else {
        throw CopyStop.fenced
      }
      let made = makeContext(id, epoch: 1, isOnline: step.strategy == .online)
      for statement in job.plan.preparation { try made.run(statement.sql, connection) }
      try made.carryParts(connection, onlyBeforeRows: true)
      let attempt = HistoryAttempt(
        id: id,
        application: connection.applicationName,
        approval: job.execution.approval,
        kind: HistoryKind(step.kind)
      )
      try connection.execute(
        MetadataStatements(store).event(.started, of: step, attempt: attempt)
      )
      try connection.execute(
        jobs.event(id, epoch: 1, "state", detail: CopyJob.State.prepared.rawValue)
      )
      try failpoints.reach("prepare.before_commit", connection)
      try connection.execute("COMMIT")
      return made
    } catch {
      if !connection.isBroken, connection.transactionStatus != .idle {
        _ = try? connection.execute("ROLLBACK")
      }
      throw error
    }
  }

  private func makeContext(_ id: String, epoch: Int, isOnline: Bool) -> CopyContext {
    CopyContext(
      step: step,
      plan: job.plan,
      store: store,
      settings: job.settings,
      source: execution.source,
      interruption: execution.interruption,
      onEvent: execution.onEvent,
      policies: execution.policies,
      lockLimit: lockLimit,
      jobID: id,
      epoch: epoch,
      isOnline: isOnline
    )
  }
}
