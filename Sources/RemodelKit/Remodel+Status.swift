public import MigrationExecution
public import PostgresClient

extension Remodel {
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
    return try await withSession(database, catalog.store) { connection in
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
    return try await withSession(database, catalog.store) { connection in
      let metadata = MetadataStore(catalog.store)
      if try metadata.presence(connection) == .noMetadata { return [] }
      return try metadata.history(connection)
    }
  }
}
