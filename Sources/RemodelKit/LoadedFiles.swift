internal import ModelLoading
internal import ModelMapping
internal import Synchronization

/// What was read of the files of a bundle, kept for all stores of a run: they see the same versions,
/// also if somebody edits the files meanwhile.
final class LoadedFiles: Sendable {
  /// The files of mapping models, those of one part of the bundle with that part.
  typealias MappingFiles = [(file: MappingFile, part: ModelBundle?)]

  private struct Contents {
    var models: [ModelVersion: Result<LoadedModel, ModelLoadingError>] = [:]
    var versions: [ModelVersion: Result<LoadedVersion, any Error>] = [:]
    var mappingFiles: MappingFiles?
    var mappings: [MappingFile: Result<LoadedMapping, MappingLoadingError>] = [:]
  }

  private let bundle: ModelBundle
  private let contents = Mutex(Contents())

  init(_ bundle: ModelBundle) {
    self.bundle = bundle
  }

  /// Returns what the file of a version has.
  func model(_ version: ModelVersion) throws(ModelLoadingError) -> LoadedModel {
    if let known = contents.withLock({ $0.models[version] }) { return try known.get() }
    let found = Result { () throws(ModelLoadingError) in try bundle.load(version) }
    // Who comes first is right, so that all have the same.
    return try contents.withLock { $0.models.value(found, for: version) }.get()
  }

  /// Returns a version as it was loaded, or loads it.
  func version(
    _ version: ModelVersion,
    _ load: () throws -> LoadedVersion
  ) throws -> LoadedVersion {
    if let known = contents.withLock({ $0.versions[version] }) { return try known.get() }
    let found = Result { try load() }
    return try contents.withLock { $0.versions.value(found, for: version) }.get()
  }

  /// Returns the files of mapping models, as they were listed once.
  func mappingFiles(_ list: () throws -> MappingFiles) throws -> MappingFiles {
    if let known = contents.withLock(\.mappingFiles) { return known }
    let found = try list()
    return contents.withLock { contents in
      let files = contents.mappingFiles ?? found
      contents.mappingFiles = files
      return files
    }
  }

  /// Returns what the file of a mapping model has, with what policies say of it.
  func mapping(
    _ file: MappingFile,
    registering policies: [String: any EntityMigrationPolicy]
  ) -> Result<LoadedMapping, MappingLoadingError> {
    if let known = contents.withLock({ $0.mappings[file] }) { return known }
    let found = Result { () throws(MappingLoadingError) in
      try MappingLoader.load(file).registering(policies)
    }
    return contents.withLock { $0.mappings.value(found, for: file) }
  }
}

extension Dictionary {
  /// Returns the value that a key has, or gives it one.
  fileprivate mutating func value(_ value: Value, for key: Key) -> Value {
    if let known = self[key] { return known }
    self[key] = value
    return value
  }
}
