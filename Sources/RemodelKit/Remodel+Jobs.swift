public import MigrationExecution
internal import MigrationPlanning
public import PostgresClient

extension Remodel {
  /// Returns the copy jobs of a store, the earliest first.
  public func jobs(_ database: ConnectionSource) async throws -> [CopyJob] {
    let store = try VersionCatalog(configuration).store
    return try await withLook(at: database, store) { _, connection in
      try CopyJob.all(of: store, connection)
    }
  }

  /// Tells what happened to a copy job.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - name: The beginning of the job's name; the latest job if there is none.
  /// - Returns: The job and its events.
  /// - Throws: That there is no such job, or what the server says.
  public func job(_ database: ConnectionSource, named name: String?) async throws -> JobReport {
    try await controlling(database, name, isWriting: false) { _, _, _ in }
  }

  /// Has a copy job wait between two of its transactions, or go on.
  ///
  /// A job that waits keeps what it has done, and goes on keeping track of what changes.
  public func setJobPaused(
    _ isPaused: Bool,
    _ database: ConnectionSource,
    named name: String?
  ) async throws -> JobReport {
    try await controlling(database, name) { control, job, connection in
      try control.setPaused(isPaused, job, connection)
    }
  }

  /// Takes back all that a copy job has made; the database is then as it was before the job.
  public func cancelJob(
    _ database: ConnectionSource,
    named name: String?
  ) async throws -> JobReport {
    try await controlling(database, name) { control, job, connection in
      try control.cancel(job, connection)
    }
  }

  private func controlling(
    _ database: ConnectionSource,
    _ name: String?,
    isWriting: Bool = true,
    _ body:
      @Sendable (CopyJobControl, CopyJob, borrowing PostgresConnection) throws -> Void
  ) async throws -> JobReport {
    let store = try VersionCatalog(configuration).store
    return try await withCall(to: database, store, isWriting: isWriting) { remodel, connection in
      let control = remodel.control(of: store)
      let job = try control.job(name, connection)
      let warning = isWriting ? try remodel.warnOfSuperuser(connection) : nil
      try body(control, job, connection)
      let found = try control.job(job.id, connection)
      return JobReport(
        job: found,
        events: try CopyJobEvent.all(of: found, in: store, connection),
        warnings: [warning].compactMap(\.self)
      )
    }
  }

  /// Returns control over the jobs of a store.
  func control(of store: StoreIdentity) -> CopyJobControl {
    CopyJobControl(
      of: store,
      settings: configuration.stepSettings,
      copySettings: configuration.copySettings,
      interruption: interruption
    )
  }
}
