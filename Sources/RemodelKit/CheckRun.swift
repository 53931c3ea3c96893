internal import MigrationExecution
internal import PostgresClient

/// Tells whether one database is at the current version.
struct CheckRun {
  let call: RemodelCall
  let catalog: VersionCatalog
  let database: ConnectionSource

  /// Checks whether a database is current with a single query in an unprepared session, reading the
  /// files meanwhile: probes call this every few seconds.
  ///
  /// - Returns: The result; `nil` if this is not enough to determine it.
  private func checkAtOnce(wait: Duration) async throws -> CheckReport? {
    async let opening = PostgresSession.unprepared(to: database, wait: wait)
    let files = catalog.filesDigest
    if files == nil { _ = try catalog.target(nil) }
    let session = try await opening
    let interruption = call.interruption
    let report = try await session.run { connection in
      interruption.watch(connection.canceller)
      defer { interruption.watch(nil) }
      let report = try CheckReport(atOnce: catalog, files, connection)
      try interruption.check()
      return report
    }
    await session.close()
    return report
  }

  /// Checks a database, in the quickest way that can tell.
  ///
  /// - Parameter untilCurrent: The time to repeat the check until it is current.
  /// - Returns: The last result.
  /// - Throws: The faults of the files, or the server's error.
  func run(untilCurrent: Duration?) async throws -> CheckReport {
    let begin = ContinuousClock.now
    let wait = min(call.configuration.wait, untilCurrent ?? call.configuration.wait)
    // One of many stores is checked in the session of the one before.
    if database.role == nil, call.sessions == nil,
      let report = try await call.withInterruption({ call in
        try await CheckRun(call: call, catalog: catalog, database: database)
          .checkAtOnce(wait: wait)
      })
    {
      return report
    }
    return try await check(
      untilCurrent: untilCurrent.map { max(.zero, $0 - begin.duration(to: .now)) }
    )
  }

  /// Tells the same of any database.
  private func check(untilCurrent: Duration?) async throws -> CheckReport {
    try catalog.checkForks()
    let target = try catalog.version(nil)
    let clock = ContinuousClock()
    let deadline = clock.now + (untilCurrent ?? .zero)
    var patient = call
    while true {
      let rest = max(.zero, clock.now.duration(to: deadline))
      if untilCurrent != nil { patient.configuration.wait = min(patient.configuration.wait, rest) }
      do {
        return try await patient.withDatabase(to: database, catalog.store) {
          call,
          connection in
          let metadata = MetadataStore(catalog.store)
          var isInstalled = false
          while true {
            let report = try CheckReport(catalog, target, connection)
            guard !report.isUsable, clock.now < deadline else { return report }
            repeat {
              try call.interruption.pause(seconds: 0.25)
              isInstalled = try isInstalled || metadata.isInstalled(connection)
            } while !isInstalled && clock.now < deadline
          }
        }
      } catch let error as ExecutionError where error.lostConnection != nil {
        // A server that restarts is one that is waited for.
        guard clock.now < deadline else { throw error }
        patient.configuration.wait = rest
      }
    }
  }
}
