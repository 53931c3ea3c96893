internal import Diagnostics
package import ObjectModel

/// A first draft of a mapping model: parts that inference cannot determine are holes, and it leaves
/// out all others.
package struct DraftMapping: Hashable, Sendable {
  /// The mapping model.
  package let mappingModel: MappingModel
  /// The holes; empty if everything can be inferred.
  package let holes: [MappingHole]

  init(mappingModel: MappingModel, holes: [MappingHole]) {
    self.mappingModel = mappingModel
    self.holes = holes
  }

  /// Drafts a mapping model between two versions.
  ///
  /// - Parameters:
  ///   - source: The version that the rows are at.
  ///   - destination: The version that they are to be at.
  ///   - obstacles: Why nothing can be inferred; empty if it can.
  package init(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    obstacles: [InferenceObstacle]
  ) {
    var drafting = Drafting(ModelMatching(from: source, to: destination))
    for obstacle in obstacles { drafting.add(obstacle) }
    mappingModel = MappingModel(entityMappings: drafting.entityMappings)
    holes = drafting.holes
  }
}

/// Gathers the entity mappings of obstacles.
private struct Drafting {
  let matching: ModelMatching
  var entityMappings: [EntityMapping] = []
  var holes: [MappingHole] = []

  init(_ matching: ModelMatching) {
    self.matching = matching
  }

  mutating func add(_ obstacle: InferenceObstacle) {
    if case .mergedHierarchies(_, let entities) = obstacle.reason {
      // These are complete: rows of one entity become rows of another.
      for entity in entities {
        _ = position(of: entity.sourceName, entity.destinationName)
      }
      return
    }
    guard let entity = matching.destination.entity(named: obstacle.entityName) else { return }
    let index = position(of: matching.sourceNames[entity.name], entity.name)
    let diagnostic = obstacle.diagnostic
    let reason = diagnostic.detail ?? diagnostic.message
    holes.append(MappingHole(element(obstacle.propertyName, of: entity, at: index), reason: reason))
  }

  /// Returns the part that an obstacle is about, which there is from now on.
  private mutating func element(
    _ propertyName: String?,
    of entity: EntityDescription,
    at index: Int
  ) -> MappingElement {
    // Only the whole attribute of a composite's element can be mapped.
    guard let name = propertyName?.split(separator: ".").first.map(String.init) else {
      return .entityMapping(index)
    }
    let isRelationship = matching.destination.effectiveRelationships(of: entity)
      .contains { $0.name == name }
    if isRelationship {
      let mappings = entityMappings[index].relationshipMappings
      let position = mappings.firstIndex { $0.name == name } ?? mappings.count
      if position == mappings.count {
        entityMappings[index].relationshipMappings.append(PropertyMapping(name: name))
      }
      return .relationshipMapping(entityMapping: index, position)
    }
    let mappings = entityMappings[index].attributeMappings
    let position = mappings.firstIndex { $0.name == name } ?? mappings.count
    if position == mappings.count {
      entityMappings[index].attributeMappings.append(PropertyMapping(name: name))
    }
    return .attributeMapping(entityMapping: index, position)
  }

  private mutating func position(of source: String?, _ destination: String) -> Int {
    let known = entityMappings.firstIndex {
      $0.sourceEntityName == source && $0.destinationEntityName == destination
    }
    if let known { return known }
    var mapping = EntityMapping(
      name: EntityMapping.defaultName(source: source, destination: destination),
      type: .transform,
      sourceEntityName: source,
      destinationEntityName: destination
    )
    mapping.type = mapping.authoredType
    entityMappings.append(mapping)
    return entityMappings.count - 1
  }
}
