public import Diagnostics
public import RemodelKit

/// The failures of a migration test, besides the errors of the migration itself.
public struct TestingError: DiagnosticError {
  /// The fault.
  public let fact: Fact

  /// The faults.
  public enum Fact: Sendable {
    /// There is nothing at a path, seen from any of the folders that the test's file is in.
    case noModels(path: String, file: String)
    /// A database differs from its version.
    case differs(VerificationReport)
    /// Migrations from some versions to the target failed, each for its reasons.
    case versionsFailed([FailedVersion], target: String)
    /// The rows have no column for a property.
    case noColumn(String, columns: [String])
    /// A value cannot be decoded as the requested type.
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
