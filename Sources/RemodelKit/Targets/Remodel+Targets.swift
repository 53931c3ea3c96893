internal import Diagnostics
internal import MigrationExecution
public import PostgresClient
public import SQLSyntax

extension Remodel {
  /// Migrates many stores to the current version, or to another one, each independently of the
  /// others.
  ///
  /// The files are read once for all. A rerun skips finished stores, and continues unfinished ones.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - version: The version; by default the current one.
  ///   - plan: The digest of the only plan that may run in each store, which covers the name of the
  ///     schema; a plan file, which is for one store, is refused.
  ///   - onTargetEvent: Gets the events of each store, on the threads that work on them.
  /// - Returns: The result of each store.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func migrate(
    _ targets: MigrationTargets,
    to version: String? = nil,
    approved plan: ApprovedPlan? = nil,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<MigrationReport> {
    guard plan?.record == nil else { throw TargetError(.planOfOneStore) }
    let catalog = try VersionCatalog(configuration)
    let warnings = try catalog.fileVersion(version)?.warnings ?? []
    // Another version, or a plan, has to be looked at.
    var unchanged: UnchangedReport<MigrationReport>?
    if version == nil, plan == nil { unchanged = { MigrationReport(atOnce: $0, $1, $2) } }
    return try await call.report(
      of: targets,
      catalog,
      warnings: warnings,
      onTargetEvent,
      unchanged: unchanged
    ) { call, catalog, target in
      try await MigrationRun.run(call, on: target.database, catalog, to: version, approved: plan)
    }
  }

  /// Checks whether the version hashes of many stores are those of the current model.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - untilCurrent: The total time to repeat the check until they are.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The last result of each.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func check(
    _ targets: MigrationTargets,
    untilCurrent: Duration? = nil,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<CheckReport> {
    let catalog = try VersionCatalog(configuration)
    let current = try catalog.version(nil)
    let clock = ContinuousClock()
    let deadline = clock.now + (untilCurrent ?? .zero)
    return try await call.report(
      of: targets,
      catalog,
      warnings: current.warnings,
      onTargetEvent,
      unchanged: { CheckReport(atOnce: $1, $2) }
    ) { call, catalog, target in
      // Without a limit it is the server alone that is waited for.
      try await CheckRun(call: call, catalog: catalog, database: target.database)
        .run(untilCurrent: untilCurrent.map { _ in max(.zero, clock.now.duration(to: deadline)) })
    }
  }

  /// Returns the versions of many stores and the remaining steps.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - looksForDrift: Whether to compare each with its recorded version as well.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The result of each.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func status(
    _ targets: MigrationTargets,
    looksForDrift: Bool = false,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<StatusReport> {
    let catalog = try VersionCatalog(configuration)
    let current = try catalog.version(nil)
    return try await call.report(of: targets, catalog, warnings: current.warnings, onTargetEvent) {
      call,
      catalog,
      target in
      try await call.status(target.database, catalog, looksForDrift: looksForDrift)
    }
  }

  /// Compares many stores with the versions that they are at, and changes nothing.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - asksRows: Whether to read all rows, to check rules without a constraint.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The differences of each.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func verify(
    _ targets: MigrationTargets,
    asksRows: Bool = false,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<VerificationReport> {
    let catalog = try VersionCatalog(configuration)
    return try await call.report(of: targets, catalog, warnings: [], onTargetEvent) {
      call,
      catalog,
      target in
      try await call.verify(target.database, catalog, asksRows: asksRows)
    }
  }

  /// Reverts many stores to a version, each independently of the others.
  ///
  /// A rerun skips the stores that are there.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - version: The version to revert to.
  ///   - acceptsLosses: Whether to revert in spite of losses.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The result of each store.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func revert(
    _ targets: MigrationTargets,
    to version: String,
    acceptingLosses acceptsLosses: Bool = false,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<MigrationReport> {
    let catalog = try VersionCatalog(configuration)
    return try await call.report(of: targets, catalog, warnings: [], onTargetEvent) {
      call,
      catalog,
      target in
      try await call.revert(
        target.database,
        catalog,
        to: version,
        acceptingLosses: acceptsLosses
      )
    }
  }

  /// Drops retained objects of many stores.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - selection: The objects to drop.
  ///   - isDryRun: Whether to report only, without changing anything.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The finished work in each.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func cleanUp(
    _ targets: MigrationTargets,
    _ selection: CleanupSelection = CleanupSelection(),
    isDryRun: Bool = false,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<CleanupReport> {
    let catalog = try VersionCatalog(configuration)
    return try await call.report(of: targets, catalog, warnings: [], onTargetEvent) {
      call,
      catalog,
      target in
      try await call.cleanUp(target.database, catalog, selection, isDryRun: isDryRun)
    }
  }

  /// Does the deferred work of online migrations of many stores.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - limit: How much of it: a number of pieces in each store, a time for all together; by default all.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The finished work in each, and what is left.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func finish(
    _ targets: MigrationTargets,
    upTo limit: FinishLimit = FinishLimit(),
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<FinishReport> {
    let catalog = try VersionCatalog(configuration)
    let allowance = DeferredWorkExecution.Allowance(limit)
    return try await call.report(of: targets, catalog, warnings: [], onTargetEvent) {
      call,
      catalog,
      target in
      try await call.finish(target.database, catalog.store, upTo: allowance)
    }
  }

  /// Returns the schemas of a database whose names patterns mean, as people count; never those of the
  /// server, of extensions and of remodel itself.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - patterns: The patterns.
  /// - Returns: The names.
  /// - Throws: That there is none, or none of a name that is no pattern.
  public func schemas(
    of database: ConnectionSource,
    matching patterns: [SchemaPattern]
  ) async throws -> [SQLIdentifier] {
    try await call.schemas(of: database, matching: patterns)
  }
}
