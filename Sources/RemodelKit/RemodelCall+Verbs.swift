internal import MigrationExecution
internal import PostgresClient

/// What is done to one store, be it the only one or one of many.
extension RemodelCall {
  func verify(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog,
    asksRows: Bool
  ) async throws -> VerificationReport {
    try await withLook(at: database, catalog.store) { call, connection in
      try call.look(at: catalog.store).run(connection) { connection in
        try VerificationRun(catalog: catalog, asksRows: asksRows).report(connection)
      }
    }
  }

  func revert(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog,
    to version: String?,
    acceptingLosses acceptsLosses: Bool
  ) async throws -> MigrationReport {
    try await withDatabase(to: database, catalog.store, isWriting: true) { call, connection in
      var run = ReturnRun(call, catalog, database, to: version)
      run.acceptsLosses = acceptsLosses
      return try run.run(connection)
    }
  }

  func cleanUp(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog,
    _ selection: CleanupSelection,
    isDryRun: Bool
  ) async throws -> CleanupReport {
    try await withDatabase(to: database, catalog.store, isWriting: true) { call, connection in
      var cleanup = CleanupRun(call, catalog, database, selection)
      return try isDryRun ? cleanup.show(connection) : cleanup.run(connection)
    }
  }

  func finish(
    _ database: ConnectionSource,
    _ store: StoreIdentity,
    upTo allowance: DeferredWorkExecution.Allowance
  ) async throws -> FinishReport {
    try await withDatabase(to: database, store, isWriting: true) { call, connection in
      var run = FinishRun(call, store, database, allowance)
      return try run.run(connection)
    }
  }

  func jobs(_ database: ConnectionSource, _ store: StoreIdentity) async throws -> [CopyJob] {
    try await withLook(at: database, store) { _, connection in
      try CopyJob.all(of: store, connection)
    }
  }
}
