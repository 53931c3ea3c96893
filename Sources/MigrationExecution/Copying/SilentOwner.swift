internal import PostgresClient
internal import SQLSyntax

/// The owner of a job that has the migration lock and does nothing: its process hangs.
struct SilentOwner {
  let store: StoreIdentity
  /// The seconds after which an owner is silent.
  let silence: Double

  /// Ends its session if it has been doing nothing for so long.
  ///
  /// An owner that lives asks the server something all the time. Should it wake up, it has lost its
  /// connection, and what other connections it has are fenced.
  func dismiss(_ connection: borrowing PostgresConnection) throws {
    guard let holder = try BlockerInspection(store: store).migrationLockHolder(connection),
      try CopyJob.unfinished(of: store, connection)?.ownerPID == holder.pid
    else { return }
    try connection.leaveRole()
    do {
      try connection.query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
        WHERE pid = \(SQLLiteral.integer(Int64(holder.pid))) AND application_name = 'remodel' \
        AND datname = current_database() \
        AND state IN ('idle', 'idle in transaction', 'idle in transaction (aborted)') \
        AND state_change < clock_timestamp() - make_interval(secs => \
        \(SQLLiteral.typed(String(silence), "double precision")))
        """
      )
    } catch {
      if connection.transactionStatus == .idle { try connection.resumeRole() }
      throw error
    }
    try connection.resumeRole()
  }
}
