internal import PostgresClient
internal import SQLSyntax

/// The owner of a job that has the migration lock and does nothing: its process hangs.
struct SilentOwner {
  let store: StoreIdentity
  /// The seconds after which an owner is silent.
  let silence: Double

  /// Ends the owner's session if it has been idle for too long.
  ///
  /// A live owner sends queries all the time. If it resumes, it has lost its connection, and its
  /// other connections are fenced.
  ///
  /// - Returns: Whether the session has ended.
  @discardableResult
  func dismiss(_ connection: borrowing PostgresConnection) throws -> Bool {
    guard let holder = try BlockerInspection(store: store).migrationLockHolder(connection),
      try CopyJob.unfinished(of: store, connection)?.ownerPID == holder.pid
    else { return false }
    do {
      return try connection.asLogin { connection in
        try connection.query(
          """
          SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity \
          WHERE pid = \(holder.pid) AND application_name = 'remodel' \
          AND datname = current_database() \
          AND state IN ('idle', 'idle in transaction', 'idle in transaction (aborted)') \
          AND state_change < clock_timestamp() - make_interval(secs => \
          \(SQLLiteral.typed(String(silence), "double precision")))
          """
        ).value == "t"
      }
    } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
      // A role that cannot end the session waits for it.
      return false
    }
  }
}
