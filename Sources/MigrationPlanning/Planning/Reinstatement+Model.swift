internal import ObjectModel
internal import SQLSyntax

/// The model in the making.
extension Reinstatement {
  func entity(named name: String) -> EntityDescription? { entities.first { $0.name == name } }

  /// Returns what has the rows of an entity of the destination in the model.
  func currentName(of entityName: String) -> String? { heirs[entityName] ?? names[entityName] }

  mutating func withEntity(_ name: String, _ body: (inout EntityDescription) -> Void) {
    guard let index = entities.firstIndex(where: { $0.name == name }) else { return }
    body(&entities[index])
  }

  /// Adds an entity of the destination without its properties.
  mutating func add(_ entity: EntityDescription) {
    guard names[entity.name] == nil else { return }
    var added = entity
    added.name = free(entity.name, among: entities.map(\.name))
    added.renamingIdentifier = entity.canonicalName
    added.superentityName = entity.superentityName.flatMap { currentName(of: $0) }
    added.attributes = []
    added.relationships = []
    added.uniquenessConstraints = []
    added.fetchIndexes = []
    added.compoundIndexes = []
    entities.append(added)
    names[entity.name] = added.name
    inheritAgain(from: entity, as: added)
  }

  /// What was below an entity that had gone from above it is so again.
  private mutating func inheritAgain(from entity: EntityDescription, as added: EntityDescription) {
    var ancestors: Set<String> = []
    var parent = added.superentityName
    while let name = parent, ancestors.insert(name).inserted {
      parent = self.entity(named: name)?.superentityName
    }
    for child in destination.projection.model.entities
    where child.superentityName == entity.name {
      guard let name = names[child.name] else { continue }
      withEntity(name) { child in
        if child.superentityName.map(ancestors.contains) ?? false {
          child.superentityName = added.name
        }
      }
    }
  }

  /// Adds an attribute that need have no value, and returns what it is called.
  @discardableResult
  mutating func add(
    _ attribute: AttributeDescription,
    to entity: EntityDescription
  ) -> (entity: String, property: String)? {
    guard let name = currentName(of: entity.name) else { return nil }
    var added = attribute
    added.name = freeProperty(attribute.name, of: name)
    added.renamingIdentifier = attribute.canonicalName
    added.type = adopted(attribute.type)
    added.isOptional = true
    added.isIndexed = false
    added.validation.isEnforced = false
    propertyNames[entity.name, default: [:]][attribute.name] = added.name
    withEntity(name) { $0.attributes.append(added) }
    return (name, added.name)
  }

  /// Adds both ends of a relationship, unless one of them has become something else.
  ///
  /// - Returns: Whether they are there.
  @discardableResult
  mutating func add(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) -> Bool {
    if propertyNames[entity.name]?[relationship.name] != nil { return true }
    guard let owner = currentName(of: entity.name),
      currentName(of: relationship.destinationEntityName) != nil,
      counterpart(of: relationship, entity) == nil
    else { return false }
    let inverse = destination.projection.model.inverse(of: relationship)
    if let inverse {
      guard currentName(of: inverse.declaringEntity.name) != nil else { return false }
      if let existing = counterpart(of: inverse.relationship, inverse.declaringEntity) {
        // The other end stayed, and leads to the same rows still, or to none.
        if heirs[entity.name] != nil, existing.destinationEntityName == names[entity.name] {
          leadToHeir(existing, relationship, of: entity, inverse.declaringEntity)
        } else if existing.destinationEntityName != owner || existing.inverseName != nil {
          return false
        }
      }
    }
    let name = freeProperty(relationship.name, of: owner)
    propertyNames[entity.name, default: [:]][relationship.name] = name
    guard let inverse else {
      append(relationship, called: name, to: owner, inverse: nil)
      return true
    }
    let inverseOwner =
      currentName(of: inverse.declaringEntity.name) ?? inverse.declaringEntity.name
    if inverse.relationship.name == relationship.name, inverse.declaringEntity.name == entity.name {
      append(relationship, called: name, to: owner, inverse: name)
    } else if let existing = counterpart(of: inverse.relationship, inverse.declaringEntity) {
      append(relationship, called: name, to: owner, inverse: existing.name)
      withEntity(inverseOwner) { entity in
        guard let index = entity.relationships.firstIndex(where: { $0.name == existing.name })
        else { return }
        entity.relationships[index].inverseName = name
      }
      moveEnd(opposite: existing, of: inverseOwner, to: name, of: owner)
      noteJoinedEnd(opposite: existing, of: inverseOwner, as: name, of: owner)
    } else {
      let inverseName = freeProperty(inverse.relationship.name, of: inverseOwner)
      propertyNames[inverse.declaringEntity.name, default: [:]][inverse.relationship.name] =
        inverseName
      append(relationship, called: name, to: owner, inverse: inverseName)
      append(inverse.relationship, called: inverseName, to: inverseOwner, inverse: name)
    }
    return true
  }

  /// Has a relationship that led to an entity without rows lead to the one that has them.
  private mutating func leadToHeir(
    _ existing: RelationshipDescription,
    _ relationship: RelationshipDescription,
    of entity: EntityDescription,
    _ other: EntityDescription
  ) {
    guard let former = names[entity.name], let heir = heirs[entity.name],
      let owner = currentName(of: other.name)
    else { return }
    withEntity(former) { entity in
      entity.relationships.removeAll { $0.name == existing.inverseName }
    }
    withEntity(owner) { entity in
      for index in entity.relationships.indices
      where entity.relationships[index].name == existing.name {
        entity.relationships[index].destinationEntityName = heir
        entity.relationships[index].inverseName = nil
      }
    }
  }

  /// Has the columns at the other end of a relationship that has stayed stand for another one.
  private mutating func moveEnd(
    opposite relationship: RelationshipDescription,
    of entityName: String,
    to name: String,
    of owner: String
  ) {
    let model = source.projection.model
    guard
      let before = model.entity(named: entityName)?.relationships.first(where: {
        $0.name == relationship.name
      }), let end = model.inverse(of: before),
      let aside = remains.entityNames[end.declaringEntity.name]
    else { return }
    remains.movedEnds[.init(entity: aside, property: end.relationship.name)] =
      .init(entity: owner, property: name)
    noteLoosePairs(of: end.declaringEntity.name, end.relationship.name)
    withEntity(aside) { entity in
      entity.relationships.removeAll { $0.name == end.relationship.name }
    }
  }

  /// In a table of links that had one end only, the keys of the owners are those that the other end
  /// leads to.
  private mutating func noteJoinedEnd(
    opposite relationship: RelationshipDescription,
    of entityName: String,
    as name: String,
    of owner: String
  ) {
    let model = source.projection.model
    guard
      let before = model.entity(named: entityName)?.relationships.first(where: {
        $0.name == relationship.name
      }), model.inverse(of: before) == nil,
      let place = source.projection.columns[
        .joinedSource(entity: entityName, relationship.name)
      ]
    else { return }
    remains.origins[place] = [.joinedDestination(entity: owner, name)]
  }

  mutating func append(
    _ relationship: RelationshipDescription,
    called name: String,
    to owner: String,
    inverse: String?
  ) {
    var added = relationship
    added.name = name
    added.renamingIdentifier = relationship.canonicalName
    added.destinationEntityName =
      currentName(of: relationship.destinationEntityName) ?? relationship.destinationEntityName
    added.inverseName = inverse
    added.isOptional = true
    withEntity(owner) { $0.relationships.append(added) }
  }

  /// Returns what a relationship of the destination is in an entity that the source has.
  func counterpart(
    of relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) -> RelationshipDescription? {
    guard let name = currentName(of: entity.name), let before = self.entity(named: name) else {
      return nil
    }
    return before.relationships.first { $0.canonicalName == relationship.canonicalName }
      ?? before.relationships.first { $0.name == relationship.name }
  }

  func free(_ name: String, among taken: some Collection<String>) -> String {
    guard taken.contains(name) else { return name }
    var count = 2
    while taken.contains("\(name) (\(count))") { count += 1 }
    return "\(name) (\(count))"
  }

  /// Returns what is above an entity of the model, or the entity itself if nothing is.
  func rootName(of name: String) -> String {
    var name = name
    var seen: Set<String> = []
    while seen.insert(name).inserted, let parent = entity(named: name)?.superentityName {
      name = parent
    }
    return name
  }

  func freeProperty(_ name: String, of entityName: String) -> String {
    let root = rootName(of: entityName)
    let family = entities.filter { rootName(of: $0.name) == root }
    return free(
      name,
      among: family.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    )
  }
}
