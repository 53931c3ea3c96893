internal import ModelLoading
internal import ModelMapping

/// The contents of a bundle's files, kept for all stores of a run: they use the same versions, even
/// if a file is edited meanwhile.
final class LoadedFiles: Sendable {
  /// The files of mapping models, those of one part of the bundle with that part.
  typealias MappingFiles = [(file: MappingFile, part: ModelBundle?)]

  /// The models of the versions' files.
  let models = OnceEach<ModelVersion, LoadedModel, ModelLoadingError>()
  /// The digests of the versions' files, which need not be parsed for them.
  let digests = OnceEach<ModelVersion, String, ModelLoadingError>()
  /// Whether versions say what they were made from, by the paths of their bundles.
  let bases = OnceEach<String, Bool, Never>()
  /// The versions, as they were loaded.
  let versions = OnceEach<ModelVersion, LoadedVersion, any Error>()
  /// The files of mapping models, as they were listed.
  let mappingFiles = OnceEach<String, MappingFiles, any Error>()
  /// The mapping models of the files, completed by policies.
  let mappings = OnceEach<MappingFile, LoadedMapping, MappingLoadingError>()
}
