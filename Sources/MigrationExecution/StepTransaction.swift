internal import Diagnostics
internal import FoundationEssentials
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The actions of a step, each as statements on a connection.
struct StepTransaction {
  let execution: StepExecution
  let session: SessionInspection
  let archive: String

  private let attempt: HistoryAttempt
  private var turn: StepTurn
  private var hasEnteredStart = false
  private var failure: (error: PostgresError, reason: String)?
  private var findings: [PreconditionFinding] = []
  private var blockers: [Blocker] = []
  private var turnHolder: Blocker?
  private var isOtherSession = false
  private var otherFailure: ExecutionError.Fact?
  /// How many statements of a creation in several transactions are committed.
  private var done: Int
  private var doneAtCommit: Int
  /// When a rehearsal has to let go of its locks.
  private var hold: HoldLimit?

  private var step: MigrationStep { execution.step }
  private var statements: MetadataStatements { MetadataStatements(execution.store) }

  init(
    execution: StepExecution,
    session: SessionInspection,
    application: String?,
    archive: String
  ) {
    self.execution = execution
    self.session = session
    self.archive = archive
    turn = StepTurn(of: execution.store, outlastsTransactions: execution.step.isInParts)
    done = execution.step.transactions.first?.lowerBound ?? 0
    doneAtCommit = done
    attempt = HistoryAttempt(
      id: execution.cutover?.context.jobID ?? UUID().uuidString.lowercased(),
      startedAt: session.time,
      application: application,
      approval: execution.approval,
      kind: execution.adoption == nil ? HistoryKind(execution.step.kind) : .adoption
    )
  }

  /// Carries out an action.
  mutating func perform(
    _ action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) -> ExecutionState.Outcome {
    if execution.interruption.signal != nil, action != .rollBack, action != .findOutcome {
      return .interrupted
    }
    do {
      execution.observer?.willPerform(action)
      try limitHold(before: action, connection)
      let outcome = try carryOut(action, connection)
      try execution.observer?.didPerform(action, connection)
      try reach("after", action, connection)
      return outcome
    } catch let error as PostgresError {
      if action != .rollBack, action != .lockTables, let hold, hold.hasEnded(error) {
        otherFailure = .heldTooLong(seconds: hold.limit.inSeconds, reason: reason(for: action))
        return .failed(nil)
      }
      if error.kind == .connectionLost || connection.isBroken {
        if action != .rollBack { failure = (error, reason(for: action)) }
        return .connectionLost
      }
      if execution.interruption.signal != nil, action != .rollBack { return .interrupted }
      if action == .lockTables, error.sqlState == .queryCanceled {
        return .failed(.lockNotAvailable)
      }
      if action != .rollBack { failure = (error, reason(for: action)) }
      return .failed(error.sqlState)
    } catch let error as ExecutionError {
      otherFailure = error.fact
      return .failed(nil)
    } catch {
      failure = (PostgresError(.server, "\(error)"), reason(for: action))
      return .failed(nil)
    }
  }

  private mutating func carryOut(
    _ action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws -> ExecutionState.Outcome {
    switch action {
    case .begin:
      try run(execution.step.beginning, connection)
      // The questions to the rows come before the locks, and must not wait for ever either.
      try limitLocks(connection)
      // What a snapshot shows must not be made into something else after it was taken.
      if step.isIntoSchema, !step.lockedTables.isEmpty {
        try run(LockStatement.sql(step.lockedTables, .accessShare), connection)
      }
      return .succeeded
    case .takeTurn:
      return try takeTurn(connection)
    case .compareRecord:
      return try compareRecord(connection)
    case .askPreconditions:
      // What the statements find by themselves is asked only when they have, to say where it is.
      findings = try PreconditionFinding.asking(
        inTurn: step.preconditions.filter { !$0.isEnforced },
        connection
      )
      return findings.contains(where: \.isViolated) ? .violated : .succeeded
    case .enterStart:
      do {
        try enter(.started, connection)
      } catch let error as PostgresError where error.kind == .connectionLost {
        // It may be there all the same.
        hasEnteredStart = true
        throw error
      }
      hasEnteredStart = true
      return .succeeded
    case .lockTables:
      try lockTables(connection)
      guard try execution.accountsForDependents(connection) else { return .declined }
      guard try execution.adoption?.holds(execution.store, connection) ?? true else {
        return .declined
      }
      return try askAgain(connection)
    case .completeCopy:
      return try execution.cutover?.complete(connection) == false ? .declined : .succeeded
    case .runStatement(let index):
      try run(step.statements[index], connection)
      return .succeeded
    case .recordProgress(let count):
      try run(statements.progress(of: step, done: count, archive: archive), connection)
      doneAtCommit = count
      return .succeeded
    case .recordVersion:
      if step.isInParts { try run(statements.creationEnd, connection) }
      for statement in statements.recording(step, archive: archive) {
        try run(statement, connection)
      }
      for statement in execution.adoption?.recording(execution.store) ?? [] {
        try run(statement, connection)
      }
      try run(statements.event(.succeeded, of: step, attempt: attempt), connection)
      try execution.cutover?.finish(connection)
      return .succeeded
    case .commit:
      try reach("before", action, connection)
      try run("COMMIT", connection)
      done = doneAtCommit
      return .succeeded
    case .findOutcome:
      return try findOutcome()
    case .rollBack:
      if connection.transactionStatus != .idle { try run("ROLLBACK", connection) }
      return .succeeded
    case .pause(let seconds):
      Pause.sleep(seconds: seconds, execution.interruption)
      return execution.interruption.signal == nil ? .succeeded : .interrupted
    case .findBlockers:
      let inspection = BlockerInspection(store: execution.store)
      blockers = (try? inspection.holders(of: step.lockedTables.map(\.name.name), connection)) ?? []
      turnHolder = try? inspection.turnHolder(connection)
      return .succeeded
    case .finish:
      return .succeeded
    }
  }

  /// Tells tests where the end of a copy, or a step in phases, is.
  private func reach(
    _ moment: String,
    _ action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let failpoints = execution.cutover?.context.settings.failpoints ?? execution.failpoints
    else { return }
    let name =
      execution.adoption != nil ? "adoption" : execution.cutover == nil ? "switch" : "cutover"
    switch action {
    case .begin, .takeTurn, .compareRecord, .lockTables, .completeCopy, .runStatement,
      .recordVersion, .commit:
      try failpoints.reach("\(name).\(moment)_\(action)", connection)
    case .askPreconditions, .enterStart, .recordProgress, .findOutcome, .rollBack, .pause,
      .findBlockers, .finish:
      break
    }
  }

  // MARK: - Turn

  private mutating func takeTurn(
    _ connection: borrowing PostgresConnection
  ) throws -> ExecutionState.Outcome {
    if try turn.take(connection) { return .succeeded }
    execution.onEvent?(.waitingForTurn)
    return .declined
  }

  private mutating func compareRecord(
    _ connection: borrowing PostgresConnection
  ) throws -> ExecutionState.Outcome {
    let pid = try connection.query(
      "SELECT pg_backend_pid() AS pid, current_setting('search_path') AS path"
    ).first
    guard pid?.integer("pid") == session.backendPID, pid?["path"] == SQLFragment.catalogPath.text
    else {
      isOtherSession = true
      return .failed(nil)
    }
    try execution.cutover?.fence(connection)
    if execution.cutover == nil, step.source != nil,
      let job = try CopyJob.unfinished(of: execution.store, connection)
    {
      // Another process has ended a copy, and is to be let end what comes after it.
      if job.state == .settling { return .declined }
      // The tables are watched or guarded for the sake of that one.
      let obstacle: ExecutionError.JobObstacle =
        step.kind == .cleanup
        ? .comesFirst : .otherPlan(source: job.source, target: job.target)
      throw ExecutionError(.jobUnfinished(id: job.id, obstacle))
    }
    let presence = try MetadataStore(execution.store).presence(connection)
    guard step.follows(presence, after: done) else { return .declined }
    if !step.droppedRetained.isEmpty {
      let retained = try MetadataStore(execution.store).retained(connection)
      guard step.droppedRetained.isSubset(of: retained) else { return .declined }
    }
    if step.kind == .cleanup { return .succeeded }
    // What the last version has left to do comes before the next one.
    if step.source != nil, !step.isIntoSchema, step.kind != .revert,
      try !PendingWork.all(of: execution.store, connection).isEmpty
    {
      return .declined
    }
    guard let copied = step.copiedStore(execution.store) else { return .succeeded }
    return try step.isOf(MetadataStore(copied).presence(connection)) ? .succeeded : .declined
  }

  // MARK: - Questions

  private func ask(
    _ precondition: PlannedPrecondition,
    _ connection: borrowing PostgresConnection
  ) throws -> PreconditionFinding {
    try PreconditionFinding(asking: precondition, connection)
  }

  // MARK: - Locks

  private func lockTables(_ connection: borrowing PostgresConnection) throws {
    guard !step.lockedTables.isEmpty else { return try prepareConstraints(connection) }
    let clock = ContinuousClock()
    let begin = clock.now
    for mode in LockMode.allCases.reversed() {
      let tables = step.lockedTables.filter { $0.mode == mode }
      guard !tables.isEmpty else { continue }
      // The limit is for all locks together, and lock_timeout for each of them: whoever begins to
      // wait for one that we have must not find out about a deadlock before we give up.
      let left = max(1, lockLimit - begin.duration(to: clock.now).inMilliseconds)
      try run("SET LOCAL statement_timeout = \(SQLLiteral.integer(left))", connection)
      try run(LockStatement.sql(tables, mode), connection)
    }
    try run(hold?.renewal ?? "SET LOCAL statement_timeout = 0", connection)
    try prepareConstraints(connection)
  }

  /// Has the server end a rehearsal that holds its locks for too long, whatever becomes of us.
  private mutating func limitHold(
    before action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws {
    switch action {
    case .lockTables:
      hold = execution.holdLimit.map { HoldLimit($0) }
      if let hold { try run(hold.beginning(session.serverVersion), connection) }
    case .completeCopy, .runStatement:
      guard let hold else { return }
      guard let statement = hold.renewal else {
        throw ExecutionError(
          .heldTooLong(seconds: hold.limit.inSeconds, reason: reason(for: action))
        )
      }
      try run(statement, connection)
    case .rollBack:
      hold = nil
    case .begin, .takeTurn, .compareRecord, .askPreconditions, .enterStart, .recordProgress,
      .recordVersion, .commit, .findOutcome, .pause, .findBlockers, .finish:
      break
    }
  }

  /// For how many milliseconds locks are waited for.
  private var lockLimit: Int64 {
    let limits = [execution.settings.lockTimeout, session.longestLockWait, execution.holdLimit]
    return max(1, (limits.compactMap(\.self).min() ?? .zero).inMilliseconds)
  }

  private func limitLocks(_ connection: borrowing PostgresConnection) throws {
    try run("SET LOCAL lock_timeout = \(SQLLiteral.integer(lockLimit))", connection)
  }

  /// A cast cuts off what does not fit without a word, so what came between the questions and the
  /// locks has to be asked for once more.
  private mutating func askAgain(
    _ connection: borrowing PostgresConnection
  ) throws -> ExecutionState.Outcome {
    // Where writers have been turned away since, nothing came.
    if let context = execution.cutover?.context, !context.isOnline { return .succeeded }
    let silent = try step.preconditions.filter(\.failsSilently).map { precondition in
      if let hold {
        guard let renewal = hold.renewal else {
          throw ExecutionError(
            .heldTooLong(seconds: hold.limit.inSeconds, reason: reason(for: .lockTables))
          )
        }
        try run(renewal, connection)
      }
      return try ask(precondition, connection)
    }
    guard silent.contains(where: \.isViolated) else { return .succeeded }
    findings = silent
    return .violated
  }

  private func prepareConstraints(_ connection: borrowing PostgresConnection) throws {
    try run("SET CONSTRAINTS ALL IMMEDIATE", connection)
  }

  // MARK: - Audit trail

  private func enter(
    _ event: HistoryEvent,
    _ connection: borrowing PostgresConnection
  ) throws {
    try record(statements.event(event, of: step, attempt: attempt), connection)
  }

  /// What has to outlive a rollback is recorded on a connection of its own.
  private func record(
    _ statement: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws {
    // A pooler may have no second session, and what is missing then is less than a migration.
    if connection.isPooled, !connection.isBroken, connection.transactionStatus == .idle {
      try connection.execute(statement)
    } else if let other = try PostgresConnection.companion(
      to: execution.source,
      isPooled: connection.isPooled
    ) {
      try other.execute(statement)
    }
  }

  /// Whoever has the turn may still be the lost session, on its way to the end of its commit.
  private func findOutcome() throws -> ExecutionState.Outcome {
    let connection = try execution.reconnection.connect()
    try turn.waitForOthers(connection, execution.interruption)
    let found = try connection.query(statements.success(of: attempt))
    return found.isEmpty ? .declined : .succeeded
  }

  // MARK: - End

  /// Returns how the step ended, or throws why it failed; others get their turn.
  mutating func conclude(
    _ conclusion: ExecutionState.Conclusion,
    after duration: Duration,
    _ connection: borrowing PostgresConnection
  ) throws -> StepExecution.Result {
    turn.giveUp(connection)
    let fact: ExecutionError.Fact
    switch conclusion {
    case .committed: return .committed
    case .superseded:
      // Whoever lost the race after it had begun has done as little as those who lost it before.
      if hasEnteredStart { try? record(statements.withdrawal(of: attempt), connection) }
      return .superseded
    case .deferred: return .deferred
    case .rehearsed: return .rehearsed
    case .violated: fact = .preconditionsViolated(findings.filter(\.isViolated))
    case .interrupted: fact = .interrupted(signal: execution.interruption.signal ?? 2)
    case .turnNotAvailable:
      fact = .turnNotAvailable(seconds: duration.inSeconds, holder: turnHolder)
    case .lockNotAvailable:
      fact = .lockNotAvailable(seconds: duration.inSeconds, blockers: blockers)
    case .connectionLost, .failed:
      let violated = conclusion == .failed ? violatedQuestions(connection) : []
      fact =
        violated.isEmpty
        ? failureFact(isLost: conclusion == .connectionLost) : .preconditionsViolated(violated)
    }
    var error = ExecutionError(fact)
    if hasEnteredStart {
      let event = HistoryEvent.failed(
        sqlState: failure?.error.sqlState?.rawValue,
        error: error.recordedText
      )
      let entry = statements.event(event, of: step, attempt: attempt)
      // The failure itself matters more than its entry; of a server that restarts, it can wait.
      let isEntered = (try? record(entry, connection)) != nil
      if !isEntered, conclusion == .connectionLost { error.missingEntry = entry }
    }
    throw error
  }

  /// Asks after a rollback for what has kept the statements from running, as the preconditions have
  /// it.
  private func violatedQuestions(
    _ connection: borrowing PostgresConnection
  ) -> [PreconditionFinding] {
    guard failure?.error.sqlState?.isIntegrityViolation == true, !connection.isBroken,
      connection.transactionStatus == .idle
    else { return [] }
    do {
      try run("BEGIN READ ONLY", connection)
      try limitLocks(connection)
      let found = try step.preconditions.filter(\.isEnforced).map { try ask($0, connection) }
      try run("ROLLBACK", connection)
      return found.filter(\.isViolated)
    } catch {
      // What the server said of the statement is still to be told.
      if connection.transactionStatus != .idle { _ = try? connection.execute("ROLLBACK") }
      return []
    }
  }

  private func failureFact(isLost: Bool) -> ExecutionError.Fact {
    if isOtherSession { return .unsafePooler }
    if let otherFailure { return otherFailure }
    guard let (error, reason) = failure else {
      return .connectionLost(PostgresError(.connectionLost, "the connection is lost"))
    }
    return isLost ? .connectionLost(error) : ExecutionError.Fact(error, reason, execution.store)
  }

  private func reason(for action: ExecutionState.Action) -> String {
    let way = step.source.map { "from version \"\($0.name)\" " } ?? ""
    let prefix =
      switch step.kind {
      case .migration: "migrating \(way)to version \"\(step.destination.name)\""
      case .revert: "reverting \(way)to version \"\(step.destination.name)\""
      case .cleanup: "cleaning up"
      }
    guard case .runStatement(let index) = action else { return prefix }
    return "\(prefix), statement \(index + 1) of \(step.statements.count): "
      + step.statements[index].reason
  }

  private func run(
    _ statement: PlannedStatement,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let passage = statement.passage else { return try run(statement.sql, connection) }
    let passing = try PassageRun(
      passage,
      of: step.mappingModel,
      execution.policies,
      execution.interruption,
      execution.onEvent
    )
    _ = try passing.run(CopyChunk(number: 0, lower: nil, upper: nil), connection)
  }

  private func run(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    let rows = try connection.execute(sql)
    execution.onEvent?(
      .statement(sql: sql.text, duration: begin.duration(to: clock.now), rows: rows)
    )
  }
}
