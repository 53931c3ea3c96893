public import ModelMapping

/// A mapping model between two versions that no file holds.
public struct VersionMapping: Hashable, Sendable {
  /// The version that the rows are at.
  public var source: String
  /// The version that they are to be at.
  public var destination: String
  /// The mapping model, which inference completes.
  public var mappingModel: MappingModel

  /// Creates a mapping.
  public init(from source: String, to destination: String, _ mappingModel: MappingModel) {
    self.source = source
    self.destination = destination
    self.mappingModel = mappingModel
  }
}

extension ModelBundle {
  /// The mapping models of models that are at hand.
  package var mappings: [LoadedMapping] {
    switch content {
    case .models(_, let mappings): mappings
    case .files, .parts, .combination: []
    }
  }
}

extension VersionMapping {
  /// The mapping as if a file had it.
  var loaded: LoadedMapping {
    let name = "\(source)-\(destination)"
    return LoadedMapping(
      name: name,
      path: name,
      source: MappedVersion(name: source),
      destination: MappedVersion(name: destination),
      mappingModel: mappingModel,
      locations: MappingLocations(of: SourceText(path: name, bytes: []), offsets: [:]),
      holes: [],
      warnings: []
    )
  }
}
