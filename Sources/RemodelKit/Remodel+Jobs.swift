internal import Diagnostics
public import MigrationExecution
public import PostgresClient

extension Remodel {
  /// Returns the copy jobs of a store, the earliest first.
  public func jobs(_ database: ConnectionSource) async throws -> [CopyJob] {
    try await call.jobs(database, VersionCatalog(configuration).store)
  }

  /// Returns the copy jobs of many stores, the earliest of each first.
  public func jobs(
    _ targets: MigrationTargets,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<[CopyJob]> {
    let catalog = try VersionCatalog(configuration)
    return try await call.report(of: targets, catalog, warnings: [], onTargetEvent) {
      call,
      catalog,
      target in
      try await call.jobs(target.database, catalog.store)
    }
  }

  /// Returns a copy job and its events.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - name: A prefix of the job's name; by default the latest job.
  /// - Returns: The job and its events.
  /// - Throws: An error if there is no such job, or the server's error.
  public func job(_ database: ConnectionSource, named name: String?) async throws -> JobReport {
    let store = try VersionCatalog(configuration).store
    return try await call.withDatabase(to: database, store, isWriting: false) { call, connection in
      try JobReport(try call.control(of: store).job(name, connection), of: store, connection)
    }
  }

  // MARK: - Changing jobs

  /// Pauses a copy job between two of its transactions, or resumes it.
  ///
  /// A paused job keeps its finished work, and continues to capture changes.
  public func setJobPaused(
    _ isPaused: Bool,
    _ database: ConnectionSource,
    named name: String?
  ) async throws -> JobReport {
    try await changed(database, name, Self.pausing(isPaused))
  }

  /// Pauses or resumes the unfinished copy job of each store.
  ///
  /// - Parameters:
  ///   - isPaused: Whether to pause the jobs.
  ///   - targets: The stores.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The job of each store; `nil` for a store without an unfinished one.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func setJobsPaused(
    _ isPaused: Bool,
    _ targets: MigrationTargets,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<JobReport?> {
    try await changed(targets, onTargetEvent, Self.pausing(isPaused))
  }

  /// Cancels a copy job and removes its objects; the database is then as it was before the job.
  public func cancelJob(
    _ database: ConnectionSource,
    named name: String?
  ) async throws -> JobReport {
    try await changed(database, name, Self.cancelling)
  }

  /// Cancels the unfinished copy job of each store.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The job of each store; `nil` for a store without an unfinished one.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func cancelJobs(
    _ targets: MigrationTargets,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<JobReport?> {
    try await changed(targets, onTargetEvent, Self.cancelling)
  }

  // MARK: - Actions

  private static func pausing(_ isPaused: Bool) -> JobAction {
    { control, job, connection in try control.setPaused(isPaused, job, connection) }
  }

  private static let cancelling: JobAction = { control, job, connection in
    try control.cancel(job, connection)
  }

  private func changed(
    _ database: ConnectionSource,
    _ name: String?,
    _ action: @escaping JobAction
  ) async throws -> JobReport {
    let store = try VersionCatalog(configuration).store
    return try await call.withDatabase(to: database, store, isWriting: true) { call, connection in
      let job = try call.control(of: store).job(name, connection)
      return try call.changed(job, of: store, action, connection)
    }
  }

  private func changed(
    _ targets: MigrationTargets,
    _ onTargetEvent: (@Sendable (TargetEvent) -> Void)?,
    _ action: @escaping JobAction
  ) async throws -> TargetsReport<JobReport?> {
    let catalog = try VersionCatalog(configuration)
    return try await call.report(of: targets, catalog, warnings: [], onTargetEvent) {
      call,
      catalog,
      target in
      let store = catalog.store
      return try await call.withDatabase(to: target.database, store, isWriting: true) {
        call,
        connection in
        guard let job = try call.control(of: store).unfinishedJob(connection) else { return nil }
        do {
          return try call.changed(job, of: store, action, connection)
        } catch let error as ExecutionError {
          // It has ended meanwhile, or is being taken back.
          if case .jobEnded = error.fact { return nil }
          throw error
        }
      }
    }
  }
}

private typealias JobAction =
  @Sendable (CopyJobControl, CopyJob, borrowing PostgresConnection) throws -> Void

extension RemodelCall {
  /// Does something to a copy job, and reports its new state.
  fileprivate func changed(
    _ job: CopyJob,
    of store: StoreIdentity,
    _ action: JobAction,
    _ connection: borrowing PostgresConnection
  ) throws -> JobReport {
    let control = control(of: store)
    let warning = try warnOfSuperuser(connection)
    try action(control, job, connection)
    return try JobReport(
      try control.job(job.id, connection),
      of: store,
      warnings: [warning].compactMap(\.self),
      connection
    )
  }
}

extension JobReport {
  /// Reads the events of a job.
  fileprivate init(
    _ job: CopyJob,
    of store: StoreIdentity,
    warnings: [Diagnostic] = [],
    _ connection: borrowing PostgresConnection
  ) throws {
    self.init(
      job: job,
      events: try CopyJobEvent.all(of: job, in: store, connection),
      warnings: warnings
    )
  }
}
