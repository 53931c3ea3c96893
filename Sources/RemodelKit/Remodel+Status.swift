public import MigrationExecution
public import PostgresClient

extension Remodel {
  /// Tells what a database is at and what is still to come.
  public func status(_ database: ConnectionSource) async throws -> StatusReport {
    try await status(database, VersionCatalog(configuration))
  }

  /// Tells the same by files that may be read already.
  func status(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog
  ) async throws -> StatusReport {
    let target = try catalog.version(nil)
    return try await withLook(at: database, catalog.store) { _, connection in
      let view = try DatabaseView(catalog, connection)
      return StatusReport(view, target, connection)
    }
  }

  /// Returns the audit log of a store, the earliest entry first.
  public func history(_ database: ConnectionSource) async throws -> [HistoryEntry] {
    let catalog = try VersionCatalog(configuration)
    return try await withLook(at: database, catalog.store) { _, connection in
      let metadata = MetadataStore(catalog.store)
      if try metadata.presence(connection) == .noMetadata { return [] }
      return try metadata.history(connection)
    }
  }
}
