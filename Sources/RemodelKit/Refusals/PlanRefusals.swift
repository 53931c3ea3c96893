public import MigrationPlanning

/// A statement of a plan that has a hazard which is denied.
public struct DeniedStatement: Hashable, Sendable {
  /// The hazard.
  public let hazard: Hazard
  /// The version that its step leads to; none if it leads nowhere, but cleans up.
  public let step: String?
  /// What the statement is for.
  public let reason: String
}

/// A statement of a plan that keeps writers waiting for longer than they may.
public struct BlockingStatement: Hashable, Sendable {
  /// The version that its step leads to.
  public let step: String
  /// What the statement is for that takes longest.
  public let reason: String
  /// The table that writers wait for.
  public let table: String
  /// For about how many seconds they wait.
  public let seconds: Double
  /// Whether the table waits for the end of a copy.
  public let isEndOfCopy: Bool
}
