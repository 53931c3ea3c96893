internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Puts back the columns of tables that have stayed.
struct ColumnReinstatement {
  private(set) var version: ReinstatedVersion
  /// The columns with the places of links that have stayed and may have no places.
  private(set) var sparePositions: Set<ColumnReference> = []

  private let destination: ModelProjection

  init(into version: ReinstatedVersion) {
    self.version = version
    destination = version.destination
    putBackColumns()
  }

  private mutating func putBackColumns() {
    let columns = version.columnCandidates
    guard !columns.isEmpty else { return }
    for entity in destination.model.entities {
      for attribute in entity.attributes
      where !attribute.isTransient && !attribute.isComputed {
        putBack(attribute, of: entity, columns)
        putBackElements(of: attribute, entity, columns)
      }
      for relationship in entity.relationships
      where !relationship.isTransient && version.isStored(relationship, of: entity) {
        putBack(relationship, of: entity, columns)
      }
      for relationship in entity.relationships where relationship.isOrdered {
        putBackOrder(of: relationship, entity, columns)
      }
    }
  }

  // MARK: - Properties

  private mutating func putBack(
    _ attribute: AttributeDescription,
    of entity: EntityDescription,
    _ columns: [ColumnReference: RetainedObject]
  ) {
    let model = destination.model
    let places = model.leaves(of: .init(attribute)).compactMap { leaf in
      destination.columns[
        .attribute(entity: entity.name, attribute.name, path: leaf.path)
      ]
    }
    let found = places.compactMap { place in columns[place].map { (place, $0) } }
    guard !found.isEmpty, found.count == places.count else { return }
    let heir = version.heir(of: entity)
    guard version.matching.adds(attribute, to: entity, from: heir) else {
      if heir == nil { putBack(attribute, below: entity, found) }
      return
    }
    guard version.hasTable(entity, found.map(\.1.table)) else { return }
    version.addLineage(of: entity)
    guard version.currentName(of: entity.name) != nil else { return }
    version.setAsideComputed(attribute, of: entity)
    version.add(attribute, to: entity)
    for (former, object) in found {
      version.bind(object, former)
      version.noteOutdated(former, attribute, of: entity)
    }
  }

  private mutating func putBack(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription,
    _ columns: [ColumnReference: RetainedObject]
  ) {
    let origin = ColumnOrigin.reference(entity: entity.name, relationship.name)
    guard let place = destination.columns[origin], let object = columns[place],
      version.hasTable(entity, [object.table])
    else { return }
    version.addLineage(of: entity)
    version.addTarget(of: relationship)
    guard let name = version.currentName(of: entity.name) else { return }
    let ends = version.heirs[entity.name] == nil ? version.add(relationship, below: entity) : []
    if !ends.isEmpty {
      version.ownOrigins[place] = ends.map { .reference(entity: $0.entity, $0.property) }
      version.bind(object, place)
      version.noteOutdated(place, relationship, of: entity)
      return
    }
    if version.propertyNames[entity.name]?[relationship.name] == nil,
      let before = version.counterpart(of: relationship, entity),
      version.place(of: before, declaredBy: name) == nil
    {
      // Its destination had no table meanwhile.
      version.propertyNames[entity.name, default: [:]][relationship.name] = before.name
    } else {
      // Links that an entity above or the other end has elsewhere are newer.
      guard !version.isInherited(relationship, by: entity),
        !hasLinks(opposite: relationship, entity),
        version.add(relationship, of: entity)
      else { return }
    }
    version.bind(object, place)
    version.noteOutdated(place, relationship, of: entity)
    guard let inverse = destination.model.inverse(of: relationship),
      let position = destination.columns[
        .position(entity: inverse.declaringEntity.name, inverse.relationship.name)
      ], position.table == place.table, let object = columns[position]
    else { return }
    version.bind(object, position)
  }

  /// Puts back the places of links that have stayed and have no order now.
  private mutating func putBackOrder(
    of relationship: RelationshipDescription,
    _ entity: EntityDescription,
    _ columns: [ColumnReference: RetainedObject]
  ) {
    let origin = ColumnOrigin.position(entity: entity.name, relationship.name)
    guard let former = destination.columns[origin], version.places[former] == nil,
      let object = columns[former], let name = version.currentName(of: entity.name)
    else { return }
    if let before = version.counterpart(of: relationship, entity) {
      // The links themselves may have moved to the other end.
      guard !before.isOrdered, let place = version.place(of: before, declaredBy: name),
        place.table == object.table,
        place.isInOwner
          == destination.linkPlace(of: relationship, declaredBy: entity)?.isInOwner
      else { return }
      version.withEntity(name) { entity in
        guard let index = entity.relationships.firstIndex(where: { $0.name == before.name })
        else { return }
        entity.relationships[index].isOrdered = true
      }
      version.propertyNames[entity.name, default: [:]][relationship.name] = before.name
    } else {
      // The other end has stayed, with the links.
      guard let inverse = destination.model.inverse(of: relationship),
        let other = version.currentName(of: inverse.declaringEntity.name),
        let before = version.counterpart(of: inverse.relationship, inverse.declaringEntity),
        version.place(of: before, declaredBy: other)?.table == object.table,
        version.add(relationship, of: entity)
      else { return }
    }
    version.bind(object, former)
    if let place = version.places[former] { sparePositions.insert(place) }
  }

  /// Returns whether the other end of a relationship has stayed with links between the same rows.
  private func hasLinks(
    opposite relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) -> Bool {
    guard let inverse = destination.model.inverse(of: relationship),
      let other = version.currentName(of: inverse.declaringEntity.name),
      let before = version.counterpart(of: inverse.relationship, inverse.declaringEntity)
    else { return false }
    return before.destinationEntityName == version.currentName(of: entity.name)
      && version.place(of: before, declaredBy: other) != nil
  }

  // MARK: - Elements and subentities

  /// Puts back removed elements of a composite whose attribute still exists.
  private mutating func putBackElements(
    of attribute: AttributeDescription,
    _ entity: EntityDescription,
    _ columns: [ColumnReference: RetainedObject]
  ) {
    guard case .composite(let name) = attribute.type,
      let (owner, before) = version.matching.sourceAttribute(
        of: attribute,
        entity,
        from: version.heir(of: entity)
      ),
      case .composite(let formerName) = before.type
    else { return }
    var found: [[String]: (place: ColumnReference, object: RetainedObject)] = [:]
    for leaf in version.matching.addedParts(from: before, to: attribute) {
      guard
        let place = destination.columns[
          .attribute(entity: entity.name, attribute.name, path: leaf.path)
        ], let object = columns[place], version.hasTable(entity, [object.table])
      else { continue }
      found[leaf.path] = (place, object)
    }
    guard !found.isEmpty else { return }
    var paths: [[String]: [String]] = [:]
    let extended = version.composites.extended(
      formerName,
      by: name,
      found.keys.sorted { $0.lexicographicallyPrecedes($1) },
      &paths
    )
    version.withEntity(owner) { entity in
      for index in entity.attributes.indices where entity.attributes[index].name == before.name {
        entity.attributes[index].type = .composite(extended)
      }
    }
    for (path, (place, object)) in found {
      version.bind(object, place)
      version.ownOrigins[place] = [
        .attribute(entity: owner, before.name, path: paths[path] ?? path)
      ]
    }
  }

  /// Puts back an attribute for those below an entity that lack it, while the entity has it still.
  private mutating func putBack(
    _ attribute: AttributeDescription,
    below entity: EntityDescription,
    _ found: [(place: ColumnReference, object: RetainedObject)]
  ) {
    guard version.hasTable(entity, found.map(\.object.table)) else { return }
    let adding = version.highest(below: entity) { version.matching.adds(attribute, to: $0) }
    guard !adding.isEmpty else { return }
    for (former, object) in found {
      version.bind(object, former)
      version.noteOutdated(former, attribute, of: entity)
    }
    for entity in adding {
      version.setAsideComputed(attribute, of: entity)
      let name = version.add(attribute, to: entity)
      for (former, _) in found {
        guard let name,
          case .attribute(_, _, let path)? =
            destination.columnOrigins[former.table]?[former.column]
        else { continue }
        version.ownOrigins[former, default: []].append(
          .attribute(entity: name.entity, name.property, path: path)
        )
      }
    }
  }
}
