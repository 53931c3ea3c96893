import CPostgreSQL
import SQLSyntax

extension PostgresConnection {
  /// Checks that a pooler between the client and the server lets each connection keep its session.
  ///
  /// With such a pooler, two connections never share or change sessions. A pooler that assigns
  /// sessions by transaction reveals itself at once when it is idle, and after some queries when it
  /// is busy. If there is no second session, connections wait for one in a queue: poolers serve the
  /// queue in order, so a waiting connection that is served before an earlier one has kept its own
  /// session.
  borrowing func checkPooler() throws(PostgresError) {
    do throws(PostgresError) {
      let other = try PostgresConnection(to: source)
      try other.send(Self.session)
      var isServed = try other.hasAnswer(within: .milliseconds(500))
      for _ in 0..<4 where !isServed {
        _ = try value(of: Self.session)
        isServed = try other.hasAnswer(within: .milliseconds(50))
      }
      guard isServed else { return }
      _ = try other.answer(to: Self.session)
      for round in 0..<8 {
        // If sessions alternate, an even number of queries would always use the same one.
        if round.isMultiple(of: 2) { _ = try other.value(of: Self.session) }
        let session = try value(of: Self.session)
        _ = try other.value(of: "BEGIN")
        let second = try other.value(of: Self.session)
        guard try session == value(of: Self.session), session != second else {
          throw PostgresError.unsafePooler
        }
        _ = try other.value(of: "ROLLBACK")
      }
    } catch {
      switch (error.kind, error.sqlState) {
      case (.connection, .some(.tooManyConnections)): throw .exhaustedPooler(error)
      case (.server, .some(.queryCanceled)): throw error
      // A pooler that knows no transactions refuses to begin one.
      case (.server, _): throw .unsafePooler
      case (.connection, _), (.connectionLost, _), (.authentication, _), (.malformedURL, _),
        (.pooler, _), (.role, _), (.worker, _):
        throw error
      }
    }
  }

  private static var session: SQLFragment { "SELECT pg_catalog.pg_backend_pid()" }

  /// Returns whether a pooler has a session for this connection within some time.
  borrowing func hasSession(within limit: Duration) throws(PostgresError) -> Bool {
    try send(Self.session)
    guard try hasAnswer(within: limit) else { return false }
    _ = try answer(to: Self.session)
    return true
  }

  /// Returns the value of a query that a pooler may have wait for a session.
  private borrowing func value(of sql: SQLFragment) throws(PostgresError) -> String? {
    try send(sql)
    guard try hasAnswer(within: .seconds(5)) else {
      throw PostgresError(.connection, "timeout of 5 s expired", sqlState: .tooManyConnections)
    }
    return try answer(to: sql)
  }

  private borrowing func send(_ sql: SQLFragment) throws(PostgresError) {
    let text = sql.text
    guard PQsendQuery(handle, text) == 1 else {
      throw error(of: nil, statement: text)
    }
  }

  private borrowing func hasAnswer(within limit: Duration) throws(PostgresError) -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while PQconsumeInput(handle) == 1, PQisBusy(handle) == 1 {
      guard !Task.isCancelled else { throw PostgresError(.connection, "cancelled") }
      guard clock.now < deadline else { return false }
      _ = remodel_wait_for_socket(PQsocket(handle), 0, 50)
    }
    return true
  }

  private borrowing func answer(to sql: SQLFragment) throws(PostgresError) -> String? {
    let result = try checked(PQgetResult(handle), statement: sql.text)
    defer { PQclear(result) }
    // The command that ends the statement has arrived with its result.
    while let rest = PQgetResult(handle) { PQclear(rest) }
    guard PQntuples(result) > 0 else { return nil }
    return PQgetvalue(result, 0, 0).map { String(cString: $0) }
  }
}

extension PostgresError {
  /// The error of transactions that get different sessions.
  package static var unsafePooler: PostgresError {
    PostgresError(
      .pooler,
      "a connection pooler gives transactions different sessions",
      detail: "Settings and locks of a migration would remain in sessions of the application.",
      hint: "Connect to the server itself: set REMODEL_DATABASE_URL to its own address."
    )
  }

  /// Returns the error of a pooler whose sessions are all taken, which passes.
  fileprivate static func exhaustedPooler(_ error: PostgresError) -> PostgresError {
    PostgresError(
      .connection,
      "a connection pooler has no session that is free",
      sqlState: error.sqlState,
      detail: error.message,
      hint:
        "Connect to the server itself: set REMODEL_DATABASE_URL to its own address, or have the "
        + "pooler keep a session free, and as many more as --jobs says."
    )
  }
}
