internal import Diagnostics
internal import MigrationExecution
internal import PostgresClient
internal import SQLSyntax

/// Returns the report of a store that needs no work, from the versions, their files and its record.
typealias UnchangedReport<Report> =
  @Sendable (VersionCatalog, FilesDigest, StoreRecord) -> Report?

extension RemodelCall {
  /// Works on each store, with the front door and the versions that are its own.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - catalog: The versions.
  ///   - warnings: The warnings about the files.
  ///   - onTargetEvent: Gets the events of each store.
  ///   - unchanged: Returns the report of a store that needs no work; by default all are worked on.
  ///   - body: The work on a store.
  /// - Returns: The result of each store.
  /// - Throws: An error if there are no stores.
  func report<Report: Sendable>(
    of targets: MigrationTargets,
    _ catalog: VersionCatalog,
    warnings: [Diagnostic],
    _ onTargetEvent: (@Sendable (TargetEvent) -> Void)?,
    unchanged: UnchangedReport<Report>? = nil,
    _ body:
      @escaping @Sendable (RemodelCall, VersionCatalog, MigrationTarget) async throws -> Report
  ) async throws -> TargetsReport<Report> {
    let search = TargetSearch(call: self, targets: targets)
    var places = try await search.places()
    var rest: [TargetPool.Place] = []
    if let first = targets.first { (places, rest) = try await search.first(first, of: places) }
    let pool = TargetPool(
      parallel: targets.parallel,
      stopAfter: targets.stopAfter,
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
    let sessions = SessionPool(limit: max(1, targets.parallel))
    let records = StoreRecords()
    sessions.expect(places.filter { !$0.isSearch }.map(\.target))
    let found = await pool.results(places) { target in
      let stores = try await search.stores(of: target)
      sessions.expect(stores)
      return stores
    } working: { target, number in
      sessions.begin(target)
      var (call, catalog) = try work.ownCall(on: target, number, onTargetEvent)
      if !work.isAlone { call.sessions = sessions }
      return try await work.noting(target) { [call] in
        if let unchanged, sessions.isShared(target), let files = catalog.filesDigest,
          let look = await records.look(call, catalog, at: target.database),
          let record = look.records[catalog.store.schema],
          let report = unchanged(catalog, files, record)
        {
          try call.claim?.make(in: look.database)
          return report
        }
        return try await body(call, catalog, target)
      }
    }
    await sessions.close()
    let leftOut = rest.map { ($0.number, TargetResult<Report>.leftOut($0.target)) }
    let results = found.merging(leftOut, uniquingKeysWith: { first, _ in first })
      .sorted { $0.key < $1.key }
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
    // A server that answered before is restarting.
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
      // Only one store waits for a server that is down.
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
