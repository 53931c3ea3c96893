internal import FoundationEssentials
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The audit log's entries for an attempt at a step.
struct AttemptRecord {
  private let execution: StepExecution
  private let attempt: HistoryAttempt
  private var hasBegun = false
  private var statements: MetadataStatements { MetadataStatements(execution.store) }

  init(of execution: StepExecution, in session: SessionInspection, application: String?) {
    self.execution = execution
    attempt = HistoryAttempt(
      id: execution.cutover?.context.jobID ?? UUID().uuidString.lowercased(),
      startedAt: session.time,
      application: application,
      approval: execution.approval,
      kind: execution.adoption == nil ? HistoryKind(execution.step.kind) : .adoption
    )
  }

  /// Enters that the attempt has begun.
  mutating func begin(_ connection: borrowing PostgresConnection) throws {
    do {
      do {
        try record(event(.started), connection)
      } catch let error as PostgresError where error.isOfMetadataNumber(execution.store) {
        try record(statements.numberRepair, connection)
        try record(event(.started), connection)
      }
    } catch let error as PostgresError where error.kind == .connectionLost {
      // It may be there all the same.
      hasBegun = true
      throw error
    }
    hasBegun = true
  }

  /// The statement that enters the success, for the transaction which it is a part of.
  var success: SQLFragment { event(.succeeded) }

  /// Returns whether the success was entered.
  func tellsSuccess(_ connection: borrowing PostgresConnection) throws -> Bool {
    try !connection.query(statements.success(of: attempt)).isEmpty
  }

  /// Records why an attempt has failed.
  ///
  /// - Returns: The entry, if it could not be written: the failure itself is more important.
  func fail(
    _ sqlState: SQLState?,
    _ error: ExecutionError,
    _ connection: borrowing PostgresConnection
  ) -> SQLFragment? {
    guard hasBegun else { return nil }
    let failure = event(.failed(sqlState: sqlState?.rawValue, error: error.recordedText))
    let isEntered = (try? record(failure, connection)) ?? false
    return isEntered ? nil : failure
  }

  /// Takes back that the attempt has begun.
  func withdraw(_ connection: borrowing PostgresConnection) {
    guard hasBegun else { return }
    _ = try? record(statements.withdrawal(of: attempt), connection)
  }

  private func event(_ event: HistoryEvent) -> SQLFragment {
    statements.event(
      event,
      of: execution.step,
      digest: execution.digest,
      attempt: attempt
    )
  }

  /// Records something that has to survive a rollback, on a connection of its own.
  ///
  /// - Returns: Whether it is recorded.
  @discardableResult
  private func record(
    _ statement: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    // A pooler may have no second session; then the entry waits rather than the migration.
    if connection.isPooled, !connection.isBroken, connection.transactionStatus == .idle {
      try connection.execute(statement)
      return true
    }
    guard
      let other = try PostgresConnection.companion(
        to: execution.source,
        isPooled: connection.isPooled
      )
    else { return false }
    try other.execute(statement)
    return true
  }
}
