public import Diagnostics
public import RemodelKit

/// What a test of migrations fails by, besides what the migration itself throws.
public struct TestingError: DiagnosticError {
  /// What is wrong.
  public let fact: Fact

  /// What can be wrong.
  public enum Fact: Sendable {
    /// There is nothing at a path, seen from any of the folders that the test's file is in.
    case noModels(path: String, file: String)
    /// A database is not what its version says.
    case differs(VerificationReport)
    /// Databases at some versions do not come to the target, each for its reasons.
    case versionsFailed([FailedVersion], target: String)
    /// The rows have no column for a property.
    case noColumn(String, columns: [String])
    /// A value of a row is none of the type that is asked for.
    case notDecodable(String?, column: String, type: String)
  }

  /// A version that there is no way from.
  public struct FailedVersion: Sendable {
    /// The version.
    public let name: String
    /// The reasons.
    public let diagnostics: [Diagnostic]
  }

  init(_ fact: Fact) {
    self.fact = fact
  }
}
