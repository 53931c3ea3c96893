internal import Diagnostics
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The actions of a step, each as statements on a connection.
struct StepTransaction {
  let execution: StepExecution
  let session: SessionInspection
  let archive: String

  private var migrationLock: MigrationLock
  private var locks: StepLocks
  private var attemptRecord: AttemptRecord
  private var failure: (error: PostgresError, reason: String)?
  /// The statement that the server works on.
  private var current = 0
  private var findings: [PreconditionFinding] = []
  private var blockers: [Blocker] = []
  private var migrationLockHolder: Blocker?
  private var otherFailure: ExecutionError.Fact?
  /// How many statements of a creation in several transactions are committed.
  private var done: Int
  private var doneAtCommit: Int

  private var step: MigrationStep { execution.step }
  /// One for all statements: policies in code share what its manager has.
  private let runner: TransactionRunner
  private var transaction: Transaction {
    let name =
      execution.adoption != nil ? "adoption" : execution.cutover == nil ? "switch" : "cutover"
    return Transaction(name: name, mode: step.transactionMode)
  }
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
    runner = execution.runner
    migrationLock = MigrationLock(
      of: execution.store,
      outlastsTransactions: execution.step.isInParts
    )
    done = execution.step.transactions.first?.lowerBound ?? 0
    doneAtCommit = done
    locks = StepLocks(of: execution, in: session)
    attemptRecord = AttemptRecord(of: execution, in: session, application: application)
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
      try locks.limitHold(before: action, connection)
      let outcome = try carryOut(action, connection)
      try execution.observer?.didPerform(action, connection)
      try reach(action, connection)
      return outcome
    } catch let error as PostgresError {
      if let end = locks.end(by: error, in: action) {
        otherFailure = end
        return .failed(nil)
      }
      if error.kind == .connectionLost || connection.isBroken {
        if action != .rollBack { failure = (error, activity(in: action)) }
        return .connectionLost
      }
      if execution.interruption.signal != nil, action != .rollBack { return .interrupted }
      if action == .lockTables, error.sqlState == .queryCanceled {
        return .failed(.lockNotAvailable)
      }
      if action != .rollBack { failure = (error, activity(in: action)) }
      return .failed(error.sqlState)
    } catch let error as ExecutionError {
      otherFailure = error.fact
      return .failed(nil)
    } catch {
      failure = (PostgresError(.server, "\(error)"), activity(in: action))
      return .failed(nil)
    }
  }

  private func activity(in action: ExecutionState.Action) -> String {
    if case .runStatements = action { return step.activity(inStatement: current) }
    return step.activity(in: action)
  }

  /// The preconditions to check first; those that statements enforce are checked after a failure,
  /// to find the rows.
  private var questions: [PlannedPrecondition] { step.preconditions.filter { !$0.isEnforced } }

  private mutating func carryOut(
    _ action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws -> ExecutionState.Outcome {
    switch action {
    case .begin:
      if done == step.transferPoint { try execution.transfer?.run(execution, connection) }
      try runner.begin(transaction, connection)
      // The preconditions precede the locks, and must not wait forever either.
      try locks.limitWait(connection)
      // Tables in the snapshot must not change after it was taken.
      if step.isIntoSchema, !step.lockedTables.isEmpty {
        try runner.run(Transaction.locking(step.lockedTables, .accessShare), connection)
      }
      return .succeeded
    case .takeMigrationLock:
      return try takeMigrationLock(connection)
    case .compareRecord:
      return try compareRecord(connection)
    case .askPreconditions:
      guard !questions.isEmpty else { return .succeeded }
      try holdTrustedTables(connection)
      findings = try PreconditionFinding.asking(inOrder: questions, connection)
      return findings.contains(where: \.isViolated) ? .violated : .succeeded
    case .enterStart:
      try attemptRecord.begin(connection)
      return .succeeded
    case .lockTables:
      try locks.take(connection)
      // Another role may have replaced a table before it was locked.
      try StoreOwnership(of: step, in: execution.store).check(connection)
      guard try execution.accountsForDependents(connection) else { return .declined }
      guard try execution.adoption?.holds(execution.store, connection) ?? true else {
        return .declined
      }
      return try askAgain(connection)
    case .completeCopy:
      return try execution.cutover?.complete(connection) == false ? .declined : .succeeded
    case .runStatements(let group):
      try run(group, connection)
      return .succeeded
    case .recordProgress(let count):
      try runner.runBatch(
        [statements.progress(of: step, done: count, archive: archive)],
        connection
      )
      doneAtCommit = count
      return .succeeded
    case .recordVersion:
      try runner.runBatch(
        (step.isInParts ? [statements.creationEnd] : [])
          + statements.recording(step, archive: archive, filesDigest: execution.filesDigest)
          + (execution.adoption?.recording(execution.store) ?? []) + [attemptRecord.success],
        connection
      )
      try execution.cutover?.finish(connection)
      return .succeeded
    case .commit:
      try runner.end(transaction, connection)
      done = doneAtCommit
      return .succeeded
    case .findOutcome:
      return try findOutcome()
    case .rollBack:
      try runner.rollBack(connection)
      return .succeeded
    case .pause(let seconds):
      execution.interruption.sleep(seconds: seconds)
      return execution.interruption.signal == nil ? .succeeded : .interrupted
    case .findBlockers:
      let inspection = BlockerInspection(store: execution.store)
      blockers = (try? inspection.holders(of: step.lockedTables.map(\.name.name), connection)) ?? []
      migrationLockHolder = try? inspection.migrationLockHolder(connection)
      return .succeeded
    case .finish:
      return .succeeded
    }
  }

  /// Reaches the failpoint after an action; those of begin and commit are the transaction's own.
  private func reach(
    _ action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws {
    switch action {
    case .takeMigrationLock, .compareRecord, .lockTables, .completeCopy, .runStatements,
      .recordVersion:
      try runner.failpoints.reach("\(transaction.name ?? "").after_\(action)", connection)
    case .begin, .askPreconditions, .enterStart, .recordProgress, .commit, .findOutcome, .rollBack,
      .pause, .findBlockers, .finish:
      break
    }
  }

  // MARK: - Statements

  private mutating func run(
    _ group: Range<Int>,
    _ connection: borrowing PostgresConnection
  ) throws {
    begin(group.lowerBound)
    guard group.count > 1 else {
      try runner.run(step.statements[current], of: step, execution.policies, connection)
      return
    }
    try runner.runBatch(step.statements[group].map(\.sql), connection) { answered in
      if answered < group.count { begin(group.lowerBound + answered) }
    }
  }

  private mutating func begin(_ index: Int) {
    current = index
    execution.onEvent?(.statementStarted(number: index + 1, count: step.statements.count))
  }

  // MARK: - Migration lock

  private mutating func takeMigrationLock(
    _ connection: borrowing PostgresConnection
  ) throws -> ExecutionState.Outcome {
    if try migrationLock.take(connection) { return .succeeded }
    execution.onEvent?(.waitingForMigrationLock)
    return .declined
  }

  private func compareRecord(
    _ connection: borrowing PostgresConnection
  ) throws -> ExecutionState.Outcome {
    guard try isInSession(connection) else { throw ExecutionError(.unsafePooler) }
    try execution.cutover?.fence(connection)
    return try execution.isStillNext(after: done, connection) ? .succeeded : .declined
  }

  /// Returns whether the transaction is in the session that was given its settings.
  private func isInSession(_ connection: borrowing PostgresConnection) throws -> Bool {
    let found = try connection.query(
      "SELECT pg_backend_pid() AS pid, current_setting('search_path') AS path"
    ).first
    return found?.integer("pid") == session.backendPID
      && found?["path"] == SQLFragment.catalogPath.text
  }

  /// Tells who has the locks that an attempt did not get.
  func tellBlockers(_ connection: borrowing PostgresConnection) {
    guard execution.onEvent != nil, !connection.isBroken else { return }
    let inspection = BlockerInspection(store: execution.store)
    let found = (try? inspection.holders(of: step.lockedTables.map(\.name.name), connection)) ?? []
    if !found.isEmpty { execution.onEvent?(.waitingForOthers(found)) }
  }

  // MARK: - Questions

  /// A cast truncates values silently, so rows written between the questions and the locks are checked once
  /// more.
  private mutating func askAgain(
    _ connection: borrowing PostgresConnection
  ) throws -> ExecutionState.Outcome {
    // Writers that were turned away since have written nothing.
    if let context = execution.cutover?.context, !context.isOnline { return .succeeded }
    let silent = try step.preconditions.filter(\.failsSilently).map { precondition in
      try locks.renewHold(before: .lockTables, connection)
      return try PreconditionFinding(asking: precondition, connection)
    }
    guard silent.contains(where: \.isViolated) else { return .succeeded }
    findings = silent
    return .violated
  }

  // MARK: - End

  /// The lost session may still be about to commit, and hold the migration lock when it has.
  private func findOutcome() throws -> ExecutionState.Outcome {
    let connection = try execution.reconnection.connect()
    try migrationLock.waitForOthers(
      orUntil: attemptRecord.tellsSuccess,
      connection,
      execution.interruption
    )
    return try attemptRecord.tellsSuccess(connection) ? .succeeded : .declined
  }

  /// Returns how the step ended, or throws why it failed; others get the migration lock.
  mutating func conclude(
    _ conclusion: ExecutionState.Conclusion,
    after duration: Duration,
    _ connection: borrowing PostgresConnection
  ) throws -> StepExecution.Result {
    migrationLock.giveUp(connection)
    let fact: ExecutionError.Fact
    switch conclusion {
    case .committed: return .committed
    case .superseded:
      // An attempt that lost the race has changed nothing, so it leaves no entry.
      attemptRecord.withdraw(connection)
      return .superseded
    case .deferred: return .deferred
    case .rehearsed: return .rehearsed
    case .violated: fact = .preconditionsViolated(findings.filter(\.isViolated))
    case .interrupted: fact = .interrupted(signal: execution.interruption.signal ?? 2)
    case .migrationLockNotAvailable:
      fact = .migrationLockNotAvailable(seconds: duration.inSeconds, holder: migrationLockHolder)
    case .lockNotAvailable:
      fact = .lockNotAvailable(seconds: duration.inSeconds, blockers: blockers)
    case .connectionLost, .failed:
      let violated = conclusion == .failed ? violatedQuestions(connection) : []
      fact =
        violated.isEmpty
        ? failureFact(isLost: conclusion == .connectionLost) : .preconditionsViolated(violated)
    }
    var error = ExecutionError(fact)
    let missing = attemptRecord.fail(failure?.error.sqlState, error, connection)
    // Of a server that restarts, the entry can wait.
    if conclusion == .connectionLost { error.missingEntry = missing }
    throw error
  }

  /// Makes sure of the owners of the tables, in whose place no others can be put before the transaction
  /// ends.
  private func holdTrustedTables(_ connection: borrowing PostgresConnection) throws {
    if !step.lockedTables.isEmpty {
      try runner.run(Transaction.locking(step.lockedTables, .accessShare), connection)
    }
    try StoreOwnership(of: step, in: execution.store).check(connection)
  }

  /// Checks the preconditions after a rollback, to find the rows that made the statements fail.
  private func violatedQuestions(
    _ connection: borrowing PostgresConnection
  ) -> [PreconditionFinding] {
    guard failure?.error.sqlState?.isIntegrityViolation == true, !connection.isBroken,
      connection.transactionStatus == .idle
    else { return [] }
    do {
      let reading = Transaction(mode: .readOnly, isRolledBack: true)
      return try runner.transact(reading, connection) { connection in
        try locks.limitWait(connection)
        try holdTrustedTables(connection)
        return try step.preconditions.filter(\.isEnforced).map {
          try PreconditionFinding(asking: $0, connection)
        }.filter(\.isViolated)
      }
    } catch {
      // The server's error is more important.
      return []
    }
  }

  private func failureFact(isLost: Bool) -> ExecutionError.Fact {
    if let otherFailure { return otherFailure }
    guard let (error, reason) = failure else {
      return .connectionLost(PostgresError(.connectionLost, "the connection is lost"))
    }
    return isLost ? .connectionLost(error) : ExecutionError.Fact(error, reason, execution.store)
  }
}
