internal import Diagnostics
public import MigrationExecution
public import MigrationPlanning
public import ModelLoading
public import ModelMapping
internal import ObjectModel
public import PostgresClient
public import SQLSyntax

/// The front door: everything that the command line does, as calls.
///
/// ```swift
/// let remodel = Remodel(models: "migrations/Shop.remodel")
/// let report = try await remodel.migrate(.url("postgresql://localhost/shop"))
/// ```
///
/// A call ends with the task that it is made in: what runs is cancelled in order, and it throws a
/// `CancellationError`. The database is then as it was, or at a point that another call continues
/// from. Calls for several databases may run at the same time.
///
/// Versions are named as on the command line: by the name of the file without its extension, by the
/// beginning of the checksum, or by the path of a model file.
public struct Remodel: Sendable {
  /// The settings.
  public var configuration: RemodelConfiguration { call.configuration }

  let call: RemodelCall

  /// Creates a front door.
  ///
  /// - Parameters:
  ///   - configuration: What to go by.
  ///   - interruption: Ends a migration from another thread.
  ///   - onEvent: Is told what happens while a migration runs, on the threads that run it.
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

  /// Creates a front door with what most programs have to say; all else is in a
  /// ``RemodelConfiguration``.
  ///
  /// - Parameters:
  ///   - path: A model bundle, or a folder that holds exactly one.
  ///   - schema: The schema of the tables.
  ///   - strategy: How rows are copied into tables that are rebuilt; chosen by the time that it takes
  ///     if none is given.
  ///   - wait: For how long to wait until the server accepts connections.
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

  /// Creates a front door to a bundle that is at hand: of models that no file holds, or of several
  /// bundles.
  ///
  /// - Parameters:
  ///   - bundle: The models, and their mapping models.
  ///   - schema: The schema of the tables.
  ///   - strategy: How rows are copied into tables that are rebuilt; chosen by the time that it takes
  ///     if none is given.
  ///   - wait: For how long to wait until the server accepts connections.
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

  /// Brings a database to the current version, or to another one.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version; the current one if none is named.
  ///   - plan: The approved plan, if one is required: no other plan runs.
  /// - Returns: What was done.
  /// - Throws: Why the target was not reached; the database is as it was, or at the end of a step.
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

  /// Tells whether the version hashes of a database are those of the current model.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - untilCurrent: For how long to ask again until they are.
  /// - Returns: What was found last.
  /// - Throws: What is wrong with the files, or what the server says.
  public func check(
    _ database: ConnectionSource,
    untilCurrent: Duration? = nil
  ) async throws -> CheckReport {
    let catalog = try VersionCatalog(configuration)
    let begin = ContinuousClock.now
    let wait = min(configuration.wait, untilCurrent ?? configuration.wait)
    if database.role == nil,
      let report = try await call.withInterruption({ call in
        try await CheckRun(call: call, catalog: catalog, database: database)
          .checkAtOnce(wait: wait)
      })
    {
      return report
    }
    let left = untilCurrent.map { max(.zero, $0 - begin.duration(to: .now)) }
    return try await CheckRun(call: call, catalog: catalog, database: database)
      .check(untilCurrent: left)
  }

  /// Tells what a database is at and what is still to come.
  public func status(_ database: ConnectionSource) async throws -> StatusReport {
    try await call.status(database, VersionCatalog(configuration))
  }

  /// Returns the audit log of a store, the earliest entry first.
  public func history(_ database: ConnectionSource) async throws -> [HistoryEntry] {
    let catalog = try VersionCatalog(configuration)
    return try await call.withLook(at: database, catalog.store) { _, connection in
      let metadata = MetadataStore(catalog.store)
      if try metadata.presence(connection) == .noMetadata { return [] }
      return try metadata.history(connection)
    }
  }

  /// Compares the catalog with what the recorded version made of it, both ways; changes nothing.
  ///
  /// A role needs no rights for it, but to read rows if these are asked.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - asksRows: Whether all rows are read, for what no constraint says.
  /// - Returns: What differs.
  /// - Throws: That the database is not ours to judge, or what the server says.
  public func verify(
    _ database: ConnectionSource,
    asksRows: Bool = false
  ) async throws -> VerificationReport {
    let catalog = try VersionCatalog(configuration)
    return try await call.withLook(at: database, catalog.store) { call, connection in
      try call.look(at: catalog.store).run(connection) { connection in
        try VerificationRun(catalog: catalog, asksRows: asksRows).report(connection)
      }
    }
  }

  /// Shows what a migration would do, and does nothing.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version; the current one if none is named.
  /// - Returns: The plan, and what the database says to it.
  /// - Throws: Why there is no plan.
  public func plan(
    _ database: ConnectionSource,
    to version: String? = nil
  ) async throws -> PlanReport {
    try await PlanRun(call, VersionCatalog(configuration), database).migration(to: version)
  }

  /// Shows what a migration would do, and what it does where it is carried out for trial.
  ///
  /// A plan that has nothing to do, or that the rows do not allow, is not rehearsed.
  ///
  /// - Parameters:
  ///   - database: The database, which stays as it is.
  ///   - version: The version; the current one if none is named.
  ///   - rehearsal: How the plan is rehearsed.
  /// - Returns: The plan, with what was measured.
  /// - Throws: Why there is no plan, why it cannot be rehearsed, or what a migration would end with.
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

  /// Shows what a migration from one version to another would do, without a database.
  ///
  /// - Parameters:
  ///   - source: The version before.
  ///   - version: The version after; the current one if none is named.
  ///   - role: The role that the plan's script takes on; that of the login if there is none.
  /// - Returns: The plan.
  /// - Throws: Why there is none.
  public func plan(
    from source: String,
    to version: String? = nil,
    as role: SQLIdentifier? = nil
  ) throws -> PlanReport {
    try PlanRun.report(VersionCatalog(configuration), from: source, to: version, as: role)
  }

  /// Takes the last migration of a database back, or the last ones.
  ///
  /// Renames are undone, retained tables and columns bound again, and what was written meanwhile is
  /// kept where both versions have it. A migration by a mapping model is taken back by the tables that
  /// it replaced, or by a mapping model for the other way if there is one.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version to go back to; the one before the last migration if none is named.
  ///   - acceptsLosses: Whether to go back although something cannot be brought back.
  /// - Returns: What was done.
  /// - Throws: Why the version was not reached; the database is as it was, or at the end of a step.
  public func revert(
    _ database: ConnectionSource,
    to version: String? = nil,
    acceptingLosses acceptsLosses: Bool = false
  ) async throws -> MigrationReport {
    let catalog = try VersionCatalog(configuration)
    return try await call.withDatabase(to: database, catalog.store, isWriting: true) {
      call,
      connection in
      var run = ReturnRun(call, catalog, database, to: version)
      run.acceptsLosses = acceptsLosses
      return try run.run(connection)
    }
  }

  /// Shows what taking the last migration back would do, and does nothing.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - acceptsLosses: Whether what cannot be brought back is no refusal.
  /// - Returns: The plan, and why it would be refused, if it would.
  /// - Throws: Why there is no way back.
  public func planRevert(
    _ database: ConnectionSource,
    acceptingLosses acceptsLosses: Bool = false
  ) async throws -> PlanReport {
    try await PlanRun(call, VersionCatalog(configuration), database)
      .revert(acceptingLosses: acceptsLosses)
  }

  /// Drops what versions have left in place.
  ///
  /// Each table has a short transaction of its own, which a rerun continues after. What something
  /// else depends on stays, and is told in the report.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - selection: What is to go.
  ///   - isDryRun: Whether to tell what would be done, and do nothing.
  /// - Returns: What was done.
  /// - Throws: Why nothing can be cleaned up, or what was in the way of the rest.
  public func cleanUp(
    _ database: ConnectionSource,
    _ selection: CleanupSelection = CleanupSelection(),
    isDryRun: Bool = false
  ) async throws -> CleanupReport {
    let catalog = try VersionCatalog(configuration)
    return try await call.withDatabase(to: database, catalog.store, isWriting: true) {
      call,
      connection in
      var cleanup = CleanupRun(call, catalog, database, selection)
      return try isDryRun ? cleanup.show(connection) : cleanup.run(connection)
    }
  }

  /// Does what online migrations have left to do: indexes are built and dropped, constraints validated.
  ///
  /// - Parameter database: The database.
  /// - Returns: What was done.
  /// - Throws: Why something is still to be done; what comes before it is done.
  public func finish(_ database: ConnectionSource) async throws -> FinishReport {
    let store = try VersionCatalog(configuration).store
    return try await call.withDatabase(to: database, store, isWriting: true) { call, connection in
      var run = FinishRun(call, store, database)
      return try run.run(connection)
    }
  }

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
    let (store, place) = try await AdoptionRun.place(configuration, database)
    return try await call.withDatabase(to: database, store, isWriting: true) { call, connection in
      var run = AdoptionRun(call, store, database, by: .written(place), isDryRun: isDryRun)
      return try run.run(connection)
    }
  }

  /// Writes the models that the metadata of a database has to files.
  ///
  /// A file that has the same model already is left as it is; nothing is written if there is one that
  /// has another.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The only version that is meant; all if none is named.
  ///   - path: A bundle, a model file for a single version, or a folder that is to hold a bundle; the
  ///     bundle of the configuration if there is none.
  ///   - form: The form of the files; that which the path says, or YAML, if there is none.
  /// - Returns: What was written.
  /// - Throws: Why it could not be written.
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

  // MARK: - Copy jobs

  /// Returns the copy jobs of a store, the earliest first.
  public func jobs(_ database: ConnectionSource) async throws -> [CopyJob] {
    let store = try VersionCatalog(configuration).store
    return try await call.withLook(at: database, store) { _, connection in
      try CopyJob.all(of: store, connection)
    }
  }

  /// Tells what happened to a copy job.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - name: The beginning of the job's name; the latest job if there is none.
  /// - Returns: The job and its events.
  /// - Throws: That there is no such job, or what the server says.
  public func job(_ database: ConnectionSource, named name: String?) async throws -> JobReport {
    try await call.controlling(database, name, isWriting: false) { _, _, _ in }
  }

  /// Has a copy job wait between two of its transactions, or go on.
  ///
  /// A job that waits keeps what it has done, and goes on keeping track of what changes.
  public func setJobPaused(
    _ isPaused: Bool,
    _ database: ConnectionSource,
    named name: String?
  ) async throws -> JobReport {
    try await call.controlling(database, name) { control, job, connection in
      try control.setPaused(isPaused, job, connection)
    }
  }

  /// Takes back all that a copy job has made; the database is then as it was before the job.
  public func cancelJob(
    _ database: ConnectionSource,
    named name: String?
  ) async throws -> JobReport {
    try await call.controlling(database, name) { control, job, connection in
      try control.cancel(job, connection)
    }
  }
}
