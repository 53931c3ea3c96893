public import Diagnostics

/// There is no mapping that could be inferred; every reason why.
public struct InferenceError: DiagnosticError, Hashable {
  /// The reasons, in the order of the destination's entities; never empty.
  public let obstacles: [InferenceObstacle]

  /// A complaint for each reason.
  public var diagnostics: [Diagnostic] { obstacles.map(\.diagnostic) }
}
