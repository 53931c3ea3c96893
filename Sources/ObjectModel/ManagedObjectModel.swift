/// One version of the object model: entities with their attributes and relationships.
///
/// A model loaded from a file is valid; for one built in code, ``complaints()`` returns the faults.
/// Lookups in a faulty model neither trap nor loop.
public struct ManagedObjectModel: Sendable {
  /// The entities in the order of the file.
  public var entities: [EntityDescription] { fields.value.entities }
  /// The groups of attributes that entities use as types.
  public var composites: [CompositeDescription] { fields.value.composites }
  /// The named parts of the model.
  public var configurations: [ModelConfiguration] { fields.value.configurations }
  /// The fetches that the model names for the application.
  public var fetchRequests: [FetchRequestTemplate] { fields.value.fetchRequests }
  /// The author's identifier of the version, a hint on which nothing depends.
  public var versionIdentifier: String? { fields.value.versionIdentifier }
  /// Contents of the file without a meaning for a database.
  public var foreign: ForeignContent { fields.value.foreign }
  /// How all tables are laid out.
  public var layout: LayoutDescription { fields.value.layout }

  var hierarchy: EntityHierarchy { fields.value.hierarchy }
  private let fields: Shared<Fields>

  private struct Fields: Hashable, Sendable {
    let entities: [EntityDescription]
    let composites: [CompositeDescription]
    let configurations: [ModelConfiguration]
    let fetchRequests: [FetchRequestTemplate]
    let versionIdentifier: String?
    let foreign: ForeignContent
    let layout: LayoutDescription
    let hierarchy: EntityHierarchy
  }

  /// Creates a model.
  public init(
    entities: [EntityDescription],
    composites: [CompositeDescription] = [],
    configurations: [ModelConfiguration] = [],
    fetchRequests: [FetchRequestTemplate] = [],
    versionIdentifier: String? = nil,
    foreign: ForeignContent = ForeignContent(),
    layout: LayoutDescription = LayoutDescription()
  ) {
    fields = Shared(
      Fields(
        entities: entities,
        composites: composites,
        configurations: configurations,
        fetchRequests: fetchRequests,
        versionIdentifier: versionIdentifier,
        foreign: foreign,
        layout: layout,
        hierarchy: EntityHierarchy(entities)
      )
    )
  }
}

extension ManagedObjectModel: Hashable {
  /// Returns a Boolean value that indicates whether two models are equal.
  public static func == (first: Self, second: Self) -> Bool {
    first.fields == second.fields
  }

  /// Hashes all that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entities)
    hasher.combine(composites)
    hasher.combine(configurations)
  }
}

// MARK: - Lookups

extension ManagedObjectModel {
  /// Returns the entity of a name.
  public func entity(named name: String) -> EntityDescription? {
    hierarchy.indexByName[name].map { entities[$0] }
  }

  /// Returns the position of the entity of a name.
  package func position(ofEntityNamed name: String) -> Int? {
    hierarchy.indexByName[name]
  }

  /// Returns the composite of a name.
  public func composite(named name: String) -> CompositeDescription? {
    composites.first { $0.name == name }
  }

  /// Returns the entities that an entity inherits from, nearest first.
  public func superentities(of entity: EntityDescription) -> [EntityDescription] {
    guard let index = hierarchy.indexByName[entity.name] else { return [] }
    return hierarchy.ancestors(of: index).map { entities[$0] }
  }

  /// Returns a property of an entity or its nearest ancestor that has it.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - property: Returns the property of one entity, or `nil` if it has none.
  /// - Returns: The entity and its property, or `nil` if none has it.
  package func nearest<Property>(
    of entity: EntityDescription,
    having property: (EntityDescription) -> Property?
  ) -> (declaringEntity: EntityDescription, property: Property)? {
    if let found = property(entity) { return (entity, found) }
    guard let index = hierarchy.indexByName[entity.name] else { return nil }
    var parent = hierarchy.parents[index]
    for _ in 0..<hierarchy.depths[index] {
      guard let current = parent else { return nil }
      if let found = property(entities[current]) { return (entities[current], found) }
      parent = hierarchy.parents[current]
    }
    return nil
  }

  /// Returns the top of the hierarchy that an entity is in: itself if it has no superentity.
  package func root(of entity: EntityDescription) -> EntityDescription {
    entity.superentityName == nil ? entity : superentities(of: entity).last ?? entity
  }

  /// Returns the entities that inherit from an entity directly, in the order of the file.
  public func subentities(of entity: EntityDescription) -> [EntityDescription] {
    guard let index = hierarchy.indexByName[entity.name] else { return [] }
    return hierarchy.children[index].map { entities[$0] }
  }

  /// Returns an entity and all that inherit from it, each before its own subentities.
  package func family(of entity: EntityDescription) -> [EntityDescription] {
    guard let index = hierarchy.indexByName[entity.name] else { return [entity] }
    return hierarchy.family(of: index).map { entities[$0] }
  }

  /// The entities that inherit from none, in the order of the file.
  package var rootEntities: [EntityDescription] {
    entities.indices.filter { hierarchy.parents[$0] == nil }.map { entities[$0] }
  }

  /// Returns an entity's attributes with those that it inherits, those of the root first.
  public func effectiveAttributes(of entity: EntityDescription) -> [AttributeDescription] {
    guard entity.superentityName != nil else { return entity.attributes }
    return lineage(of: entity).flatMap(\.attributes)
  }

  /// Returns an entity's relationships with those that it inherits, those of the root first.
  public func effectiveRelationships(of entity: EntityDescription) -> [RelationshipDescription] {
    guard entity.superentityName != nil else { return entity.relationships }
    return lineage(of: entity).flatMap(\.relationships)
  }

  /// Returns an entity after all that it inherits from, the root first.
  package func lineage(of entity: EntityDescription) -> [EntityDescription] {
    entity.superentityName == nil ? [entity] : superentities(of: entity).reversed() + [entity]
  }

  /// Returns the other end of a relationship that has an inverse.
  package func inverse(
    of relationship: RelationshipDescription
  ) -> (declaringEntity: EntityDescription, relationship: RelationshipDescription)? {
    guard let name = relationship.inverseName,
      let destination = entity(named: relationship.destinationEntityName)
    else { return nil }
    return nearest(of: destination) { entity in
      entity.relationships.first { $0.name == name }
    }.map { ($0.declaringEntity, $0.property) }
  }
}

extension ManagedObjectModel {
  /// Returns the part of the model that a configuration names, superentities of its members
  /// included, or `nil` if the model has no such configuration.
  package func restricted(toConfiguration name: String) -> ManagedObjectModel? {
    guard let configuration = configurations.first(where: { $0.name == name }) else { return nil }
    var members = Set(configuration.entityNames)
    for entity in entities where members.contains(entity.name) {
      members.formUnion(superentities(of: entity).map(\.name))
    }
    return ManagedObjectModel(
      entities: entities.filter { members.contains($0.name) },
      composites: composites,
      configurations: [configuration],
      fetchRequests: fetchRequests.filter { members.contains($0.entityName) },
      versionIdentifier: versionIdentifier,
      foreign: foreign,
      layout: layout
    )
  }

  /// Returns the relationships from entities of a configuration to entities that are not in it.
  package func relationshipsLeadingOut(ofConfiguration name: String) -> [ModelElement] {
    guard let part = restricted(toConfiguration: name) else { return [] }
    return entities.enumerated().flatMap { index, entity -> [ModelElement] in
      guard part.entity(named: entity.name) != nil else { return [] }
      return entity.relationships.indices
        .filter { part.entity(named: entity.relationships[$0].destinationEntityName) == nil }
        .map { .relationship(entity: index, $0) }
    }
  }

  /// The model without relationships to entities that are not in it.
  package var withoutRelationshipsLeadingOut: ManagedObjectModel {
    let entities = entities.map { entity in
      var entity = entity
      entity.relationships.removeAll { self.entity(named: $0.destinationEntityName) == nil }
      return entity
    }
    return with(entities)
  }

  /// The model whose rows need no value that has no default, and no links.
  package var withoutUnmetRequirements: ManagedObjectModel {
    with(
      entities.map { entity in
        var entity = entity
        for index in entity.attributes.indices where entity.attributes[index].defaultValue == nil {
          entity.attributes[index].isOptional = true
        }
        for index in entity.relationships.indices {
          entity.relationships[index].isOptional = true
          entity.relationships[index].minimumCount = 0
        }
        return entity
      }
    )
  }

  private func with(_ entities: [EntityDescription]) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: entities,
      composites: composites,
      configurations: configurations,
      fetchRequests: fetchRequests,
      versionIdentifier: versionIdentifier,
      foreign: foreign,
      layout: layout
    )
  }
}
