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
    return try await withCall(to: database, store) { remodel, connection in
      let metadata = MetadataStore(store)
      guard case .store(let record) = try metadata.presenceWithJob(connection) else {
        return FinishReport(version: nil, done: [], warnings: [])
      }
      var warning: CopyJobWarning?
      if record.unfinishedJobID != nil {
        warning = try remodel.control(of: store).settleIfFree(connection)
      }
      let done = try remodel.lateWork(of: store, database).run([.now, .deferred], connection)
      return FinishReport(
        version: VersionReference(name: record.versionName, checksum: record.checksum),
        done: done,
        warnings: [warning?.diagnostic].compactMap(\.self)
      )
    }
  }

  /// Returns what does the late work of a store.
  func lateWork(
    of store: StoreIdentity,
    _ database: ConnectionSource? = nil
  ) -> LateWorkExecution {
    LateWorkExecution(
      of: store,
      source: database,
      settings: configuration.stepSettings,
      copySettings: configuration.copySettings,
      interruption: interruption,
      onEvent: onEvent
    )
  }
}
