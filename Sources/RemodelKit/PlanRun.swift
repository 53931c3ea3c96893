internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// Plans, and checks the plan's preconditions in a database.
struct PlanRun {
  private let call: RemodelCall
  private let catalog: VersionCatalog
  private let database: ConnectionSource
  private let limits: PlanLimits

  init(_ call: RemodelCall, _ catalog: VersionCatalog, _ database: ConnectionSource) throws {
    self.call = call
    self.database = database
    limits = PlanLimits(call.configuration)
    // A plan that may not run is shown nevertheless, with the reason.
    var configuration = call.configuration
    configuration.isForShow = true
    self.catalog = try catalog.of(configuration)
  }

  func migration(to version: String?) async throws -> PlanReport {
    try catalog.checkForks()
    // The server reads its catalog while the files are read, so it is asked first. A fault in a
    // file ends the look at the database.
    async let report = look(for: version)
    async let found = catalog.fileVersion(version)
    catalog.prepare(for: version)
    _ = try await found
    return try await report
  }

  private func look(for version: String?) async throws -> PlanReport {
    let destination = try catalog.destination
    return try await call.withLook(at: database, catalog.store) { _, connection in
      let isExplicit = version != nil
      let (view, target, steps) = try DatabaseView.settled(catalog, connection) {
        view,
        connection in
        let target = try catalog.fileVersion(version) ?? catalog.version(version, connection)
        let steps = try view.steps(
          to: target,
          isExplicit: isExplicit,
          into: destination,
          connection
        )
        return (view, target, steps)
      }
      try view.checkOwners(connection)
      try limitWait(connection)
      let obstacle = try view.obstacle(to: steps, destination ?? catalog, connection)
      return try report(
        on: steps,
        to: target,
        named: version,
        in: destination ?? catalog,
        view,
        // A precondition may name the missing object, and cannot be checked then.
        asking: obstacle == nil ? steps.first?.preconditions ?? [] : [],
        scripted: steps.contains(where: \.isCopyJob)
          ? view.lockedSteps(to: target, isExplicit: isExplicit, connection) : steps,
        warnings: (steps.contains { $0.source != nil } ? catalog.lostChanges : [])
          + view.insertedVersions(),
        refusal: limits.refusal(of: steps, view) ?? obstacle,
        connection
      )
    }
  }

  /// Plans a revert of the last migration.
  func revert(acceptingLosses acceptsLosses: Bool) async throws -> PlanReport {
    try await call.withLook(at: database, catalog.store) { call, connection in
      let (view, planned) = try DatabaseView.settled(catalog, connection) { view, connection in
        let way = try ReturnRun.way(of: catalog, view, connection)
        guard let leg = way.legs.first else {
          throw RemodelError(.noWayBack(from: view.reference?.name))
        }
        return try call.look(at: catalog.store).run(connection) { connection in
          (view, try view.stepBack(over: leg, acceptingLosses: acceptsLosses, connection))
        }
      }
      let (target, step, losses) = planned
      try limitWait(connection)
      let loss = losses.isEmpty ? nil : RemodelError(.returnLoses(losses, version: target.name))
      return try report(
        on: [step],
        to: target,
        named: target.name,
        in: catalog,
        view,
        asking: step.preconditions,
        scripted: [step],
        warnings: acceptsLosses ? loss?.warnings ?? [] : [],
        refusal: (acceptsLosses ? nil : loss) ?? limits.refusal(of: [step], view),
        connection
      )
    }
  }

  /// Plans the way from one version to another, without a database.
  static func report(
    _ catalog: VersionCatalog,
    from source: String,
    to version: String?,
    as role: SQLIdentifier?
  ) throws -> PlanReport {
    try catalog.checkForks()
    let start = try catalog.version(source)
    let target = try catalog.version(version)
    let path = try catalog.versions(from: start, to: target)
    var steps: [MigrationStep]
    var warnings: [Diagnostic] = []
    do {
      steps = try self.steps(catalog, from: start, over: path)
    } catch let error as PlanningError {
      guard case .versionNotServable = error.fact, !catalog.configuration.takesTablesForLarge,
        let served = try? self.steps(catalog, from: start, over: path, takingTablesForSmall: true)
      else { throw error }
      steps = served
      warnings = error.diagnostics.map {
        Diagnostic(.warning, "unless tables are small, \($0.message)", detail: $0.detail)
      }
    }
    var report = PlanReport(
      MigrationPlan(steps: steps, in: catalog.place(as: role)),
      from: start.reference,
      to: target,
      by: catalog.planSettings(to: version),
      findings: [],
      sizes: [:],
      script: script(of: steps, catalog, as: role, metadataLayout: .max),
      lockWarnings: warnings
        + steps.compactMap(\.onlineObstacle).map {
          Diagnostic(.warning, "unless tables are small, this is refused: \($0)")
        },
      places: catalog.places(of: steps)
    )
    report.waysBack = try StepWayBack.all(of: steps, catalog)
    return report
  }

  /// Plans the steps over versions, beside which the one before stays served if it is to.
  private static func steps(
    _ catalog: VersionCatalog,
    from start: LoadedVersion,
    over path: [LoadedVersion],
    takingTablesForSmall areSmall: Bool = false
  ) throws -> [MigrationStep] {
    let source = try catalog.planned(start)
    var planning = try StepPlanning(catalog)
    planning.keepsPrevious = catalog.configuration.keepsPrevious(serving: false)
    if areSmall { planning.takeTablesForSmall(of: source) }
    let steps = try planning.steps(from: source, over: path, retained: [])
    guard planning.keepsPrevious else { return steps }
    let prefix = catalog.configuration.interfaceSchemaPrefix
    let schema = VersionInterface.schemaName(of: source.name, prefix: prefix)
    var interfaces = InterfacePlanning(
      [VersionInterface(of: source, schema: schema)],
      prefix: prefix,
      keepsPrevious: true,
      unservedEntities: catalog.configuration.planSettings.unservedEntities
    )
    return try interfaces.serve(steps)
  }

  /// Has no question to the rows wait for a lock without end.
  private func limitWait(_ connection: borrowing PostgresConnection) throws {
    let limit = max(1, catalog.configuration.lockTimeout.inMilliseconds)
    try connection.set(.lockTimeout, to: "\(SQLLiteral.integer(limit))")
  }

  private func report(
    on steps: [MigrationStep],
    to target: LoadedVersion,
    named version: String?,
    in destination: VersionCatalog,
    _ view: DatabaseView,
    asking questions: [PlannedPrecondition],
    scripted: [MigrationStep],
    warnings: [Diagnostic],
    refusal: RemodelError?,
    _ connection: borrowing PostgresConnection
  ) throws -> PlanReport {
    var report = PlanReport(
      MigrationPlan(steps: steps, in: destination.place(as: database.role)),
      from: view.reference,
      to: target,
      by: catalog.planSettings(to: version),
      origin: try PlanOrigin(connection),
      findings: try questions.map {
        try PreconditionFinding.asking($0, connection).withExampleKeys(connection)
      },
      sizes: view.sizes,
      script: Self.script(
        of: scripted,
        destination,
        as: database.role,
        metadataLayout: view.metadataLayout,
        hasCitus: connection.hasCitus
      ),
      activity: ActivityInspection(
        catalog.store,
        for: PlanForecast(of: steps, sizes: view.sizes)
      ).activity(connection),
      lockWarnings: view.warnings(for: steps) + warnings,
      refusal: refusal,
      places: catalog.places(of: steps)
    )
    report.waysBack = try StepWayBack.all(of: steps, catalog)
    report.lossCounts = try Self.lossCounts(of: steps.first, view.sizes, connection)
    return report
  }

  /// The most queries by which a plan counts what is lost.
  private static let maximumCounts = 100

  /// Counts what a step deletes for good from small tables.
  private static func lossCounts(
    of step: MigrationStep?,
    _ sizes: TableSizes,
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLFragment: Int] {
    guard let step else { return [:] }
    let queries = step.allStatements.flatMap { step.losses(by: $0) }
      .filter { sizes[$0.table.name]?.isSmall ?? false }.compactMap(\.query)
    var counts: [SQLFragment: Int] = [:]
    for query in Set(queries).sorted(by: { $0.text < $1.text }).prefix(maximumCounts) {
      do {
        counts[query] = try Self.count(by: query, connection)
      } catch let error as PostgresError where error.leavesRowsUnread {
        continue
      }
    }
    return counts
  }

  private static func count(
    by query: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> Int? {
    try connection.query(query).first?.integer("count")
  }

  /// Returns the script of some steps, unless they need the program.
  private static func script(
    of steps: [MigrationStep],
    _ catalog: VersionCatalog,
    as role: SQLIdentifier?,
    metadataLayout: Int?,
    hasCitus: Bool = false
  ) -> @Sendable () throws -> String {
    let store = catalog.store
    let lockTimeout = catalog.configuration.lockTimeout
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
          metadataLayout: metadataLayout,
          hasCitus: hasCitus
        )
      } catch let fault as MigrationScript.Fault {
        throw RemodelError(.notScriptable(statement: fault.statement, fault.fault))
      }
    }
  }
}

extension RemodelError {
  /// The same as something that was accepted.
  var warnings: [Diagnostic] {
    diagnostics.map { diagnostic in
      Diagnostic(.warning, diagnostic.message, detail: diagnostic.detail)
    }
  }
}
