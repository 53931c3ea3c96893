internal import Dispatch
internal import PostgresClient
internal import SQLSyntax

/// Watches a statement that may wait for others without a limit: it reports the sessions for which
/// it waits, and cancels it if an interruption preceded the statement.
struct WaitWatch: Sendable {
  let execution: DeferredWorkExecution
  let table: SQLIdentifier
  /// The process that serves the statement.
  let pid: Int
  let canceller: ConnectionCanceller
  /// Whether the statement runs in a session of a pooler, which may have no other one.
  let isPooled: Bool

  /// Watches until the statement has ended.
  func run(until end: DispatchSemaphore) {
    guard !isOver(end) else { return }
    do {
      if let source = execution.source,
        let connection = try PostgresConnection.companion(to: source, isPooled: isPooled)
      {
        try connection.execute("SET statement_timeout = 5000")
        try watch(connection, until: end)
        return
      }
    } catch {
      // A failed report must not stop the work.
    }
    while !isOver(end) {}
  }

  private func watch(
    _ connection: borrowing PostgresConnection,
    until end: DispatchSemaphore
  ) throws {
    var told: [Blocker] = []
    repeat {
      let blockers = try blockers(connection)
      if blockers != told { execution.runner.onEvent?(.waitingForOthers(blockers)) }
      told = blockers
      if let event = try indexProgress(connection) { execution.runner.onEvent?(event) }
    } while !isOver(end)
  }

  /// Waits for a second, or for the end.
  private func isOver(_ end: DispatchSemaphore) -> Bool {
    guard end.wait(timeout: .now() + 1) == .timedOut else { return true }
    if execution.runner.interruption.signal != nil { canceller.cancel() }
    return false
  }

  /// Returns how far the build of an index is, as far as the role may see it.
  private func indexProgress(
    _ connection: borrowing PostgresConnection
  ) throws -> MigrationEvent? {
    let row = try connection.query(
      """
      SELECT phase, CASE WHEN tuples_total > 0 THEN tuples_done::float8 / tuples_total \
      WHEN blocks_total > 0 THEN blocks_done::float8 / blocks_total END AS share \
      FROM pg_stat_progress_create_index WHERE pid = \(pid)
      """
    ).first
    guard let phase = row?["phase"] else { return nil }
    let share = row?["share"].flatMap { Double($0) }
    return .statementProgressed(activity: phase, share: share.map { min(1, max(0, $0)) })
  }

  private func blockers(_ connection: borrowing PostgresConnection) throws -> [Blocker] {
    let inspection = BlockerInspection(store: execution.store)
    let sessions = try inspection.blockers(of: pid, connection)
    guard sessions.contains(where: { $0.pid == 0 }) else { return sessions }
    // A prepared transaction has no process.
    let prepared = try inspection.holders(of: [table], connection)
      .filter { $0.preparedTransaction != nil }
    return sessions.filter { $0.pid != 0 } + prepared
  }
}

extension DeferredWorkSession {
  /// Runs a statement without a limit to its waiting, and reports the sessions for which it waits.
  func watchingWaits(
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    let watch = WaitWatch(
      execution: execution,
      table: table,
      pid: connection.backendPID,
      canceller: connection.canceller,
      isPooled: connection.isPooled
    )
    let end = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    DispatchQueue(label: "remodel.waits").async(group: group) { watch.run(until: end) }
    // No cancelling after that: it would hit the next statement.
    defer {
      end.signal()
      group.wait()
    }
    try body(connection)
  }
}
