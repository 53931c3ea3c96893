package import Diagnostics

/// There is no mapping that could be inferred; every reason why.
package struct InferenceError: DiagnosticError, Hashable {
  /// The reasons, in the order of the destination's entities; never empty.
  package let obstacles: [InferenceObstacle]

  /// A complaint for each reason.
  package var diagnostics: [Diagnostic] { obstacles.map(\.diagnostic) }
}
