public import Diagnostics
internal import MigrationPlanning
public import ModelLoading
public import ModelMapping
internal import ObjectModel

extension Remodel {
  // MARK: - Models

  /// Returns the versions of the bundle, the oldest first.
  public func versions() throws -> [VersionListing] {
    try VersionCatalog(configuration).loadAll().map { version in
      VersionListing(
        name: version.name,
        path: version.path,
        isCurrent: version.isCurrent,
        hashes: version.hashes,
        entityCount: version.model.entities.count
      )
    }
  }

  /// Returns a version; the current one if none is named.
  public func version(_ name: String? = nil) throws -> LoadedVersion {
    try VersionCatalog(configuration).version(name)
  }

  /// Checks every version of the bundle, down to the names that tables and columns would have.
  ///
  /// - Returns: What may not have been meant.
  /// - Throws: Every complaint about every version.
  public func validate() throws -> [Diagnostic] {
    let catalog = try VersionCatalog(configuration)
    var warnings = catalog.bundle.warnings
    var complaints: [Diagnostic] = []
    for version in catalog.bundle.versions {
      do {
        let loaded = try catalog.load(version)
        warnings += loaded.warnings
        _ = try catalog.planned(loaded)
      } catch let error as ModelLoadingError {
        complaints += error.diagnostics
      }
    }
    guard complaints.isEmpty else { throw ModelLoadingError(.invalid, complaints) }
    return warnings
  }

  /// Converts the model, or one version of it, into the form that a path's extension says.
  ///
  /// - Parameters:
  ///   - version: The version; all of them if none is named.
  ///   - path: Where the model is to be.
  /// - Returns: The files, which are still to be written.
  /// - Throws: What is wrong with the files, or what stands in the way.
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
  ///   - version: The version after; the current one if none is named.
  /// - Returns: What the names mean, and how the versions differ.
  /// - Throws: What is wrong with the files, or a name that no version has.
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

  /// Infers the mapping between two versions, past the versions between, and plans it.
  ///
  /// - Parameters:
  ///   - source: The version before.
  ///   - version: The version after; the current one if none is named.
  /// - Returns: The mapping, and what it would take.
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

  /// Drafts a mapping model between two versions: what inference cannot give is marked as a hole.
  ///
  /// - Parameters:
  ///   - source: The version before.
  ///   - version: The version after; the current one if none is named.
  /// - Returns: The text of a mapping file, with what is to be filled.
  /// - Throws: What is wrong with the models, or a name that no version has.
  public func draftMapping(
    from source: String,
    to version: String? = nil
  ) throws -> MappingFileReport {
    try MappingFileReport(draftOf: VersionCatalog(configuration), from: source, to: version)
  }

  /// Makes our YAML of a mapping model of Xcode's.
  ///
  /// - Parameter path: The mapping model.
  /// - Returns: The text of the file, with what is to be filled.
  /// - Throws: What is wrong with the file.
  public func convertedMapping(at path: String) throws -> MappingFileReport {
    try MappingFileReport(converting: path, configuration)
  }

  /// Checks mapping models: every one, those between two versions, or one at a path.
  ///
  /// - Parameters:
  ///   - source: The version before, or the path of a mapping model; every one if it is absent.
  ///   - version: The version after; the current one if none is named.
  /// - Returns: The names of what was checked, and what may not have been meant.
  /// - Throws: Every complaint about every one of them.
  public func validateMappings(
    _ source: String? = nil,
    to version: String? = nil
  ) throws -> (names: [String], warnings: [Diagnostic]) {
    try MappingValidation.run(VersionCatalog(configuration), source, to: version)
  }

  /// Returns the complete mapping model between two versions: what files say, and what is inferred.
  ///
  /// - Parameters:
  ///   - source: The version before.
  ///   - version: The version after; the current one if none is named.
  /// - Returns: The mapping model, and which parts of it a file says.
  /// - Throws: What is wrong with a file, or what neither a file says nor inference knows.
  public func completeMapping(
    from source: String,
    to version: String? = nil
  ) throws -> CompleteMappingReport {
    try CompleteMappingReport(VersionCatalog(configuration), from: source, to: version)
  }
}

extension VersionCatalog {
  /// Returns the versions on the way from one to another, the last one included.
  func versions(from start: LoadedVersion, to target: LoadedVersion) throws -> [LoadedVersion] {
    guard start.path != target.path else { return [] }
    guard !configuration.isDirect,
      let first = bundle.versions.firstIndex(where: { $0.path == start.path }),
      let last = bundle.versions.firstIndex(where: { $0.path == target.path })
    else { return [target] }
    let between =
      first < last
      ? Array(bundle.versions[(first + 1)...last])
      : Array(bundle.versions[last..<first].reversed())
    return try between.map(load)
  }
}
