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
    return try await call.report(of: targets, catalog, warnings: warnings, onTargetEvent) {
      call,
      catalog,
      target in
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
    return try await call.report(of: targets, catalog, warnings: current.warnings, onTargetEvent) {
      call,
      catalog,
      target in
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
