public import Diagnostics

/// Why there are no stores where many were meant.
public struct TargetError: DiagnosticError, Hashable {
  /// What is wrong.
  public let fact: Fact

  /// What can be wrong.
  public enum Fact: Hashable, Sendable {
    /// There is no database among the targets.
    case noTargets
    /// No schema of a database is called like any of these.
    case noSchemas([String])
    /// The file of targets has faults, each with its place.
    case invalidFile([Diagnostic])
    /// A plan that was written down, and so is of one store, is to run in many.
    case planOfOneStore
  }

  package init(_ fact: Fact) {
    self.fact = fact
  }
}
