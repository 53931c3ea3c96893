internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient

extension Remodel {
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

  func withSession<Result: Sendable>(
    _ database: ConnectionSource,
    _ store: StoreIdentity,
    _ body: @Sendable (borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await withCall(to: database, store) { _, connection in try body(connection) }
  }

  /// Reads from a database, and from the beginning again where the server restarts meanwhile.
  func withLook<Result: Sendable>(
    at database: ConnectionSource,
    _ store: StoreIdentity,
    _ body: @escaping @Sendable (Remodel, borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await withCall(to: database, store) { remodel, connection in
      var look = ResumableLook(
        resumption: Resumption(remodel, database),
        body: { connection in try body(remodel, connection) }
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
  ///   - body: Gets the front door as this call has it, with an interruption of its own: several calls
  ///     of one front door may run at the same time.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; a `CancellationError` if that is how the end of the task ends it.
  func withCall<Result: Sendable>(
    to database: ConnectionSource,
    _ store: StoreIdentity,
    isWriting: Bool = false,
    _ body: @Sendable (Remodel, borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await withInterruption { call in
      try await call.run(on: database, store, isWriting, body)
    }
  }

  /// Does something that ends with the task that it is called in.
  ///
  /// - Parameter body: Gets the front door with an interruption of its own, which comes with the end of
  ///   the task.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; a `CancellationError` if that is how the end of the task ends it.
  func withInterruption<Result: Sendable>(
    _ body: (Remodel) async throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let call = within(Interruption(within: interruption))
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

  private func within(_ interruption: Interruption) -> Remodel {
    var remodel = Remodel(configuration, interruption: interruption, onEvent: onEvent)
    remodel.claim = claim
    return remodel
  }

  private func run<Result: Sendable>(
    on database: ConnectionSource,
    _ store: StoreIdentity,
    _ isWriting: Bool,
    _ body: @Sendable (Remodel, borrowing PostgresConnection) throws -> Result
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
