internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient

/// The context of one call.
struct RemodelCall: Sendable {
  var configuration: RemodelConfiguration
  /// Ends the call.
  var interruption: Interruption
  /// Gets the events.
  var onEvent: (@Sendable (MigrationEvent) -> Void)?
  /// The claim of one store among many.
  var claim: StoreClaim?
  /// The sessions that the stores of a database share one after the other, where there are many stores.
  var sessions: SessionPool?

  /// Returns the call with something else.
  func with(_ change: (inout RemodelCall) -> Void) -> RemodelCall {
    var call = self
    change(&call)
    return call
  }

  /// Returns a reader that waits for others who change the tables of a store meanwhile.
  func look(at store: StoreIdentity) -> PatientLook {
    PatientLook(at: store, configuration.stepSettings, interruption, onEvent: onEvent)
  }

  /// Warns, before the first write, of a superuser's session in a database with other owners.
  ///
  /// - Parameters:
  ///   - told: The earlier warnings.
  ///   - connection: The session.
  /// - Returns: The warning; `nil` if there is no new one.
  /// - Throws: The server's error.
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

  /// Tells what is going to be done.
  func tellPlan(
    of steps: [MigrationStep],
    sizes: TableSizes = [:],
    in store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) {
    guard let onEvent else { return }
    let forecast = PlanForecast(of: steps, sizes: sizes)
    onEvent(.runPlanned(RunPlan(steps, forecast, of: store, in: connection.databaseName)))
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

  /// Returns the execution of a store's deferred work.
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

  /// Adds the partitions that a store lacks by now, and retains those that are too old.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - record: Its record.
  ///   - retains: Whether old partitions are retained; without, partitions are only added.
  ///   - connection: A connection outside of a transaction.
  /// - Returns: The partitions that were added or retained.
  /// - Throws: The reason why that failed.
  func maintainPartitions(
    of store: StoreIdentity,
    _ record: StoreRecord,
    retaining retains: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> [PartitionChange] {
    let projection = try ModelProjection(
      MetadataStore(store).model(of: record, connection),
      schema: store.schema,
      isInterpreted: true
    )
    return try PartitionMaintenance(
      of: store,
      settings: configuration.stepSettings,
      copySettings: configuration.copySettings,
      interruption: interruption,
      onEvent: onEvent
    ).run(on: projection, at: record.versionName, retaining: retains, connection)
  }

  /// Returns the status of a store, with files that may be read already.
  func status(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog,
    looksForDrift: Bool
  ) async throws -> StatusReport {
    let target = try catalog.version(nil)
    return try await withLook(at: database, catalog.store) { call, connection in
      let view = try DatabaseView.settled(catalog, connection) { view, _ in view }
      var report = try StatusReport(view, target, connection)
      if looksForDrift, case .store = view.presence {
        report.drift = try call.look(at: catalog.store).run(connection) { connection in
          try VerificationRun(catalog: catalog, asksRows: false).report(connection).drift
        }
      }
      return report
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

  /// Runs a function that ends when its task is cancelled.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - store: The store, for the server's errors.
  ///   - isWriting: Whether the function writes the metadata.
  ///   - body: A function that gets the call with an interruption of its own, since several calls
  ///     may run at the same time.
  /// - Returns: What the body returns.
  /// - Throws: The function's error; a `CancellationError` if the task was cancelled.
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

  /// Runs a function that ends when its task is cancelled.
  ///
  /// - Parameter body: A function that gets the call with an interruption of its own, which the
  ///   cancellation of the task triggers.
  /// - Returns: What the body returns.
  /// - Throws: The function's error; a `CancellationError` if the task was cancelled.
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
      // After a signal, the sender expects the signal's error.
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
    let session =
      if let sessions {
        try await sessions.session(of: database, wait: configuration.wait)
      } else {
        try await PostgresSession.connect(to: database, wait: configuration.wait)
      }
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
    if let sessions { await sessions.keep(session, of: database) } else { await session.close() }
    return result
  }
}

extension Error {
  /// A Boolean value that indicates whether the error follows from an interruption.
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
