package import PostgresClient
internal import SQLSyntax

/// The way to a new connection in place of one that was lost, while the server restarts.
package struct Reconnection: Sendable {
  private let source: ConnectionSource
  private let limit: Duration
  private let interruption: Interruption

  /// Creates a reconnection.
  ///
  /// - Parameters:
  ///   - source: The server.
  ///   - limit: The time to wait for it.
  ///   - interruption: Ends the wait.
  package init(to source: ConnectionSource, within limit: Duration, _ interruption: Interruption) {
    self.source = source
    self.limit = limit
    self.interruption = interruption
  }

  /// Connects as soon as the server accepts connections; a refused login is not repeated.
  package func connect() throws -> PostgresConnection {
    var start = ""
    return try connect(&start)
  }

  /// Connects as soon as the server accepts connections, and notes when it started.
  package func connect(_ serverStart: inout String) throws -> PostgresConnection {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while true {
      try interruption.check()
      do {
        let connection = try PostgresConnection.session(to: source, wait: .milliseconds(500))
        // After a failover, the server that answers may not have been promoted yet.
        let row = try connection.query(
          """
          SELECT pg_is_in_recovery() AS standby, pg_postmaster_start_time()::text AS started
          """
        ).first
        serverStart = row?["started"] ?? ""
        guard row?.boolean("standby") == true, clock.now < deadline else { return connection }
        interruption.sleep(seconds: 0.1)
      } catch {
        guard error.isServerNotReady || error.kind == .connectionLost, clock.now < deadline else {
          throw error
        }
        interruption.sleep(seconds: 0.1)
      }
    }
  }
}
