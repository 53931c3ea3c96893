internal import MigrationExecution
internal import PostgresClient
internal import SQLSyntax
internal import Synchronization

/// The records of the stores of databases, which one query reads for all stores of a database.
final class StoreRecords: Sendable {
  /// What one query has found.
  struct Look: Sendable {
    let database: DatabaseIdentity
    let records: [SQLIdentifier: StoreRecord]
  }

  private struct Entry {
    let look: Task<Look?, Never>
    let begin: ContinuousClock.Instant
  }

  /// For how long a record tells of its store; others may migrate stores at the same time.
  private static let lifetime = Duration.seconds(2)

  private let entries = Mutex<[ConnectionSource: Entry]>([:])

  /// Returns what a query has found in the last seconds.
  ///
  /// - Parameters:
  ///   - call: A call that shares sessions.
  ///   - catalog: The versions of a store.
  ///   - database: The database of the store.
  /// - Returns: What was found; `nil` if the database has to be asked store by store.
  func look(
    _ call: RemodelCall,
    _ catalog: VersionCatalog,
    at database: ConnectionSource
  ) async -> Look? {
    let now = ContinuousClock.now
    let look = entries.withLock { entries in
      if let entry = entries[database], now - entry.begin < Self.lifetime { return entry.look }
      var hasty = call
      hasty.claim = nil
      // The work on a store waits for a server that does not answer.
      hasty.configuration.wait = .zero
      let look = Task { [hasty] in
        try? await hasty.withDatabase(to: database, catalog.store) { _, connection in
          try MetadataStore(catalog.store).records(connection).map {
            Look(database: try DatabaseIdentity(connection), records: $0)
          }
        }
      }
      entries[database] = Entry(look: look, begin: now)
      return look
    }
    return await withTaskCancellationHandler {
      await look.value
    } onCancel: {
      look.cancel()
    }
  }
}
