public import ModelMapping
public import RemodelKit

/// Runs a test with a database of its own, with the tables of a version and no rows.
///
/// ```swift
/// try await withDatabase(models: "migrations/Library.remodel", at: "1") { database in
///   try await database.execute("INSERT INTO author (name) VALUES ('Jane Austen')")
///   try await database.migrate()
///   #expect(try await database.rows("SELECT full_name FROM author") == [["Jane Austen"]])
/// }
/// ```
///
/// The database is dropped afterwards. Tests can run at the same time, except for one inside
/// another.
///
/// - Parameters:
///   - path: The bundle, or a folder that holds exactly one: an absolute path, as `Bundle.module` has
///     them, or one that is relative to a folder that the test's file is in, such as the package's.
///   - version: The version of the database; `nil` for an empty one.
///   - policies: The policies in code, by the class names that mapping models have.
///   - server: The server.
///   - filePath: The test's file.
///   - body: The test.
/// - Returns: The test's result.
/// - Throws: The reason why there is no such database, or the test's error.
public func withDatabase<Result>(
  models path: String,
  at version: String? = nil,
  policies: [String: any EntityMigrationPolicy] = [:],
  on server: ThrowawayPostgreSQL = .shared,
  filePath: String = #filePath,
  _ body: (_ database: TestDatabase) async throws -> Result
) async throws -> Result {
  let configuration = RemodelConfiguration(modelsPath: path, policies: policies)
  return try await withDatabase(
    of: configuration,
    at: version,
    on: server,
    filePath: filePath,
    body
  )
}

/// Runs a test with a database of its own, with the tables of a version and no rows.
///
/// - Parameters:
///   - configuration: The configuration. Its paths are absolute, or relative to a folder that the
///     test's file is in.
///   - version: The version of the database; `nil` for an empty one.
///   - server: The server.
///   - filePath: The test's file.
///   - body: The test.
/// - Returns: The test's result.
/// - Throws: The reason why there is no such database, or the test's error.
public func withDatabase<Result>(
  of configuration: RemodelConfiguration,
  at version: String? = nil,
  on server: ThrowawayPostgreSQL = .shared,
  filePath: String = #filePath,
  _ body: (_ database: TestDatabase) async throws -> Result
) async throws -> Result {
  let remodel = Remodel(try configuration.located(from: filePath))
  return try await server.withDatabase { url in
    let database = try await TestDatabase(at: url, remodel)
    do {
      if let version { try await database.migrate(to: version) }
      let result = try await body(database)
      await database.close()
      return result
    } catch {
      await database.close()
      throw error
    }
  }
}
