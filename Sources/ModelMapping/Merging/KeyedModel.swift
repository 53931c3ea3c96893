import ObjectModel

/// A model whose references are keys instead of names, so that a renamed part is the same part in
/// every version of one base.
struct KeyedModel {
  let model: ManagedObjectModel
  /// The keys of the entities, by name.
  let entityKeys: [String: String]
  /// The keys of the properties that entities declare, by the name of the entity, then their own.
  let propertyKeys: [String: [String: String]]
  /// The positions of the entities, by key.
  let positions: [String: Int]
  /// The keys of the elements of composites, by the composite's name, then their own.
  let elementKeys: [String: [String: String]]
  /// The entities with keys for names in their references, by their own keys.
  private(set) var entities: [String: EntityDescription] = [:]

  /// Gives the parts of a model the keys of the parts of the base that they are.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - base: The base; `nil` if the model is the base itself.
  init(_ model: ManagedObjectModel, over base: ManagedObjectModel?) {
    let base = base ?? model
    self.model = model
    var entityKeys: [String: String] = [:]
    var propertyKeys: [String: [String: String]] = [:]
    let matching = NameMatching(base.entities, model.entities)
    for pair in matching.pairs {
      entityKeys[pair.destination.name] = "=\(pair.source.name)"
      var keys = Self.keys(pair.source.attributes, pair.destination.attributes, "a")
      keys.merge(Self.keys(pair.source.relationships, pair.destination.relationships, "r")) {
        first,
        _ in first
      }
      propertyKeys[pair.destination.name] = keys
    }
    for entity in matching.added {
      entityKeys[entity.name] = "+\(entity.name)"
      var keys = Self.keys([], entity.attributes, "a")
      keys.merge(Self.keys([], entity.relationships, "r")) { first, _ in first }
      propertyKeys[entity.name] = keys
    }
    var positions: [String: Int] = [:]
    for (position, entity) in model.entities.enumerated() {
      positions[entityKeys[entity.name] ?? entity.name] = position
    }
    var elementKeys: [String: [String: String]] = [:]
    for composite in model.composites {
      let elements = base.composite(named: composite.name)?.elements ?? []
      elementKeys[composite.name] = Self.keys(elements, composite.elements, "a")
    }
    self.entityKeys = entityKeys
    self.propertyKeys = propertyKeys
    self.positions = positions
    self.elementKeys = elementKeys
    for entity in model.entities { entities[key(ofEntity: entity.name)] = keyed(entity) }
  }

  private static func keys<Property: CanonicallyNamed>(
    _ sources: [Property],
    _ destinations: [Property],
    _ kind: String
  ) -> [String: String] {
    let matching = NameMatching(sources, destinations)
    var keys: [String: String] = [:]
    for pair in matching.pairs { keys[pair.destination.name] = "\(kind)=\(pair.source.name)" }
    for property in matching.added { keys[property.name] = "\(kind)+\(property.name)" }
    return keys
  }

  // MARK: - Keyed parts

  /// The keys of the entities in their order.
  var entityOrder: [String] { model.entities.map { key(ofEntity: $0.name) } }

  func key(ofEntity name: String) -> String { entityKeys[name] ?? "?\(name)" }

  /// Returns the key of a property that an entity declares, unique in the entity.
  func key(ofProperty name: String, ofEntity entity: String) -> String {
    propertyKeys[entity]?[name] ?? "?\(name)"
  }

  /// Returns the key of a property that an entity has, be it inherited, unique in the model.
  private func reference(_ name: String, of entity: EntityDescription) -> String {
    let found = model.nearest(of: entity) { propertyKeys[$0.name]?[name] }
    guard let found else { return "?\(name)" }
    return "\(key(ofEntity: found.declaringEntity.name))/\(found.property)"
  }

  /// Returns the name of a property in a reference to it, the base's where the base has the property.
  static func name(inReference reference: String) -> String {
    if reference.hasPrefix("?") { return String(reference.dropFirst()) }
    let key = reference.split(separator: "/", maxSplits: 1).last ?? ""
    return String(key.dropFirst(2))
  }

  private func keyed(_ entity: EntityDescription) -> EntityDescription {
    var keyed = entity
    keyed.superentityName = entity.superentityName.map(key(ofEntity:))
    keyed.relationships = entity.relationships.map { relationship in
      var keyed = relationship
      keyed.destinationEntityName = key(ofEntity: relationship.destinationEntityName)
      if let inverse = relationship.inverseName,
        let destination = model.entity(named: relationship.destinationEntityName)
      {
        keyed.inverseName = reference(inverse, of: destination)
      }
      return keyed
    }
    keyed.partitioning?.attributeName = entity.partitioning?.attributeName.map {
      reference($0, of: entity)
    }
    keyed.distribution?.propertyName = entity.distribution?.propertyName.map {
      reference($0, of: entity)
    }
    keyed.distribution?.colocatedEntityName = entity.distribution?.colocatedEntityName
      .map(key(ofEntity:))
    keyed.uniquenessConstraints = entity.uniquenessConstraints.map {
      $0.map { reference($0, of: entity) }
    }
    keyed.compoundIndexes = entity.compoundIndexes.map { $0.map { reference($0, of: entity) } }
    keyed.fetchIndexes = entity.fetchIndexes.map { index in
      var keyed = index
      for position in index.elements.indices {
        keyed.elements[position].propertyName = index.elements[position].propertyName
          .map { reference($0, of: entity) }
      }
      return keyed
    }
    keyed.fetchedProperties = entity.fetchedProperties.map { property in
      var keyed = property
      keyed.fetchRequest = property.fetchRequest.map(self.keyed)
      return keyed
    }
    return keyed
  }

  func keyed(_ request: FetchRequestTemplate) -> FetchRequestTemplate {
    var keyed = request
    keyed.entityName = key(ofEntity: request.entityName)
    return keyed
  }

  func keyed(_ configuration: ModelConfiguration) -> ModelConfiguration {
    ModelConfiguration(
      name: configuration.name,
      entityNames: configuration.entityNames.map(key(ofEntity:))
    )
  }

  // MARK: - Places

  /// Returns the part of the model that a part of the merge is, or the nearest one around it.
  func element(_ part: MergedPart) -> ModelElement {
    switch part {
    case .model: return .model
    case .entity(let key): return positions[key].map { .entity($0) } ?? .model
    case .property(let key, let propertyKey):
      guard let position = positions[key] else { return .model }
      let entity = model.entities[position]
      let keys = propertyKeys[entity.name] ?? [:]
      if let index = entity.attributes.firstIndex(where: { keys[$0.name] == propertyKey }) {
        return .attribute(entity: position, index)
      }
      if let index = entity.relationships.firstIndex(where: { keys[$0.name] == propertyKey }) {
        return .relationship(entity: position, index)
      }
      return .entity(position)
    case .composite(let name):
      return model.composites.firstIndex { $0.name == name }.map { .composite($0) } ?? .model
    }
  }
}

/// A part of the models that are merged, by its key.
enum MergedPart: Hashable {
  case model
  case entity(String)
  case property(entity: String, String)
  case composite(String)
}

extension EntityDescription {
  /// The entity with its parts in an order that does not depend on the file, and without identifiers
  /// that are the names.
  var inUsualOrder: EntityDescription {
    var entity = self
    entity.renamingIdentifier = canonicalName == name ? nil : canonicalName
    entity.attributes = attributes.map(\.inUsualForm)
    entity.relationships = relationships.map(\.inUsualForm)
    entity.attributes.sort { ThreeWayMerge.isOrdered($0.name, $1.name) }
    entity.relationships.sort { ThreeWayMerge.isOrdered($0.name, $1.name) }
    entity.fetchIndexes.sort { ThreeWayMerge.isOrdered($0.name, $1.name) }
    entity.uniquenessConstraints.sort { ThreeWayMerge.isOrdered("\($0)", "\($1)") }
    entity.compoundIndexes.sort { ThreeWayMerge.isOrdered("\($0)", "\($1)") }
    return entity
  }
}

extension AttributeDescription {
  /// The attribute without an identifier that is its name.
  var inUsualForm: AttributeDescription {
    var attribute = self
    attribute.renamingIdentifier = canonicalName == name ? nil : canonicalName
    return attribute
  }
}

extension RelationshipDescription {
  /// The relationship without an identifier that is its name.
  var inUsualForm: RelationshipDescription {
    var relationship = self
    relationship.renamingIdentifier = canonicalName == name ? nil : canonicalName
    return relationship
  }
}
