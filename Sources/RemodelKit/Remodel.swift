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
  /// What it goes by.
  public let configuration: RemodelConfiguration

  let interruption: Interruption
  let onEvent: (@Sendable (MigrationEvent) -> Void)?
  /// What the work on one store of many begins with.
  var claim: StoreClaim?

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
    self.configuration = configuration
    self.interruption = interruption
    self.onEvent = onEvent
  }

  /// Creates a front door with what most programs have to say; all else is in a
  /// ``RemodelConfiguration``.
  ///
  /// - Parameters:
  ///   - path: A model bundle, or a folder that holds exactly one.
  ///   - schema: The schema of the tables.
  ///   - strategy: How rows are copied into tables that are made anew; chosen by the time that it takes
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
  ///   - strategy: How rows are copied into tables that are made anew; chosen by the time that it takes
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
  ///   - plan: The plan that may run, and no other, if somebody has to approve what runs.
  /// - Returns: What was done.
  /// - Throws: Why the target was not reached; the database is as it was, or at the end of a step.
  public func migrate(
    _ database: ConnectionSource,
    to version: String? = nil,
    approved plan: ApprovedPlan? = nil
  ) async throws -> MigrationReport {
    if let record = plan?.record { return try await migrate(database, approved: plan, record) }
    let catalog = try VersionCatalog(configuration)
    return try await migrate(database, catalog, to: version, approved: plan)
  }

  /// Brings a store to a version, by files that may be read already.
  func migrate(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog,
    to version: String?,
    approved plan: ApprovedPlan?
  ) async throws -> MigrationReport {
    let found = try catalog.fileVersion(version)
    return try await withCall(to: database, catalog.store, isWriting: true) { remodel, connection in
      let target = try found ?? catalog.version(version, connection)
      var run = try MigrationRun(remodel, catalog, target, database, isExplicit: version != nil)
      run.approved = plan
      return try run.run(connection)
    }
  }

  /// Carries out what was written down, by the settings that it was made by.
  private func migrate(
    _ database: ConnectionSource,
    approved plan: ApprovedPlan?,
    _ record: ApprovedPlan.Record
  ) async throws -> MigrationReport {
    var settings = record.settings.applied(to: configuration)
    settings.tableSizes = record.sizes
    let catalog = try VersionCatalog(settings)
    let found = try catalog.fileVersion(record.target)
    var differences = [record.settings.otherStore(catalog)].compactMap(\.self)
    if let found, found.hashes.checksum.text != record.targetChecksum {
      differences.append("Version \"\(found.name)\" has been edited since the plan was made.")
    }
    guard differences.isEmpty else {
      throw RemodelError(.planDiffers(differences, isDigestOnly: false))
    }
    return try await withCall(to: database, catalog.store, isWriting: true) { remodel, connection in
      let target = try found ?? catalog.version(record.target, connection)
      let place = try PlanOrigin(connection)
      if let difference = record.origin.flatMap(place.difference) {
        throw RemodelError(.planDiffers([difference], isDigestOnly: false))
      }
      let isExplicit = record.settings.version != nil
      var run = try MigrationRun(remodel, catalog, target, database, isExplicit: isExplicit)
      run.approved = plan
      if let warning = record.origin.flatMap(place.warning) { run.warn(ofBeginning: warning) }
      return try run.run(connection)
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
    try await plan(database, VersionCatalog(configuration), to: version)
  }

  /// Shows the same by files that may be read already.
  func plan(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog,
    to version: String?
  ) async throws -> PlanReport {
    // What may not run is shown all the same, with why it may not.
    var configuration = configuration
    configuration.isForShow = true
    let catalog = try catalog.of(configuration)
    let limits = PlanLimits(self.configuration)
    let found = try catalog.fileVersion(version)
    let destination = try catalog.destination
    return try await withLook(at: database, catalog.store) { [configuration] _, connection in
      let target = try found ?? catalog.version(version, connection)
      let (view, steps) = try DatabaseView.settled(catalog, connection) { view, connection in
        try view.steps(to: target, isExplicit: version != nil, into: destination, connection)
      }
      let limit = SQLLiteral.integer(max(1, configuration.lockTimeout.inMilliseconds))
      try connection.set(.lockTimeout, to: "\(limit)")
      let questions = steps.first?.preconditions ?? []
      let forecast = PlanForecast(of: steps, sizes: view.sizes)
      return PlanReport(
        MigrationPlan(steps: steps, schema: (destination ?? catalog).configuration.schema),
        from: view.reference,
        to: target,
        by: PlanSettings(catalog, version: version),
        origin: try PlanOrigin(connection),
        findings: try questions.map { try PreconditionFinding.asking($0, connection) },
        sizes: view.sizes,
        script: try script(
          of: steps.contains(where: \.isCopyJob)
            ? view.lockedSteps(to: target, isExplicit: version != nil, connection) : steps,
          in: (destination ?? catalog).store,
          as: database.role,
          metadataLayout: view.metadataLayout
        ),
        activity: ActivityInspection(catalog.store, for: forecast).activity(connection),
        lockWarnings: view.warnings(for: steps),
        refusal: limits.refusal(of: steps, view)
      )
    }
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
    let catalog = try VersionCatalog(configuration)
    let start = try catalog.version(source)
    let target = try catalog.version(version)
    let steps = try StepPlanning(catalog).steps(
      from: catalog.planned(start),
      over: try catalog.versions(from: start, to: target),
      retained: []
    )
    return PlanReport(
      MigrationPlan(steps: steps, schema: configuration.schema),
      from: start.reference,
      to: target,
      by: PlanSettings(catalog, version: version),
      findings: [],
      sizes: [:],
      script: try script(of: steps, in: catalog.store, as: role, metadataLayout: .max),
      lockWarnings: steps.compactMap(\.onlineObstacle).map {
        Diagnostic(.warning, "unless tables are small, this is refused: \($0)")
      }
    )
  }

  /// Writes steps as a script, unless only a program can do what they do.
  func script(
    of steps: [MigrationStep],
    in store: StoreIdentity,
    as role: SQLIdentifier?,
    metadataLayout: Int?
  ) throws -> Result<String, RemodelError> {
    for step in steps {
      guard let passage = step.statements.compactMap(\.passage).first else { continue }
      return .failure(
        RemodelError(
          .noScript(
            step: step.destination.name,
            mapping: passage.mappingName,
            policy: passage.policyClassName
          )
        )
      )
    }
    return .success(
      try MigrationScript.text(
        for: steps,
        in: store,
        as: role,
        lockTimeout: configuration.lockTimeout,
        metadataLayout: metadataLayout
      )
    )
  }

  /// Tells what a database is at and what is still to come.
  public func status(_ database: ConnectionSource) async throws -> StatusReport {
    try await status(database, VersionCatalog(configuration))
  }

  /// Tells the same by files that may be read already.
  func status(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog
  ) async throws -> StatusReport {
    let target = try catalog.version(nil)
    return try await withLook(at: database, catalog.store) { _, connection in
      let view = try DatabaseView(catalog, connection)
      return StatusReport(view, target, connection)
    }
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
    try await check(database, VersionCatalog(configuration), untilCurrent: untilCurrent)
  }

  /// Tells the same by files that may be read already.
  func check(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog,
    untilCurrent: Duration?
  ) async throws -> CheckReport {
    let target = try catalog.version(nil)
    let clock = ContinuousClock()
    let deadline = clock.now + (untilCurrent ?? .zero)
    var patient = configuration
    while true {
      let rest = max(.zero, clock.now.duration(to: deadline))
      if untilCurrent != nil { patient.wait = min(patient.wait, rest) }
      do {
        var remodel = Remodel(patient, interruption: interruption, onEvent: onEvent)
        remodel.claim = claim
        return try await remodel.withCall(to: database, catalog.store) { remodel, connection in
          let metadata = MetadataStore(catalog.store)
          var isInstalled = false
          while true {
            let report = try CheckReport(catalog, target, connection)
            guard !report.isCurrent, clock.now < deadline else { return report }
            repeat {
              try remodel.interruption.pause(seconds: 0.25)
              isInstalled = try isInstalled || metadata.isInstalled(connection)
            } while !isInstalled && clock.now < deadline
          }
        }
      } catch let error as ExecutionError where error.lostConnection != nil {
        // A server that restarts is one that is waited for.
        guard clock.now < deadline else { throw error }
        patient.wait = rest
      }
    }
  }

  /// Returns the audit trail of a store, the earliest entry first.
  public func history(_ database: ConnectionSource) async throws -> [HistoryEntry] {
    let catalog = try VersionCatalog(configuration)
    return try await withLook(at: database, catalog.store) { _, connection in
      let metadata = MetadataStore(catalog.store)
      if try metadata.presence(connection) == .noMetadata { return [] }
      return try metadata.history(connection)
    }
  }
}
