internal import Diagnostics
public import ModelMapping
internal import RemodelKit

/// Checks that databases at every version migrate to the current one, or to another.
///
/// Each version gets a database of its own, which is migrated in one call and verified with its
/// rows. A run tries all versions and reports those that fail.
///
/// ```swift
/// try await migrateEveryVersion(models: "migrations/Library.remodel") { database, version in
///   if version == "1" { try await database.execute("INSERT INTO author (name) VALUES ('Jane')") }
/// }
/// ```
///
/// - Parameters:
///   - path: The bundle, or a folder that holds exactly one, as `withDatabase` finds it.
///   - target: The version to migrate to; by default the current one.
///   - policies: The policies in code, by the class names that mapping models have.
///   - server: The server.
///   - filePath: The test's file.
///   - body: A function that gets each database before its migration, with its version, to insert
///     rows.
/// - Throws: A ``TestingError`` with the versions that fail and why.
public func migrateEveryVersion(
  models path: String,
  to target: String? = nil,
  policies: [String: any EntityMigrationPolicy] = [:],
  on server: ThrowawayPostgreSQL = .shared,
  filePath: String = #filePath,
  _ body: (_ database: TestDatabase, _ version: String) async throws -> Void = { _, _ in }
) async throws {
  let configuration = try RemodelConfiguration(modelsPath: path, policies: policies)
    .located(from: filePath)
  let remodel = Remodel(configuration)
  let destination = try remodel.version(target).name
  let versions = try remodel.versions().map(\.name)
  let end = versions.firstIndex(of: destination).map { $0 + 1 } ?? versions.endIndex
  var failures: [TestingError.FailedVersion] = []
  for version in versions[..<end] {
    do {
      try await withDatabase(of: configuration, at: version, on: server) { database in
        try await body(database, version)
        try await database.migrate(to: target)
        try await database.verify()
      }
    } catch let error as any DiagnosticError {
      failures.append(TestingError.FailedVersion(name: version, diagnostics: error.diagnostics))
    }
  }
  guard failures.isEmpty else {
    throw TestingError(.versionsFailed(failures, target: destination))
  }
}
