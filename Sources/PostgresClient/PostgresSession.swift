package import Diagnostics
internal import SQLSyntax

/// A connection on a thread of its own, for callers that must not wait.
package actor PostgresSession {
  private let executor = SerialQueueExecutor()
  private var connection: PostgresConnection?

  /// Runs this actor on its own queue.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private init() {}

  /// Connects to a server and gives the session its settings.
  ///
  /// - Parameters:
  ///   - source: The source of the connection's settings.
  ///   - wait: The time to retry while the server does not accept connections.
  ///   - onNotice: Gets the server's notices; without it they are dropped.
  /// - Returns: The session.
  /// - Throws: An error of the kinds `connection`, `authentication`, `malformedURL`, `pooler` and `role`.
  package static func connect(
    to source: ConnectionSource,
    wait: Duration = .zero,
    onNotice: (@Sendable (Diagnostic) -> Void)? = nil
  ) async throws(PostgresError) -> PostgresSession {
    let session = PostgresSession()
    try await session.open(source, wait: wait, onNotice: onNotice)
    return session
  }

  /// Connects to a server, calls a function with the session, and closes it.
  ///
  /// - Parameters:
  ///   - source: The source of the connection's settings.
  ///   - wait: The time to retry while the server does not accept connections.
  ///   - body: The function.
  /// - Returns: The function's result.
  /// - Throws: The reason why there is no session, or the function's error.
  package static func with<Result: Sendable>(
    _ source: ConnectionSource,
    wait: Duration = .zero,
    _ body: (PostgresSession) async throws -> Result
  ) async throws -> Result {
    let session = try await connect(to: source, wait: wait)
    do {
      let result = try await body(session)
      await session.close()
      return result
    } catch {
      await session.close()
      throw error
    }
  }

  /// Connects to a server, keeps the server's settings, and does not check for a pooler.
  ///
  /// - Parameters:
  ///   - source: The source of the connection's settings.
  ///   - wait: The time to retry while the server does not accept connections.
  /// - Returns: The session.
  /// - Throws: An error of the kinds `connection`, `authentication` and `malformedURL`.
  package static func unprepared(
    to source: ConnectionSource,
    wait: Duration
  ) async throws(PostgresError) -> PostgresSession {
    let session = PostgresSession()
    try await session.openUnprepared(source, wait: wait)
    return session
  }

  /// Calls a function with exclusive use of the connection.
  ///
  /// - Parameter body: The function.
  /// - Returns: The function's result.
  /// - Throws: The function's error.
  @discardableResult
  package func run<Result: Sendable>(
    _ body: @Sendable (borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    switch connection {
    case .some(let connection): return try body(connection)
    case nil: throw PostgresError.closed
    }
  }

  /// Prepares the session for another caller, and ends everything that the one before has left in it.
  ///
  /// - Returns: Whether the session can be used; that of a pooler cannot.
  package func renew() -> Bool {
    switch connection {
    case .some(let connection):
      guard !connection.isPooled, !connection.isBroken, connection.transactionStatus == .idle
      else { return false }
      do {
        try connection.execute("DISCARD ALL")
        try connection.prepareSession()
        return true
      } catch {
        return false
      }
    case nil: return false
    }
  }

  /// Ends the connection; later statements fail with `connectionLost`.
  package func close() {
    connection = nil
  }

  private func open(
    _ source: ConnectionSource,
    wait: Duration,
    onNotice: (@Sendable (Diagnostic) -> Void)?
  ) throws(PostgresError) {
    let connection = try PostgresConnection.session(to: source, wait: wait, onNotice: onNotice)
    self.connection = consume connection
  }

  private func openUnprepared(
    _ source: ConnectionSource,
    wait: Duration
  ) throws(PostgresError) {
    let connection = try PostgresConnection(to: source, wait: wait)
    self.connection = consume connection
  }
}
