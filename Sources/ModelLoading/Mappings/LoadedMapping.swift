public import Diagnostics
public import ModelMapping

/// A mapping model from a file, not completed by inference.
public struct LoadedMapping: Sendable {
  /// The name: that of the file, without its extensions.
  public let name: String
  /// The file, or the folder of Xcode's.
  public let path: String
  /// The source version, as the file names it.
  public let source: MappedVersion
  /// The destination version, as the file names it.
  public let destination: MappedVersion
  /// The mapping model.
  public let mappingModel: MappingModel
  /// The locations of its parts in the file.
  package let locations: MappingLocations
  /// The holes that the file marks.
  package let holes: [MappingHole]
  /// The warnings, in the order of the file.
  public let warnings: [Diagnostic]
}

extension LoadedMapping {
  /// Creates a copy with another path: Xcode's file is in a folder.
  init(_ other: LoadedMapping, path: String) {
    self.init(
      name: other.name,
      path: path,
      source: other.source,
      destination: other.destination,
      mappingModel: other.mappingModel,
      locations: other.locations,
      holes: other.holes,
      warnings: other.warnings
    )
  }

  /// Returns all holes: those that the file marks, and unregistered policies in Swift.
  package func openHoles(registeredPolicies: Set<String> = []) -> [MappingHole] {
    var open = holes
    for (index, mapping) in mappingModel.entityMappings.enumerated() {
      guard let name = mapping.policyClassName, !registeredPolicies.contains(name) else { continue }
      let reason = "policy \"\(name)\" is code, and no policy of that name is registered"
      open.append(MappingHole(.policy(entityMapping: index), reason: reason))
    }
    return open
  }
}

/// A version at one end of a mapping model, as the file describes it.
public struct MappedVersion: Hashable, Sendable {
  /// The version's name; of Xcode's files the name in a path that may be out of date.
  public var name: String?
  /// The beginning of the version's checksum.
  public var checksum: String?
  /// The names in the copy of the model that Xcode puts into its file; empty if there is none.
  package var copiedNames: Set<String>
  /// The entities that are mapped, with the properties that are, where the file lists them all.
  package var propertyNames: [String: Set<String>]

  /// Creates a version by its description.
  package init(
    name: String? = nil,
    checksum: String? = nil,
    copiedNames: Set<String> = [],
    propertyNames: [String: Set<String>] = [:]
  ) {
    self.name = name
    self.checksum = checksum
    self.copiedNames = copiedNames
    self.propertyNames = propertyNames
  }
}

/// A reader's result for a mapping file.
struct MappingDraft {
  var mappingModel = MappingModel(entityMappings: [])
  var source = MappedVersion()
  var destination = MappedVersion()
  var offsets: [MappingElement: Int] = [:]
  var texts: [MappingElement: ScalarOffsets] = [:]
  var holes: [MappingHole] = []
  var diagnostics: [Diagnostic] = []

  /// Returns the mapping if the reader found no error in it.
  func loaded(
    named name: String,
    path: String,
    in text: SourceText
  ) throws(MappingLoadingError) -> LoadedMapping {
    guard !diagnostics.contains(where: { $0.severity == .error }) else {
      throw MappingLoadingError(diagnostics, source: source, destination: destination)
    }
    return LoadedMapping(
      name: name,
      path: path,
      source: source,
      destination: destination,
      mappingModel: mappingModel,
      locations: MappingLocations(of: text, offsets: offsets, texts: texts),
      holes: holes,
      warnings: diagnostics
    )
  }
}
