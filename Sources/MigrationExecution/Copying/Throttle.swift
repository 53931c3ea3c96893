internal import PostgresClient
internal import SQLSyntax

/// Why a job waits between two transactions.
public enum ThrottleReason: Hashable, Sendable {
  /// Others are at work.
  case activity(sessions: Int)
  /// Others wait for locks of the job.
  case blockedSessions(Int)
  /// A standby is behind.
  case replicaLag(seconds: Double)
  /// The query that the user gave returned a number above zero.
  case query(Double)
  /// The job is paused.
  case paused
}

/// The activity of others, as a job sees it.
struct Surroundings: Hashable {
  var activeSessions = 0
  var blockedSessions = 0
  /// The largest lag of a standby; `nil` if it is not visible.
  var replicaLag: Double?
  var queryResult: Double?

  /// The lag from which on a job waits, in seconds.
  static let tolerableLag = 10.0

  /// Returns the pause after a transaction with its reason, if there is one.
  ///
  /// - Parameters:
  ///   - seconds: The duration of the transaction; `nil` for no pause because of other sessions.
  ///   - isOnline: Whether others can write; while writes are refused, speed helps them most.
  /// - Returns: The seconds, the reason, and whether to check again afterwards.
  func pause(
    after seconds: Double,
    isOnline: Bool
  ) -> (seconds: Double, reason: ThrottleReason, looksAgain: Bool)? {
    if let queryResult, queryResult > 0 { return (1, .query(queryResult), true) }
    if let replicaLag, replicaLag > Self.tolerableLag {
      return (1, .replicaLag(seconds: replicaLag), true)
    }
    if blockedSessions > 0 {
      return (max(0.2, 4 * seconds), .blockedSessions(blockedSessions), false)
    }
    // Four times the duration of the transaction leaves others four fifths of the capacity.
    if activeSessions > 0, isOnline, seconds > 0 {
      return (min(5, 4 * seconds), .activity(sessions: activeSessions), false)
    }
    return nil
  }
}

/// Makes a job rest when others need the server.
struct Throttle {
  private let context: CopyContext

  init(_ context: CopyContext) {
    self.context = context
  }

  /// Pauses between two transactions for as long as others need.
  ///
  /// It waits for the user's query without a limit, and for a standby only for a while; then the
  /// job continues slowly.
  ///
  /// - Parameters:
  ///   - seconds: The duration of the transaction.
  ///   - connection: The connection of the transaction.
  ///   - isWanted: Whether this session is still needed.
  /// - Throws: The server's error, the failure of the user's query, or an interruption.
  func pause(
    after seconds: Double,
    _ connection: borrowing PostgresConnection,
    while isWanted: () -> Bool = { true }
  ) throws {
    var waited = 0.0
    while waited < context.settings.longestRest, isWanted() {
      let surroundings = try look(connection)
      guard let pause = surroundings.pause(after: seconds, isOnline: context.letsWrite) else {
        return
      }
      context.onEvent?(.throttled(pause.reason, pause: .seconds(pause.seconds)))
      try context.interruption.pause(seconds: pause.seconds)
      guard pause.looksAgain else { return }
      do {
        _ = try context.owner.state(connection)
      } catch is CopyStop {
        // The next transaction reads the state of the job.
        return
      }
      if surroundings.queryResult ?? 0 <= 0 { waited += pause.seconds }
    }
  }

  private func look(_ connection: borrowing PostgresConnection) throws -> Surroundings {
    // A session that has just been at work will be again: at any instant, most wait for clients.
    let row = try connection.query(
      """
      SELECT count(*) FILTER (WHERE a.application_name <> 'remodel' AND (a.state = 'active' \
      OR a.state_change > clock_timestamp() - interval '1 second')) AS active, \
      count(*) FILTER (WHERE a.wait_event_type = 'Lock' AND EXISTS (SELECT FROM pg_stat_activity o \
      WHERE o.pid = ANY (pg_blocking_pids(a.pid)) AND o.application_name = 'remodel')) AS blocked, \
      (SELECT max(extract(epoch FROM replay_lag)) FROM pg_stat_replication) AS lag \
      FROM pg_stat_activity a WHERE a.datname = current_database() \
      AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid() \
      AND a.application_name <> 'remodel'
      """
    ).first
    var surroundings = Surroundings()
    surroundings.activeSessions = row?.integer("active") ?? 0
    surroundings.blockedSessions = row?.integer("blocked") ?? 0
    surroundings.replicaLag = row?["lag"].flatMap { Double($0) }
    surroundings.queryResult = try context.settings.throttleQuery.flatMap { query in
      try answer(query, connection)
    }
    return surroundings
  }

  /// Asks the user's query.
  private func answer(
    _ query: String,
    _ connection: borrowing PostgresConnection
  ) throws -> Double? {
    do {
      // A query that asks has nothing to write.
      let reading = Transaction(mode: .readOnly, isRolledBack: true)
      return try TransactionRunner().transact(reading, connection) { connection in
        try connection.query(SQLFragment(written: query)).value.flatMap { Double($0) }
      }
    } catch let error as PostgresError {
      try context.interruption.check()
      guard error.kind == .server, !connection.isBroken else { throw error }
      throw ExecutionError(.throttleQueryFailed(error))
    }
  }
}
