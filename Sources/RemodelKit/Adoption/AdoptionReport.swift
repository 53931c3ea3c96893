public import CatalogComparison
public import Diagnostics
public import MigrationExecution

/// What `adopt` did or found.
public struct AdoptionReport: Sendable {
  /// The outcomes of an adoption.
  public enum Outcome: String, Hashable, Sendable {
    /// The database is recorded to be at the version.
    case adopted
    /// It was at the version already.
    case unchanged
    /// It is as the version says; nothing was to be recorded.
    case matches
    /// It is not as the version says; nothing was recorded.
    case differs
  }

  /// The outcome.
  public internal(set) var outcome: Outcome
  /// The version.
  public let version: VersionReference
  /// The tables of the version.
  public let tables: [String]
  /// In what the tables are not what the version says.
  public let differences: [Drift]
  /// What is left alone, since no model has words for it or the version does not have it.
  public let unexpressed: [UnexpressedObject]
  /// What was checked of the rows, with the result.
  public let findings: [PreconditionFinding]
  /// The model, where it was made of the tables.
  public internal(set) var model: WrittenModel?
  /// What may not have been meant.
  public internal(set) var warnings: [Diagnostic]

  /// A model that was made of tables.
  public struct WrittenModel: Hashable, Sendable {
    /// The path of the bundle.
    public let path: String
    /// The file of the version.
    public let file: String
    /// Its text.
    public let text: String
    /// A Boolean value that indicates whether the file was there already, by an adoption that did not
    /// come to its end.
    public let wasThere: Bool
  }
}
