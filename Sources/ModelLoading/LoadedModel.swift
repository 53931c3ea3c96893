public import Diagnostics
public import ObjectModel

/// A model from a file, validated.
public struct LoadedModel: Sendable {
  /// The model.
  public let model: ManagedObjectModel
  /// The versions that it was made from, as the file says: several after a merge.
  public let bases: [VersionBase]
  /// The locations of its parts in the file.
  package let locations: ModelLocations
  /// The warnings, in the order of the file.
  public let warnings: [Diagnostic]
  /// A Boolean value that indicates whether the model is one of Xcode's, whose odd parts are interpreted
  /// where those of other models are refused.
  package var isInterpreted = false
  /// A digest of the bytes that it was read from; `nil` if it is of no single file.
  package var fileDigest: String?
}

/// A reader's result for a file, before validation.
struct ModelDraft {
  var model: ManagedObjectModel
  var bases: [VersionBase] = []
  var offsets: [ModelElement: Int]
  var diagnostics: [Diagnostic]

  /// Returns the model if neither the reader nor validation found an error in it.
  func validated(in source: SourceText) throws(ModelLoadingError) -> LoadedModel {
    try loaded(model, model.complaints(), offsets, diagnostics, in: source)
  }

  /// Returns the model with its odd parts interpreted, if no other errors are in it.
  func interpreted(in source: SourceText) throws(ModelLoadingError) -> LoadedModel {
    let interpretation = ModelInterpretation(model)
    let places = ModelLocations(of: source, offsets: offsets)
    let oddities = interpretation.oddities.map { $0.warning(at: places.location(of: $0.element)) }
    var loaded = try loaded(
      interpretation.model,
      interpretation.complaints,
      interpretation.moved(offsets),
      diagnostics + oddities,
      in: source
    )
    loaded.isInterpreted = true
    return loaded
  }

  private func loaded(
    _ model: ManagedObjectModel,
    _ complaints: [ModelComplaint],
    _ offsets: [ModelElement: Int],
    _ diagnostics: [Diagnostic],
    in source: SourceText
  ) throws(ModelLoadingError) -> LoadedModel {
    let locations = ModelLocations(of: source, offsets: offsets)
    let complaints = complaints.map {
      $0.diagnostic(in: model, at: locations.location(of: $0.element))
    }
    let all = (diagnostics + complaints).enumerated().sorted { first, second in
      Self.order(first.element, first.offset) < Self.order(second.element, second.offset)
    }
    .map(\.element)
    guard !all.contains(where: { $0.severity == .error }) else {
      throw ModelLoadingError(.invalid, all)
    }
    return LoadedModel(model: model, bases: bases, locations: locations, warnings: all)
  }

  private static func order(_ diagnostic: Diagnostic, _ position: Int) -> (Int, Int, Int) {
    (diagnostic.location?.line ?? 0, diagnostic.location?.column ?? 0, position)
  }
}
