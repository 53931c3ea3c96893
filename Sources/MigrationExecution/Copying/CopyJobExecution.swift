internal import FoundationEssentials
internal import MigrationPlanning
internal import ObjectModel
package import PostgresClient
internal import SQLSyntax

/// Carries out a step with a copy in many transactions.
///
/// The metadata has its progress, so that running the same step again continues it.
package struct CopyJobExecution: Sendable {
  let execution: StepExecution
  let plan: CopyPlan
  let settings: CopySettings

  /// Creates an execution; `nil` if the step copies nothing, or copies in a single transaction.
  ///
  /// - Parameters:
  ///   - execution: The step and its settings.
  ///   - settings: The settings of the copy.
  package init?(_ execution: StepExecution, settings: CopySettings) {
    guard let plan = execution.step.copy, execution.step.strategy != .locked else { return nil }
    self.execution = execution
    self.plan = plan
    self.settings = settings
  }

  /// Runs the job to its end.
  ///
  /// - Parameter connection: A connection outside a transaction.
  /// - Returns: Whether the step was committed.
  /// - Throws: The reason why not; committed parts stay.
  package func run(_ connection: borrowing PostgresConnection) throws -> StepExecution.Result {
    let clock = ContinuousClock()
    let begin = clock.now
    let step = execution.step
    execution.onEvent?(
      .stepStarted(
        source: step.source?.name,
        destination: step.destination.name,
        statementCount: step.statementCount
      )
    )
    var machine = CopyJobMachine(
      isOnline: step.strategy == .online,
      limits: CopyJobMachine.Limits(
        waitForMigrationLock: execution.settings.waitForMigrationLock.inSeconds,
        lockRetryFor: execution.settings.lockRetryFor.inSeconds
      )
    )
    let result = try drive(&machine, since: begin, connection)
    if result == .committed {
      execution.onEvent?(
        .stepEnded(
          source: step.source?.name,
          destination: step.destination.name,
          duration: begin.duration(to: clock.now)
        )
      )
    }
    return result
  }

  /// Carries out the machine's actions on one connection, and on another one if that is lost.
  private func drive(
    _ machine: inout CopyJobMachine,
    since begin: ContinuousClock.Instant,
    after cutOver: JobOwner? = nil,
    _ connection: borrowing PostgresConnection
  ) throws -> StepExecution.Result {
    let clock = ContinuousClock()
    var session = CopyJobSession(self, after: cutOver)
    while true {
      let action = machine.next()
      let elapsed = begin.duration(to: clock.now).inSeconds
      switch action {
      case .finish(let conclusion):
        return try session.conclude(conclusion, after: elapsed, connection)
      case .reconnect:
        session.leave(connection)
        if let error = session.lostConnection { execution.onEvent?(.connectionLost(error)) }
        let next: PostgresConnection
        do {
          next = try execution.reconnection.connect()
        } catch let error as PostgresError {
          throw session.telling(of: ExecutionError(.connectionLost(error)), connection)
        }
        let watch = execution.interruption.alsoWatch(next.canceller)
        defer { execution.interruption.stopWatching(watch) }
        machine.record(.succeeded, at: elapsed, jitter: 0.5)
        return try drive(&machine, since: begin, after: session.cutOver, next)
      case .takeMigrationLock, .claim, .prepare, .guardSources, .copy, .index, .catchUp, .verify,
        .cutOver,
        .settle, .pause, .findBlockers:
        if case .pause(let seconds) = action { tellRetry(&session, seconds, machine, connection) }
        let outcome = session.perform(action, connection)
        machine.record(
          outcome,
          at: begin.duration(to: clock.now).inSeconds,
          jitter: Double.random(in: 0...1)
        )
      }
    }
  }

  /// Tells of an attempt that others kept from its locks, before the next one.
  private func tellRetry(
    _ session: inout CopyJobSession,
    _ seconds: Double,
    _ machine: CopyJobMachine,
    _ connection: borrowing PostgresConnection
  ) {
    guard let sqlState = session.takeLockConflict() else { return }
    execution.onEvent?(
      .retrying(
        sqlState: sqlState.rawValue,
        attempt: machine.attempts,
        pause: .seconds(seconds)
      )
    )
    let found = session.currentBlockers(connection)
    if !found.isEmpty { execution.onEvent?(.waitingForOthers(found)) }
  }

  var runner: TransactionRunner {
    TransactionRunner(
      interruption: execution.interruption,
      failpoints: settings.failpoints,
      onEvent: execution.onEvent
    )
  }

  /// Checks that the rows allow the copy.
  func askPreconditions(_ connection: borrowing PostgresConnection) throws {
    let findings = try PreconditionFinding.asking(inOrder: execution.step.preconditions, connection)
    guard !findings.contains(where: \.isViolated) else {
      throw ExecutionError(.preconditionsViolated(findings.filter(\.isViolated)))
    }
  }
}
