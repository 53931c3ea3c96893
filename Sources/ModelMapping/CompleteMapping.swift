public import Diagnostics
public import ObjectModel

/// A mapping that says of every property where it comes from, with what it asks of the rows.
public struct CompleteMapping: Hashable, Sendable {
  /// The mapping.
  public let mappingModel: MappingModel
  /// What has to be true of the rows.
  public let preconditions: [DataPrecondition]
  /// What may not have been meant.
  public let warnings: [Diagnostic]
  /// A Boolean value that indicates whether somebody has said of something how it becomes what it is.
  public let isAuthored: Bool
  /// What of it cannot be done to the tables as they are.
  public private(set) var copyScope: CopyScope

  /// Infers how the rows of one version become rows of another.
  ///
  /// The rules are Core Data's: entities and properties are matched by renaming identifiers on both
  /// sides, else by name.
  ///
  /// - Parameters:
  ///   - source: The version that the rows are at.
  ///   - destination: The version that they are to be at.
  ///   - hashes: The hashes of both, where they are known already.
  ///   - earlierVersions: The versions before the destination, which tell a renaming identifier that
  ///     is out of use from one that is misspelled; asked for only where there is such a question.
  /// - Throws: Every reason why nothing can be inferred.
  public init(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)? = nil,
    earlierVersions: @autoclosure () -> [ManagedObjectModel] = []
  ) throws(InferenceError) {
    var inference = MappingInference(
      from: source,
      to: destination,
      hashes?.source ?? source.versionHashes(),
      hashes?.destination ?? destination.versionHashes()
    )
    inference.inferEntities()
    inference.checkIdentifiers(against: earlierVersions)
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

  /// Completes a mapping model that a file holds: what it leaves out goes as inference has it.
  ///
  /// - Parameters:
  ///   - authored: A mapping model without faults.
  ///   - source: The version that the rows are at.
  ///   - destination: The version that they are to be at.
  ///   - hashes: The hashes of both, where they are known already.
  ///   - earlierVersions: The versions before the destination.
  /// - Throws: What neither the file says nor inference knows.
  public init(
    completing authored: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)? = nil,
    earlierVersions: @autoclosure () -> [ManagedObjectModel] = []
  ) throws(InferenceError) {
    let completion = MappingCompletion(
      authored,
      from: source,
      to: destination,
      hashes ?? (source.versionHashes(), destination.versionHashes()),
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

  /// Returns the mapping for a destination that is made beside the source, so that all is copied.
  package func copyingEverything(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> CompleteMapping {
    var mapping = self
    mapping.copyScope = CopyScope(ofEverythingIn: mappingModel, from: source, to: destination)
    return mapping
  }

  /// Returns the mapping for tables that are made anew although all of it could be done to them as
  /// they are.
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
