import CPostgreSQL
public import Diagnostics
public import SQLSyntax

extension PostgresConnection {
  /// The settings that every session has, whatever those of the role and the database.
  ///
  /// A `psql` script begins with the same statements. `default_transaction_read_only` is not among
  /// them: that a database is read-only has to be noticed, not overridden.
  public static var sessionPrologue: [SQLFragment] {
    [
      "SET application_name = 'remodel'",
      "SET client_encoding = 'UTF8'",
      "SET client_min_messages = warning",
      "SET quote_all_identifiers = off",
      // Without pg_temp at its end, temporary tables would hide those of pg_catalog.
      "SET search_path = pg_catalog, pg_temp",
      "SET standard_conforming_strings = on",
      "SET default_transaction_isolation = 'read committed'",
      "SET default_transaction_deferrable = off",
      "SET lock_timeout = 0",
      "SET statement_timeout = 0",
      "SET idle_in_transaction_session_timeout = '60s'",
      "SET idle_session_timeout = 0",
      "SET row_security = off",
      "SET default_tablespace = ''",
      "SET check_function_bodies = on",
      "SET transform_null_equals = off",
      // Compiling costs more than it gives for statements over the catalog.
      "SET jit = off",
      "SET TimeZone = 'UTC'",
      "SET DateStyle = 'ISO, YMD'",
      "SET IntervalStyle = 'postgres'",
      "SET extra_float_digits = 1",
      "SET bytea_output = 'hex'",
      "SET xmloption = content",
    ]
  }

  /// The statement by which a session takes on a role; a `psql` script has it after the settings.
  public static func assumption(of role: SQLIdentifier) -> SQLFragment { "SET ROLE \(role)" }

  /// Connects to a server and gives the session its settings.
  ///
  /// - Parameters:
  ///   - source: Where the connection's settings come from.
  ///   - wait: For how long to try again while the server does not accept connections.
  ///   - onNotice: Gets the server's notices; without it they are dropped.
  /// - Returns: The connection.
  /// - Throws: An error of the kinds `connection`, `authentication`, `malformedURL`, `pooler` and `role`.
  public static func session(
    to source: ConnectionSource,
    wait: Duration = .zero,
    onNotice: ((Diagnostic) -> Void)? = nil
  ) throws(PostgresError) -> PostgresConnection {
    let clock = ContinuousClock()
    let deadline = clock.now + wait
    while true {
      let left = max(.zero, deadline - clock.now)
      let connection = try PostgresConnection(to: source, wait: left, onNotice: onNotice)
      do {
        try connection.prepareSession()
        return connection
      } catch {
        // A server that is being set up accepts connections, and shuts down once more.
        guard error.kind == .connectionLost, clock.now < deadline, !Task.isCancelled else {
          throw error
        }
        remodel_pause(Int32.random(in: 50...150))
      }
    }
  }

  /// Goes back to the role of the login, by which the server tells who may see and end a session.
  package borrowing func leaveRole() throws(PostgresError) {
    if source.role != nil { try execute("SET ROLE NONE") }
  }

  /// Takes the role on again.
  package borrowing func resumeRole() throws(PostgresError) {
    if let role = source.role { try execute(Self.assumption(of: role)) }
  }

  /// Gives this session its settings and its role, in one round trip.
  ///
  /// Behind a pooler they would stay in sessions that are the application's as well, so none of them
  /// takes effect there before it is known that the session is ours alone.
  public borrowing func prepareSession() throws(PostgresError) {
    let statements = settings.joined(separator: ";\n")
    do {
      try execute("\(ownSession);\n\(statements)")
    } catch {
      guard error.sqlState == .invalidTextRepresentation else { throw explained(error) }
      try checkPooler()
      do {
        try execute(statements)
      } catch {
        throw explained(error)
      }
    }
  }

  private var settings: [SQLFragment] {
    var settings = Self.sessionPrologue
    settings.append(
      // The statement of a client that is gone is ended instead of being run to its end, where the
      // server's system can tell.
      """
      SELECT set_config('client_connection_check_interval', '2s', false) \
      WHERE version() ~ 'linux|darwin|bsd'
      """
    )
    // Servers before 17 do not know it, and a query that finds out would cost more than all the rest.
    if serverVersion >= 170_000 { settings.append("SET transaction_timeout = 0") }
    if let role = source.role { settings.append(Self.assumption(of: role)) }
    return settings
  }

  /// Fails where the process that serves the statement is not the one that the connection is told of,
  /// whatever the search path leads to.
  private var ownSession: SQLFragment {
    """
    SELECT (CASE WHEN pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) \
    \(SQLLiteral.integer(Int64(backendPID))) THEN '1' ELSE 'the session of a pooler' \
    END)::pg_catalog.int4
    """
  }

  private func explained(_ error: PostgresError) -> PostgresError {
    guard let role = source.role, error.kind == .server else { return error }
    switch error.sqlState {
    case .some(.insufficientPrivilege), .some(.invalidParameterValue):
      return .refusedRole(role, login: userName, serverVersion: serverVersion, error)
    default: return error  // The server's codes are not ours to enumerate.
    }
  }
}

extension PostgresError {
  /// Returns the error of a role that a session cannot take on.
  static func refusedRole(
    _ role: SQLIdentifier,
    login: String,
    serverVersion: Int,
    _ error: PostgresError
  ) -> PostgresError {
    let option = serverVersion >= 160_000 ? " WITH SET TRUE" : ""
    return PostgresError(
      .role,
      error.message,
      sqlState: error.sqlState,
      detail: "The session logged in as \"\(login)\".",
      hint: error.sqlState == .insufficientPrivilege
        ? "GRANT \(role.quoted) TO \(SQLIdentifier(login).quoted)\(option);"
        : "Create the role, or name another one with --role."
    )
  }
}
