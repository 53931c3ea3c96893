internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
public import PostgresClient
public import SQLSyntax

extension Remodel {
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
      try view.checkOwners(connection)
      let limit = SQLLiteral.integer(max(1, configuration.lockTimeout.inMilliseconds))
      try connection.set(.lockTimeout, to: "\(limit)")
      let obstacle = try view.obstacle(to: steps, destination ?? catalog, connection)
      // A question may name what is missing, and be none then.
      let questions = obstacle == nil ? steps.first?.preconditions ?? [] : []
      let forecast = PlanForecast(of: steps, sizes: view.sizes)
      return PlanReport(
        MigrationPlan(steps: steps, in: (destination ?? catalog).place(as: database.role)),
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
        refusal: limits.refusal(of: steps, view) ?? obstacle
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
      MigrationPlan(steps: steps, in: catalog.place(as: role)),
      from: start.reference,
      to: target,
      by: PlanSettings(catalog, version: version),
      findings: [],
      sizes: [:],
      script: script(of: steps, in: catalog.store, as: role, metadataLayout: .max),
      lockWarnings: steps.compactMap(\.onlineObstacle).map {
        Diagnostic(.warning, "unless tables are small, this is refused: \($0)")
      }
    )
  }

  /// Returns what writes steps as a script, unless only a program can do what they do.
  func script(
    of steps: [MigrationStep],
    in store: StoreIdentity,
    as role: SQLIdentifier?,
    metadataLayout: Int?
  ) -> @Sendable () throws -> String {
    let lockTimeout = configuration.lockTimeout
    return {
      for step in steps {
        guard let rowPolicy = step.statements.compactMap(\.rowPolicy).first else { continue }
        throw RemodelError(
          .noScript(
            step: step.destination.name,
            mapping: rowPolicy.mappingName,
            policy: rowPolicy.policyClassName
          )
        )
      }
      do {
        return try MigrationScript.text(
          for: steps,
          in: store,
          as: role,
          lockTimeout: lockTimeout,
          metadataLayout: metadataLayout
        )
      } catch let fault as MigrationScript.Fault {
        throw RemodelError(.notScriptable(statement: fault.statement, fault.fault))
      }
    }
  }
}
