internal import Diagnostics
public import MigrationExecution
public import MigrationPlanning
public import ModelLoading
public import ModelMapping
internal import ObjectModel
public import PostgresClient
public import SQLSyntax

/// The entry point of the library, with a method for each command.
///
/// ```swift
/// let remodel = Remodel(models: "migrations/Shop.remodel")
/// let report = try await remodel.migrate(.url("postgresql://localhost/shop"))
/// ```
///
/// Cancelling the task of a call cancels its work in order, and the call throws a
/// `CancellationError`. The database is then unchanged, or in a state from which another call
/// continues. Calls for several databases can run at the same time.
///
/// Versions are named as on the command line: by the name of the file without its extension, by a
/// prefix of the checksum, or by the path of a model file.
public struct Remodel: Sendable {
  /// The settings.
  public var configuration: RemodelConfiguration { call.configuration }

  let call: RemodelCall

  /// Creates an entry point.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - interruption: Ends a migration from another thread.
  ///   - onEvent: Gets the events of migrations, on the threads that run them.
  public init(
    _ configuration: RemodelConfiguration,
    interruption: Interruption = Interruption(),
    onEvent: (@Sendable (MigrationEvent) -> Void)? = nil
  ) {
    call = RemodelCall(
      configuration: configuration,
      interruption: interruption,
      onEvent: onEvent
    )
  }

  /// Creates an entry point with the most common settings; all others are in a
  /// ``RemodelConfiguration``.
  ///
  /// - Parameters:
  ///   - path: A model bundle, or a folder that holds exactly one.
  ///   - schema: The schema of the tables.
  ///   - strategy: How rows are copied into tables that are rebuilt; by default chosen by the
  ///     duration.
  ///   - wait: The time to wait until the server accepts connections.
  ///   - policies: The policies in code, by the class names that mapping models have.
  public init(
    models path: String,
    schema: SQLIdentifier = "public",
    strategy: CopyStrategy? = nil,
    wait: Duration = .zero,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) {
    self.init(
      RemodelConfiguration(
        modelsPath: path,
        schema: schema,
        wait: wait,
        strategy: strategy,
        policies: policies
      )
    )
  }

  /// Creates an entry point for a bundle in memory: of models without files, or merged from several
  /// bundles.
  ///
  /// - Parameters:
  ///   - bundle: The models, and their mapping models.
  ///   - schema: The schema of the tables.
  ///   - strategy: How rows are copied into tables that are rebuilt; by default chosen by the
  ///     duration.
  ///   - wait: The time to wait until the server accepts connections.
  ///   - policies: The policies in code, by the class names that mapping models have.
  public init(
    models bundle: ModelBundle,
    schema: SQLIdentifier = "public",
    strategy: CopyStrategy? = nil,
    wait: Duration = .zero,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) {
    var configuration = RemodelConfiguration(
      modelsPath: bundle.path,
      schema: schema,
      wait: wait,
      strategy: strategy,
      policies: policies
    )
    configuration.models = bundle
    self.init(configuration)
  }

  // MARK: - Databases

  /// Migrates a database to the current version, or to another one.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version; by default the current one.
  ///   - plan: The approved plan, if one is required: no other plan runs.
  /// - Returns: The finished work.
  /// - Throws: The reason why the target was not reached; the database has not changed, or is at
  ///   the end of a step.
  public func migrate(
    _ database: ConnectionSource,
    to version: String? = nil,
    approved plan: ApprovedPlan? = nil
  ) async throws -> MigrationReport {
    if let plan, let record = plan.record {
      return try await MigrationRun.run(call, on: database, plan, record)
    }
    let catalog = try VersionCatalog(configuration)
    return try await MigrationRun.run(call, on: database, catalog, to: version, approved: plan)
  }

  /// Checks whether the version hashes of a database are those of the current model.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - untilCurrent: The time to repeat the check until they are.
  /// - Returns: The last result.
  /// - Throws: The faults of the files, or the server's error.
  public func check(
    _ database: ConnectionSource,
    untilCurrent: Duration? = nil
  ) async throws -> CheckReport {
    try await CheckRun(call: call, catalog: VersionCatalog(configuration), database: database)
      .run(untilCurrent: untilCurrent)
  }

  /// Returns the version of a database and the remaining steps.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - looksForDrift: Whether to compare the database with its recorded version as well, without
  ///     reading rows.
  /// - Returns: The version and the steps.
  /// - Throws: An error if the database does not belong to the models, or the server's error.
  public func status(
    _ database: ConnectionSource,
    looksForDrift: Bool = false
  ) async throws -> StatusReport {
    try await call.status(
      database,
      VersionCatalog(configuration),
      looksForDrift: looksForDrift
    )
  }

  /// Returns the audit log of a store, the earliest entry first.
  public func history(_ database: ConnectionSource) async throws -> [HistoryEntry] {
    try await auditLog(database).entries
  }

  /// Compares the catalog with the recorded version, in both directions, without changing anything.
  ///
  /// A role needs no rights for it, except to read rows if they are checked.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - asksRows: Whether to read all rows, to check rules without a constraint.
  /// - Returns: The differences.
  /// - Throws: An error if the database has no readable record, or the server's error.
  public func verify(
    _ database: ConnectionSource,
    asksRows: Bool = false
  ) async throws -> VerificationReport {
    try await call.verify(database, VersionCatalog(configuration), asksRows: asksRows)
  }

  /// Reads rows of an entity beside the rows that the next step makes of them, and changes nothing.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - entityName: An entity of either version.
  ///   - version: The version to migrate to; by default that of the next step.
  ///   - count: The most rows of each entity mapping.
  /// - Returns: The rows.
  /// - Throws: The faults of the mapping, or the server's error.
  public func previewMapping(
    _ database: ConnectionSource,
    of entityName: String,
    to version: String? = nil,
    rows count: Int = 10
  ) async throws -> MappingPreviewReport {
    let catalog = try VersionCatalog(configuration)
    let run = MappingPreviewRun(catalog: catalog, entityName: entityName, rowCount: count)
    return try await call.withLook(at: database, catalog.store) { call, connection in
      try call.look(at: catalog.store).run(connection) { connection in
        try run.report(to: version, connection)
      }
    }
  }

  /// Plans a migration, without changing anything.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version; by default the current one.
  /// - Returns: The plan, with the results of its preconditions.
  /// - Throws: The reason why there is no plan.
  public func plan(
    _ database: ConnectionSource,
    to version: String? = nil
  ) async throws -> PlanReport {
    try await PlanRun(call, VersionCatalog(configuration), database).migration(to: version)
  }

  /// Shows what a migration would do, and what a rehearsal of it does.
  ///
  /// A plan without steps, or whose preconditions fail, is not rehearsed.
  ///
  /// - Parameters:
  ///   - database: The database, which does not change.
  ///   - version: The version; by default the current one.
  ///   - rehearsal: How the plan is rehearsed.
  /// - Returns: The plan, with the measurements.
  /// - Throws: The reason why there is no plan or no rehearsal, or the error of the migration.
  public func plan(
    _ database: ConnectionSource,
    to version: String? = nil,
    rehearsing rehearsal: Rehearsal
  ) async throws -> PlanReport {
    var report = try await plan(database, to: version)
    guard !report.plan.steps.isEmpty, !report.findings.contains(where: \.isViolated) else {
      return report
    }
    let planned = report
    report.rehearsal = try await call.withInterruption { call in
      try await RehearsalRun(call: call, report: planned, database: database, version: version)
        .run(rehearsal)
    }
    return report
  }

  /// Plans a migration from one version to another, without a database.
  ///
  /// - Parameters:
  ///   - source: The version before.
  ///   - version: The version after; by default the current one.
  ///   - role: The role of the plan's script; by default that of the login.
  /// - Returns: The plan.
  /// - Throws: The reason why there is none.
  public func plan(
    from source: String,
    to version: String? = nil,
    as role: SQLIdentifier? = nil
  ) throws -> PlanReport {
    try PlanRun.report(VersionCatalog(configuration), from: source, to: version, as: role)
  }

  /// Reverts the last migration of a database, or the last ones.
  ///
  /// A revert undoes renames, puts back retained tables and columns, and keeps rows and values
  /// written since where both versions have them. It reverts a migration by a mapping model with
  /// the replaced tables, or with a mapping model for the other direction if there is one.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version to revert to; by default the one before the last migration.
  ///   - acceptsLosses: Whether to revert in spite of losses.
  /// - Returns: The finished work.
  /// - Throws: The reason why the version was not reached; the database has not changed, or is at
  ///   the end of a step.
  public func revert(
    _ database: ConnectionSource,
    to version: String? = nil,
    acceptingLosses acceptsLosses: Bool = false
  ) async throws -> MigrationReport {
    try await call.revert(
      database,
      VersionCatalog(configuration),
      to: version,
      acceptingLosses: acceptsLosses
    )
  }

  /// Plans a revert of the last migration, without changing anything.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - acceptsLosses: Whether losses are no refusal.
  /// - Returns: The plan, and the reason if it would be refused.
  /// - Throws: The reason why there is no plan.
  public func planRevert(
    _ database: ConnectionSource,
    acceptingLosses acceptsLosses: Bool = false
  ) async throws -> PlanReport {
    try await PlanRun(call, VersionCatalog(configuration), database)
      .revert(acceptingLosses: acceptsLosses)
  }

  /// Drops retained objects.
  ///
  /// Each table has a short transaction of its own; a rerun continues after the last one. Objects
  /// that others depend on stay, and the report lists them.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - selection: The objects to drop.
  ///   - isDryRun: Whether to report only, without changing anything.
  /// - Returns: The finished work.
  /// - Throws: The reason why nothing can be cleaned up, or the obstacle to the rest.
  public func cleanUp(
    _ database: ConnectionSource,
    _ selection: CleanupSelection = CleanupSelection(),
    isDryRun: Bool = false
  ) async throws -> CleanupReport {
    try await call.cleanUp(
      database,
      VersionCatalog(configuration),
      selection,
      isDryRun: isDryRun
    )
  }

  /// Does the deferred work of online migrations: builds and drops indexes, and validates
  /// constraints.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - limit: How much of it; by default all.
  /// - Returns: The finished work, and what is left.
  /// - Throws: The reason why a piece failed; earlier ones are finished.
  public func finish(
    _ database: ConnectionSource,
    upTo limit: FinishLimit = FinishLimit()
  ) async throws -> FinishReport {
    try await call.finish(
      database,
      VersionCatalog(configuration).store,
      upTo: DeferredWorkExecution.Allowance(limit)
    )
  }

  /// Adopts a database that Remodel did not create, at a version.
  ///
  /// It compares the whole catalog with the version, and records nothing if they differ.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version; by default the current one.
  ///   - isDryRun: Whether to record nothing in any case.
  /// - Returns: The findings, and whether the version was recorded.
  /// - Throws: An error if there is nothing to adopt, or the server's error.
  public func adopt(
    _ database: ConnectionSource,
    to version: String? = nil,
    isDryRun: Bool = false
  ) async throws -> AdoptionReport {
    let catalog = try VersionCatalog(configuration)
    let target = try catalog.version(version)
    return try await call.withDatabase(to: database, catalog.store, isWriting: true) {
      call,
      connection in
      let warnings = catalog.bundle.warnings + target.warnings
      var run = AdoptionRun(
        call,
        catalog.store,
        database,
        by: .version(try catalog.planned(target), warnings: warnings),
        isDryRun: isDryRun
      )
      return try run.run(connection)
    }
  }

  /// Adopts a database without a model: derives a model from its tables, writes it to the path of
  /// the configuration, and records it.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - isDryRun: Whether to write and record nothing.
  /// - Returns: The findings, and the model.
  /// - Throws: An error if there is nothing to adopt, an obstacle to writing the files, or the
  ///   server's error.
  public func adoptByWriting(
    _ database: ConnectionSource,
    isDryRun: Bool = false
  ) async throws -> AdoptionReport {
    let (store, place) = try await AdoptionRun.place(configuration, database)
    return try await call.withDatabase(to: database, store, isWriting: true) { call, connection in
      var run = AdoptionRun(call, store, database, by: .written(place), isDryRun: isDryRun)
      return try run.run(connection)
    }
  }

  /// Writes the models in the metadata of a database to files.
  ///
  /// A file with the same model does not change; if a file has another model, nothing is written.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The only version to write; by default all.
  ///   - path: A bundle, a model file for a single version, or a folder for a bundle; by default
  ///     the bundle of the configuration.
  ///   - form: The form of the files; by default that of the path, or YAML.
  /// - Returns: The written files.
  /// - Throws: The reason why they could not be written.
  public func exportModels(
    _ database: ConnectionSource,
    version: String? = nil,
    to path: String? = nil,
    form: ModelForm? = nil
  ) async throws -> ExportReport {
    let run = try ExportRun(configuration)
    let recorded = try await call.withLook(at: database, run.store(named: nil)) { _, connection in
      try run.recorded(connection)
    }
    return try run.report(on: recorded, version: version, to: path, form)
  }
}
