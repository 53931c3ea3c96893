internal import PostgresClient
internal import SQLSyntax

/// Reads the facts about a session that planning needs.
struct SessionInspection {
  /// The server process of the session, from the server itself.
  let backendPID: Int
  /// The number of the server's version.
  let serverVersion: Int
  /// The server's clock at the time of the inspection.
  let time: String
  /// The longest that all lock waits of an attempt may take, so that the server's own check for
  /// deadlocks never ends the application's transaction instead of ours.
  let longestLockWait: Duration

  /// Returns for how many milliseconds a lock is waited for that keeps others out meanwhile.
  func lockLimit(_ settings: StepExecution.Settings) -> Int64 {
    max(1, min(settings.lockTimeout, longestLockWait).inMilliseconds)
  }

  init(_ connection: borrowing PostgresConnection) throws {
    serverVersion = connection.serverVersion
    guard serverVersion >= 150_000 else { throw ExecutionError(.oldServer(serverVersion)) }
    let row = try connection.query(
      """
      SELECT pg_backend_pid() AS pid, clock_timestamp()::text AS time, pg_is_in_recovery() AS standby, \
      current_setting('transaction_read_only') = 'on' AS read_only, \
      (extract(epoch FROM current_setting('deadlock_timeout')::interval) * 1000)::integer AS deadlock
      """
    ).first
    if row?.boolean("standby") == true { throw ExecutionError(.readOnly(isStandby: true)) }
    if row?.boolean("read_only") == true { throw ExecutionError(.readOnly(isStandby: false)) }
    time = row?["time"] ?? "now"
    backendPID = row?.integer("pid") ?? 0
    longestLockWait = .milliseconds((row?.integer("deadlock") ?? 1000) * 4 / 5)
  }
}
