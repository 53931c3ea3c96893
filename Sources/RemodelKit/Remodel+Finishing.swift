internal import MigrationExecution
internal import MigrationPlanning
public import PostgresClient

extension Remodel {
  /// Does what online migrations have left to do: indexes are built and dropped, constraints validated.
  ///
  /// - Parameter database: The database.
  /// - Returns: What was done.
  /// - Throws: Why something is still to be done; what comes before it is done.
  public func finish(_ database: ConnectionSource) async throws -> FinishReport {
    let store = try VersionCatalog(configuration).store
    return try await withCall(to: database, store, isWriting: true) { remodel, connection in
      var run = FinishRun(remodel, store, database)
      return try run.run(connection)
    }
  }

  /// Returns what does the deferred work of a store.
  func deferredWork(
    of store: StoreIdentity,
    _ database: ConnectionSource? = nil
  ) -> DeferredWorkExecution {
    DeferredWorkExecution(
      of: store,
      source: database,
      settings: configuration.stepSettings,
      copySettings: configuration.copySettings,
      interruption: interruption,
      onEvent: onEvent
    )
  }
}

/// Does what online migrations of one store have left to do.
private struct FinishRun: ResumableRun {
  let remodel: Remodel
  let store: StoreIdentity
  let database: ConnectionSource
  var resumption: Resumption
  private var warnings: [Diagnostic] = []
  private var done: [DeferredWorkExecution.Done] = []

  init(_ remodel: Remodel, _ store: StoreIdentity, _ database: ConnectionSource) {
    self.remodel = remodel
    self.store = store
    self.database = database
    resumption = Resumption(remodel, database)
  }

  mutating func attempt(_ connection: borrowing PostgresConnection) throws -> FinishReport {
    let presence = try MetadataStore(store).presenceWithJob(connection)
    guard case .store(let record) = presence else {
      return FinishReport(version: nil, done: [], warnings: [])
    }
    if resumption.serverStart == nil {
      resumption.serverStart = try ReadinessInspection.serverStart(connection)
    }
    if record.unfinishedJobID != nil {
      note(try remodel.control(of: store).settleIfFree(connection)?.diagnostic)
    }
    try remodel.deferredWork(of: store, database).run(
      [.now, .deferred],
      connection,
      willBegin: { note(try remodel.warnOfSuperuser(unlessIn: warnings, $0)) },
      onDone: { work in
        done.append(work)
        resumption.noteProgress()
      }
    )
    return FinishReport(
      version: VersionReference(name: record.versionName, checksum: record.checksum),
      done: done,
      warnings: warnings
    )
  }

  private mutating func note(_ warning: Diagnostic?) {
    if let warning, !warnings.contains(warning) { warnings.append(warning) }
  }
}
