internal import Diagnostics
internal import ObjectModel

/// Completes an authored mapping model by inference.
struct MappingCompletion {
  private let authored: MappingModel
  private let matching: ModelMatching
  private(set) var entityMappings: [EntityMapping] = []
  private(set) var obstacles: [InferenceObstacle] = []
  private(set) var warnings: [Diagnostic] = []
  /// The properties of each entity of the destination that the file speaks of.
  private var authoredProperties: [String: Set<String>] = [:]
  private let hashes: (source: ModelVersionHashes, destination: ModelVersionHashes)

  init(
    _ authored: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    _ hashes: (source: ModelVersionHashes, destination: ModelVersionHashes),
    isReturn: Bool,
    earlierVersions: () -> [ManagedObjectModel]
  ) {
    let authored = authored.withConstants(from: source, to: destination)
    self.authored = authored
    self.hashes = hashes
    var inference = MappingInference(
      from: source,
      to: destination,
      hashes.source,
      hashes.destination,
      isReturn: isReturn,
      authored: authored.properties,
      read: authored.readProperties
    )
    inference.inferEntities()
    inference.checkIdentifiers(against: earlierVersions)
    matching = inference.matching
    obstacles = inference.obstacles
    warnings = inference.warnings
    for mapping in authored.entityMappings { complete(mapping) }
    addInferred(inference.entityMappings)
    obstacles.removeAll(where: isOvercome)
  }

  // MARK: - Entity mappings

  private mutating func complete(_ mapping: EntityMapping) {
    guard let destination = mapping.destinationEntityName,
      let after = matching.destination.entity(named: destination)
    else {
      entityMappings.append(mapping)
      return
    }
    let properties = Set((mapping.attributeMappings + mapping.relationshipMappings).map(\.name))
      .union(mapping.instanceCreation?.attributes ?? [])
    authoredProperties[destination] =
      authoredProperties[destination]?.intersection(properties) ?? properties
    var complete = mapping
    let before = mapping.sourceEntityName.flatMap { matching.source.entity(named: $0) }
    let inferred = inferredMapping(from: before, to: after)
    complete.attributeMappings = inferred.attributeMappings.map { property in
      if mapping.instanceCreation?.attributes.contains(property.name) ?? false {
        // The server has none for it.
        return PropertyMapping(name: property.name, valueExpression: .expression(.constant(.null)))
      }
      return mapping.attributeMappings.first { $0.name == property.name }
        .map { isDefault($0, of: after, property) ? property : plain($0, of: after, from: before) }
        ?? property
    }
    complete.relationshipMappings = inferred.relationshipMappings.map { property in
      mapping.relationshipMappings.first { $0.name == property.name }
        .map { plain($0, of: after, from: before) } ?? property
    }
    complete.type = type(of: mapping, inferred)
    entityMappings.append(complete)
  }

  /// Returns the inferred mapping of two entities, whether or not inference would pair them.
  private mutating func inferredMapping(
    from source: EntityDescription?,
    to destination: EntityDescription
  ) -> EntityMapping {
    guard let source else { return .addition(of: destination, in: matching.destination) }
    var inference = MappingInference(
      from: matching.source,
      to: matching.destination,
      hashes.source,
      hashes.destination,
      isReturn: matching.isReturn
    )
    inference.inferPair((source, destination))
    obstacles += inference.obstacles.filter { !obstacles.contains($0) }
    return inference.entityMappings.last ?? .addition(of: destination, in: matching.destination)
  }

  private func type(
    of mapping: EntityMapping,
    _ inferred: EntityMapping
  ) -> EntityMapping.MappingType {
    if mapping.sourceEntityName == nil { return .add }
    if mapping.policyClassName != nil || !mapping.policy.isEmpty { return .custom }
    let isCopy =
      inferred.type == .copy && mapping.attributeMappings.isEmpty
      && mapping.relationshipMappings.isEmpty && mapping.condition == nil
      && mapping.distinct == nil && mapping.forEach == nil
    return isCopy ? .copy : .transform
  }

  /// Adds the inferred mappings of entities that the file leaves out.
  private mutating func addInferred(_ inferred: [EntityMapping]) {
    let destinations = Set(authored.entityMappings.compactMap(\.destinationEntityName))
    let removed = Set(
      authored.entityMappings.filter { $0.destinationEntityName == nil }
        .compactMap(\.sourceEntityName)
    )
    var used = Set(authored.entityMappings.compactMap(\.sourceEntityName))
    var left: [EntityMapping] = []
    for mapping in inferred {
      guard let destination = mapping.destinationEntityName else {
        left.append(mapping)
        continue
      }
      if destinations.contains(destination) {
        if mapping.sourceEntityName != nil { left.append(mapping) }
        continue
      }
      if let source = mapping.sourceEntityName {
        if removed.contains(source), let entity = matching.destination.entity(named: destination) {
          entityMappings.append(.addition(of: entity, in: matching.destination))
          continue
        }
        used.insert(source)
      }
      entityMappings.append(named(mapping))
    }
    for mapping in left {
      guard let source = mapping.sourceEntityName, !used.contains(source),
        let entity = matching.source.entity(named: source)
      else { continue }
      used.insert(source)
      entityMappings.append(.removal(of: entity))
    }
  }

  /// Returns an inferred mapping under the name by which the file may look its rows up.
  private func named(_ mapping: EntityMapping) -> EntityMapping {
    guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName
    else { return mapping }
    var mapping = mapping
    let name = EntityMapping.defaultName(source: source, destination: destination)
    if !authored.entityMappings.contains(where: { $0.name == name }) { mapping.name = name }
    return mapping
  }

  // MARK: - Properties

  /// Returns whether a file gives a new attribute nothing but its default.
  private func isDefault(
    _ mapping: PropertyMapping,
    of destination: EntityDescription,
    _ inferred: PropertyMapping
  ) -> Bool {
    guard case .expression(.constant(let constant)) = mapping.valueExpression,
      inferred.valueExpression == nil, inferred.elementMappings.isEmpty,
      let attribute = matching.destination.effectiveAttributes(of: destination).first(where: {
        $0.name == mapping.name
      })
    else { return false }
    return attribute.defaultExpression == nil && attribute.numbering == nil
      && Expression.Constant(of: inferred.fallback) == constant
  }

  /// Returns a property mapping, without an expression if it equals the inferred one.
  private func plain(
    _ mapping: PropertyMapping,
    of destination: EntityDescription,
    from source: EntityDescription?
  ) -> PropertyMapping {
    guard let source, case .expression(let expression) = mapping.valueExpression else {
      return mapping
    }
    return plainAttribute(mapping.name, expression, of: destination, from: source)
      ?? plainRelationship(mapping.name, expression, of: destination, from: source) ?? mapping
  }

  private func plainAttribute(
    _ name: String,
    _ expression: Expression,
    of destination: EntityDescription,
    from source: EntityDescription
  ) -> PropertyMapping? {
    guard let property = expression.propertyOfSource,
      let before = matching.source.effectiveAttributes(of: source).first(where: {
        $0.name == property && !$0.isTransient
      }),
      let after = matching.destination.effectiveAttributes(of: destination).first(where: {
        $0.name == name
      })
    else { return nil }
    var inference = MappingInference(
      from: matching.source,
      to: matching.destination,
      hashes.source,
      hashes.destination,
      isReturn: matching.isReturn
    )
    inference.inferParts(from: before, to: after, of: destination.name)
    return inference.obstacles.isEmpty ? inference.mapping(from: before, to: after) : nil
  }

  /// A relationship mapped to the new rows of all its destinations is the inferred one.
  private func plainRelationship(
    _ name: String,
    _ expression: Expression,
    of destination: EntityDescription,
    from source: EntityDescription
  ) -> PropertyMapping? {
    guard case .destinationInstances(let lookup) = expression,
      let property = lookup.sources.propertyOfSource,
      let before = matching.source.effectiveRelationships(of: source).first(where: {
        $0.name == property && !$0.isTransient
      }),
      let after = matching.destination.effectiveRelationships(of: destination).first(where: {
        $0.name == name
      })
    else { return nil }
    switch lookup.mapping {
    case .ofRelationship(let relationship):
      guard relationship == property else { return nil }
    case .named(let mappingName):
      guard
        let mapping = authored.entityMappings.first(where: { $0.name == mappingName }),
        mapping.sourceEntityName == before.destinationEntityName,
        mapping.destinationEntityName == after.destinationEntityName,
        authored.entityMappings.count(where: {
          $0.sourceEntityName == mapping.sourceEntityName
            && $0.destinationEntityName == mapping.destinationEntityName
        }) == 1
      else { return nil }
    }
    return PropertyMapping(
      name: name,
      valueExpression: .destinationInstances(sourceRelationship: property)
    )
  }

  // MARK: - Obstacles

  /// Returns whether the file determines what inference could not.
  private func isOvercome(_ obstacle: InferenceObstacle) -> Bool {
    let family =
      matching.destination.entity(named: obstacle.entityName)
      .map { matching.destination.family(of: $0) } ?? []
    switch obstacle.reason {
    case .mergedHierarchies, .changedKey:
      return family.contains { authoredProperties[$0.name] != nil }
    case .incompatibleTypes(let before, let after):
      if isAuthored(obstacle.propertyName, family) { return true }
      // Foundation treats both as numbers, so a mapping model need not convert one to the other.
      return before == .boolean && [.float, .double, .decimal].contains(after)
        && family.allSatisfy { $0.isAbstract || authoredProperties[$0.name] != nil }
    case .incompatibleDestination(let before, let after):
      return isAuthored(obstacle.propertyName, family)
        || isInverseAuthored(obstacle) || leads(from: before, to: after)
    case .danglingIdentifier:
      guard obstacle.propertyName != nil else {
        return authoredProperties[obstacle.entityName] != nil
      }
      return isAuthored(obstacle.propertyName, family)
    }
  }

  /// Returns whether the file speaks of a property for all entities that have rows with it.
  private func isAuthored(_ path: String?, _ family: [EntityDescription]) -> Bool {
    guard let property = path?.split(separator: ".").first.map(String.init) else { return false }
    let made = family.filter { entity in
      entityMappings.contains {
        $0.destinationEntityName == entity.name && $0.sourceEntityName != nil
      }
    }
    return made.allSatisfy { authoredProperties[$0.name]?.contains(property) ?? false }
  }

  private func isInverseAuthored(_ obstacle: InferenceObstacle) -> Bool {
    guard let entity = matching.destination.entity(named: obstacle.entityName),
      let relationship = entity.relationships.first(where: { $0.name == obstacle.propertyName }),
      let inverse = matching.destination.inverse(of: relationship)
    else { return false }
    return isAuthored(
      inverse.relationship.name,
      matching.destination.family(of: inverse.declaringEntity)
    )
  }

  /// Returns whether rows of one entity, or of one that inherits from it, become rows of another.
  private func leads(from source: String, to destination: String) -> Bool {
    guard let before = matching.source.entity(named: source),
      let after = matching.destination.entity(named: destination)
    else { return false }
    let sources = Set(matching.source.family(of: before).map(\.name))
    let destinations = Set(matching.destination.family(of: after).map(\.name))
    return entityMappings.contains { mapping in
      mapping.sourceEntityName.map(sources.contains) ?? false
        && mapping.destinationEntityName.map(destinations.contains) ?? false
    }
  }
}

extension MappingModel {
  /// The properties of each entity of the destination that it speaks of.
  fileprivate var properties: [String: Set<String>] {
    var properties: [String: Set<String>] = [:]
    for mapping in entityMappings {
      guard let destination = mapping.destinationEntityName else { continue }
      let names =
        (mapping.attributeMappings + mapping.relationshipMappings).map(\.name)
        + (mapping.instanceCreation?.attributes ?? [])
      properties[destination, default: []].formUnion(names)
    }
    return properties
  }

  /// The properties of each entity of the source that its expressions and SQL read, where that is
  /// clear: those at the beginning of key paths, and those that placeholders name.
  fileprivate var readProperties: [String: Set<String>] {
    var read: [String: Set<String>] = [:]
    func note(_ template: SQLTemplate) {
      for case .sourceProperty(let entity, let name) in template.placeholders {
        read[entity, default: []].insert(name)
      }
    }
    for template in before + after { note(template) }
    for mapping in entityMappings {
      for template in mapping.policy.statements.values { note(template) }
      for part in mapping.expressionParts {
        if case .sql(let text) = part, let template = try? SQLTemplate(parsing: text) {
          note(template)
        }
        guard case .keyPath(let path) = part, path.base != .variable("destination"),
          let name = path.names.first, let source = mapping.sourceEntityName
        else { continue }
        read[source, default: []].insert(name)
      }
    }
    return read
  }
}

extension EntityMapping {
  fileprivate var expressionParts: [Expression] {
    let values = (attributeMappings + relationshipMappings).flatMap { property -> [Expression] in
      switch property.valueExpression {
      case .expression(let expression): expression.parts
      case .sourceAttribute(let name), .destinationInstances(let name):
        [.keyPath(KeyPathExpression([name]))]
      case nil: []
      }
    }
    let choices = (condition?.parts ?? []) + (distinct?.keys ?? []).flatMap(\.parts)
    return values + choices + (distinct?.order ?? []).flatMap(\.expression.parts)
  }
}

extension Expression {
  /// The property of the source that the expression is, if it is nothing else.
  var propertyOfSource: String? {
    guard case .keyPath(let path) = self, path.names.count == 1, path.aggregate == nil else {
      return nil
    }
    switch path.base {
    case .row: return path.names.first
    case .variable(let name): return name == "source" ? path.names.first : nil
    case .expression: return nil
    }
  }
}
