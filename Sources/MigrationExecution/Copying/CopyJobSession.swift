internal import Diagnostics
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The actions of a job on one connection.
struct CopyJobSession {
  private let job: CopyJobExecution
  private var turn: StepTurn
  private var lockLimit = SQLLiteral.integer(400)
  private var context: CopyContext?
  private var hasAskedAtEnd = false
  private var unfinished: CopyJob?
  private var holder: Blocker?
  private var blockers: [Blocker] = []
  private var serverError: (error: PostgresError, reason: String)?
  private var otherError: (any Error)?

  private var execution: StepExecution { job.execution }
  private var step: MigrationStep { execution.step }
  private var store: StoreIdentity { execution.store }
  private var jobs: CopyJobStatements { CopyJobStatements(store) }

  init(_ job: CopyJobExecution) {
    self.job = job
    turn = StepTurn(of: job.execution.store, outlastsTransactions: true)
  }

  /// Carries out an action.
  mutating func perform(
    _ action: CopyJobMachine.Action,
    _ connection: borrowing PostgresConnection
  ) -> CopyJobMachine.Outcome {
    if execution.interruption.signal != nil { return .interrupted }
    do {
      return try carryOut(action, connection)
    } catch let stop as CopyStop {
      switch stop {
      case .fenced: return .fenced
      case .paused:
        execution.onEvent?(.throttled(.paused, pause: .seconds(1)))
        return .paused
      case .late: return .deferred
      }
    } catch let error as PostgresError {
      if execution.interruption.signal != nil { return .interrupted }
      serverError = (error, reason(for: action))
      if error.kind == .connectionLost || error.kind == .connection || connection.isBroken {
        return .connectionLost
      }
      note(error.recordedText(reason(for: action)), error.sqlState, connection)
      return .failed(error.sqlState)
    } catch {
      if execution.interruption.signal != nil { return .interrupted }
      otherError = error
      // The step's own transaction tells of a lost connection in this way.
      if let error = error as? ExecutionError, case .connectionLost = error.fact {
        return .connectionLost
      }
      let text =
        (error as? ExecutionError)?.recordedText
        ?? (error as? any DiagnosticError)?.diagnostics.first?.message ?? "\(type(of: error))"
      note(text, nil, connection)
      return .failed(nil)
    }
  }

  private mutating func carryOut(
    _ action: CopyJobMachine.Action,
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    switch action {
    case .takeTurn: return try takeTurn(connection)
    case .claim: return try claim(connection)
    case .prepare: return .found(try prepare(connection))
    case .guardSources: return try moved { try $0.guardSources(connection) }
    case .copy: return try moved { try $0.copy(connection) }
    case .index: return try moved { try $0.index(connection) }
    case .catchUp: return try moved { try $0.catchUp(connection) }
    case .verify: return try moved { try $0.verify(connection) }
    case .cutOver: return try cutOver(connection)
    case .settle: return try settle(connection)
    case .pause(let seconds):
      Pause.sleep(seconds: seconds, execution.interruption)
      return execution.interruption.signal == nil ? .succeeded : .interrupted
    case .findBlockers:
      let inspection = BlockerInspection(store: store)
      holder = try? inspection.turnHolder(connection)
      let tables = job.plan.sources.map(\.table)
      blockers = (try? inspection.holders(of: tables, connection)) ?? []
      unfinished = try? CopyJob.unfinished(of: store, connection)
      return .succeeded
    case .reconnect, .finish:
      return .succeeded
    }
  }

  private func moved(
    _ phase: (CopyContext) throws -> CopyJob.State
  ) throws -> CopyJobMachine.Outcome {
    guard let context else { throw CopyStop.fenced }
    let state = try phase(context)
    execution.onEvent?(.jobMoved(state))
    return .found(state)
  }

  // MARK: - Owning

  private mutating func takeTurn(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    try connection.prepareForJob(silence: job.settings.silence)
    let limit = min(
      execution.settings.lockTimeout,
      try SessionInspection(connection).longestLockWait
    )
    lockLimit = .integer(max(1, limit.inMilliseconds))
    if try turn.take(connection) { return .succeeded }
    execution.onEvent?(.waitingForTurn)
    try SilentOwner(store: store, silence: job.settings.silence).dismiss(connection)
    return .declined
  }

  private mutating func claim(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    let found = try CopyJob.unfinished(of: store, connection)
    // What is at its end goes on whatever the step is.
    if found?.state != .settling {
      let presence = try MetadataStore(store).presence(connection)
      guard step.follows(presence, after: 0) else { return .superseded }
    }
    guard let found else { return .found(nil) }
    if found.state == .aborting {
      try abort(found, connection)
      return .found(nil)
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
    context = makeContext(found.id, epoch: epoch, isOnline: row["strategy"] == "online")
    try connection.execute(
      jobs.event(found.id, epoch: epoch, "claimed", detail: "process \(connection.backendPID)")
    )
    execution.onEvent?(
      .jobStarted(
        id: found.id,
        strategy: row["strategy"] == "online" ? .online : .gated,
        isContinued: true
      )
    )
    return .found(state)
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

  // MARK: - Beginning

  /// Enters the job and makes its schema, all in one transaction.
  private mutating func prepare(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJob.State {
    let preliminary = makeContext("", epoch: 1, isOnline: step.strategy == .online)
    try preliminary.checkObstacles(connection)
    try askPreconditions(connection)
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
      context = made
      try failpoints.reach("prepare.after_commit", connection)
      execution.onEvent?(.jobStarted(id: id, strategy: step.strategy, isContinued: false))
      return .prepared
    } catch {
      if !connection.isBroken, connection.transactionStatus != .idle {
        _ = try? connection.execute("ROLLBACK")
      }
      throw error
    }
  }

  private func askPreconditions(_ connection: borrowing PostgresConnection) throws {
    let findings = try PreconditionFinding.asking(inTurn: step.preconditions, connection)
    guard !findings.contains(where: \.isViolated) else {
      throw ExecutionError(.preconditionsViolated(findings.filter(\.isViolated)))
    }
  }

  // MARK: - End

  private mutating func cutOver(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    guard let context else { throw CopyStop.fenced }
    try context.carry(in: .ready, connection)
    // Once: what comes while questions are asked has to be caught up with before the locks.
    if !hasAskedAtEnd { try askPreconditions(connection) }
    hasAskedAtEnd = true
    var last = execution
    last.cutover = CopyCutover(context: context)
    switch try last.run(connection) {
    case .committed:
      execution.onEvent?(.jobMoved(job.plan.lateReferences.isEmpty ? .finished : .settling))
      return .succeeded
    // Only what is no copy is undone in the end.
    case .superseded, .rehearsed: return .superseded
    case .deferred: return .deferred
    }
  }

  private mutating func settle(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    guard let context else { throw CopyStop.fenced }
    if try context.settlement.run(connection) { execution.onEvent?(.jobMoved(.finished)) }
    return .succeeded
  }

  /// What was said of the connection that is lost.
  var lostConnection: PostgresError? {
    if let error = otherError as? ExecutionError, let lost = error.lostConnection { return lost }
    return serverError?.error
  }

  /// Gives the turn back, if the connection can still tell.
  mutating func leave(_ connection: borrowing PostgresConnection) {
    turn.giveUp(connection)
  }

  /// Returns how the job ended, or throws why it has not.
  mutating func conclude(
    _ conclusion: CopyJobMachine.Conclusion,
    after seconds: Double,
    _ connection: borrowing PostgresConnection
  ) throws -> StepExecution.Result {
    defer { leave(connection) }
    do {
      return try result(of: conclusion, after: seconds, connection)
    } catch let error as ExecutionError {
      throw telling(of: error, connection)
    }
  }

  /// Returns an error that says, if so, that the job that is left behind turns writers away.
  func telling(
    of error: ExecutionError,
    _ connection: borrowing PostgresConnection
  ) -> ExecutionError {
    var error = error
    error.guardingJobID = error.leavesJob ? guardingJobID(connection) : nil
    return error
  }

  /// The job that keeps writers from its sources, as far as that can be found out.
  private func guardingJobID(_ connection: borrowing PostgresConnection) -> String? {
    do {
      guard let job = try CopyJob.unfinished(of: store, connection), job.isTurningWritersAway,
        try !connection.query(jobs.sources(of: job.id)).isEmpty
      else { return nil }
      return job.id
    } catch {
      // Whoever has lost the connection knows what it was before.
      return context.flatMap { $0.isOnline ? nil : $0.jobID }
    }
  }

  private func result(
    of conclusion: CopyJobMachine.Conclusion,
    after seconds: Double,
    _ connection: borrowing PostgresConnection
  ) throws -> StepExecution.Result {
    switch conclusion {
    case .committed: return .committed
    case .superseded: return .superseded
    case .fenced: throw ExecutionError(fencedFact(connection))
    case .interrupted:
      throw ExecutionError(.interrupted(signal: execution.interruption.signal ?? 2))
    case .turnNotAvailable:
      guard let unfinished else {
        throw ExecutionError(.turnNotAvailable(seconds: seconds, holder: holder))
      }
      throw ExecutionError(
        .jobUnfinished(id: unfinished.id, .taken(seconds: seconds, holder: holder))
      )
    case .lockNotAvailable:
      throw ExecutionError(.lockNotAvailable(seconds: seconds, blockers: blockers))
    case .connectionLost, .failed:
      if let otherError { throw otherError }
      guard let (error, reason) = serverError else {
        throw ExecutionError(
          .connectionLost(PostgresError(.connectionLost, "the connection is lost"))
        )
      }
      throw ExecutionError(
        conclusion == .connectionLost
          ? .connectionLost(error) : ExecutionError.Fact(error, reason, store)
      )
    }
  }

  /// What it means that the job is not ours any more, as its row says.
  private func fencedFact(_ connection: borrowing PostgresConnection) -> ExecutionError.Fact {
    let id = context?.jobID ?? unfinished?.id ?? ""
    let row = (try? connection.query(jobs.state(of: id)))?.first
    let state = row?["state"].flatMap(CopyJob.State.init(rawValue:))
    return state == .aborting || state == .aborted
      ? .jobCancelled(id: id) : .jobUnfinished(id: id, .takenOver)
  }

  /// Keeps an error where those find it who look at the job.
  private func note(
    _ message: String,
    _ sqlState: SQLState?,
    _ connection: borrowing PostgresConnection
  ) {
    guard let context, !connection.isBroken else { return }
    _ = try? connection.execute(
      jobs.failure(context.jobID, epoch: context.epoch, message, sqlState: sqlState?.rawValue)
    )
    _ = try? connection.execute(
      jobs.event(context.jobID, epoch: context.epoch, "failed", detail: message)
    )
  }

  private func reason(for action: CopyJobMachine.Action) -> String {
    let way = step.source.map { "from version \"\($0.name)\" " } ?? ""
    let prefix = "migrating \(way)to version \"\(step.destination.name)\""
    switch action {
    case .takeTurn, .claim, .prepare, .guardSources, .pause, .reconnect, .findBlockers, .finish:
      return "\(prefix), preparing the copy"
    case .copy: return "\(prefix), copying rows"
    case .index: return "\(prefix), adding indexes and constraints to the copied tables"
    case .catchUp: return "\(prefix), copying again what has changed"
    case .verify: return "\(prefix), comparing the copied rows"
    case .cutOver: return "\(prefix), bringing the copied tables to their places"
    case .settle: return "\(prefix), validating foreign keys"
    }
  }
}
