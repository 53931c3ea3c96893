import CPostgreSQL
import SQLSyntax

extension PostgresConnection {
  /// Makes sure that the pooler between here and the server lets each connection keep its session.
  ///
  /// Two connections that do never have the same session, and never change it. A pooler that gives
  /// each transaction another one shows itself at once where it is quiet, by and by where it is busy.
  borrowing func checkPooler() throws(PostgresError) {
    do throws(PostgresError) {
      let other = try PostgresConnection(to: source)
      for round in 0..<8 {
        // Where sessions take turns, an even number of questions would always meet the same one.
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
      // One that knows no transactions refuses the beginning of one.
      case (.server, _): throw .unsafePooler
      case (.connection, _), (.connectionLost, _), (.authentication, _), (.malformedURL, _),
        (.pooler, _), (.role, _):
        throw error
      }
    }
  }

  private static var session: SQLFragment { "SELECT pg_catalog.pg_backend_pid()" }

  /// Returns the value of a query that a pooler may have wait for a session.
  private borrowing func value(of sql: SQLFragment) throws(PostgresError) -> String? {
    let text = sql.text
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(5)
    guard PQsendQuery(handle, text) == 1 else {
      throw PostgresError(result: nil, connection: handle, statement: text)
    }
    while PQconsumeInput(handle) == 1, PQisBusy(handle) == 1 {
      guard !Task.isCancelled else { throw PostgresError(.connection, "cancelled") }
      guard clock.now < deadline else {
        throw PostgresError(
          .connection,
          "timeout of 5 s expired",
          sqlState: .tooManyConnections
        )
      }
      _ = remodel_wait_for_socket(PQsocket(handle), 0, 100)
    }
    let result = try checked(PQgetResult(handle), statement: text)
    defer { PQclear(result) }
    // What ends the statement has come with its result.
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
      detail: "What a migration sets and locks would be left in sessions of the application.",
      hint: "Connect to the server itself: set REMODEL_DATABASE_URL to its own address."
    )
  }

  /// Returns the error of a pooler that does not let us find out what it does.
  fileprivate static func exhaustedPooler(_ error: PostgresError) -> PostgresError {
    PostgresError(
      .pooler,
      "a connection pooler gives no second session",
      sqlState: error.sqlState,
      detail: error.message,
      hint:
        "Connect to the server itself: set REMODEL_DATABASE_URL to its own address, or give the "
        + "pooler more sessions."
    )
  }
}
