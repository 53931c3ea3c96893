internal import PostgresClient
package import SQLSyntax
package import Testing

/// Waits until a condition is true, and records an issue if it stays false.
///
/// - Parameters:
///   - state: The condition, for the issue.
///   - limit: The time limit.
///   - sourceLocation: The location of the issue.
///   - isReached: The condition.
/// - Throws: The function's error, or the cancellation of the task.
package func wait(
  until state: Comment,
  within limit: Duration = .seconds(300),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ isReached: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while try await !isReached() {
    guard ContinuousClock.now < deadline else {
      Issue.record(state, sourceLocation: sourceLocation)
      return
    }
    try await Task.sleep(for: .milliseconds(10))
  }
}

/// Waits until a query of a database returns a row.
///
/// - Parameters:
///   - query: The query.
///   - url: The database.
///   - sourceLocation: The location of the issue if it never does.
/// - Throws: The server's error, or the cancellation of the task.
package func wait(
  for query: SQLFragment,
  at url: String,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let session = try await PostgresSession.connect(to: .url(url))
  try await wait(until: "something is found", sourceLocation: sourceLocation) {
    try await session.run { try !$0.query(query).isEmpty }
  }
  await session.close()
}

extension SQLFragment {
  /// The sessions of the database that wait for a lock.
  package static var sessionsThatWait: SQLFragment {
    """
    SELECT FROM pg_locks WHERE NOT granted \
    AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())
    """
  }
}
