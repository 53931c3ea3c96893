internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
public import PostgresClient
internal import SQLSyntax

extension Remodel {
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
    return try await withCall(to: database, catalog.store, isWriting: true) { remodel, connection in
      var run = ReturnRun(remodel, catalog, database, to: version)
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
    var configuration = configuration
    configuration.isForShow = true
    let catalog = try VersionCatalog(configuration)
    let limits = PlanLimits(self.configuration)
    return try await withLook(at: database, catalog.store) { remodel, connection in
      let (view, planned) = try DatabaseView.settled(catalog, connection) { view, connection in
        let way = try ReturnRun.way(of: catalog, view, connection)
        guard let leg = way.legs.first else {
          throw RemodelError(.noWayBack(from: view.reference?.name))
        }
        return try remodel.look(at: catalog.store).run(connection) { connection in
          try view.stepBack(over: leg, acceptingLosses: acceptsLosses, connection)
        }
      }
      let (target, step, losses) = planned
      let limit = SQLLiteral.integer(max(1, self.configuration.lockTimeout.inMilliseconds))
      try connection.set(.lockTimeout, to: "\(limit)")
      let steps = [step]
      let loss = losses.isEmpty ? nil : RemodelError(.returnLoses(losses, version: target.name))
      return PlanReport(
        MigrationPlan(steps: steps, in: catalog.place(as: database.role)),
        from: view.reference,
        to: target,
        by: PlanSettings(catalog, version: target.name),
        origin: try PlanOrigin(connection),
        findings: try step.preconditions.map { try PreconditionFinding.asking($0, connection) },
        sizes: view.sizes,
        script: script(
          of: steps,
          in: catalog.store,
          as: database.role,
          metadataLayout: view.metadataLayout
        ),
        activity: ActivityInspection(
          catalog.store,
          for: PlanForecast(of: steps, sizes: view.sizes)
        ).activity(connection),
        lockWarnings: view.warnings(for: steps) + (acceptsLosses ? loss?.warnings ?? [] : []),
        refusal: (acceptsLosses ? nil : loss) ?? limits.refusal(of: steps, view)
      )
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
