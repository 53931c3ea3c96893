internal import Diagnostics
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The actions of a job on one connection.
struct CopyJobSession {
  private let job: CopyJobExecution
  private var migrationLock: MigrationLock
  private var lockLimit: Int64 = 400
  private var context: CopyContext?
  /// The state that the job was found at last.
  private var state: CopyJob.State?
  /// The job whose last transaction was begun, on this connection or on one that was lost.
  private(set) var cutOver: JobOwner?
  private var hasAskedAtEnd = false
  private var unfinished: CopyJob?
  private var holder: Blocker?
  private var blockers: [Blocker] = []
  private var serverError: (error: PostgresError, reason: String)?
  private var otherError: (any Error)?
  private var lockConflict: SQLState?

  private var execution: StepExecution { job.execution }
  private var step: MigrationStep { execution.step }
  private var store: StoreIdentity { execution.store }
  private var jobs: CopyJobStatements { CopyJobStatements(store) }

  init(_ job: CopyJobExecution, after cutOver: JobOwner?) {
    self.job = job
    self.cutOver = cutOver
    migrationLock = MigrationLock(of: job.execution.store, outlastsTransactions: true)
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
        context?.withdrawPromises(isLeft: false, connection)
        execution.onEvent?(.throttled(.paused, pause: .seconds(1)))
        return .paused
      case .late: return .deferred
      }
    } catch let error as PostgresError {
      if execution.interruption.signal != nil { return .interrupted }
      serverError = (error, step.activity(in: action))
      if error.kind == .connectionLost || error.kind == .connection || connection.isBroken {
        return .connectionLost
      }
      if error.sqlState?.isLockConflict == true { lockConflict = error.sqlState }
      note(error.recordedText(step.activity(in: action)), error.sqlState, connection)
      return .failed(error.sqlState)
    } catch {
      if execution.interruption.signal != nil { return .interrupted }
      otherError = error
      // The step's own transaction reports a lost connection in this way.
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
    case .takeMigrationLock: return try takeMigrationLock(connection)
    case .claim: return try claim(connection)
    case .prepare: return try prepare(connection)
    case .guardSources: return try moved { try $0.guardSources(connection) }
    case .copy: return try moved { try $0.copy(connection) }
    case .index: return try moved { try $0.index(connection) }
    case .catchUp: return try moved { try $0.catchUp(connection) }
    case .verify: return try moved { try $0.verify(connection) }
    case .cutOver: return try cutOver(connection)
    case .settle: return try settle(connection)
    case .pause(let seconds):
      execution.interruption.sleep(seconds: seconds)
      return execution.interruption.signal == nil ? .succeeded : .interrupted
    case .findBlockers:
      holder = try? BlockerInspection(store: store).migrationLockHolder(connection)
      blockers = currentBlockers(connection)
      unfinished = try? CopyJob.unfinished(of: store, connection)
      return .succeeded
    case .reconnect, .finish:
      return .succeeded
    }
  }

  /// Returns who has locks on the tables that the job needs.
  func currentBlockers(_ connection: borrowing PostgresConnection) -> [Blocker] {
    guard !connection.isBroken else { return [] }
    let tables = job.plan.sources.map(\.table) + job.plan.unvalidatedReferences.map(\.table)
    return (try? BlockerInspection(store: store).holders(of: tables, connection)) ?? []
  }

  /// Returns the conflict over locks that ended the last attempt, once.
  mutating func takeLockConflict() -> SQLState? {
    defer { lockConflict = nil }
    return lockConflict
  }

  private mutating func moved(
    _ phase: (CopyContext) throws -> CopyJob.State
  ) throws -> CopyJobMachine.Outcome {
    guard let context else { throw CopyStop.fenced }
    let state = try phase(context)
    self.state = state
    execution.onEvent?(.jobMoved(state))
    return .found(state)
  }

  // MARK: - Owning

  private mutating func takeMigrationLock(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    try connection.prepareForJob(silence: job.settings.silence)
    lockLimit = try SessionInspection(connection).lockLimit(execution.settings)
    if try migrationLock.take(connection) { return .succeeded }
    execution.onEvent?(.waitingForMigrationLock)
    try SilentOwner(store: store, silence: job.settings.silence).dismiss(connection)
    return .declined
  }

  private mutating func claim(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    switch try jobClaim.takeOver(connection) {
    case .superseded: return try hasCutOver(connection) ? .hasCutOver(.finished) : .superseded
    case .noJob: return .found(nil)
    case .owned(let owned, let state):
      context = owned
      self.state = state
      try owned.owner.note("claimed", "process \(connection.backendPID)", connection)
      noteStart(of: owned, as: owned.strategy, isContinued: true)
      execution.onEvent?(.jobMoved(state))
      let isOurs = cutOver?.jobID == owned.jobID && cutOver?.epoch == owned.owner.epoch - 1
      return state == .settling && isOurs ? .hasCutOver(state) : .found(state)
    }
  }

  /// Returns whether our job is finished and had no other owner since.
  private func hasCutOver(_ connection: borrowing PostgresConnection) throws -> Bool {
    guard let cutOver,
      let row = try connection.query(jobs.state(of: cutOver.jobID)).first,
      row.integer("epoch") == cutOver.epoch
    else { return false }
    return row["state"].flatMap(CopyJob.State.init(rawValue:)) == .finished
  }

  private mutating func prepare(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    let made = try jobClaim.make(connection)
    context = made
    state = .prepared
    noteStart(of: made, as: step.strategy, isContinued: false)
    return .found(.prepared)
  }

  private var jobClaim: CopyJobClaim { CopyJobClaim(job: job, lockLimit: lockLimit) }

  private func noteStart(of job: CopyContext, as strategy: CopyStrategy, isContinued: Bool) {
    execution.onEvent?(.jobStarted(id: job.jobID, strategy: strategy, isContinued: isContinued))
  }

  // MARK: - End

  private mutating func cutOver(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    guard let context else { throw CopyStop.fenced }
    try context.carry(in: .ready, connection)
    try context.dismissVacuums(in: .ready, connection)
    // Once: changes during the checks have to be copied before the locks.
    if !hasAskedAtEnd { try job.askPreconditions(connection) }
    hasAskedAtEnd = true
    var last = execution
    last.cutover = CopyCutover(context)
    cutOver = context.owner
    switch try last.run(connection) {
    case .committed:
      execution.onEvent?(.jobMoved(job.plan.unvalidatedReferences.isEmpty ? .finished : .settling))
      return .succeeded
    // A rehearsal never ends a copy.
    case .superseded, .rehearsed: return .superseded
    case .deferred: return .deferred
    }
  }

  private mutating func settle(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobMachine.Outcome {
    guard let context else { throw CopyStop.fenced }
    let settlement = CopySettlement(store: store, owner: context.owner, runner: job.runner)
    if try settlement.run(connection) { execution.onEvent?(.jobMoved(.finished)) }
    return .succeeded
  }

  var lostConnection: PostgresError? {
    if let error = otherError as? ExecutionError, let lost = error.lostConnection { return lost }
    return serverError?.error
  }

  /// Gives the migration lock back, if the connection can still tell.
  mutating func leave(_ connection: borrowing PostgresConnection) {
    migrationLock.giveUp(connection)
  }

  /// Returns how the job ended, or throws why it has not.
  mutating func conclude(
    _ conclusion: CopyJobMachine.Conclusion,
    after seconds: Double,
    _ connection: borrowing PostgresConnection
  ) throws -> StepExecution.Result {
    defer { leave(connection) }
    switch conclusion {
    case .failed, .interrupted, .lockNotAvailable, .connectionLost:
      context?.withdrawPromises(isLeft: true, connection)
    case .committed, .superseded, .fenced, .migrationLockNotAvailable: break
    }
    do {
      return try result(of: conclusion, after: seconds, connection)
    } catch let error as ExecutionError {
      throw telling(of: error, connection)
    }
  }

  /// Returns an error with the job that it leaves behind, if that refuses writes.
  func telling(
    of error: ExecutionError,
    _ connection: borrowing PostgresConnection
  ) -> ExecutionError {
    var error = error
    error.refusal = error.leavesJob ? refusal(connection) : nil
    return error
  }

  /// The writes that the job keeps from its sources, as far as that can be found out.
  private func refusal(
    _ connection: borrowing PostgresConnection
  ) -> ExecutionError.Refusal? {
    // An interruption cancels whatever runs, three more times.
    for _ in 0..<4 {
      do {
        return try foundRefusal(connection)
      } catch let error as PostgresError where error.sqlState == .queryCanceled {
        continue
      } catch {
        break
      }
    }
    // Without a connection, the state before it was lost counts.
    guard let context else { return nil }
    if context.strategy == .filled {
      let isProving = state == .verifying || state == .ready
      return isProving && context.plan.provesValues
        ? .perhapsMissingValues(jobID: context.jobID) : nil
    }
    return context.letsWrite ? nil : .all(jobID: context.jobID)
  }

  private func foundRefusal(
    _ connection: borrowing PostgresConnection
  ) throws -> ExecutionError.Refusal? {
    guard let job = try CopyJob.unfinished(of: store, connection) else { return nil }
    if job.strategy == CopyStrategy.filled.rawValue {
      let isPromised = try SchemaInspection(store).hasPromises(connection)
      return isPromised ? .missingValues(jobID: job.id) : nil
    }
    guard job.isTurningWritersAway, try !connection.query(jobs.sources(of: job.id)).isEmpty
    else { return nil }
    return .all(jobID: job.id)
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
    case .migrationLockNotAvailable:
      guard let unfinished else {
        throw ExecutionError(.migrationLockNotAvailable(seconds: seconds, holder: holder))
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

  /// The reason why this process no longer owns the job, from its row.
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
    try? context.owner.noteFailure(message, sqlState, connection)
    try? context.owner.note("failed", message, connection)
  }
}
