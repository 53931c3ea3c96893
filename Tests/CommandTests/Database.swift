import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport

/// Runs statements in a database.
func execute(_ statements: SQLFragment..., at url: String) async throws {
  let session = try await PostgresSession.connect(to: .url(url))
  for statement in statements {
    try await session.run { connection in _ = try connection.execute(statement) }
  }
  await session.close()
}

/// Returns the rows of a query in a database, as text.
func rows(of query: SQLFragment, at url: String) async throws -> [[String?]] {
  let session = try await PostgresSession.connect(to: .url(url))
  let rows = try await session.run { connection in try connection.query(query).rows }
  await session.close()
  return rows
}

/// Returns the name of a database.
func databaseName(at url: String) async throws -> SQLIdentifier {
  SQLIdentifier(try await rows(of: "SELECT current_database()", at: url)[0][0] ?? "")
}

/// Returns whether anything was ever migrated in a database.
func hasMetadata(at url: String) async throws -> Bool {
  try await !rows(of: "SELECT FROM pg_namespace WHERE nspname = 'remodel'", at: url).isEmpty
}

/// Holds a lock on a table of a database while a function runs.
func withLock<Result>(
  on table: SQLIdentifier,
  in mode: SQLFragment = "ACCESS SHARE",
  at url: String,
  body: () async throws -> Result
) async throws -> Result {
  let session = try await PostgresSession.connect(to: .url(url))
  try await session.run { connection in
    _ = try connection.execute("BEGIN")
    _ = try connection.execute("LOCK TABLE public.\(table) IN \(mode) MODE")
  }
  do {
    let result = try await body()
    await session.close()
    return result
  } catch {
    await session.close()
    throw error
  }
}
