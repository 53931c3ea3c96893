public import MigrationExecution
public import PostgresClient

/// A running migration, with a stream of its events.
///
/// ```swift
/// let migration = remodel.migration(of: .url(url))
/// for await event in migration.events { logger.info("\(event)") }
/// let report = try await migration.report
/// ```
///
/// It runs whether or not its events are read, until it ends or is cancelled.
public final class Migration: Sendable {
  /// The events, for one reader; the sequence ends with the migration.
  ///
  /// The migration never waits for the reader. The last 1,024 events are kept for a slow reader,
  /// and earlier ones are dropped.
  public let events: AsyncStream<MigrationEvent>

  private let task: Task<MigrationReport, any Error>

  init(
    _ body:
      @escaping @Sendable (AsyncStream<MigrationEvent>.Continuation) async throws -> MigrationReport
  ) {
    let (events, continuation) = AsyncStream.makeStream(
      of: MigrationEvent.self,
      bufferingPolicy: .bufferingNewest(1_024)
    )
    self.events = events
    task = Task {
      defer { continuation.finish() }
      return try await body(continuation)
    }
  }

  /// The result, when the migration has ended.
  ///
  /// Cancelling the task that waits for it cancels the migration.
  ///
  /// - Throws: The reason why the target was not reached; a `CancellationError` if the migration
  ///   was cancelled.
  public var report: MigrationReport {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Ends the migration in order: the statement that runs is cancelled and its transaction rolled back.
  ///
  /// The database is then as it was, or at a point that another migration continues from.
  public func cancel() {
    task.cancel()
  }
}

extension Remodel {
  /// Starts a migration of a database to the current version, or to another one.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version; by default the current one.
  ///   - plan: The approved plan, if one is required: no other plan runs.
  /// - Returns: The running migration.
  public func migration(
    of database: ConnectionSource,
    to version: String? = nil,
    approved plan: ApprovedPlan? = nil
  ) -> Migration {
    Migration { continuation in
      let remodel = Remodel(configuration, interruption: call.interruption) { event in
        continuation.yield(event)
        call.onEvent?(event)
      }
      return try await remodel.migrate(database, to: version, approved: plan)
    }
  }
}
