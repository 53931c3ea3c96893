internal import PostgresClient
internal import SQLSyntax

/// The queue of those who work on a job and those who have it wait, take it over or take it back.
///
/// PostgreSQL lets those who share a row overtake whoever waits to change it, so that many workers
/// would keep others from it. An advisory lock is granted in the order in which it is asked for. That
/// nobody commits who has lost the job is not its affair: the fence sees to that.
struct CopyJobQueue {
  private let key: UInt64

  init(_ store: StoreIdentity) {
    key = UInt64(bitPattern: store.jobKey)
  }

  private var literal: SQLLiteral { .integer(Int64(bitPattern: key)) }

  /// Has a transaction that copies wait for those who came before it to change the job.
  var sharing: SQLFragment { "SELECT pg_advisory_xact_lock_shared(\(literal))" }

  /// Changes the job's row in a transaction before any that begins to copy from now on.
  ///
  /// - Parameters:
  ///   - connection: A connection outside a transaction.
  ///   - patience: For how long others' transactions are waited for; without end if it is zero.
  ///   - body: What changes the row.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or what the server says.
  func intervene<Result>(
    _ connection: borrowing PostgresConnection,
    patience: Duration = .zero,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    do {
      // Nobody waits for long behind a process that hangs.
      try connection.execute(
        """
        BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s'; \
        SET LOCAL lock_timeout = \(SQLLiteral.integer(patience.inMilliseconds)); \
        SELECT pg_advisory_xact_lock(\(literal))
        """
      )
      let result = try body(connection)
      try connection.execute("COMMIT")
      return result
    } catch {
      if !connection.isBroken, connection.transactionStatus != .idle {
        _ = try? connection.execute("ROLLBACK")
      }
      throw error
    }
  }

  /// Cancels what those run who copy, and what the owner runs; does nothing where the role may not.
  func cancelOthers(
    owner: Int,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.leaveRole()
    do {
      try connection.query(
        """
        SELECT pg_cancel_backend(a.pid) FROM pg_stat_activity a \
        WHERE a.datname = current_database() AND a.application_name = 'remodel' \
        AND a.pid <> pg_backend_pid() AND (a.pid = \(SQLLiteral.integer(Int64(owner))) OR a.pid IN ( \
        SELECT l.pid FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted \
        AND l.objsubid = 1 AND l.mode = 'ShareLock' \
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
        AND l.classid = \(SQLLiteral.integer(Int64(key >> 32)))::oid \
        AND l.objid = \(SQLLiteral.integer(Int64(key & 0xffff_ffff)))::oid))
        """
      )
    } catch {
      // Another role's statements end by themselves.
      guard error.sqlState == .insufficientPrivilege else {
        if connection.transactionStatus == .idle { try connection.resumeRole() }
        throw error
      }
    }
    try connection.resumeRole()
  }
}
