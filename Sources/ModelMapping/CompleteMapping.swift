package import Diagnostics
package import ObjectModel

/// A mapping with an origin for every property, and with its preconditions on the rows.
package struct CompleteMapping: Hashable, Sendable {
  /// The mapping.
  package let mappingModel: MappingModel
  /// The preconditions on the rows.
  package let preconditions: [DataPrecondition]
  /// The warnings.
  package let warnings: [Diagnostic]
  /// A Boolean value that indicates whether a mapping model specifies anything explicitly.
  package let isAuthored: Bool
  /// The parts of it that cannot be carried out in place.
  package private(set) var copyScope: CopyScope

  /// Infers how the rows of one version become rows of another.
  ///
  /// The rules are Core Data's: entities and properties match by renaming identifiers, otherwise by
  /// name.
  ///
  /// - Parameters:
  ///   - source: The version of the rows.
  ///   - destination: The version to migrate to.
  ///   - hashes: The hashes of both, if they are already known.
  ///   - isReturn: Whether the destination is the older version.
  ///   - earlierVersions: The versions before the destination, which distinguish a renaming
  ///     identifier that is out of use from a misspelled one; evaluated only if this question
  ///     arises.
  /// - Throws: Every reason why inference fails.
  package init(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)? = nil,
    isReturn: Bool = false,
    earlierVersions: @autoclosure () -> [ManagedObjectModel] = []
  ) throws(InferenceError) {
    let inference = MappingInference(
      of: source,
      destination,
      hashes,
      isReturn: isReturn,
      earlierVersions: earlierVersions
    )
    guard inference.obstacles.isEmpty else {
      throw InferenceError(obstacles: inference.obstacles)
    }
    self.init(
      MappingModel(entityMappings: inference.entityMappings),
      from: source,
      to: destination,
      warnings: inference.warnings
    )
  }

  /// Returns whether a mapping can be inferred, which takes a part of the time of inferring it.
  ///
  /// - Parameters:
  ///   - source: The version of the rows.
  ///   - destination: The version to migrate to.
  ///   - hashes: The hashes of both, if they are already known.
  ///   - isReturn: Whether the destination is the older version.
  ///   - earlierVersions: The versions before the destination.
  /// - Returns: Whether nothing is in the way.
  package static func canBeInferred(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)? = nil,
    isReturn: Bool = false,
    earlierVersions: @autoclosure () -> [ManagedObjectModel] = []
  ) -> Bool {
    MappingInference(
      of: source,
      destination,
      hashes,
      isReturn: isReturn,
      earlierVersions: earlierVersions
    ).obstacles.isEmpty
  }

  /// Completes the mapping model of a file by inference.
  ///
  /// - Parameters:
  ///   - authored: A mapping model without faults.
  ///   - source: The version of the rows.
  ///   - destination: The version to migrate to.
  ///   - hashes: The hashes of both, if they are already known.
  ///   - isReturn: Whether the destination is the older version.
  ///   - earlierVersions: The versions before the destination.
  /// - Throws: Everything that neither the file nor inference determines.
  package init(
    completing authored: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)? = nil,
    isReturn: Bool = false,
    earlierVersions: @autoclosure () -> [ManagedObjectModel] = []
  ) throws(InferenceError) {
    let completion = MappingCompletion(
      authored,
      from: source,
      to: destination,
      hashes ?? (source.versionHashes(), destination.versionHashes()),
      isReturn: isReturn,
      earlierVersions: earlierVersions
    )
    guard completion.obstacles.isEmpty else {
      throw InferenceError(obstacles: completion.obstacles)
    }
    self.init(
      MappingModel(
        entityMappings: completion.entityMappings,
        before: authored.before,
        after: authored.after
      ),
      from: source,
      to: destination,
      warnings: completion.warnings,
      isAuthored: true
    )
  }

  /// Returns the mapping for a destination beside the source, which copies everything.
  package func copyingEverything(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> CompleteMapping {
    var mapping = self
    mapping.copyScope = CopyScope(ofEverythingIn: mappingModel, from: source, to: destination)
    return mapping
  }

  /// Returns the mapping without the parts for rebuilt rows, as if no table were rebuilt.
  package func placement(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> MappingModel {
    RowMappings(mappingModel, from: source, to: destination).placement(besides: [])
  }

  /// Returns the mapping for rebuilding tables that could be migrated in place.
  package func copying(
    rootsNamed roots: Set<String>,
    joins: Set<CopyScope.JoinName>,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> CompleteMapping {
    var mapping = self
    mapping.copyScope = copyScope.adding(
      rootsNamed: roots,
      joins: joins,
      of: mappingModel,
      from: source,
      to: destination
    )
    return mapping
  }

  init(
    _ mappingModel: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    warnings: [Diagnostic],
    isAuthored: Bool = false
  ) {
    self.mappingModel = mappingModel
    self.isAuthored = isAuthored
    copyScope =
      isAuthored
      ? CopyScope(of: mappingModel, from: source, to: destination)
      : CopyScope(ofInferred: mappingModel)
    let pairing = ModelPairing(copyScope.placement, from: source, to: destination)
    var requirements = MappingRequirements(of: pairing, besides: copyScope)
    requirements.addFits(of: mappingModel, in: copyScope)
    preconditions = requirements.preconditions
    self.warnings = warnings
  }
}

extension MappingInference {
  /// Infers the mappings of all entities.
  fileprivate init(
    of source: ManagedObjectModel,
    _ destination: ManagedObjectModel,
    _ hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)?,
    isReturn: Bool,
    earlierVersions: () -> [ManagedObjectModel]
  ) {
    self.init(
      from: source,
      to: destination,
      hashes?.source ?? source.versionHashes(),
      hashes?.destination ?? destination.versionHashes(),
      isReturn: isReturn
    )
    inferEntities()
    checkIdentifiers(against: earlierVersions)
  }
}
