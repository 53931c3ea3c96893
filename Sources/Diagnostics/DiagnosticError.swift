/// An error with diagnostics for people.
public protocol DiagnosticError: Error, Sendable, CustomStringConvertible {
  /// Every complaint, in the order in which a reader wants them; never empty.
  var diagnostics: [Diagnostic] { get }
}

extension DiagnosticError {
  /// The diagnostics as `psql` prints them, for tests and logs.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}
