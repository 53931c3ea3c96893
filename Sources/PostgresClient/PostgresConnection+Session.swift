import CPostgreSQL
package import Diagnostics
package import SQLSyntax

extension PostgresConnection {
  /// The statements that give every session its settings, whatever those of the role and the database.
  ///
  /// A `psql` script begins with the same statements.
  package static var sessionPrologue: [SQLFragment] {
    SessionDefault.all.map { "SET \($0.name) = \($0.value)" }
  }

  /// Resets the settings of a session before a pooler passes it to others.
  borrowing func leaveSession() {
    switch transactionStatus {
    case .active, .unknown: return
    case .inTransaction, .failed: _ = try? execute("ROLLBACK")
    case .idle: break
    }
    // This is first, since some settings may belong to the role, and separate, since an error in
    // the same query would undo it.
    _ = try? execute("RESET ROLE")
    var names = SessionDefault.all.map(\.name) + SessionSetting.allCases.map(\.name)
    if serverVersion >= 170_000 { names.append("transaction_timeout") }
    if hasCitus { names += Self.namesOfCitus }
    let statements =
      ["SELECT pg_catalog.pg_advisory_unlock_all()"] + names.map { "RESET \($0)" as SQLFragment }
    _ = try? execute(statements.joined(separator: ";\n"))
  }

  /// The statement by which a session takes on a role; a `psql` script has it after the settings.
  package static func assumption(of role: SQLIdentifier) -> SQLFragment { "SET ROLE \(role)" }

  /// The expression after `SELECT`, or `PERFORM` in a block, for a session without a configured
  /// role.
  ///
  /// A superuser keeps its own role even if the owner of the database has set another. Other logins
  /// keep the role that is set for them, which lets them share the objects that they create.
  ///
  /// - Parameter isLocal: Whether the setting ends with the transaction.
  /// - Returns: The expression with its FROM clause.
  package static func superuserRole(isLocal: Bool = false) -> SQLFragment {
    """
    pg_catalog.set_config('role', 'none', \(isLocal ? "true" as SQLFragment : "false")) \
    FROM pg_catalog.pg_roles r \
    WHERE r.rolname OPERATOR(pg_catalog.=) SESSION_USER AND r.rolsuper
    """
  }

  /// Connects to a server and gives the session its settings.
  ///
  /// - Parameters:
  ///   - source: The source of the connection's settings.
  ///   - wait: The time to retry while the server does not accept connections.
  ///   - onNotice: Gets the server's notices; without it they are dropped.
  /// - Returns: The connection.
  /// - Throws: An error of the kinds `connection`, `authentication`, `malformedURL`, `pooler` and `role`.
  package static func session(
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
        // A server that is being set up accepts connections, and shuts down once more; a pooler
        // accepts more than it has sessions for.
        let mayPass = error.kind == .connectionLost || error.isServerNotReady
        guard mayPass, clock.now < deadline, !Task.isCancelled else { throw error }
        remodel_pause(Int32.random(in: 50...150))
      }
    }
  }

  /// Runs a function in the role of the login, which decides which sessions it may see and end.
  package borrowing func asLogin<Result>(
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    try execute("SET ROLE NONE")
    let role = source.role.map(Self.assumption) ?? "RESET ROLE;\nSELECT \(Self.superuserRole())"
    do {
      let result = try body(self)
      try execute(role)
      return result
    } catch {
      if transactionStatus == .idle { try execute(role) }
      throw error
    }
  }

  /// Gives this session its settings and its role, in one round trip.
  ///
  /// Behind a pooler they would stay in sessions that are the application's as well, so none of them
  /// takes effect there before it is known that the session is ours alone.
  package borrowing func prepareSession() throws(PostgresError) {
    do throws(PostgresError) {
      try applySettings(after: [ownSession])
    } catch {
      guard error.sqlState == .invalidTextRepresentation else { throw error }
      try checkPooler()
      try preparePooledSession()
    }
  }

  /// Gives its settings to the session of a pooler that lets each connection keep its own.
  private borrowing func preparePooledSession() throws(PostgresError) {
    notePooler()
    try applySettings()
  }

  /// Applies the settings of every session, if the conditions do not fail.
  private borrowing func applySettings(
    after conditions: [SQLFragment] = []
  ) throws(PostgresError) {
    // The server ends a statement whose client has disconnected, if its operating system can detect
    // this. A query for support would cost more than all other settings.
    let watch = SessionSetting.connectionCheckInterval.statement("'2s'")
    do throws(PostgresError) {
      try apply(conditions + [watch] + settings)
    } catch {
      guard error.sqlState == .invalidParameterValue else { throw explained(error) }
      do throws(PostgresError) {
        try apply(conditions + settings)
      } catch {
        throw explained(error)
      }
    }
  }

  private borrowing func apply(_ statements: [SQLFragment]) throws(PostgresError) {
    let settings = statements + ["SELECT \(Self.prologueOfCitus)"]
    noteCitus(try execute(settings.joined(separator: ";\n")) > 0)
    if hasCitus { try refuseWorker() }
  }

  /// Opens a second connection beside an existing one.
  ///
  /// - Parameters:
  ///   - source: The source of the connection's settings.
  ///   - isPooled: Whether the other connection uses a pooler, which is checked in that case.
  ///   - limit: The time to wait until the pooler has a session.
  /// - Returns: The connection; `nil` if the pooler has no session for it.
  /// - Throws: The reason why there is no connection.
  package static func companion(
    to source: ConnectionSource,
    isPooled: Bool,
    within limit: Duration = .milliseconds(250)
  ) throws(PostgresError) -> PostgresConnection? {
    guard isPooled else { return try session(to: source) }
    do throws(PostgresError) {
      let connection = try PostgresConnection(to: source)
      guard try connection.hasSession(within: limit) else { return nil }
      try connection.preparePooledSession()
      return connection
    } catch {
      // Some poolers refuse surplus connections instead of queueing them.
      guard error.isServerNotReady || error.sqlState == .tooManyConnections else { throw error }
      return nil
    }
  }

  private var settings: [SQLFragment] {
    var settings = Self.sessionPrologue
    // Servers before 17 do not know it, and a query that finds out would cost more than all the rest.
    if serverVersion >= 170_000 { settings.append("SET transaction_timeout = 0") }
    return settings + [
      source.role.map(Self.assumption) ?? "SELECT \(Self.superuserRole())"
    ]
  }

  /// Fails if another process serves the statement than the one that the server reported for this
  /// connection, whatever the search path contains.
  private var ownSession: SQLFragment {
    """
    SELECT (CASE WHEN pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) \
    \(backendPID) THEN '1' ELSE 'the session of a pooler' \
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
