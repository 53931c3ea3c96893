internal import MigrationPlanning
internal import ModelMapping

/// How a step of a plan can be taken back, as far as the models and the mapping models decide it.
enum StepWayBack: Hashable, Sendable {
  /// The mapping back is inferred.
  case inferred
  /// A mapping model leads back.
  case authored
  /// No mapping leads back: only tables that were replaced can be put back.
  case missing

  /// Finds how some steps can be taken back.
  static func all(of steps: [MigrationStep], _ catalog: VersionCatalog) throws -> [StepWayBack] {
    guard !steps.isEmpty else { return [] }
    let mappings = try MappingCatalog(catalog)
    return steps.map { step in
      guard let source = step.source else { return .missing }
      let authored = try? mappings.mappingModel(from: step.destination.name, to: source.name)
      if authored ?? nil != nil { return .authored }
      // What was computed by a mapping model is not undone by inference.
      guard !step.isAuthored, !catalog.configuration.usesMappingsOnly else { return .missing }
      let model = source.projection.model
      let canBeInferred = CompleteMapping.canBeInferred(
        from: step.destination.projection.model,
        to: model,
        hashes: (step.destination.hashes, source.hashes),
        isReturn: true,
        earlierVersions: [model]
      )
      return canBeInferred ? .inferred : .missing
    }
  }
}
