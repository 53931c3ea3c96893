public import MigrationExecution
internal import PostgresClient
internal import SQLSyntax
internal import Synchronization
internal import Testing

/// Ends a migration's session after so many statements.
public final class SessionCutter: Sendable {
  private let url: String
  private let position: Int
  private let count = Mutex(0)

  /// Creates something that ends the session of a migration.
  ///
  /// - Parameters:
  ///   - url: The database.
  ///   - position: The number of the statement after which it ends.
  public init(url: String, position: Int) {
    self.url = url
    self.position = position
  }

  /// Counts a statement, and ends the session if it is the one.
  public func note(_ event: MigrationEvent) {
    guard case .statement = event else { return }
    let reached = count.withLock { count in
      count += 1
      return count
    }
    if reached == position { Self.cut(url) }
  }

  /// Ends all sessions of migrations in a database.
  public static func cut(_ url: String) {
    do {
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        """
        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE application_name = 'remodel' AND datname = current_database()
        AND pid <> pg_backend_pid()
        """
      )
    } catch {
      Issue.record(error)
    }
  }
}
