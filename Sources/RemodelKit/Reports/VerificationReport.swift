public import CatalogComparison
public import MigrationExecution

/// What `verify` found.
public struct VerificationReport: Sendable {
  /// The table of an entity whose owner is another role than when the version was recorded.
  public struct OwnerChange: Hashable, Sendable {
    /// The table.
    public let table: String
    /// Who owned it.
    public let recorded: String
    /// Who owns it.
    public let owner: String
  }

  /// The version that the database is at; none if the schema is empty or the store being created.
  public let version: VersionReference?
  /// How far the creation is, while the store is being created.
  public let creation: CreationProgress?
  /// The copy job that is not ended.
  public let job: CopyJob?
  /// A Boolean value that indicates whether something is left to do that a release relies on.
  public let isUnfinished: Bool
  /// In what the database is not what its recorded version says.
  public let drift: [Drift]
  /// What is not yet what it will be when work is done that is known of.
  public let pending: [CatalogObject]
  /// What was asked of the rows, and what they answered; none if they were not asked.
  public let findings: [PreconditionFinding]?
  /// The tables with new owners.
  public let ownerChanges: [OwnerChange]
  /// What there is besides, which is nobody's drift.
  public let bystanders: [Bystander]
  /// How many objects are compared by no more than what the model says of them.
  public let unrecordedCount: Int
  /// The major version of the server that the definitions were recorded on; none if none were.
  public let recordedMajor: Int?
  /// The major version of the server.
  public let serverMajor: Int

  /// A Boolean value that indicates whether there is a store, with nothing to be said against it.
  public var isClean: Bool {
    version != nil && job == nil && !isUnfinished && drift.isEmpty
      && !(findings?.contains(where: \.isViolated) ?? false)
  }
}
