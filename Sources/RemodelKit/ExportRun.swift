internal import Diagnostics
internal import MigrationExecution
public import ModelLoading
internal import ObjectModel
internal import PostgresClient

/// Exports models of a store, for which there may be no file.
struct ExportRun {
  private let configuration: RemodelConfiguration
  /// The bundle, where there is one.
  private let bundle: ModelBundle?
  private let loadingError: ModelLoadingError?

  init(_ configuration: RemodelConfiguration) throws {
    self.configuration = configuration
    do {
      bundle = try VersionCatalog(configuration).bundle
      loadingError = nil
    } catch let error as ModelLoadingError {
      // The bundle may have lost its files.
      bundle = nil
      loadingError = error
    }
  }

  func store(named name: String?) -> StoreIdentity {
    StoreIdentity(
      schema: configuration.schema,
      modelName: name ?? bundle?.name ?? "",
      configurationName: configuration.configurationName,
      metadataSchema: configuration.metadataSchema,
      trustedOwners: configuration.trustedOwners
    )
  }

  /// Reads the models of the store that the bundle is of, or of the only one in the schema.
  func recorded(
    _ connection: borrowing PostgresConnection
  ) throws -> (modelName: String, models: [ArchivedModel], currentName: String) {
    let names = try MetadataStore(store(named: nil)).modelNames(connection)
    let name: String
    if let bundle {
      name = bundle.name
    } else if names.count == 1 {
      name = names[0]
    } else {
      // Its name alone may still tell which one is meant.
      let folder = configuration.modelsPath.split(separator: "/").last.map(String.init) ?? ""
      guard let match = names.first(where: { folder.hasPrefix($0 + ".") }) else {
        if names.isEmpty, let loadingError { throw loadingError }
        throw RemodelError(.severalModels(names))
      }
      name = match
    }
    let metadata = MetadataStore(store(named: name))
    guard case .store(let record) = try metadata.presence(connection) else {
      throw RemodelError(.nothingToExport(schema: configuration.schema.name))
    }
    let models: [ArchivedModel] = try metadata.archivedModels(connection)
      .reduce(into: []) { models, model in
        // Of a version recorded several times, the last record has its final state.
        models.removeAll { $0.version.name == model.version.name }
        models.append(model)
      }
    return (name, models, record.versionName)
  }

  /// Writes models of the metadata.
  ///
  /// - Parameters:
  ///   - recorded: The recorded models.
  ///   - version: The only version to write; by default all.
  ///   - path: The path of the files; by default that of the configuration's models.
  ///   - form: The form of the files; by default that of the path, or YAML.
  /// - Returns: The written files.
  /// - Throws: The reason why they could not be written.
  func report(
    on recorded: (modelName: String, models: [ArchivedModel], currentName: String),
    version: String?,
    to path: String?,
    _ form: ModelForm?
  ) throws -> ExportReport {
    if path == nil, bundle?.isCombination == true {
      throw ModelLoadingError(
        .noBundle,
        [
          Diagnostic(
            "the models of several bundles together are in none of them",
            hint: "Name a bundle for the files with --output."
          )
        ]
      )
    }
    let chosen = try version.map { name in
      guard let found = recorded.models.last(where: { $0.version.name == name }) else {
        throw RemodelError(.noSuchVersion(name, known: recorded.models.map(\.version.name)))
      }
      return [found]
    }
    return try export(
      chosen ?? recorded.models,
      current: chosen?.first?.version.name ?? recorded.currentName,
      to: path ?? bundle?.path ?? configuration.modelsPath,
      form,
      recorded.modelName
    )
  }

  private func export(
    _ models: [ArchivedModel],
    current: String,
    to path: String,
    _ form: ModelForm?,
    _ modelName: String
  ) throws -> ExportReport {
    let versions = try models.map {
      ModelExport.Version(name: $0.version.name, model: try $0.model)
    }
    let recorded = Dictionary(
      models.map { ($0.version.name, $0.version) },
      uniquingKeysWith: { _, last in last }
    )
    func isSame(_ file: ModelVersion, _ name: String, at path: String) -> Bool {
      var settings = configuration
      settings.modelsPath = path
      settings.models = nil
      guard let loaded = try? VersionCatalog(settings).load(file), let version = recorded[name]
      else { return false }
      return loaded.hashes.checksum == version.checksum
        && loaded.hashes.layoutDigest == version.layoutDigest
    }
    let export = try ModelExport(
      of: versions,
      current: current,
      to: path,
      form: form,
      modelName: modelName,
      isSame: { isSame($0, $1.name, at: $0.path) }
    )
    try export.write()
    // A copy that cannot be read back is useless.
    if !export.written.isEmpty {
      let bundle = try ModelBundle(at: export.path)
      for name in export.written {
        let file = bundle.versions.count == 1 ? bundle.versions[0] : bundle.version(named: name)
        guard let file, isSame(file, name, at: export.path) else {
          throw RemodelError(.unlikeExport(version: name, path: export.path))
        }
      }
    }
    return ExportReport(export: export, versions: models.map(\.version))
  }
}

/// The result of `model export`.
public struct ExportReport: Sendable {
  /// The files.
  public let export: ModelExport
  /// The versions that the database has been at, the earliest first.
  let versions: [VersionIdentity]

  /// The checksums of the versions, by their names.
  public var checksums: [(name: String, checksum: String)] {
    versions.map { ($0.name, $0.checksum.text) }
  }
}
