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
        .check(untilCurrent: untilCurrent.map { _ in max(.zero, clock.now.duration(to: deadline)) })
    }
  }

  /// Returns the versions of many stores and the remaining steps.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The result of each.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func status(
    _ targets: MigrationTargets,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<StatusReport> {
    let catalog = try VersionCatalog(configuration)
    let current = try catalog.version(nil)
    return try await call.report(of: targets, catalog, warnings: current.warnings, onTargetEvent) {
      call,
      catalog,
      target in
      try await call.status(target.database, catalog)
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

extension RemodelCall {
  /// Works on each store, with the front door and the versions that are its own.
  func report<Report: Sendable>(
    of targets: MigrationTargets,
    _ catalog: VersionCatalog,
    warnings: [Diagnostic],
    _ onTargetEvent: (@Sendable (TargetEvent) -> Void)?,
    _ body:
      @escaping @Sendable (RemodelCall, VersionCatalog, MigrationTarget) async throws -> Report
  ) async throws -> TargetsReport<Report> {
    let search = TargetSearch(call: self, targets: targets)
    let places = try await search.places()
    let pool = TargetPool(
      parallel: targets.parallel,
      interruption: interruption,
      onEvent: onTargetEvent
    )
    let work = StoresWork(
      call: self,
      catalog: catalog,
      // Assume a single server, since no database has been read yet.
      sharers: places.contains(where: \.isSearch)
        ? max(1, targets.parallel) : min(max(1, targets.parallel), places.count),
      isAlone: places.count == 1
    )
    let found = await pool.results(places, searching: search.stores) { target, number in
      let (call, catalog) = try work.ownCall(on: target, number, onTargetEvent)
      return try await work.noting(target) { try await body(call, catalog, target) }
    }
    let results = found.sorted { $0.key < $1.key }
    let repetitions = RepeatedTarget.all(among: results, of: targets)
    return TargetsReport(
      results: results.map(\.value).filter { !($0.error is RepeatedStore) },
      warnings: catalog.bundle.warnings + warnings + repetitions.map(\.diagnostic)
    )
  }
}

/// The common context of the work on many stores.
private struct StoresWork: Sendable {
  let call: RemodelCall
  let catalog: VersionCatalog
  /// How many work at the same time.
  let sharers: Int
  /// Whether there is one store only.
  let isAlone: Bool
  let claims = StoreClaims()

  /// Returns the call and the versions that are one store's own.
  func ownCall(
    on target: MigrationTarget,
    _ number: TargetNumber,
    _ onTargetEvent: (@Sendable (TargetEvent) -> Void)?
  ) throws -> (RemodelCall, VersionCatalog) {
    var own = call
    own.configuration.schema = target.schema ?? call.configuration.schema
    own.configuration.lockSharers = sharers
    // Who has answered before is one that restarts.
    if claims.isReached(target.database) {
      own.configuration.wait = own.configuration.waitForServer
    }
    own.onEvent = { event in onTargetEvent?(.happened(event, target)) }
    if !isAlone {
      own.claim = StoreClaim(claims: claims, number: number, schema: own.configuration.schema)
    }
    return (own, try catalog.of(own.configuration))
  }

  /// Does the work on a store, and notes whether its server answers.
  func noting<Report>(
    _ target: MigrationTarget,
    _ body: () async throws -> Report
  ) async throws -> Report {
    do {
      let report = try await body()
      claims.note(target.database, isReached: true)
      return report
    } catch {
      // Who does not come back is waited for once, and not by every store.
      if error.isOfConnection { claims.note(target.database, isReached: false) }
      throw error
    }
  }
}

extension Error {
  /// A Boolean value that indicates whether the server was not reached, or was lost.
  fileprivate var isOfConnection: Bool {
    if let error = self as? PostgresError { return error.kind != .server }
    return (self as? ExecutionError)?.lostConnection != nil
  }
}
