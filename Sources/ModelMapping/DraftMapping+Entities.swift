internal import Diagnostics
package import ObjectModel

extension DraftMapping {
  /// Drafts the mappings of some entities with a value for each property, also where all of it can be
  /// inferred.
  ///
  /// What inference would do is written out and costs no more than if it were left out. What inference
  /// does not know is a hole: a new required attribute without a default, an attribute that a removed
  /// one may have become, and what cannot be inferred.
  ///
  /// - Parameters:
  ///   - entityNames: Entities of either version; of an abstract one those that inherit from it.
  ///   - source: The version that the rows are at.
  ///   - destination: The version that they are to be at.
  /// - Returns: The draft, and the names that neither version has.
  package static func writingOut(
    _ entityNames: [String],
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> (draft: DraftMapping, unrecognized: [String]) {
    var writing = WrittenOutDraft(from: source, to: destination)
    for name in entityNames { writing.add(name) }
    return (
      DraftMapping(
        mappingModel: MappingModel(entityMappings: writing.entityMappings),
        holes: writing.holes
      ),
      writing.unrecognized
    )
  }
}

/// Gathers entity mappings with all properties.
private struct WrittenOutDraft {
  let matching: ModelMatching
  private let hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)
  private(set) var entityMappings: [EntityMapping] = []
  private(set) var holes: [MappingHole] = []
  private(set) var unrecognized: [String] = []

  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    matching = ModelMatching(from: source, to: destination)
    hashes = (source.versionHashes(), destination.versionHashes())
  }

  mutating func add(_ name: String) {
    if let after = matching.destination.entity(named: name) {
      for entity in concrete(after, in: matching.destination) {
        addMapping(to: entity, from: matching.sourceNames[entity.name].flatMap(source))
      }
    } else if let before = source(name) {
      for entity in concrete(before, in: matching.source) {
        if let after = matching.destinationNames[entity.name]
          .flatMap({ matching.destination.entity(named: $0) })
        {
          addMapping(to: after, from: entity)
        } else {
          addRemoval(of: entity)
        }
      }
    } else {
      unrecognized.append(name)
    }
  }

  private func source(_ name: String) -> EntityDescription? { matching.source.entity(named: name) }

  private func concrete(
    _ entity: EntityDescription,
    in model: ManagedObjectModel
  ) -> [EntityDescription] {
    entity.isAbstract ? model.family(of: entity).filter { !$0.isAbstract } : [entity]
  }

  private mutating func addRemoval(of entity: EntityDescription) {
    var mapping = EntityMapping.removal(of: entity)
    mapping.name = EntityMapping.defaultName(source: entity.name, destination: nil)
    entityMappings.append(mapping)
  }

  private mutating func addMapping(
    to destination: EntityDescription,
    from before: EntityDescription?
  ) {
    let isKnown = entityMappings.contains {
      $0.destinationEntityName == destination.name && $0.sourceEntityName == before?.name
    }
    guard !isKnown else { return }
    let index = entityMappings.count
    guard let before else {
      var mapping = EntityMapping(
        name: EntityMapping.defaultName(source: nil, destination: destination.name),
        type: .add,
        destinationEntityName: destination.name
      )
      mapping.type = mapping.authoredType
      entityMappings.append(mapping)
      holes.append(
        MappingHole(
          .entityMapping(index),
          reason: "the entity is new: name a source whose rows become its, or remove this mapping"
        )
      )
      return
    }
    var inference = MappingInference(
      from: matching.source,
      to: matching.destination,
      hashes.source,
      hashes.destination
    )
    inference.inferPair((before, destination))
    guard let inferred = inference.entityMappings.last else { return }
    var mapping = inferred
    mapping.name = EntityMapping.defaultName(source: before.name, destination: destination.name)
    mapping.type = .transform
    mapping.attributeMappings = []
    let attributes = matching.attributes((before, destination))
    let removed = attributes.removed.filter {
      !$0.isComputed && $0.storedIn(before, matching.source)
    }
    for property in inferred.attributeMappings {
      guard
        let attribute = matching.destination.effectiveAttributes(of: destination)
          .first(where: { $0.name == property.name }), !attribute.isComputed
      else { continue }
      let element = MappingElement.attributeMapping(
        entityMapping: index,
        mapping.attributeMappings.count
      )
      let reason =
        reason(inference.obstacles, property.name)
        ?? (property.valueExpression == nil ? reason(ofNew: attribute, removed) : nil)
      if let reason {
        holes.append(MappingHole(element, reason: reason))
        mapping.attributeMappings.append(PropertyMapping(name: property.name))
      } else if let written = property.written(for: attribute) {
        mapping.attributeMappings.append(written)
      }
    }
    mapping.relationshipMappings = []
    for property in inferred.relationshipMappings {
      let element = MappingElement.relationshipMapping(
        entityMapping: index,
        mapping.relationshipMappings.count
      )
      if let reason = reason(inference.obstacles, property.name) {
        holes.append(MappingHole(element, reason: reason))
        mapping.relationshipMappings.append(PropertyMapping(name: property.name))
      } else {
        mapping.relationshipMappings.append(property)
      }
    }
    entityMappings.append(mapping)
    addReadHole(removed, of: before, at: index)
  }

  private func reason(_ obstacles: [InferenceObstacle], _ property: String) -> String? {
    let obstacle = obstacles.first {
      $0.propertyName?.split(separator: ".").first.map(String.init) == property
    }
    return obstacle.map { $0.diagnostic.detail ?? $0.diagnostic.message }
  }

  /// Returns why nobody knows the value of a new attribute; `nil` if its default will do.
  private func reason(
    ofNew attribute: AttributeDescription,
    _ removed: [AttributeDescription]
  ) -> String? {
    let candidates = removed.filter {
      AttributeConversion(from: $0.type, to: attribute.type) != .impossible
    }.map { "\"\($0.name)\"" }
    let isRequired =
      !attribute.isOptional && attribute.defaultValue == nil && attribute.defaultExpression == nil
      && attribute.numbering == nil
    guard isRequired || !candidates.isEmpty else { return nil }
    let state = isRequired ? "the attribute is new and required" : "the attribute is new"
    guard !candidates.isEmpty else { return "\(state), and has no default" }
    return "\(state), and could be what was \(candidates.joined(separator: " or ")) of the source"
  }

  /// Adds a hole for removed attributes that something else of the source reads.
  private mutating func addReadHole(
    _ removed: [AttributeDescription],
    of entity: EntityDescription,
    at index: Int
  ) {
    let lineage = matching.source.lineage(of: entity)
    let read = removed.filter { attribute in
      lineage.contains { declaring in
        declaring.uniquenessConstraints.contains { $0.contains(attribute.name) }
          || declaring.attributes.contains {
            $0.derivationExpression.flatMap { try? Expression(parsing: $0) }?
              .reads(attribute.name) ?? false
          }
      }
    }
    guard !read.isEmpty else { return }
    let names = read.map { "\"\($0.name)\"" }.joined(separator: ", ")
    holes.append(
      MappingHole(
        .entityMapping(index),
        reason:
          "the destination has no attribute \(names), which the source reads elsewhere: use it in "
          + "a value, or remove this hole"
      )
    )
  }
}

extension Expression {
  /// Returns whether the expression reads a property of its row.
  fileprivate func reads(_ name: String) -> Bool {
    parts.contains { part in
      if case .keyPath(let path) = part { path.names.first == name } else { false }
    }
  }
}

extension AttributeDescription {
  /// Returns whether an attribute is one that rows of an entity have values of.
  fileprivate func storedIn(_ entity: EntityDescription, _ model: ManagedObjectModel) -> Bool {
    !isTransient && model.effectiveAttributes(of: entity).contains { $0.name == name }
  }
}

extension PropertyMapping {
  /// Returns the mapping as a file has it: a new attribute has its default written out; `nil` if the
  /// default has no words in the language.
  fileprivate func written(for attribute: AttributeDescription) -> PropertyMapping? {
    guard valueExpression == nil else {
      return PropertyMapping(name: name, valueExpression: valueExpression)
    }
    guard elementMappings.isEmpty, attribute.defaultExpression == nil, attribute.numbering == nil
    else { return nil }
    return Expression.Constant(of: fallback).map {
      PropertyMapping(name: name, valueExpression: .expression(.constant($0)))
    }
  }
}
