internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// How a session gets the job of its step: it continues an unfinished one or creates one.
struct CopyJobClaim {
  let job: CopyJobExecution
  let lockLimit: Int64

  private var execution: StepExecution { job.execution }
  private var step: MigrationStep { execution.step }
  private var store: StoreIdentity { execution.store }
  private var jobs: CopyJobStatements { CopyJobStatements(store) }

  /// The result of a session's attempt to continue a job.
  enum Finding {
    case superseded
    case noJob
    case owned(CopyContext, CopyJob.State)
  }

  // MARK: - Going on

  /// Takes over the job that there is.
  func takeOver(_ connection: borrowing PostgresConnection) throws -> Finding {
    let found = try CopyJob.unfinished(of: store, connection)
    // A job that only has to be settled is continued whatever the step is.
    if found?.state != .settling {
      let presence = try MetadataStore(store).presence(connection)
      guard step.follows(presence, after: 0, digest: step.digest) else { return .superseded }
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
    let claimed = try intervene(claim, connection)
    guard let row = claimed, let epoch = row.integer("epoch"), let text = row["state"],
      let state = CopyJob.State(rawValue: text)
    else { throw CopyStop.fenced }
    guard let strategy = row["strategy"].flatMap(CopyStrategy.init(rawValue:)) else {
      throw CopyStop.fenced
    }
    return .owned(makeContext(found.id, epoch: epoch, strategy), state)
  }

  private func intervene(
    _ sql: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> QueryResult.Row? {
    try job.runner.transact(CopyJobQueue(store).intervention(), connection) { connection in
      try connection.query(sql).first
    }
  }

  /// Returns whether a job has the same copy as the step.
  private func isContinued(_ found: CopyJob) -> Bool {
    found.copyDigest.map { $0 == step.copyDigest } ?? (found.planDigest == step.digest)
  }

  /// Goes on with the cancellation of a job.
  private func abort(_ found: CopyJob, _ connection: borrowing PostgresConnection) throws {
    guard let epoch = try intervene(jobs.abortion(found.id), connection)?.integer("epoch") else {
      return
    }
    try CopyAbortion(
      store: store,
      stagingSchema: SQLIdentifier(found.stagingSchema),
      fills: found.strategy == CopyStrategy.filled.rawValue,
      owner: JobOwner(jobs: jobs, jobID: found.id, epoch: epoch),
      lockLimit: lockLimit,
      lockRetryFor: execution.settings.lockRetryFor,
      runner: job.runner
    ).run(connection)
  }

  // MARK: - Beginning

  /// Records a job and creates its schema, all in one transaction.
  func make(_ connection: borrowing PostgresConnection) throws -> CopyContext {
    let preliminary = makeContext("", epoch: 1, step.strategy)
    try preliminary.checkObstacles(connection)
    try job.askPreconditions(connection)
    let preparation = Transaction(name: "prepare", settings: [Transaction.lockTimeout(lockLimit)])
    return try job.runner.transact(preparation, connection) { connection in
      guard let id = try connection.query(jobs.creation(of: step, job.plan)).value else {
        throw CopyStop.fenced
      }
      let made = makeContext(id, epoch: 1, step.strategy)
      for statement in job.plan.preparation { try made.run(statement.sql, connection) }
      try withdrawRights(connection)
      try made.carryParts(connection, onlyBeforeRows: true)
      let attempt = HistoryAttempt(
        id: id,
        application: connection.applicationName,
        approval: execution.approval,
        kind: HistoryKind(step.kind)
      )
      try connection.query(
        MetadataStatements(store).event(
          .started,
          of: step,
          digest: step.digest,
          attempt: attempt
        )
      )
      try made.owner.note("state", CopyJob.State.prepared.rawValue, connection)
      return made
    }
  }

  /// Revokes what default privileges granted to others in the schema of the job: who can name its tables
  /// could add triggers to them, which would run with our rights.
  private func withdrawRights(_ connection: borrowing PostgresConnection) throws {
    let withdrawals = try connection.query(
      """
      SELECT DISTINCT format('REVOKE ALL ON SCHEMA %I FROM %s CASCADE', n.nspname, \
      coalesce(nullif(a.grantee, 0::oid)::regrole::text, 'PUBLIC')) AS withdrawal \
      FROM pg_namespace n, aclexplode(n.nspacl) a \
      WHERE n.nspname = \(text: job.plan.stagingSchema.name) AND a.grantee <> n.nspowner
      """
    )
    for withdrawal in withdrawals.compactMap({ $0["withdrawal"] }) {
      try job.runner.run(SQLFragment(deparsed: withdrawal), connection)
    }
  }

  private func makeContext(_ id: String, epoch: Int, _ strategy: CopyStrategy) -> CopyContext {
    CopyContext(
      job: job,
      owner: JobOwner(jobs: jobs, jobID: id, epoch: epoch),
      strategy: strategy,
      lockLimit: lockLimit
    )
  }
}
