/// An error that can be told to people.
public protocol DiagnosticError: Error, Sendable {
  /// Every complaint, in the order in which a reader wants them; never empty.
  var diagnostics: [Diagnostic] { get }
}
