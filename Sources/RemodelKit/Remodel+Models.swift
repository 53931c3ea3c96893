public import Diagnostics
internal import MigrationPlanning
public import ModelLoading
public import ModelMapping
internal import ObjectModel

extension Remodel {
  // MARK: - Models

  /// Returns the versions of the bundle, the oldest first.
  public func versions() throws -> [VersionListing] {
    try VersionCatalog(configuration).loadAll().map(VersionListing.init)
  }

  /// Returns the versions of the bundle that are valid, the oldest first, and the faults of the others as
  /// warnings.
  ///
  /// - Throws: The faults of the first version, if none is valid.
  public func validVersions() throws -> (versions: [VersionListing], warnings: [Diagnostic]) {
    let catalog = try VersionCatalog(configuration)
    var versions: [VersionListing] = []
    var faults: [ModelLoadingError] = []
    for version in catalog.bundle.versions {
      do {
        versions.append(VersionListing(try catalog.load(version)))
      } catch let error as ModelLoadingError {
        faults.append(error)
      }
    }
    if versions.isEmpty, let first = faults.first { throw first }
    return (versions, faults.flatMap(\.diagnostics).map { $0.with(.warning) })
  }

  /// Returns a version; the current one if none is named.
  public func version(_ name: String? = nil) throws -> LoadedVersion {
    try VersionCatalog(configuration).version(name)
  }

  /// Checks every version of the bundle, including the names of its tables and columns.
  ///
  /// - Parameter isStrict: Whether warnings are faults.
  /// - Returns: The warnings.
  /// - Throws: All faults of all versions.
  public func validate(isStrict: Bool = false) throws -> [Diagnostic] {
    let catalog = try VersionCatalog(configuration)
    var warnings = catalog.bundle.warnings
    var complaints: [Diagnostic] = []
    let bundle = catalog.bundle
    for version in bundle.isCombination
      ? bundle.versionsWithFiles + bundle.versions : bundle.versions
    {
      do {
        let loaded = try catalog.load(version)
        var found = loaded.warnings
        found += try catalog.planned(loaded).projection.concessions.map { concession in
          var diagnostic = concession.diagnostic
          diagnostic.location = loaded.locations?.location(of: concession.element)
          return diagnostic
        }
        warnings += found.filter { !warnings.contains($0) }
      } catch let error as ModelLoadingError {
        complaints += error.diagnostics.filter { !complaints.contains($0) }
      }
    }
    let ancestry = catalog.ancestryDiagnostics()
    complaints += ancestry.filter { $0.severity == .error }
    warnings += ancestry.filter { $0.severity != .error }
    if isStrict { complaints += warnings.map(\.asError) }
    guard complaints.isEmpty else { throw ModelLoadingError(.invalid, complaints) }
    return warnings
  }

  /// Converts the model, or one version of it, into the form that the extension of a path selects.
  ///
  /// - Parameters:
  ///   - version: The version; by default all.
  ///   - path: The path of the result.
  /// - Returns: The files, not yet written.
  /// - Throws: The faults of the files, or the obstacle.
  public func conversion(of version: String? = nil, to path: String) throws -> ModelConversion {
    let catalog = try VersionCatalog(configuration)
    let chosen = try version.map { try catalog.version($0) }
      .map { ModelVersion(name: $0.name, path: $0.path) }
    return try ModelConversion(of: catalog.bundle, version: chosen, to: path)
  }

  /// Compares two versions.
  ///
  /// - Parameters:
  ///   - source: The version before.
  ///   - version: The version after; by default the current one.
  /// - Returns: The versions, and their differences.
  /// - Throws: The faults of the files, or an unknown name of a version.
  public func difference(
    from source: String,
    to version: String? = nil
  ) throws -> (source: VersionReference, target: VersionReference, difference: ModelDifference) {
    let catalog = try VersionCatalog(configuration)
    let before = try catalog.version(source)
    let after = try catalog.version(version)
    return (
      before.reference, after.reference, ModelDifference(from: before.model, to: after.model)
    )
  }

  /// Infers the mapping between two versions, skipping the versions between, and plans it.
  ///
  /// - Parameters:
  ///   - source: The version before.
  ///   - version: The version after; by default the current one.
  /// - Returns: The mapping, and its step.
  /// - Throws: Every reason why there is none.
  public func inferMapping(
    from source: String,
    to version: String? = nil
  ) throws -> InferenceReport {
    let catalog = try VersionCatalog(configuration)
    let before = try catalog.version(source)
    let after = try catalog.version(version)
    let steps = try StepPlanning(catalog).steps(
      from: catalog.planned(before),
      over: [after],
      retained: []
    )
    return InferenceReport(source: before.reference, target: after.reference, step: steps[0])
  }

  // MARK: - Mapping models

  /// Drafts a mapping model between two versions, with holes for everything that inference cannot
  /// determine.
  ///
  /// - Parameters:
  ///   - source: The version before.
  ///   - version: The version after; by default the current one.
  ///   - entityNames: Entities whose properties are all written out, as inference has them; if there
  ///     are none, what can be inferred is left out.
  /// - Returns: The text of a mapping file, with its holes.
  /// - Throws: The faults of the models, or an unknown name of a version or an entity.
  public func draftMapping(
    from source: String,
    to version: String? = nil,
    writingOut entityNames: [String] = []
  ) throws -> MappingFileReport {
    let catalog = try VersionCatalog(configuration)
    guard !entityNames.isEmpty else {
      return try MappingFileReport(draftOf: catalog, from: source, to: version)
    }
    return try MappingFileReport(
      draftOf: catalog,
      from: source,
      to: version,
      writingOut: entityNames
    )
  }

  /// Converts a mapping model of Xcode to YAML.
  ///
  /// - Parameter path: The mapping model.
  /// - Returns: The text of the file, with its holes.
  /// - Throws: The faults of the file.
  public func convertedMapping(at path: String) throws -> MappingFileReport {
    try MappingFileReport(converting: path, configuration)
  }

  /// Checks mapping models: all, those between two versions, or one at a path.
  ///
  /// - Parameters:
  ///   - source: The version before, or the path of a mapping model; by default all.
  ///   - version: The version after; by default the current one.
  /// - Returns: The names of the checked models, and warnings.
  /// - Throws: All faults of all of them.
  public func validateMappings(
    _ source: String? = nil,
    to version: String? = nil
  ) throws -> (names: [String], warnings: [Diagnostic]) {
    try MappingValidation.run(VersionCatalog(configuration), source, to: version)
  }

  /// Returns the complete mapping model between two versions: the parts of files, and inferred
  /// ones.
  ///
  /// - Parameters:
  ///   - source: The version before.
  ///   - version: The version after; by default the current one.
  /// - Returns: The mapping model, and the parts that are from a file.
  /// - Throws: The faults of a file, or the parts that neither a file nor inference determines.
  public func completeMapping(
    from source: String,
    to version: String? = nil
  ) throws -> CompleteMappingReport {
    try CompleteMappingReport(VersionCatalog(configuration), from: source, to: version)
  }
}

extension VersionListing {
  fileprivate init(_ version: LoadedVersion) {
    self.init(
      name: version.name,
      path: version.path,
      isCurrent: version.isCurrent,
      hashes: version.hashes,
      entityCount: version.model.entities.count
    )
  }
}

extension VersionCatalog {
  /// Returns the versions on the way from one to another, the last one included.
  func versions(from start: LoadedVersion, to target: LoadedVersion) throws -> [LoadedVersion] {
    guard start.path != target.path else { return [] }
    let versions = bundle.versions(from: start.name, to: target.name)
    guard !configuration.isDirect,
      let first = versions.firstIndex(where: { $0.path == start.path }),
      let last = versions.firstIndex(where: { $0.path == target.path })
    else { return [target] }
    if !bundle.isCombination, let line = ancestry().line(from: first, to: last) {
      return try line.map { try load(bundle.versions[$0]) }
    }
    let between =
      first < last
      ? Array(versions[(first + 1)...last])
      : Array(versions[last..<first].reversed())
    return try between.map(load)
  }
}
