internal import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// A copy that takes many transactions, as the metadata has it.
public struct CopyJob: Hashable, Sendable {
  /// The state of a job.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The staging schema exists, and some sources have no triggers yet.
    case prepared
    case copying
    case indexing
    /// Rows that have changed since they were copied are copied again.
    case catchingUp = "catching_up"
    case verifying
    /// Only the last transaction is still to come.
    case ready
    /// The version is recorded and the tables are in their places; foreign keys are validated.
    case settling
    case finished
    /// The objects of the job are being removed.
    case aborting
    case aborted

    /// A Boolean value that indicates whether nothing is left to do.
    public var isEnded: Bool { self == .finished || self == .aborted }
  }

  /// The progress of a job.
  public struct Progress: Hashable, Sendable {
    /// The ranges that are copied.
    public var chunksDone: Int
    /// The ranges that are known; more come when the tables are reached.
    public var chunksTotal: Int
    /// The ranges that are compared with the expected rows.
    package var chunksVerified: Int
    /// The rows that were inserted.
    public var rowsCopied: Int
    /// How many rows a worker inserts in a second.
    public var rowsPerSecond: Int?
    /// How many seconds a worker still needs for the ranges that are known.
    public var remainingSeconds: Double?
    /// How many changes are still to be copied again.
    public var backlog: Int?
    /// How many foreign keys are still to be validated.
    public var unvalidatedCount: Int
  }

  /// The identifier of the job.
  public let id: String
  /// The version that it starts from.
  public let source: String?
  /// The version that it leads to.
  public let target: String
  /// The digest of its plan.
  public let planDigest: String
  /// Its treatment of writers: `gated` or `online`.
  public let strategy: String
  /// Its state.
  public internal(set) var state: State
  /// A Boolean value that indicates whether it is paused.
  public let isPaused: Bool
  /// Its progress.
  public let progress: Progress
  /// The role that works on it, or did.
  public let owner: String
  /// The server's process that works on it, or did.
  public let ownerPID: Int
  /// A Boolean value that indicates whether that process is still there.
  public let isOwnerConnected: Bool
  /// The error that it met last.
  public let lastError: String?
  /// When it began, as ISO 8601 in UTC.
  public let createdAt: String
  /// When it changed last.
  public let updatedAt: String
  /// When it ended.
  public let endedAt: String?

  /// A Boolean value that indicates whether writers are kept from the tables that it copies from.
  ///
  /// While it is being prepared or taken back, not all of them may be guarded.
  var isTurningWritersAway: Bool {
    guard strategy == CopyStrategy.gated.rawValue else { return false }
    return switch state {
    case .prepared, .copying, .indexing, .catchingUp, .verifying, .ready, .aborting: true
    case .settling, .finished, .aborted: false
    }
  }

  let stagingSchema: String
  /// The digest of the copy; `nil` in metadata of an earlier layout.
  let copyDigest: String?
  var epoch: Int
}

/// Something that happened to a job.
public struct CopyJobEvent: Hashable, Sendable {
  /// When, as ISO 8601 in UTC.
  public let happenedAt: String
  /// What.
  public let kind: String
  /// More about it.
  public let detail: String?
  /// Whose doing it was.
  public let role: String
}

extension CopyJob {
  /// Reads the jobs of a store, the earliest first; none if the metadata has none.
  ///
  /// As for every read of a store, the whole metadata is checked first.
  package static func all(
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> [CopyJob] {
    _ = try MetadataStore(store).presence(connection)
    return try read(CopyJobStatements(store).jobs(), of: store, connection)
  }

  /// Reads the job of a store that is not ended.
  package static func unfinished(
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJob? {
    try read(CopyJobStatements(store).unfinished, of: store, connection).first
  }

  /// Reads the same from metadata that was just checked.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - layout: The version of the metadata's layout; `nil` if there is no metadata.
  ///   - connection: The database.
  /// - Returns: The job; `nil` if there is none.
  /// - Throws: The server's error.
  package static func unfinished(
    of store: StoreIdentity,
    inCheckedLayout layout: Int?,
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJob? {
    guard let layout else { return nil }
    // Earlier layouts may lack a view.
    guard layout == MetadataSchema.layoutVersion else {
      return try unfinished(of: store, connection)
    }
    return try connection.query(CopyJobStatements(store).unfinished).first.map(CopyJob.init)
  }

  private static func read(
    _ sql: SQLFragment,
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> [CopyJob] {
    // Metadata of an earlier layout has no jobs, and a transaction may be open.
    let guarded = MetadataGuard(store: store, relations: MetadataRelation.ofJobs)
    guard try guarded.holds(connection) else {
      try MetadataStore(store).checkOwners(connection)
      return []
    }
    return try connection.query(sql).map(CopyJob.init)
  }

  private init(_ row: QueryResult.Row) throws {
    guard let id = row["id"], let target = row["to_version"], let digest = row["plan_digest"],
      let strategy = row["strategy"], let text = row["state"], let state = State(rawValue: text),
      let stagingSchema = row["staging_schema"], let epoch = row.integer("epoch")
    else { throw ExecutionError(.damagedMetadata("a copy job cannot be read")) }
    self.init(
      id: id,
      source: row["from_version"],
      target: target,
      planDigest: digest,
      strategy: strategy,
      state: state,
      isPaused: row.boolean("paused") == true,
      progress: Progress(
        chunksDone: row.integer("chunks_done") ?? 0,
        chunksTotal: row.integer("chunks_total") ?? 0,
        chunksVerified: row.integer("chunks_verified") ?? 0,
        rowsCopied: row.integer("rows_copied") ?? 0,
        rowsPerSecond: row.integer("rows_per_second"),
        remainingSeconds: row["remaining"].flatMap { Double($0) },
        backlog: row.integer("backlog"),
        unvalidatedCount: row.integer("unvalidated_constraints") ?? 0
      ),
      owner: row["owner"] ?? "",
      ownerPID: row.integer("owner_pid") ?? 0,
      isOwnerConnected: row.boolean("owner_is_connected") == true,
      lastError: row["last_error"],
      createdAt: row["created_at"] ?? "",
      updatedAt: row["updated_at"] ?? "",
      endedAt: row["ended_at"],
      stagingSchema: stagingSchema,
      copyDigest: row["copy_digest"],
      epoch: epoch
    )
  }
}

extension CopyJobEvent {
  /// Reads the events of a job, the earliest first.
  package static func all(
    of job: CopyJob,
    in store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> [CopyJobEvent] {
    try connection.query(CopyJobStatements(store).events(of: job.id)).map { row in
      CopyJobEvent(
        happenedAt: row["happened_at"] ?? "",
        kind: row["kind"] ?? "",
        detail: row["detail"],
        role: row["role"] ?? ""
      )
    }
  }
}
