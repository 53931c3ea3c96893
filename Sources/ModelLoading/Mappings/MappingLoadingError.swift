public import Diagnostics

/// Why a mapping model could not be loaded: everything that is wrong with its file.
public struct MappingLoadingError: DiagnosticError, Hashable {
  /// Every complaint in the order of the file, warnings included; at least one is an error.
  public var diagnostics: [Diagnostic]
  /// What could be told of the version before; nothing if the file could not be read at all.
  public var source: MappedVersion?
  /// What could be told of the version after.
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
