internal import Diagnostics
internal import MigrationExecution
public import PostgresClient

/// The result of `mark`.
public struct MarkReport: Hashable, Sendable {
  /// A Boolean value that indicates whether the database is for development now.
  public let isDevelopment: Bool
  /// A Boolean value that indicates whether it was something else before.
  public let isChanged: Bool
}

extension Remodel {
  /// Marks a database as one for development, or takes the mark away.
  ///
  /// Only on such a database can a version be migrated to while it is being written; see
  /// ``PlanSettings/isDraft``.
  ///
  /// - Parameters:
  ///   - database: The database, whose metadata is created if there is none.
  ///   - isDevelopment: Whether it is for development.
  /// - Returns: The mark.
  /// - Throws: The server's error, or that the metadata is not to be trusted.
  public func mark(
    _ database: ConnectionSource,
    asDevelopment isDevelopment: Bool
  ) async throws -> MarkReport {
    let store = try VersionCatalog(configuration).store
    return try await call.withDatabase(to: database, store, isWriting: true) { call, connection in
      let metadata = MetadataStore(store)
      let isInstalled = try metadata.presence(connection) != .noMetadata
      let layout = isInstalled ? try metadata.layoutVersion(connection) : nil
      let before = try metadata.marks(layout: layout, connection).isDevelopment
      guard before != isDevelopment else {
        return MarkReport(isDevelopment: isDevelopment, isChanged: false)
      }
      _ = try call.warnOfSuperuser(connection)
      if layout != MetadataStore.layoutVersion {
        try metadata.createOrUpgrade(connection, call.interruption)
      }
      try metadata.mark(asDevelopment: isDevelopment, connection, call.interruption)
      return MarkReport(isDevelopment: isDevelopment, isChanged: true)
    }
  }
}
