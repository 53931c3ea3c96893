internal import MigrationPlanning

/// A copy that takes many transactions, as the metadata has it.
public struct CopyJob: Hashable, Sendable {
  /// What a job is at.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The staging schema is there, and not every source is watched or guarded yet.
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
    /// What the job has made is being taken away.
    case aborting
    case aborted

    /// A Boolean value that indicates whether nothing is left to do.
    public var isEnded: Bool { self == .finished || self == .aborted }
  }

  /// How far it is.
  public struct Progress: Hashable, Sendable {
    /// The ranges that are copied.
    public var chunksDone: Int
    /// The ranges that are known; more come when the tables are reached.
    public var chunksTotal: Int
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

  /// What tells it from others.
  public let id: String
  /// The version that it starts from.
  public let source: String?
  /// The version that it leads to.
  public let target: String
  /// The digest of what it carries out.
  public let planDigest: String
  /// How it treats writers: `gated` or `online`.
  public let strategy: String
  /// What it is at.
  public internal(set) var state: State
  /// A Boolean value that indicates whether somebody has asked it to wait.
  public let isPaused: Bool
  /// How far it is.
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
  /// The digest of what it copies; none in metadata of an earlier layout.
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
