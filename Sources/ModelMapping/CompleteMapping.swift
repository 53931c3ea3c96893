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

  init(
    _ mappingModel: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    warnings: [Diagnostic]
  ) {
    self.mappingModel = mappingModel
    let pairing = ModelPairing(mappingModel, from: source, to: destination)
    preconditions = MappingRequirements(of: pairing).preconditions
    self.warnings = warnings
  }
}
