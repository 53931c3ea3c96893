public import CatalogComparison
public import Diagnostics
public import MigrationExecution
public import MigrationPlanning

/// The result of `verify`.
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
  /// The progress of the creation, while the store is being created.
  public let creation: CreationProgress?
  /// The copy job that is not ended.
  public let job: CopyJob?
  /// A Boolean value that indicates whether something is left to do that a release relies on.
  public let isUnfinished: Bool
  /// The differences between the database and its recorded version.
  public let drift: [Drift]
  /// Objects that deferred work will still change.
  public let pending: [CatalogObject]
  /// The counts of rows that violate rules; `nil` if rows were not checked.
  public let findings: [PreconditionFinding]?
  /// The tables with new owners.
  public let ownerChanges: [OwnerChange]
  /// Other objects, which are not drift.
  public let bystanders: [Bystander]
  /// The kinds of tables that the model does not declare, by table.
  public let kinds: [String: TableKind]
  /// The number of objects that are compared with the model only.
  public let unrecordedCount: Int
  /// The major version of the server that the definitions were recorded on; none if none were.
  public let recordedMajor: Int?
  /// The major version of the server.
  public let serverMajor: Int
  /// The stores that may be this model's, under its former name, where it has none.
  public var warnings: [Diagnostic] = []

  /// A Boolean value that indicates whether there is a store without differences.
  public var isClean: Bool {
    version != nil && job == nil && !isUnfinished && drift.isEmpty
      && !(findings?.contains(where: \.isViolated) ?? false)
  }
}
