internal import Diagnostics
internal import ObjectModel

extension ModelBundle {
  /// Creates a bundle of the models of several modules with tables in one database.
  ///
  /// Versions with the same name are deployed together: version 4 of the result contains version 4
  /// of each bundle, or the latest one before it. The result has a version for each version of any
  /// bundle. An entity of several bundles must be the same in all of them. As with
  /// `NSManagedObjectModel(byMerging:)`, relationships do not connect entities of different
  /// bundles.
  ///
  /// - Parameters:
  ///   - name: The name of the result, by which databases record it.
  ///   - bundles: The bundles. The names of their versions give the order.
  /// - Throws: An error if the names do not give the order, or if a current version is not the last
  ///   one.
  public init(name: String, merging bundles: [ModelBundle]) throws(ModelLoadingError) {
    let names = Set(bundles.flatMap { $0.versions.map(\.name) }).sorted(by: naturallyPrecedes)
    guard let current = names.last else {
      throw ModelLoadingError(.noBundle, [Diagnostic("model \"\(name)\" has no versions")])
    }
    for bundle in bundles {
      let own = bundle.versions.map(\.name)
      guard own == own.sorted(by: naturallyPrecedes), bundle.currentVersion.name == own.last else {
        throw ModelLoadingError(
          .invalid,
          [
            Diagnostic(
              "model \"\(bundle.path)\" cannot be merged with others",
              detail:
                "The names of its versions do not tell their order, or its current version is "
                + "not the last one.",
              hint: "Call its versions as those of the other models that are deployed with them."
            )
          ]
        )
      }
    }
    let versions = names.map { ModelVersion(name: $0, path: "\(name)/\($0)") }
    self.init(
      name: name,
      path: name,
      versions: versions,
      currentVersion: ModelVersion(name: current, path: "\(name)/\(current)"),
      warnings: bundles.flatMap(\.warnings),
      content: .parts(bundles)
    )
  }

  /// The bundles that it is merged from, if it is.
  package var parts: [ModelBundle] {
    switch content {
    case .parts(let parts), .combination(let parts): parts
    case .files, .models: []
    }
  }

  /// Returns the versions of the whole that a mapping model between versions of a part leads from and
  /// to: between two consecutive ones the part stays as it is until the whole is at the later one.
  package func versions(
    of part: ModelBundle,
    from source: ModelVersion?,
    to destination: ModelVersion?
  ) -> (source: ModelVersion?, destination: ModelVersion?) {
    let own = (
      source: source.flatMap { version(named: $0.name) },
      destination: destination.flatMap { version(named: $0.name) }
    )
    guard let first = source.flatMap(part.versions.firstIndex),
      let last = destination.flatMap(part.versions.firstIndex)
    else { return own }
    if first + 1 == last { return (version(before: own.destination), own.destination) }
    if last + 1 == first { return (own.source, version(before: own.source)) }
    return own
  }

  private func version(before version: ModelVersion?) -> ModelVersion? {
    guard let position = version.flatMap(versions.firstIndex), position > 0 else { return nil }
    return versions[position - 1]
  }

  /// Returns the version of a part that a version of the whole has; none if the part came later.
  func version(of part: ModelBundle, in version: String) -> ModelVersion? {
    part.versions.last { $0.name == version || naturallyPrecedes($0.name, version) }
  }

  /// Loads the versions of parts, and merges them.
  static func merged(
    _ parts: [(bundle: ModelBundle, version: ModelVersion)],
    as version: ModelVersion
  ) throws(ModelLoadingError) -> LoadedModel {
    var loaded: [(path: String, model: LoadedModel)] = []
    for part in parts {
      loaded.append((part.version.path, try part.bundle.load(part.version)))
    }
    let model: ManagedObjectModel
    do {
      model = try ManagedObjectModel(merging: loaded.map(\.model.model))
    } catch {
      throw Self.conflict(error, loaded.map(\.path))
    }
    let location = SourceLocation(path: version.path)
    let complaints = model.complaints().filter { $0.severity == .error }
      .map { $0.diagnostic(in: model, at: location) }
    guard complaints.isEmpty else { throw ModelLoadingError(.invalid, complaints) }
    return LoadedModel(
      model: model,
      bases: [],
      locations: ModelLocations(at: version.path),
      warnings: loaded.flatMap(\.model.warnings),
      isInterpreted: loaded.contains { $0.model.isInterpreted }
    )
  }

  private static func conflict(
    _ conflict: ManagedObjectModel.MergeConflict,
    _ paths: [String]
  ) -> ModelLoadingError {
    ModelLoadingError(
      .invalid,
      [
        Diagnostic(
          "\(conflict.part) is not the same in all models that are merged",
          detail: "It is in \"\(paths[conflict.first])\" and in \"\(paths[conflict.second])\".",
          hint: "Have it in one of them, or under another name, or the same in both."
        )
      ]
    )
  }
}
