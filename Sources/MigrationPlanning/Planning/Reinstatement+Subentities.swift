internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// What only some of those below an entity have lost, while it and others have it still.
extension Reinstatement {
  /// Puts back an attribute for those below an entity that lack it, while the entity has it still.
  mutating func putBack(
    _ attribute: AttributeDescription,
    below entity: EntityDescription,
    _ found: [(place: ColumnReference, object: RetainedObject)]
  ) {
    guard hasTable(entity, found.map(\.object.table)) else { return }
    let adding = highest(below: entity) { matching.adds(attribute, to: $0) }
    guard !adding.isEmpty else { return }
    for (former, object) in found {
      putBack(object, former)
      noteOutdated(former, holders(below: entity) { matching.adds(attribute, to: $0) })
    }
    for entity in adding {
      setAsideComputed(attribute, of: entity)
      let name = add(attribute, to: entity)
      for (former, _) in found {
        guard let name,
          case .attribute(_, _, let path)? =
            destination.projection.columnOrigins[former.table]?[former.column]
        else { continue }
        ownOrigins[former, default: []].append(
          .attribute(entity: name.entity, name.property, path: path)
        )
      }
    }
  }

  mutating func noteOutdated(_ former: ColumnReference, _ holders: [String]) {
    guard let place = places[former] else { return }
    remains.outdated[place, default: []].formUnion(holders)
  }

  /// Returns what the source calls an entity and those below it that have a property elsewhere by now.
  func holders(
    below entity: EntityDescription,
    lacking isAdded: (EntityDescription) -> Bool
  ) -> [String] {
    destination.projection.model.family(of: entity).filter { !isAdded($0) }
      .compactMap { names[$0.name] }
  }

  /// Returns the entities below one that have stayed and lack a property, without those below them.
  func highest(
    below entity: EntityDescription,
    lacking isAdded: (EntityDescription) -> Bool
  ) -> [EntityDescription] {
    let lacking = destination.projection.model.family(of: entity).filter {
      names[$0.name] != nil && isAdded($0)
    }
    let lackingNames = Set(lacking.map(\.name))
    return lacking.filter { entity in
      let above =
        names[entity.name].flatMap { source.projection.model.entity(named: $0) }
        .map { source.projection.model.superentities(of: $0).map(\.name) } ?? []
      return !lackingNames.contains { names[$0].map(above.contains) ?? false }
    }
  }

  /// Adds a relationship to those below an entity that lack it, while the entity has it still.
  ///
  /// One with an inverse has no such links: they are not given up without being asked.
  ///
  /// - Returns: What they have.
  mutating func putBack(
    _ relationship: RelationshipDescription,
    below entity: EntityDescription
  ) -> [(entity: String, property: String)] {
    guard !matching.adds(relationship, to: entity), relationship.inverseName == nil,
      names[relationship.destinationEntityName] != nil
    else { return [] }
    return highest(below: entity) { matching.adds(relationship, to: $0) }.compactMap { lacking in
      guard let owner = names[lacking.name] else { return nil }
      let name = freeProperty(relationship.name, of: owner)
      append(relationship, called: name, to: owner, inverse: nil)
      return (owner, name)
    }
  }

  /// Notes what the links in a column are of by now.
  mutating func noteOutdated(
    _ former: ColumnReference,
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) {
    noteOutdated(former, holders(below: entity) { matching.adds(relationship, to: $0) })
  }

  /// Puts back a table of links for those below an entity that lack them, while the entity has links
  /// elsewhere still.
  mutating func putBack(
    _ object: RetainedObject,
    _ table: Table,
    _ relationship: RelationshipDescription,
    below entity: EntityDescription
  ) {
    let ends = putBack(relationship, below: entity)
    guard let first = ends.first else { return }
    for column in table.columns {
      let former = ColumnReference(table: table.name, column: column.name)
      guard let origin = destination.projection.columnOrigins[table.name]?[column.name] else {
        continue
      }
      ownOrigins[former] = ends.map { end in
        origin.renaming(entity: end.entity) { _ in end.property }
      }
    }
    putBack(object, table, .join(entity: first.entity, first.property))
    if let place = destination.projection.linkPlace(of: relationship, declaredBy: entity) {
      noteOutdated(
        ColumnReference(table: place.table, column: place.owner),
        relationship,
        of: entity
      )
    }
  }
}
