public import MigrationPlanning

/// The result of `mapping infer`.
public struct InferenceReport: Sendable {
  /// The version before.
  public let source: VersionReference
  /// The version after.
  public let target: VersionReference
  /// The step of the mapping.
  public let step: MigrationStep
}
