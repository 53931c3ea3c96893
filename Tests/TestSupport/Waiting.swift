internal import PostgresClient
public import SQLSyntax
public import Testing

/// Asks again and again until something is so, and records an issue where it does not come to be.
///
/// - Parameters:
///   - state: What is waited for, as the issue tells it.
///   - limit: For how long.
///   - sourceLocation: Where the issue is.
///   - isReached: Whether it is so.
/// - Throws: What the function throws, or the end of the task.
public func wait(
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

/// Waits until a query of a database finds something.
///
/// - Parameters:
///   - query: The query.
///   - url: The database.
///   - sourceLocation: Where the issue is if it never finds anything.
/// - Throws: What the server says, or the end of the task.
public func wait(
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
