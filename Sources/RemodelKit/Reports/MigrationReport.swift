public import Diagnostics
public import MigrationExecution
public import MigrationPlanning

/// The result of `migrate`.
public struct MigrationReport: Hashable, Sendable {
  /// The outcome of a migration.
  public enum Outcome: String, Hashable, Sendable {
    /// An empty schema got the target's tables.
    case created
    /// The database was brought to the target.
    case migrated
    /// The last migration, or several, were taken back.
    case reverted
    /// The rows of another database are in this one, which is at the target.
    case transferred
    /// The database serves the version that it was at already.
    case served
    /// The database was at the target already.
    case unchanged
  }

  /// One step that was taken.
  public struct Step: Hashable, Sendable {
    /// The version that it started from; none if it filled an empty schema.
    public let source: String?
    /// The version that it led to.
    public let destination: String
    /// How many statements it ran.
    public let statementCount: Int
    /// How long it took, waiting included.
    public let duration: Duration
    /// The digest of the step.
    public let digest: String
    /// The objects that it retained because the destination does not have them.
    public let retained: [RetainedObject]
  }

  /// The outcome.
  public var outcome: Outcome
  /// The version that the database was at.
  public var source: VersionReference?
  /// The version that it is at now.
  public var target: VersionReference
  /// The steps that were taken.
  public var steps: [Step]
  /// The deferred work for `finish`.
  public var pending: [PendingWork] = []
  /// The rows that came from another database; `nil` if none did.
  public var transfer: TransferReport?
  /// A Boolean value that indicates whether the database is at another version, and serves the target beside
  /// it.
  public var isServed = false
  /// The warnings.
  public var warnings: [Diagnostic]
}

/// The result of `finish`.
public struct FinishReport: Hashable, Sendable {
  /// The version that the database is at; none if it is at none.
  public let version: VersionReference?
  /// The finished work, in order.
  public let done: [DeferredWorkExecution.Done]
  /// The work that is left, because the call was to do no more.
  public let left: [PendingWork]
  /// The partitions that were added or retained.
  public let partitions: [PartitionChange]
  /// The warnings.
  public let warnings: [Diagnostic]
}

/// The result of `job show`.
public struct JobReport: Hashable, Sendable {
  /// The job.
  public let job: CopyJob
  /// Its events, the earliest first.
  public let events: [CopyJobEvent]
  /// The warnings.
  public let warnings: [Diagnostic]
}
