package import ObjectModel

extension CompleteMapping {
  /// Returns the composition of this mapping and the next one.
  ///
  /// Renames compose, a property added and then removed cancels out, and rows get the default of
  /// the step that needs one.
  ///
  /// - Parameters:
  ///   - next: The mapping from the middle version on.
  ///   - source: The source of this mapping.
  ///   - middle: The destination of this mapping and the source of the next one.
  ///   - destination: The destination of the next mapping.
  ///   - hashes: The hashes of the source and of the destination.
  /// - Returns: The mapping, or `nil` if no single mapping gives the same rows.
  package func followed(
    by next: CompleteMapping,
    from source: ManagedObjectModel,
    over middle: ManagedObjectModel,
    to destination: ManagedObjectModel,
    hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)
  ) -> CompleteMapping? {
    guard isInPlace, next.isInPlace else { return nil }
    let composition = MappingComposition(
      ModelPairing(mappingModel, from: source, to: middle),
      ModelPairing(next.mappingModel, from: middle, to: destination),
      hashes
    )
    guard let mapping = composition.mappingModel() else { return nil }
    return CompleteMapping(
      mapping,
      from: source,
      to: destination,
      warnings: warnings + next.warnings.filter { !warnings.contains($0) }
    )
  }
}

extension CompleteMapping {
  /// A Boolean value that indicates whether it is carried out on the tables as they are, without a
  /// word of anyone else's.
  fileprivate var isInPlace: Bool {
    copyScope.isEmpty && mappingModel.before.isEmpty && mappingModel.after.isEmpty
  }
}

/// The work of composing two mappings.
private struct MappingComposition {
  private let first: ModelPairing
  private let second: ModelPairing
  private let hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)

  init(
    _ first: ModelPairing,
    _ second: ModelPairing,
    _ hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)
  ) {
    self.first = first
    self.second = second
    self.hashes = hashes
  }

  func mappingModel() -> MappingModel? {
    var mappings: [EntityMapping] = []
    var kept: Set<String> = []
    for entity in second.destination.entities {
      let middle = second.sourceEntity(of: entity.name)
      if let middle, let source = first.sourceEntity(of: middle.name) {
        kept.insert(source.name)
        guard let mapping = mapping(of: entity, middle, source) else { return nil }
        mappings.append(mapping)
      } else {
        mappings.append(.addition(of: entity, in: second.destination))
      }
    }
    for entity in first.source.entities where !kept.contains(entity.name) {
      mappings.append(.removal(of: entity))
    }
    let composed = MappingModel(entityMappings: mappings)
    return isFoundOnTheWayBack(composed) ? composed : nil
  }

  // MARK: - The way back

  /// Returns whether a single reverting mapping identifies every property correctly: a property
  /// removed and then added again has the name of the old one, but not its values.
  private func isFoundOnTheWayBack(_ composed: MappingModel) -> Bool {
    let (earlier, later) = (first.source, second.destination)
    let pairing = ModelPairing(composed, from: earlier, to: later)
    let back = ModelMatching(from: later, to: earlier, isReturn: true)
    return back.entities.pairs.allSatisfy { entity in
      guard pairing.sourceEntity(of: entity.source.name)?.name == entity.destination.name else {
        return false
      }
      let row = ModelPairing.RowOrigin(source: entity.destination, destination: entity.source)
      let attributes = back.attributes(entity).pairs.filter {
        !$0.source.isComputed && !$0.destination.isComputed
      }
      return attributes.allSatisfy { attribute in
        PartMatching(from: attribute.source, to: attribute.destination, in: (later, earlier)).pairs
          .allSatisfy { part in
            let path = PropertyPath(attribute.source.name, elements: part.source.path)
            return pairing.sourcePart(path, of: row)?.path
              == PropertyPath(attribute.destination.name, elements: part.destination.path)
          }
      }
        && back.relationships(entity).pairs.allSatisfy { relationship in
          pairing.sourceRelationship(relationship.source.name, of: row)?.relationship.name
            == relationship.destination.name
        }
    }
  }

  private func mapping(
    of entity: EntityDescription,
    _ middle: EntityDescription,
    _ source: EntityDescription
  ) -> EntityMapping? {
    let isCopy = hashes.source.entities[source.name] == hashes.destination.entities[entity.name]
    var mapping = EntityMapping(
      pairing: source.name,
      with: entity.name,
      as: isCopy ? .copy : .transform
    )
    for attribute in second.destination.effectiveAttributes(of: entity)
    where !attribute.isTransient {
      guard let property = self.mapping(of: attribute, of: entity, middle, source) else {
        return nil
      }
      mapping.attributeMappings.append(property)
    }
    for relationship in second.destination.effectiveRelationships(of: entity)
    where !relationship.isTransient {
      guard let property = self.mapping(of: relationship, of: entity, middle, source) else {
        return nil
      }
      mapping.relationshipMappings.append(property)
    }
    return mapping
  }

  // MARK: - Attributes

  private func mapping(
    of attribute: AttributeDescription,
    of entity: EntityDescription,
    _ middle: EntityDescription,
    _ source: EntityDescription
  ) -> PropertyMapping? {
    let later = ModelPairing.RowOrigin(source: middle, destination: entity)
    let earlier = ModelPairing.RowOrigin(source: source, destination: middle)
    let between = second.sourceAttribute(attribute.name, of: later)?.attribute
    // The values of an attribute derived in the middle have no other origin.
    if let between, between.isComputed, !attribute.isComputed {
      return nil
    }
    let before = between.flatMap { first.sourceAttribute($0.name, of: earlier)?.attribute }
    var mapping = PropertyMapping(
      name: attribute.name,
      valueExpression: before.map { .sourceAttribute($0.name) }
    )
    for leaf in second.destination.leaves(of: AttributePart(attribute)) {
      let path = PropertyPath(attribute.name, elements: leaf.path)
      guard let composed = part(path, leaf, later, earlier) else { return nil }
      if leaf.path.isEmpty {
        mapping.fallback = composed.fallback
      } else {
        mapping.elementMappings.append(
          ElementMapping(
            path: leaf.path,
            sourcePath: composed.sourcePath,
            fallback: composed.fallback
          )
        )
      }
    }
    return mapping
  }

  private func part(
    _ path: PropertyPath,
    _ leaf: AttributePart,
    _ later: ModelPairing.RowOrigin,
    _ earlier: ModelPairing.RowOrigin
  ) -> (sourcePath: [String]?, fallback: AttributeValue?)? {
    let laterFallback = second.fallback(of: path, of: later.destination.name)
    guard let between = second.sourcePart(path, of: later) else { return (nil, laterFallback) }
    let earlierFallback = first.fallback(of: between.path, of: earlier.destination.name)
    let last = (between.part.description.type, leaf.description.type)
    if earlierFallback != nil {
      // The constant itself would have to be converted.
      switch AttributeConversion(from: last.0, to: last.1) {
      case .identical: break
      case .lossless:
        guard Self.haveSameConstants(last.0, last.1) else { return nil }
      case .checked, .impossible: return nil
      }
    }
    let fallback = earlierFallback ?? laterFallback
    guard let before = first.sourcePart(between.path, of: earlier) else { return (nil, fallback) }
    guard isOneConversion(before.part.description.type, last.0, last.1) else { return nil }
    return (before.path.elements, fallback)
  }

  /// Returns whether a constant of one type is written like one of another.
  private static func haveSameConstants(_ first: AttributeType, _ second: AttributeType) -> Bool {
    switch (first.canonical, second.canonical) {
    case (.array(let first), .array(let second)): haveSameConstants(first, second)
    case (let first, let second): (first.numericRange == nil) == (second.numericRange == nil)
    }
  }

  /// Returns whether a single conversion gives the same as two.
  private func isOneConversion(
    _ before: AttributeType,
    _ between: AttributeType,
    _ after: AttributeType
  ) -> Bool {
    let steps = [
      AttributeConversion(from: before, to: between), AttributeConversion(from: between, to: after),
    ]
    if steps.contains(.identical) { return true }
    let direct = AttributeConversion(from: before, to: after)
    return steps == [.lossless, .lossless] && (direct == .lossless || direct == .identical)
  }

  // MARK: - Relationships

  private func mapping(
    of relationship: RelationshipDescription,
    of entity: EntityDescription,
    _ middle: EntityDescription,
    _ source: EntityDescription
  ) -> PropertyMapping? {
    let later = ModelPairing.RowOrigin(source: middle, destination: entity)
    let earlier = ModelPairing.RowOrigin(source: source, destination: middle)
    let none = PropertyMapping(name: relationship.name)
    guard let (declaring, between) = second.sourceRelationship(relationship.name, of: later) else {
      return none
    }
    guard keepsInverse(of: relationship, declaring, between) else { return nil }
    guard let (_, before) = first.sourceRelationship(between.name, of: earlier) else { return none }
    // An order that was removed and added again is a new one.
    if before.isOrdered, !between.isOrdered, relationship.isOrdered { return nil }
    return PropertyMapping(
      name: relationship.name,
      valueExpression: .destinationInstances(sourceRelationship: before.name)
    )
  }

  /// Returns whether links that the inverse brought in the first step come by the inverse in one step,
  /// too.
  private func keepsInverse(
    of relationship: RelationshipDescription,
    _ declaring: EntityDescription,
    _ between: RelationshipDescription
  ) -> Bool {
    let origins = first.linkOrigins(of: between, declaredBy: declaring)
    guard origins.contains(where: \.isReversed),
      let inverse = second.source.inverse(of: between)
    else { return true }
    guard let after = second.destination.inverse(of: relationship) else { return false }
    return second.rowOrigins(of: after.declaringEntity).allSatisfy { row in
      second.sourceRelationship(after.relationship.name, of: row)?.relationship.name
        == inverse.relationship.name
    }
  }
}
