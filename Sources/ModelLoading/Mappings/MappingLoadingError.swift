public import Diagnostics

/// Why a mapping model could not be loaded: everything that is wrong with its file.
public struct MappingLoadingError: DiagnosticError, Hashable {
  /// Every complaint in the order of the file, warnings included; at least one is an error.
  public var diagnostics: [Diagnostic]
  /// The source version as far as it is known; `nil` if the file cannot be read at all.
  public var source: MappedVersion?
  /// The destination version as far as it is known.
  public var destination: MappedVersion?

  init(
    _ diagnostics: [Diagnostic],
    source: MappedVersion? = nil,
    destination: MappedVersion? = nil
  ) {
    self.diagnostics = diagnostics
    self.source = source
    self.destination = destination
  }

  init(_ diagnostic: Diagnostic) {
    self.init([diagnostic])
  }
}
