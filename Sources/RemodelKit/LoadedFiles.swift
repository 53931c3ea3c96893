internal import ModelLoading
internal import ModelMapping

/// What was read of the files of a bundle, kept for all stores of a run: they see the same versions,
/// also if a file is edited meanwhile.
final class LoadedFiles: Sendable {
  /// The files of mapping models, those of one part of the bundle with that part.
  typealias MappingFiles = [(file: MappingFile, part: ModelBundle?)]

  /// What the files of versions have.
  let models = OnceEach<ModelVersion, LoadedModel, ModelLoadingError>()
  /// The versions, as they were loaded.
  let versions = OnceEach<ModelVersion, LoadedVersion, any Error>()
  /// The files of mapping models, as they were listed.
  let mappingFiles = OnceEach<String, MappingFiles, any Error>()
  /// What the files of mapping models have, with what policies say of it.
  let mappings = OnceEach<MappingFile, LoadedMapping, MappingLoadingError>()
}
