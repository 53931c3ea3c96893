package import MigrationExecution
package import PostgresClient

/// The audit log of a store, and where it was read.
package struct AuditLog: Sendable {
  /// Where the log was read.
  package struct Place: Hashable, Sendable {
    /// The database, and the role that read it.
    package let origin: PlanOrigin
    /// The schema of the store.
    package let schema: String
  }

  /// The entries, the earliest first.
  package let entries: [HistoryEntry]
  package let place: Place
}

extension Remodel {
  /// Returns the audit log of a store, and where it was read.
  package func auditLog(_ database: ConnectionSource) async throws -> AuditLog {
    let catalog = try VersionCatalog(configuration)
    return try await call.withLook(at: database, catalog.store) { _, connection in
      let metadata = MetadataStore(catalog.store)
      let isEmpty = try metadata.presence(connection) == .noMetadata
      return AuditLog(
        entries: isEmpty ? [] : try metadata.history(connection),
        place: AuditLog.Place(
          origin: try PlanOrigin(connection),
          schema: catalog.store.schema.name
        )
      )
    }
  }
}
