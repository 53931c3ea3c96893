/// An error that can be told to people.
public protocol DiagnosticError: Error, Sendable, CustomStringConvertible {
  /// Every complaint, in the order in which a reader wants them; never empty.
  var diagnostics: [Diagnostic] { get }
}

extension DiagnosticError {
  /// The complaints as `psql` prints them: what a test or a log shows of the error.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}
