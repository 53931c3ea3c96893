internal import Diagnostics
internal import Dispatch
internal import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The versions of a bundle, loaded as they are needed.
struct VersionCatalog {
  let bundle: ModelBundle
  private(set) var configuration: RemodelConfiguration
  /// The versions that the database has had and that have no file in the bundle, the earliest
  /// first; empty until a database was read.
  private(set) var archive: [ArchivedModel] = []
  /// The contents of the files, for all users.
  let files: LoadedFiles
  /// The versions that were laid out as tables of the store.
  private var layouts = OnceEach<VersionIdentity, PlannedVersion, any Error>()

  init(_ configuration: RemodelConfiguration) throws {
    self.configuration = configuration
    bundle = try configuration.bundle()
    files = LoadedFiles()
    try Self.checkSchemas(of: configuration)
  }

  /// Returns the same versions for another store, whose configuration reads the same part of the
  /// same files.
  func of(_ configuration: RemodelConfiguration) throws -> VersionCatalog {
    try Self.checkSchemas(of: configuration)
    var catalog = self
    catalog.configuration = configuration
    catalog.archive = []
    catalog.layouts = OnceEach()
    return catalog
  }

  /// Checks that the schemas of a configuration are possible.
  static func checkSchemas(of configuration: RemodelConfiguration) throws(RemodelError) {
    for name in [configuration.schema, configuration.metadataSchema] {
      let isUsable =
        !name.name.isEmpty && name.name.utf8.count <= SQLIdentifier.maximumLength
        && !name.name.utf8.contains(0) && !name.name.hasPrefix("pg_")
        && name.name != "information_schema"
      guard isUsable else { throw RemodelError(.unusableSchemaName(name.name)) }
    }
    guard configuration.schema != configuration.metadataSchema else {
      throw RemodelError(.sharedSchema(configuration.schema.name))
    }
  }

  /// Returns the same versions, for steps that copy in a given way.
  func copying(by strategy: CopyStrategy) -> VersionCatalog {
    var catalog = self
    catalog.configuration.strategy = strategy
    return catalog
  }

  /// The catalog of the schema in which a target is created; `nil` if the database itself changes.
  var destination: VersionCatalog? {
    get throws {
      guard let schema = configuration.intoSchema else { return nil }
      try checkDraftStays()
      var other = configuration
      other.schema = schema
      other.intoSchema = nil
      // The source keeps everything that the path drops.
      other.removals = .drop
      other.denials.removeAll { $0.hazard == .deletesData }
      return try VersionCatalog(other)
    }
  }

  // MARK: - Archive

  /// Returns the catalog with the versions that a database has been at, as its metadata keeps them.
  func knowing(_ models: [ArchivedModel]) -> VersionCatalog {
    var catalog = self
    // Of a version recorded several times, the last record has its final state.
    catalog.archive = models.filter { bundle.version(named: $0.version.name) == nil }
      .reduce(into: []) { archive, model in
        archive.removeAll { $0.version.name == model.version.name }
        archive.append(model)
      }
    return catalog
  }

  /// The versions of the bundle, then those that only the metadata has.
  var knownVersions: [ModelVersion] {
    bundle.versions + archive.map { ModelVersion(name: $0.version.name, path: $0.path) }
  }

  private func archivedVersion(_ version: ModelVersion) -> ArchivedModel? {
    archive.first { $0.path == version.path }
  }

  // MARK: - Loading

  func load(_ version: ModelVersion) throws -> LoadedVersion {
    if let archived = archivedVersion(version) { return try LoadedVersion(archived) }
    return try files.versions.value(for: version) {
      let loaded = try loadedModel(of: version)
      let (model, warnings) = try configured(loaded, of: version)
      let hashes = model.versionHashes()
      let isWhole = configuration.configurationName == nil
      return LoadedVersion(
        name: version.name,
        path: version.path,
        isCurrent: version.name == bundle.currentVersion.name,
        model: model,
        hashes: hashes,
        bases: loaded.bases,
        base: VersionBase(isWhole ? hashes : loaded.model.versionHashes()),
        warnings: loaded.warnings + warnings + projectionWarnings(model, of: loaded),
        locations: loaded.locations,
        isInterpreted: loaded.isInterpreted
      )
    }
  }

  /// Returns the model of a version as its file has it, whatever part of it the database holds.
  func wholeModel(of version: ModelVersion) throws -> ManagedObjectModel {
    try archivedVersion(version)?.model ?? loadedModel(of: version).model
  }

  func loadedModel(of version: ModelVersion) throws(ModelLoadingError) -> LoadedModel {
    try files.models.value(for: version) { () throws(ModelLoadingError) in
      try bundle.load(version)
    }
  }

  /// Returns the part of a model that the database holds, and what is odd about it.
  private func configured(
    _ loaded: LoadedModel,
    of version: ModelVersion
  ) throws -> (model: ManagedObjectModel, warnings: [Diagnostic]) {
    let model = loaded.model
    guard let name = configuration.configurationName else { return (model, []) }
    guard let restricted = model.restricted(toConfiguration: name) else {
      throw RemodelError(.noSuchConfiguration(name, known: model.configurations.map(\.name)))
    }
    let location = SourceLocation(path: version.path)
    var result = (model: restricted, warnings: [Diagnostic]())
    var complaints: [ModelComplaint]
    if loaded.isInterpreted {
      let outward = model.relationshipsLeadingOut(ofConfiguration: name)
      let interpretation = ModelInterpretation(restricted.withoutRelationshipsLeadingOut)
      result.model = interpretation.model
      result.warnings =
        outward.map { element in
          Diagnostic(
            .warning,
            "\(model.phrase(for: element)) leads out of configuration \"\(name)\"",
            detail: "It is left out: no store holds the entities at both ends.",
            location: loaded.locations.location(of: element)
          )
        } + interpretation.oddities.map { $0.warning(at: location) }
      complaints = interpretation.complaints
    } else {
      complaints = restricted.complaints()
    }
    complaints.removeAll { $0.severity != .error }
    guard complaints.isEmpty else {
      throw ModelLoadingError(
        .invalid,
        complaints.map { $0.diagnostic(in: result.model, at: location) }
      )
    }
    return result
  }

  /// Returns what is odd about the tables of a model: indexes of texts, and constraints on relationships.
  private func projectionWarnings(
    _ model: ManagedObjectModel,
    of loaded: LoadedModel
  ) -> [Diagnostic] {
    guard loaded.isInterpreted, model.entities.contains(where: \.hasWrittenIndexes),
      let projection = try? ModelProjection(
        model,
        schema: configuration.schema,
        isInterpreted: true
      )
    else { return [] }
    return projection.oddities.map {
      $0.warning(at: loaded.locations.location(of: $0.element))
    }
  }

  /// Loads all versions.
  func loadAll() throws -> [LoadedVersion] {
    try bundle.versions.map(load)
  }

  /// Loads all versions in other threads, and projects those that a plan probably needs: the
  /// target, and the one before.
  ///
  /// The caller loads the target itself meanwhile.
  ///
  /// - Parameter name: The target; by default the current version.
  func prepare(for name: String?) {
    let versions = bundle.versions
    let target = name.map { bundle.version(named: $0) } ?? bundle.currentVersion
    guard let last = versions.firstIndex(where: { $0.name == target?.name }) else { return }
    // Not in the threads of tasks: a task that has an answer of the server would wait for one.
    let others = versions.indices.filter { $0 != last && $0 != last - 1 }
    let order = (last > 0 ? [last - 1] : []) + [last] + others
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      DispatchQueue.concurrentPerform(iterations: order.count) { number in
        // Loading it again throws the error where the version is needed.
        guard let version = try? load(versions[order[number]]), order[number] <= last,
          order[number] >= last - 1
        else { return }
        _ = try? planned(version)
      }
    }
  }

  /// Loads the version that a user names: by its name, by the beginning of its checksum, or by the
  /// path of its file; the current one if none is named.
  func version(_ name: String?) throws -> LoadedVersion {
    guard let name else { return try load(bundle.currentVersion) }
    if let version = bundle.version(named: name) { return try load(version) }
    if name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".xcdatamodel") {
      let file = try ModelBundle(at: name)
      return try load(file.currentVersion)
    }
    if let archived = archive.first(where: { $0.version.name == name }) {
      return try LoadedVersion(archived)
    }
    // Versions that cannot be loaded have no known checksum.
    let candidates = knownVersions.compactMap { try? load($0) }
      .filter { $0.hashes.checksum.matches(prefix: name) }
    switch candidates.count {
    case 1: return candidates[0]
    case 0: throw RemodelError(.noSuchVersion(name, known: knownVersions.map(\.name)))
    default: throw RemodelError(.ambiguousVersion(name, candidates.map(\.name)))
    }
  }

  /// Loads the version that a user names if a file has it; none if only a database can know it.
  func fileVersion(_ name: String?) throws -> LoadedVersion? {
    do {
      return try version(name)
    } catch let error as RemodelError {
      guard case .noSuchVersion = error.fact else { throw error }
      return nil
    }
  }

  /// Loads the version that a user names, be it one that only the metadata has.
  func version(
    _ name: String?,
    _ connection: borrowing PostgresConnection
  ) throws -> LoadedVersion {
    let metadata = MetadataStore(store)
    guard case .store = try metadata.presence(connection) else { return try version(name) }
    return try knowing(metadata.archivedModels(connection)).version(name)
  }

  /// A Boolean value that indicates whether the names of the versions tell their order.
  var hasNaturalOrder: Bool {
    zip(bundle.versions, bundle.versions.dropFirst())
      .allSatisfy { naturallyPrecedes($0.name, $1.name) }
  }

  /// Returns the models of all versions that can be loaded, the oldest first, for telling stale
  /// renaming identifiers from misspelled ones.
  func models() -> [(name: String, model: ManagedObjectModel)] {
    archive.compactMap { archived in
      (try? archived.model).map { (archived.version.name, $0) }
    }
      + bundle.versionsWithFiles.compactMap { version in
        (try? load(version)).map { (version.name, $0.model) }
      }
  }

  // MARK: - Planning

  /// Returns the recorded version of a store, if its file still has the recorded model.
  func version(of recorded: VersionIdentity) -> LoadedVersion? {
    guard let file = bundle.version(named: recorded.name), let version = try? load(file),
      version.identity == recorded
    else { return nil }
    return version
  }

  /// Lays out the version that a store is recorded at, from the model that was found for it.
  func planned(
    _ recorded: VersionIdentity,
    _ model: ManagedObjectModel
  ) throws -> PlannedVersion {
    if let version = version(of: recorded) { return try planned(version) }
    return try layouts.value(for: recorded) {
      try planned(
        model,
        recorded.name,
        ModelVersionHashes(of: model, recorded: recorded),
        nil,
        isInterpreted: true
      )
    }
  }

  /// Projects a version to tables; faults have their locations in the file.
  func planned(_ version: LoadedVersion) throws -> PlannedVersion {
    var planned = try layouts.value(for: version.identity) {
      try self.planned(
        version.model,
        version.name,
        version.hashes,
        version.locations,
        isInterpreted: version.isInterpreted
      )
    }
    planned.isDraft = version.isDraft || configuration.isDraft
    planned.lineage = lineage(of: version.name)
    return planned
  }

  /// Returns the names of the bundle's versions up to one of them.
  private func lineage(of name: String) -> [String]? {
    let names = bundle.versions.map(\.name)
    return names.firstIndex(of: name).map { Array(names[...$0]) }
  }

  /// Lays a model that no file holds out as tables.
  func planned(
    _ model: ManagedObjectModel,
    _ name: String,
    _ hashes: ModelVersionHashes,
    _ locations: ModelLocations?,
    isInterpreted: Bool
  ) throws -> PlannedVersion {
    do {
      let projection = try ModelProjection(
        model,
        schema: configuration.schema,
        isInterpreted: isInterpreted
      )
      return PlannedVersion(name: name, hashes: hashes, projection: projection)
    } catch {
      guard let locations else { throw error }
      throw ModelLoadingError(
        .invalid,
        error.faults.map { fault in
          var diagnostic = fault.diagnostic
          diagnostic.location = locations.location(of: fault.element)
          return diagnostic
        }
      )
    }
  }
}

extension EntityDescription {
  /// A Boolean value that indicates whether it has indexes or constraints that no table may have.
  fileprivate var hasWrittenIndexes: Bool {
    uniquenessConstraints.contains { $0.count > 1 }
      || fetchIndexes.contains { index in
        index.partialPredicate != nil || index.elements.contains { $0.expression != nil }
      }
  }
}
