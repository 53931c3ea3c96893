internal import PostgresClient
package import SQLSyntax

/// Calls a function with a role that may only connect, and drops the role and its objects
/// afterwards.
///
/// - Parameters:
///   - name: The prefix of the role's name; concurrent tests have different roles.
///   - url: A database, as a superuser.
///   - body: Gets the role, and the URL of the database for it.
/// - Returns: The function's result.
/// - Throws: The function's error, or the server's.
package func withRole<Result>(
  _ name: String,
  at url: String,
  _ body: (_ role: SQLIdentifier, _ login: String) async throws -> Result
) async throws -> Result {
  let role = try makeRole(name, url)
  let encoded = role.name.utf8.map { byte in
    let isPlain = (97...122).contains(byte) || (48...57).contains(byte)
    let digits = String(byte, radix: 16, uppercase: true)
    return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
  }
  let login = url.replacing("user=postgres", with: "user=" + encoded.joined())
  do {
    let result = try await body(role, login)
    try drop(role, url)
    return result
  } catch {
    try? drop(role, url)
    throw error
  }
}

/// Calls a function with a role that may only connect, and a database of its own.
///
/// - Parameters:
///   - name: The prefix of the role's name.
///   - body: Gets the role, the URL of the database as a superuser, and the one for the role.
/// - Returns: The function's result.
/// - Throws: The function's error, or the server's.
package func withRole<Result>(
  _ name: String,
  _ body: (_ role: SQLIdentifier, _ url: String, _ login: String) async throws -> Result
) async throws -> Result {
  try await TestServer.withDatabase { url in
    try await withRole(name, at: url) { role, login in try await body(role, url, login) }
  }
}

/// Calls a function with a role that may create any objects, and a database of its own.
///
/// - Parameters:
///   - name: The prefix of the role's name.
///   - body: Gets the role, the URL of the database as a superuser, and the one for the role.
/// - Returns: The function's result.
/// - Throws: The function's error, or the server's.
package func withOwner<Result>(
  _ name: String,
  _ body: (_ role: SQLIdentifier, _ url: String, _ login: String) async throws -> Result
) async throws -> Result {
  try await withRole(name) { role, url, login in
    try allowCreation(role, url)
    return try await body(role, url, login)
  }
}

private func makeRole(_ name: String, _ url: String) throws -> SQLIdentifier {
  let connection = try PostgresConnection.session(to: .url(url))
  let role = SQLIdentifier("\(name) \(connection.databaseName)")
  try connection.execute("CREATE ROLE \(role) LOGIN")
  return role
}

private func allowCreation(_ role: SQLIdentifier, _ url: String) throws {
  let connection = try PostgresConnection.session(to: .url(url))
  let database = SQLIdentifier(connection.databaseName)
  try connection.execute(
    "GRANT CREATE ON DATABASE \(database) TO \(role); GRANT CREATE ON SCHEMA public TO \(role)"
  )
}

private func drop(_ role: SQLIdentifier, _ url: String) throws {
  let connection = try PostgresConnection.session(to: .url(url))
  try connection.execute("SET default_transaction_read_only = off")
  try connection.execute("DROP OWNED BY \(role) CASCADE")
  try connection.execute("DROP ROLE \(role)")
}
