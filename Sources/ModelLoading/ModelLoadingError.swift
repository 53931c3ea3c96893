public import Diagnostics

/// Why a model could not be loaded: everything that is wrong with its file.
public struct ModelLoadingError: DiagnosticError, Hashable {
  /// The cause: the given path, or the files there.
  public enum Kind: Hashable, Sendable {
    /// There is no bundle at the path, or more than one: a faulty call.
    case noBundle
    /// The files are faulty or cannot be read.
    case invalid
  }

  /// The cause.
  public var kind: Kind
  /// Every complaint in the order of the file, warnings included; at least one is an error.
  public var diagnostics: [Diagnostic]

  /// Creates an error.
  package init(_ kind: Kind = .invalid, _ diagnostics: [Diagnostic]) {
    self.kind = kind
    self.diagnostics = diagnostics
  }

  init(_ diagnostic: Diagnostic) {
    self.init(.invalid, [diagnostic])
  }
}
