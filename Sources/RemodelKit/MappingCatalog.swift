internal import Diagnostics
internal import ModelLoading
internal import ModelMapping
internal import ObjectModel

/// The mapping models of a bundle, read, with the versions that they are between.
struct MappingCatalog {
  /// A mapping model that was found.
  struct Entry {
    let file: MappingFile
    /// The mapping model, or what is wrong with its file.
    let outcome: Result<LoadedMapping, MappingLoadingError>
    /// The version before, if it is one of the bundle's.
    let source: ModelVersion?
    /// The version after, if it is one of the bundle's.
    let destination: ModelVersion?

    /// Returns whether a faulty file could be about a pair of versions: it might not say.
    func concerns(_ source: String, _ destination: String) -> Bool {
      guard case .failure(let error) = outcome, error.source != nil else {
        return outcome.isFailure || isBetween(source, destination)
      }
      return (self.source?.name ?? source) == source
        && (self.destination?.name ?? destination) == destination
    }

    func isBetween(_ source: String, _ destination: String) -> Bool {
      self.source?.name == source && self.destination?.name == destination
    }
  }

  /// Every mapping model, in the order in which several between the same versions run.
  let entries: [Entry]

  private let catalog: VersionCatalog

  init(_ catalog: VersionCatalog) throws {
    self.catalog = catalog
    let files = try MappingFile.files(
      of: catalog.bundle,
      at: catalog.configuration.mappingsPath
    )
    var models = LoadedModels(catalog)
    entries = files.map { Self.entry($0, catalog, &models) }
  }

  static func entry(
    _ file: MappingFile,
    _ catalog: VersionCatalog,
    _ models: inout LoadedModels
  ) -> Entry {
    let versions = catalog.knownVersions
    let outcome = Result { () throws(MappingLoadingError) in
      try MappingLoader.load(file).registering(catalog.configuration.policies)
    }
    let ends: (source: MappedVersion?, destination: MappedVersion?) =
      switch outcome {
      case .success(let mapping): (mapping.source, mapping.destination)
      case .failure(let error): (error.source, error.destination)
      }
    return Entry(
      file: file,
      outcome: outcome,
      source: ends.source?.version(among: versions) { models.model(of: $0) },
      destination: ends.destination?.version(among: versions) { models.model(of: $0) }
    )
  }

  /// Returns the mapping models between two versions, in the order in which they run.
  ///
  /// - Throws: What is wrong with a file that is about these versions, or may be, holes included.
  func mappings(from source: String, to destination: String) throws -> [LoadedMapping] {
    let concerned = entries.filter { $0.concerns(source, destination) }
    var validation = MappingValidation(catalog)
    for entry in concerned { validation.check(entry, isNeeded: true) }
    guard validation.complaints.isEmpty else {
      throw InvalidMappingError(diagnostics: validation.complaints)
    }
    return try concerned.map { try $0.outcome.get() }
  }

  /// Returns whether there is a mapping model between two versions, or what may be one.
  func hasMappings(from source: String, to destination: String) -> Bool {
    entries.contains { $0.isBetween(source, destination) }
  }

  /// Returns the mapping model between two versions, made of all that there are; none if there are
  /// none.
  ///
  /// - Throws: What is wrong with a file that is about these versions.
  func mappingModel(from source: String, to destination: String) throws -> MappingModel? {
    let all = try mappings(from: source, to: destination)
    guard !all.isEmpty else { return nil }
    let complaints = all.sharedNames
    guard complaints.isEmpty else { throw InvalidMappingError(diagnostics: complaints) }
    return MappingModel(all)
  }

  /// What is odd about the mapping models that were found.
  var warnings: [Diagnostic] {
    entries.flatMap { entry -> [Diagnostic] in
      guard case .success(let mapping) = entry.outcome else { return [] }
      return mapping.warnings + mapping.strangers(entry, among: catalog.bundle)
    }
  }
}

extension LoadedMapping {
  /// Returns a warning if the mapping model is of versions that are not in the bundle: it has nothing
  /// to say there.
  func strangers(_ entry: MappingCatalog.Entry, among bundle: ModelBundle) -> [Diagnostic] {
    let ends = [(source, entry.source), (destination, entry.destination)]
      .filter { $0.1 == nil }.map(\.0)
    guard !ends.isEmpty else { return [] }
    let names = ends.compactMap(\.name).map { "\"\($0)\"" }
    let similar = ends.compactMap(\.name).first
      .flatMap { suggestion(for: $0, among: bundle.versions.map(\.name)) }
    return [
      Diagnostic(
        .warning,
        "mapping model \"\(name)\" is of versions that the model does not have",
        detail: names.isEmpty
          ? "Its file does not name them, and no version has all that it maps."
          : "There is no version \(names.joined(separator: " and no version ")).",
        hint: similar.map { "Did you mean \"\($0)\"?" },
        location: locations.location(of: .mappingModel)
      )
    ]
  }

  /// A file may say of which content of a version it was written.
  func checkChecksums(_ entry: MappingCatalog.Entry, _ catalog: VersionCatalog) throws {
    for (end, version) in [(source, entry.source), (destination, entry.destination)] {
      guard let checksum = end.checksum, let version else { continue }
      let actual = try catalog.load(version).hashes.checksum
      guard !actual.matches(prefix: checksum) else { continue }
      throw RemodelError(
        .editedMappedVersion(
          version.name,
          mapping: locations.location(of: .mappingModel),
          expected: checksum,
          actual: actual.text
        )
      )
    }
  }
}

/// The models of versions, each loaded once, and only if it is asked for.
struct LoadedModels {
  private let catalog: VersionCatalog
  private var models: [String: ManagedObjectModel?] = [:]

  init(_ catalog: VersionCatalog) {
    self.catalog = catalog
  }

  mutating func model(of version: ModelVersion) -> ManagedObjectModel? {
    if let known = models[version.path] { return known }
    let model = try? catalog.wholeModel(of: version)
    models[version.path] = .some(model)
    return model
  }
}

extension Result {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
