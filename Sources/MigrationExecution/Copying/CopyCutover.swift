internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The work of a job's last transaction besides the statements of its step.
final class CopyCutover: Sendable {
  let context: CopyContext

  init(_ context: CopyContext) { self.context = context }

  /// Checks that the job is ours and ready, and keeps others from cancelling it.
  func fence(_ connection: borrowing PostgresConnection) throws {
    // If this process hangs, the server releases the tables soon.
    try context.run("SET LOCAL idle_in_transaction_session_timeout = '5s'", connection)
    do {
      try context.owner.hold(.ready, isExclusive: true, connection)
    } catch CopyStop.fenced {
      throw ExecutionError(.jobUnfinished(id: context.jobID, .takenOver))
    } catch CopyStop.paused {
      throw ExecutionError(.jobUnfinished(id: context.jobID, .paused))
    }
  }

  /// Brings the copy to where the sources are, under the locks that keep others from writing.
  ///
  /// - Returns: Whether that was quick enough; if not, others are let in again first.
  func complete(_ connection: borrowing PostgresConnection) throws -> Bool {
    try context.checkSources(connection)
    if context.strategy == .filled { return try completeFills(connection) }
    if context.isOnline {
      guard try context.backlog(connection) <= context.settings.finalBacklog else { return false }
      // Sessions that wait for our locks do not wait much longer than this.
      let deadline = ContinuousClock.now + .seconds(5)
      do {
        try limit(to: deadline, connection)
        try context.apply(limit: nil, until: deadline, connection)
        try limit(to: deadline, connection)
        try context.checkReferencesOfApplied(connection)
        try limit(to: deadline, connection)
        try context.compareApplied(connection)
      } catch CopyStop.late {
        return false
      } catch let error as PostgresError
        where error.sqlState == .queryCanceled && context.interruption.signal == nil
      {
        return false
      }
      try context.run("SET LOCAL statement_timeout = 0", connection)
      guard try context.backlog(connection) == 0 else { return false }
    }
    try context.run("SET CONSTRAINTS ALL IMMEDIATE", connection)
    // From here on our own statements write to the sources.
    for source in context.plan.sources {
      let removal = SourceGuard(of: source, in: context.plan).removal(isOnline: context.isOnline)
      for statement in removal { try context.run(statement, connection) }
    }
    return true
  }

  /// Looks at the rows that had no value since all were compared, and removes the triggers.
  private func completeFills(_ connection: borrowing PostgresConnection) throws -> Bool {
    do {
      try limit(to: ContinuousClock.now + .seconds(5), connection)
      try context.checkUnfilled(connection)
    } catch let error as PostgresError
      where error.sqlState == .queryCanceled && context.interruption.signal == nil
    {
      return false
    }
    try context.run("SET LOCAL statement_timeout = 0", connection)
    try context.run("SET CONSTRAINTS ALL IMMEDIATE", connection)
    for fill in context.plan.fills {
      for statement in FillStatements(of: fill, in: context.plan).triggerRemoval {
        try context.run(statement, connection)
      }
    }
    return true
  }

  /// Lets the next statement take no longer than there is time.
  private func limit(
    to deadline: ContinuousClock.Instant,
    _ connection: borrowing PostgresConnection
  ) throws {
    let left = ContinuousClock.now.duration(to: deadline).inMilliseconds
    guard left > 0 else { throw CopyStop.late }
    try context.run("SET LOCAL statement_timeout = \(left)", connection)
  }

  /// Takes the rest of the staging schema away and ends the job.
  func finish(_ connection: borrowing PostgresConnection) throws {
    try context.run("DROP SCHEMA IF EXISTS \(context.plan.stagingSchema) CASCADE", connection)
    let references = context.plan.unvalidatedReferences
    if references.isEmpty {
      try context.owner.move(from: .ready, to: .finished, connection)
    } else {
      try context.run(context.jobs.validations(of: context.jobID, references), connection)
      try context.owner.move(from: .ready, to: .settling, connection)
    }
  }
}
