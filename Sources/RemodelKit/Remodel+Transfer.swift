public import PostgresClient

extension Remodel {
  /// Migrates a store into another database, as `NSMigrationManager` migrates one store into
  /// another.
  ///
  /// The store is created in the destination at the version of the source, its rows are copied
  /// there out of one snapshot, table by table, and the steps to the target are taken there. The
  /// source is only read. If the migration is interrupted, another call continues it.
  ///
  /// Rows that are written to the source after the snapshot are not copied.
  ///
  /// - Parameters:
  ///   - source: The database of the store.
  ///   - destination: The other database, which has no such store, and whose schema is empty or
  ///     missing.
  ///   - version: The version; by default the current one.
  /// - Returns: The finished work.
  /// - Throws: A ``TransferFailure`` with the error of one of the databases, or the reason why the
  ///   target cannot be reached.
  public func migrate(
    _ source: ConnectionSource,
    into destination: ConnectionSource,
    to version: String? = nil
  ) async throws -> MigrationReport {
    try await TransferRun(call, from: source, into: destination, to: version).migrate()
  }

  /// Shows what a migration into another database would do, without changing anything.
  ///
  /// - Parameters:
  ///   - source: The database of the store.
  ///   - destination: The other database.
  ///   - version: The version; by default the current one.
  /// - Returns: The plan.
  /// - Throws: The reason why there is none.
  public func plan(
    _ source: ConnectionSource,
    into destination: ConnectionSource,
    to version: String? = nil
  ) async throws -> PlanReport {
    try await TransferRun(call, from: source, into: destination, to: version).plan()
  }
}
