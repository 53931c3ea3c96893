import SQLSyntax
import TestSupport

/// Gives a database in which a role that is no superuser has a table to a function.
func withNeighbour(
  _ body: (_ folder: String, _ url: String, _ neighbour: SQLIdentifier) async throws -> Void
) async throws {
  try await withBundle(Version.first, Version.withAuthor) { folder in
    try await withRole("neighbour") { role, url, _ in
      try await execute(
        "CREATE SCHEMA neighbour AUTHORIZATION \(role)",
        "CREATE TABLE neighbour.mine ()",
        "ALTER TABLE neighbour.mine OWNER TO \(role)",
        at: url
      )
      try await body(folder, url, role)
    }
  }
}
