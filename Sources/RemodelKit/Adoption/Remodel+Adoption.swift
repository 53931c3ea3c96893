internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
internal import ObjectModel
public import PostgresClient
internal import SQLSyntax

extension Remodel {
  /// Takes over a database that remodel has not made, as one that is at a version.
  ///
  /// The catalog is compared in full with what the version would be; where it differs, nothing is
  /// recorded.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version; the current one if none is named.
  ///   - isDryRun: Whether nothing is recorded in any case.
  /// - Returns: What was found, and whether it was recorded.
  /// - Throws: That there is nothing to take over, or what the server says.
  public func adopt(
    _ database: ConnectionSource,
    to version: String? = nil,
    isDryRun: Bool = false
  ) async throws -> AdoptionReport {
    let catalog = try VersionCatalog(configuration)
    let target = try catalog.version(version)
    return try await withCall(to: database, catalog.store, isWriting: true) { remodel, connection in
      let warnings = catalog.bundle.warnings + target.warnings
      var run = AdoptionRun(
        remodel,
        catalog.store,
        database,
        by: .version(try catalog.planned(target), warnings: warnings),
        isDryRun: isDryRun
      )
      return try run.run(connection)
    }
  }

  /// Takes over a database that has no model: makes one of its tables, writes it where the configuration
  /// says that the models are, and records it.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - isDryRun: Whether nothing is written and recorded.
  /// - Returns: What was found, and the model.
  /// - Throws: That there is nothing to take over, what stands in the way of the files, or what the
  ///   server says.
  public func adoptByWriting(
    _ database: ConnectionSource,
    isDryRun: Bool = false
  ) async throws -> AdoptionReport {
    if let name = configuration.configurationName {
      throw RemodelError(.wholeModelOnly(configuration: name))
    }
    try VersionCatalog.checkSchemas(of: configuration)
    let session = try await PostgresSession.connect(to: database, wait: configuration.wait)
    let name: String
    do {
      name = try await session.run { connection in
        try connection.query("SELECT current_database() AS name").value ?? "database"
      }
    } catch {
      await session.close()
      throw error
    }
    await session.close()
    guard let place = ModelPlace(at: configuration.modelsPath, databaseName: name) else {
      throw RemodelError(.notABundle(path: configuration.modelsPath))
    }
    let store = StoreIdentity(
      schema: configuration.schema,
      modelName: place.modelName,
      metadataSchema: configuration.metadataSchema,
      trustedOwners: configuration.trustedOwners
    )
    return try await withCall(to: database, store, isWriting: true) { remodel, connection in
      var run = AdoptionRun(remodel, store, database, by: .written(place), isDryRun: isDryRun)
      return try run.run(connection)
    }
  }
}
