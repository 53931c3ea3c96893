public import Diagnostics
public import MigrationExecution
public import MigrationPlanning

/// What `cleanup` did, or would do.
public struct CleanupReport: Sendable {
  /// Something retained and what became of it.
  public struct Item: Hashable, Sendable {
    /// What is retained.
    public let entry: RetainedEntry
    /// What became of it, or would.
    public let fate: CleanupPlan.Fate
    /// How much of it there was.
    public let amount: RetainedInspection.Amount?
  }

  /// The version that the database is at; none if it is at none.
  public let version: VersionReference?
  /// A Boolean value that indicates whether nothing was done.
  public let isDryRun: Bool
  /// What was asked to go and what goes with it.
  public var items: [Item]
  /// The statements that were run, or would be.
  public var statements: [PlannedStatement]
  /// Why it may not be carried out; none if it may.
  public var refusal: RemodelError?
  /// What may not have been meant.
  public var warnings: [Diagnostic] = []

  /// A Boolean value that indicates whether something stays that was asked to go.
  public var isRefused: Bool {
    refusal != nil || items.contains { $0.refusal != nil }
  }

  /// What stays and why, and what was gone.
  public var diagnostics: [Diagnostic] {
    (refusal?.diagnostics ?? []) + warnings + items.compactMap { $0.refusal ?? $0.warning }
  }
}
