internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient

/// What one call of the front door works with.
struct RemodelCall: Sendable {
  /// What to go by.
  var configuration: RemodelConfiguration
  /// Ends the call.
  var interruption: Interruption
  /// Is told what happens.
  var onEvent: (@Sendable (MigrationEvent) -> Void)?
  /// What the work on one store of many begins with.
  var claim: StoreClaim?

  /// Returns the call with something else.
  func with(_ change: (inout RemodelCall) -> Void) -> RemodelCall {
    var call = self
    change(&call)
    return call
  }

  /// Returns what waits for those who change the tables of a store while it is looked at.
  func look(at store: StoreIdentity) -> PatientLook {
    PatientLook(at: store, configuration.stepSettings, interruption, onEvent: onEvent)
  }

  /// Warns, before something is written, of a session that may do anything in a database of others.
  ///
  /// - Parameters:
  ///   - told: What was warned of already.
  ///   - connection: The session.
  /// - Returns: The warning; none if there is nothing to warn of that was not told.
  /// - Throws: What the server says.
  func warnOfSuperuser(
    unlessIn told: [Diagnostic] = [],
    _ connection: borrowing PostgresConnection
  ) throws -> Diagnostic? {
    guard let warning = try SuperuserWarning.diagnostic(connection), !told.contains(warning) else {
      return nil
    }
    onEvent?(.warned(warning))
    return warning
  }

  /// Does something while the session has the migration lock of a store.
  func holdingMigrationLock<Result>(
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    try MigrationLock.holding(
      of: store,
      TransactionRunner(interruption: interruption, onEvent: onEvent),
      within: configuration.stepSettings.waitForMigrationLock,
      silence: configuration.copySettings.silence,
      connection,
      body
    )
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

  /// Tells what a store is at, by files that may be read already.
  func status(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog
  ) async throws -> StatusReport {
    let target = try catalog.version(nil)
    return try await withLook(at: database, catalog.store) { _, connection in
      try DatabaseView.settled(catalog, connection) { view, connection in
        StatusReport(view, target, connection)
      }
    }
  }

  /// Does something to a copy job, and reports its new state.
  func controlling(
    _ database: ConnectionSource,
    _ name: String?,
    isWriting: Bool = true,
    _ body:
      @Sendable (CopyJobControl, CopyJob, borrowing PostgresConnection) throws -> Void
  ) async throws -> JobReport {
    let store = try VersionCatalog(configuration).store
    return try await withDatabase(to: database, store, isWriting: isWriting) {
      call,
      connection in
      let control = call.control(of: store)
      let job = try control.job(name, connection)
      let warning = isWriting ? try call.warnOfSuperuser(connection) : nil
      try body(control, job, connection)
      let found = try control.job(job.id, connection)
      return JobReport(
        job: found,
        events: try CopyJobEvent.all(of: found, in: store, connection),
        warnings: [warning].compactMap(\.self)
      )
    }
  }

  func withSession<Result: Sendable>(
    _ database: ConnectionSource,
    _ store: StoreIdentity,
    _ body: @Sendable (borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await withDatabase(to: database, store) { _, connection in try body(connection) }
  }

  /// Reads from a database, and from the beginning again where the server restarts meanwhile.
  func withLook<Result: Sendable>(
    at database: ConnectionSource,
    _ store: StoreIdentity,
    _ body: @escaping @Sendable (RemodelCall, borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await withDatabase(to: database, store) { call, connection in
      var look = ResumableLook(
        resumption: Resumption(call, database),
        body: { connection in try body(call, connection) }
      )
      return try look.run(connection)
    }
  }

  /// Does something that ends with the task that it is called in.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - store: The store, for what the server complains about.
  ///   - isWriting: Whether the metadata is written to.
  ///   - body: Gets the call with an interruption of its own: several calls of one front door may run
  ///     at the same time.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; a `CancellationError` if that is how the end of the task ends it.
  func withDatabase<Result: Sendable>(
    to database: ConnectionSource,
    _ store: StoreIdentity,
    isWriting: Bool = false,
    _ body: @Sendable (RemodelCall, borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await withInterruption { call in
      try await call.run(on: database, store, isWriting, body)
    }
  }

  /// Does something that ends with the task that it is called in.
  ///
  /// - Parameter body: Gets the call with an interruption of its own, which is triggered by the end of
  ///   the task.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; a `CancellationError` if that is how the end of the task ends it.
  func withInterruption<Result: Sendable>(
    _ body: (RemodelCall) async throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let call = with { $0.interruption = Interruption(within: interruption) }
    do {
      return try await withTaskCancellationHandler {
        try await body(call)
      } onCancel: {
        call.interruption.interrupt(signal: Interruption.taskCancellation)
      }
    } catch {
      // Who has sent a signal is told of that.
      guard Task.isCancelled, interruption.signal == nil, error.isOfInterruption else {
        throw error
      }
      throw CancellationError()
    }
  }

  private func run<Result: Sendable>(
    on database: ConnectionSource,
    _ store: StoreIdentity,
    _ isWriting: Bool,
    _ body: @Sendable (RemodelCall, borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    let session = try await PostgresSession.connect(to: database, wait: configuration.wait)
    let result: Result
    do {
      result = try await session.run { connection in
        interruption.watch(connection.canceller)
        defer { interruption.watch(nil) }
        do {
          try claim?.make(connection)
          return try body(self, connection)
        } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
          if connection.transactionStatus == .idle {
            try ReadinessInspection(store, metadataLayout: nil)
              .checkAccess(isWriting: isWriting, connection)
          }
          throw error
        }
      }
    } catch let error as PostgresError where error.kind == .server || error.kind == .connectionLost
    {
      await session.close()
      throw ExecutionError(error, in: store)
    } catch {
      await session.close()
      throw error
    }
    await session.close()
    return result
  }
}

extension Error {
  /// A Boolean value that indicates whether it is how something ends that is told to end.
  var isOfInterruption: Bool {
    switch self {
    case let error as ExecutionError:
      if case .interrupted = error.fact {
        true
      } else if case .statementFailed(let error, _) = error.fact {
        error.sqlState == .queryCanceled
      } else {
        false
      }
    case let error as PostgresError: error.isServerNotReady
    default: false  // Errors are no closed set.
    }
  }
}
