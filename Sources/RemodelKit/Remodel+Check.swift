internal import MigrationExecution
public import PostgresClient

extension Remodel {
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
      let report = try await withInterruption({ call in
        try await call.checkAtOnce(database, catalog, wait: wait)
      })
    {
      return report
    }
    let left = untilCurrent.map { max(.zero, $0 - begin.duration(to: .now)) }
    return try await check(database, catalog, untilCurrent: left)
  }

  /// Tells whether a database is current by one query, of a session that is given no settings, while
  /// the files are read as the server makes the session: probes ask this every few seconds.
  ///
  /// - Returns: What was found; none if it takes more to tell.
  private func checkAtOnce(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog,
    wait: Duration
  ) async throws -> CheckReport? {
    async let opening = PostgresSession.unprepared(to: database, wait: wait)
    let target = try catalog.version(nil)
    let session = try await opening
    let report = try await session.run { connection in
      interruption.watch(connection.canceller)
      defer { interruption.watch(nil) }
      let report = CheckReport(atOnce: catalog, target, connection)
      try interruption.check()
      return report
    }
    await session.close()
    return report
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
}
