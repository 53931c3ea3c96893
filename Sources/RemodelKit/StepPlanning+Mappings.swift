internal import Diagnostics
internal import MigrationPlanning
internal import ModelLoading
internal import ModelMapping
internal import ObjectModel

/// The mappings of the steps of a path: authored ones, else inferred ones.
extension StepPlanning {
  func mapping(
    from source: Leg.End,
    to destination: Leg.End,
    target: LoadedVersion?,
    _ known: [(name: String, model: ManagedObjectModel)]
  ) throws -> CompleteMapping {
    let authored = try mappings.mappingModel(from: source.name, to: destination.name)
    let earlierVersions = { known.prefix { $0.name != destination.name }.map(\.model) }
    let hashes = (source: source.hashes, destination: destination.hashes)
    let isReturn = isReturn(from: source.name, to: destination.name, known)
    // Between equal versions, there is nothing to say.
    if authored == nil, catalog.configuration.usesMappingsOnly,
      source.hashes.checksum != destination.hashes.checksum
    {
      throw RemodelError(.stepWithoutMappingModel(source.name, destination.name))
    }
    do {
      guard let authored else {
        return try CompleteMapping(
          from: source.model,
          to: destination.model,
          hashes: hashes,
          isReturn: isReturn,
          earlierVersions: earlierVersions()
        )
      }
      return try CompleteMapping(
        completing: authored,
        from: source.model,
        to: destination.model,
        hashes: hashes,
        isReturn: isReturn,
        earlierVersions: earlierVersions()
      )
    } catch {
      throw noMapping(
        source,
        destination,
        error.diagnostics,
        target,
        known
      )
    }
  }

  /// Returns the mapping by which releases on a version that stays served find what those on the next one write.
  ///
  /// - Parameters:
  ///   - destination: The next version.
  ///   - source: The version that stays served.
  /// - Returns: The mapping; `nil` if there is none, so that the plan says what cannot be served.
  /// - Throws: What is wrong in the files.
  func wayBack(
    from destination: PlannedVersion,
    to source: PlannedVersion
  ) throws -> CompleteMapping? {
    do {
      return try mapping(
        from: Leg.End(destination),
        to: Leg.End(source),
        target: nil,
        catalog.models()
      )
    } catch let error as RemodelError where error.isOfMapping {
      guard !mappings.hasMappings(from: destination.name, to: source.name) else { return nil }
      // What the version alone has stays where it is, so nothing has to be found for it.
      return try? CompleteMapping(
        from: destination.projection.model,
        to: source.projection.model.withoutUnmetRequirements,
        isReturn: true
      )
    }
  }

  /// Returns whether a version is before another in the order of versions.
  func isReturn(
    from source: String,
    to destination: String,
    _ known: [(name: String, model: ManagedObjectModel)]
  ) -> Bool {
    if catalog.bundle.isCombination {
      let way = catalog.bundle.versions(from: source, to: destination).map(\.name)
      return way.count > 1 && way.first == destination && way.last == source
    }
    guard let position = known.lastIndex(where: { $0.name == source }),
      let other = known.lastIndex(where: { $0.name == destination })
    else { return false }
    return other < position
  }

  private func noMapping(
    _ source: Leg.End,
    _ destination: Leg.End,
    _ obstacles: [Diagnostic],
    _ target: LoadedVersion?,
    _ known: [(name: String, model: ManagedObjectModel)]
  ) -> RemodelError {
    var directWorks = false
    if let target, target.name != destination.name {
      directWorks = CompleteMapping.canBeInferred(
        from: source.model,
        to: target.model,
        earlierVersions: known.prefix { $0.name != target.name }.map(\.model)
      )
    }
    return RemodelError(
      .noMapping(
        source: source.name,
        target: destination.name,
        obstacles: obstacles,
        directWorks: directWorks
      )
    )
  }
}

/// Consecutive versions that one step leads over.
struct Leg {
  /// A version at an end of a leg.
  struct End {
    let name: String
    let model: ManagedObjectModel
    let hashes: ModelVersionHashes
    /// The version of the bundle; none for the recorded one.
    let version: LoadedVersion?
    /// The name by which what is retained of it is known.
    let retentionName: String

    init(_ start: PlannedVersion) {
      name = start.name
      model = start.projection.model
      hashes = start.hashes
      version = nil
      retentionName = start.retentionName
    }

    init(_ version: LoadedVersion, isDraft: Bool) {
      name = version.name
      model = version.model
      hashes = version.hashes
      self.version = version
      retentionName =
        isDraft ? PlannedVersion.draftName(version.name, version.hashes) : version.name
    }
  }

  let source: End
  let destination: End
  let mapping: CompleteMapping
  var passedVersions: [String] = []

  func folded(with next: CompleteMapping, to end: End) -> Leg? {
    let mapping = mapping.followed(
      by: next,
      from: source.model,
      over: destination.model,
      to: end.model,
      hashes: (source.hashes, end.hashes)
    )
    return mapping.map {
      Leg(
        source: source,
        destination: end,
        mapping: $0,
        passedVersions: passedVersions + [destination.name]
      )
    }
  }
}
