internal import Diagnostics
internal import ModelLoading
internal import ModelMapping
internal import ObjectModel

/// Checks mapping models against their versions and gathers what is wrong.
struct MappingValidation {
  private let catalog: VersionCatalog
  private(set) var names: [String] = []
  private(set) var complaints: [Diagnostic] = []
  private(set) var warnings: [Diagnostic] = []

  init(_ catalog: VersionCatalog) {
    self.catalog = catalog
  }

  /// Checks a mapping model.
  ///
  /// - Parameters:
  ///   - entry: The mapping model.
  ///   - isNeeded: Whether it is an error if its versions are not there; else it is a warning.
  mutating func check(_ entry: MappingCatalog.Entry, isNeeded: Bool) {
    names.append(entry.file.name)
    do {
      let mapping = try entry.outcome.get()
      guard let source = entry.source, let destination = entry.destination else {
        for var stranger in mapping.strangers(entry, among: catalog.bundle) {
          if isNeeded { stranger.severity = .error }
          note(stranger)
        }
        // Others may have a use for it; whoever asks for it wants to know all.
        if isNeeded { complaints += holes(of: mapping) }
        return
      }
      warnings += mapping.warnings
      try mapping.checkChecksums(entry, catalog)
      let models = (
        source: try catalog.load(source).model, destination: try catalog.load(destination).model
      )
      let found = mapping.mappingModel.complaints(from: models.source, to: models.destination)
      let all =
        found.map {
          $0.diagnostic(in: mapping.mappingModel, at: mapping.locations.location(of: $0.element))
        } + holes(of: mapping)
      for diagnostic in all.sorted(by: { $0.isBefore($1) }) { note(diagnostic) }
    } catch {
      complaints += (error as? any DiagnosticError)?.diagnostics ?? [Diagnostic("\(error)")]
    }
  }

  private func holes(of mapping: LoadedMapping) -> [Diagnostic] {
    mapping.openHoles().map {
      $0.diagnostic(in: mapping.mappingModel, at: mapping.locations.location(of: $0.element))
    }
  }

  private mutating func note(_ diagnostic: Diagnostic) {
    switch diagnostic.severity {
    case .error: complaints.append(diagnostic)
    case .warning: warnings.append(diagnostic)
    }
  }
}

extension Diagnostic {
  fileprivate func isBefore(_ other: Diagnostic) -> Bool {
    (location?.line ?? 0, location?.column ?? 0)
      < (other.location?.line ?? 0, other.location?.column ?? 0)
  }
}
