internal import CatalogComparison
internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

extension AdoptionRun {
  /// The name of the version that is written.
  private static let versionName = "1"

  // MARK: - Without a model

  /// Makes a model of the tables, writes it, and records it.
  mutating func adopt(
    writingTo place: ModelPlace,
    _ connection: borrowing PostgresConnection
  ) throws -> AdoptionReport {
    let draft = try call.look(at: store).run(connection) { connection in
      try MetadataStore(store).settled(connection) { _, connection in
        let presence = try presence(connection)
        if case .store(let record) = presence {
          throw RemodelError(.storeExists(version: record.versionName))
        }
        let tables = try tables(presence, connection)
        do {
          try checkReadiness(for: [], presence, connection)
        } catch let refusal as ExecutionError {
          // Missing objects are reported at once, even if the tables cannot be tried yet.
          if let draft = try? version(of: firstDraft(tables).model) {
            try checkReadiness(
              for: [MigrationPlanner().step(adopting: draft)],
              presence,
              connection
            )
          }
          throw refusal
        }
        let draft = try proven(tables, connection)
        let step = MigrationPlanner().step(adopting: draft.version)
        try checkReadiness(for: [step], presence, connection)
        return draft
      }
    }
    guard !draft.model.entities.isEmpty else {
      throw RemodelError(
        .nothingToModel(
          schema: store.schema.name,
          draft.leftAlone.map { "\($0): \($0.explanation)" }
        )
      )
    }
    let files = try ModelConversion(of: draft.model, named: Self.versionName, to: place.path)
    // Cut off before the end, the last adoption has left its files.
    let isThere = files.isWritten
    guard isThere || !place.isTaken else { throw RemodelError(.bundleExists(path: place.path)) }
    if !isDryRun, !isThere {
      try files.write(replacing: false)
      hasWritten = true
    }
    try configuration.copySettings.failpoints.reach("adoption.after_write", connection)
    var report = try adopt(
      isDryRun ? draft.version : written(files),
      warnings: [],
      leavingAlone: draft.leftAlone,
      connection
    )
    report.model = AdoptionReport.WrittenModel(
      path: place.path,
      file: files.files[0].path,
      text: files.files[0].text,
      wasThere: isThere && !hasWritten
    )
    return report
  }

  /// Returns the store that a database without a model is to be, and where its model is to be written.
  static func place(
    _ configuration: RemodelConfiguration,
    _ database: ConnectionSource
  ) async throws -> (StoreIdentity, ModelPlace) {
    if let name = configuration.configurationName {
      throw RemodelError(.wholeModelOnly(configuration: name))
    }
    if !configuration.furtherModelsPaths.isEmpty {
      throw ModelLoadingError(
        .noBundle,
        [
          Diagnostic(
            "a model is written to one bundle, not to several",
            hint: "Give --models once."
          )
        ]
      )
    }
    try VersionCatalog.checkSchemas(of: configuration)
    let name = try await PostgresSession.with(database, wait: configuration.wait) { session in
      try await session.run { connection in
        try connection.query("SELECT current_database() AS name").value ?? "database"
      }
    }
    guard let place = ModelPlace(at: configuration.modelsPath, databaseName: name) else {
      throw RemodelError(.notABundle(path: configuration.modelsPath))
    }
    let store = StoreIdentity(
      schema: configuration.schema,
      modelName: place.modelName,
      metadataSchema: configuration.metadataSchema,
      trustedOwners: configuration.trustedOwners
    )
    return (store, place)
  }

  /// Returns the version that the files are, as every later verb reads it.
  private func written(_ files: ModelConversion) throws -> PlannedVersion {
    var configuration = configuration
    configuration.modelsPath = files.path
    configuration.models = nil
    let catalog = try VersionCatalog(configuration)
    return try catalog.planned(catalog.version(nil))
  }

  // MARK: - Proof

  /// A model of the tables.
  private struct Draft {
    let model: ManagedObjectModel
    let version: PlannedVersion
    let leftAlone: [UnexpressedObject]
  }

  /// Makes a model as far as that is possible without a trial.
  private func firstDraft(_ tables: [CatalogTable]) -> ModelAdoption {
    var omissions = ModelAdoption.Omissions()
    let adoption = ModelAdoption(of: tables, in: store.schema, without: omissions)
    for (table, message) in adoption.faults() { omissions.tables[table] = .refused(message) }
    return omissions.tables.isEmpty
      ? adoption : ModelAdoption(of: tables, in: store.schema, without: omissions)
  }

  private func version(of model: ManagedObjectModel) throws -> PlannedVersion {
    PlannedVersion(
      name: Self.versionName,
      hashes: model.versionHashes(),
      projection: try ModelProjection(model, schema: store.schema)
    )
  }

  /// Derives a model, and leaves out the objects that the server would not create exactly.
  private func proven(
    _ tables: [CatalogTable],
    _ connection: borrowing PostgresConnection
  ) throws -> Draft {
    var omissions = ModelAdoption.Omissions()
    while true {
      let before = omissions
      let adoption = ModelAdoption(of: tables, in: store.schema, without: omissions)
      let faults = adoption.faults()
      for (table, message) in faults { omissions.tables[table] = .refused(message) }
      guard faults.isEmpty else { continue }
      let model = adoption.model
      let version = try version(of: model)
      switch try trial(of: version).outcome(connection) {
      case .refused(let names, let error):
        for name in names { omissions.tables[name] = .refused(error.message) }
        guard omissions != before else { throw error }
      case .made(let made):
        let leftAlone = adoption.unexpressed
        let sight = try compare(
          version.projection,
          made,
          tables,
          leavingAlone: leftAlone,
          connection
        )
        guard !sight.result.differences.isEmpty else {
          return Draft(model: model, version: version, leftAlone: leftAlone)
        }
        for drift in sight.result.differences { omissions.leaveOut(drift, of: tables) }
        // Another session changes the tables.
        guard omissions != before else {
          throw RemodelError(.unsettledSchema(store.schema.name))
        }
      }
    }
  }
}
