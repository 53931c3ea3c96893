internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension DeferredWorkSession {
  /// Does something again and again while others hold its locks.
  func retryingLocks(
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    var attempts = 0
    while true {
      do {
        return try body(connection)
      } catch let error as PostgresError
        where error.sqlState == .lockNotAvailable || error.sqlState == .deadlockDetected
      {
        let waited = begin.duration(to: clock.now)
        // A deadlock may come at the end of what took long, and once more is worth it.
        let isFirstDeadlock = error.sqlState == .deadlockDetected && attempts == 0
        guard waited < execution.settings.lockRetryFor || isFirstDeadlock else {
          let inspection = BlockerInspection(store: execution.store)
          throw ExecutionError(
            .lockNotAvailable(
              seconds: waited.inSeconds,
              blockers: (try? inspection.holders(of: [table], connection)) ?? []
            )
          )
        }
        let pause = Backoff.locks.seconds(after: attempts, jitter: Double.random(in: 0...1))
        attempts += 1
        execution.onEvent?(
          .retrying(
            sqlState: error.sqlState?.rawValue ?? "",
            attempt: attempts,
            pause: .seconds(pause)
          )
        )
        try execution.interruption.pause(seconds: pause)
      }
    }
  }

  /// Returns why a piece of work is not done, and notes it where those find it who look.
  func failure(
    _ error: any Error,
    of work: DeferredWork,
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) -> any Error {
    if let signal = execution.interruption.signal {
      return ExecutionError(.interrupted(signal: signal))
    }
    let result = self.error(error, of: work, connection)
    if let result = result as? ExecutionError, !connection.isBroken {
      let state = (error as? PostgresError)?.sqlState?.rawValue
      let entries = DeferredWorkStatements(execution.store)
      // The failure itself matters more than its entry.
      _ = try? connection.execute(
        entries.failure(of: pending.id, result.recordedText, sqlState: state)
      )
    }
    return result
  }

  private func error(
    _ error: any Error,
    of work: DeferredWork,
    _ connection: borrowing PostgresConnection
  ) -> any Error {
    guard let error = error as? PostgresError else { return error }
    guard error.kind == .server, !connection.isBroken else {
      return ExecutionError(.connectionLost(error))
    }
    if error.sqlState?.isIntegrityViolation == true, let question = work.question(in: schema),
      let finding = try? PreconditionFinding.asking(question, connection), finding.isViolated
    {
      return ExecutionError(.preconditionsViolated([finding]))
    }
    return ExecutionError(
      ExecutionError.Fact(error, "finishing an online migration: \(work.summary)", execution.store)
    )
  }
}
