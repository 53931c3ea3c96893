internal import PostgresClient
internal import SQLSyntax

/// The queue of the workers of a job and those who pause it, take it over or cancel it.
///
/// PostgreSQL lets transactions that share a row overtake one that waits to change it, so many workers
/// would keep others from it. An advisory lock is granted in the order of the requests. It is the fence
/// that keeps a worker from committing after its job was taken over.
struct CopyJobQueue {
  private let key: UInt64

  init(_ store: StoreIdentity) {
    key = UInt64(bitPattern: store.jobKey)
  }

  private var literal: SQLLiteral { .integer(Int64(bitPattern: key)) }

  /// Has a transaction that copies wait for those who came before it to change the job.
  var sharing: SQLFragment { "SELECT pg_advisory_xact_lock_shared(\(literal))" }

  /// A transaction that changes the job's row before any transaction that begins to copy later.
  ///
  /// - Parameters:
  ///   - name: The prefix of the names of its failpoints.
  ///   - patience: The time to wait for transactions of others; zero is no limit.
  /// - Returns: The transaction.
  func intervention(_ name: String? = nil, patience: Duration = .zero) -> Transaction {
    Transaction(
      name: name,
      settings: [
        // Nobody waits for long behind a process that hangs.
        "SET LOCAL idle_in_transaction_session_timeout = '5s'",
        Transaction.lockTimeout(patience.inMilliseconds),
        "SELECT pg_advisory_xact_lock(\(literal))",
      ]
    )
  }

  /// Cancels the statements of the copying sessions and the owner, if the role may do so.
  func cancelOthers(
    owner: Int,
    _ connection: borrowing PostgresConnection
  ) throws {
    do {
      try connection.asLogin { connection in
        _ = try connection.query(
          """
          SELECT pg_cancel_backend(a.pid) FROM pg_stat_activity a \
          WHERE a.datname = current_database() AND a.application_name = 'remodel' \
          AND a.pid <> pg_backend_pid() AND (a.pid = \(owner) \
          OR a.pid IN (SELECT l.pid FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted \
          AND l.objsubid = 1 AND l.mode = 'ShareLock' \
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
          AND l.classid = \(key >> 32)::oid \
          AND l.objid = \(key & 0xffff_ffff)::oid))
          """
        )
      }
    } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
      // Another role's statements end by themselves.
    }
  }
}
