public import CatalogComparison
public import Diagnostics
public import MigrationExecution
public import MigrationPlanning

/// The result of `adopt`.
public struct AdoptionReport: Sendable {
  /// The outcomes of an adoption.
  public enum Outcome: String, Hashable, Sendable {
    /// The database is recorded to be at the version.
    case adopted
    /// It was at the version already.
    case unchanged
    /// It equals the version, and was not to be recorded.
    case matches
    /// It differs from the version, and was not recorded.
    case differs
  }

  /// The outcome.
  public internal(set) var outcome: Outcome
  /// The version.
  public let version: VersionReference
  /// The tables of the version.
  public let tables: [String]
  /// The differences between the tables and the version.
  public let differences: [Drift]
  /// The objects left alone, since no model can describe them or the version does not have them.
  public let unexpressed: [UnexpressedObject]
  /// The kinds of tables that the model does not declare, by table.
  public let kinds: [String: TableKind]
  /// The results of checking the rows.
  public let findings: [PreconditionFinding]
  /// The model, if it was derived from the tables.
  public internal(set) var model: WrittenModel?
  /// The warnings.
  public internal(set) var warnings: [Diagnostic]

  /// A model derived from tables.
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
