internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Puts back tables retained as a whole, with their relationships among each other and to remaining
/// tables.
struct TableReinstatement {
  private(set) var version: ReinstatedVersion
  /// The tables of the destination that take the places of tables of the source, by these.
  private(set) var successors: [SQLIdentifier: SQLIdentifier] = [:]

  private let source, destination: ModelProjection

  init(into version: ReinstatedVersion, replacing replaced: Set<SQLIdentifier>) {
    self.version = version
    (source, destination) = (version.source, version.destination)
    putBackRoots(replaced)
    putBackJoins(replaced)
    retarget()
    putBackRelationshipsOfRoots()
  }

  /// Puts back the tables of hierarchies; the source's elements of the same entities move to make
  /// room.
  private mutating func putBackRoots(_ replaced: Set<SQLIdentifier>) {
    for object in version.candidates {
      guard let table = wholeTable(object),
        case .root(let rootName)? = destination.tableOrigins[table.name],
        let root = destination.model.entity(named: rootName)
      else { continue }
      let family = destination.model.family(of: root)
      let stayed = family.compactMap { version.names[$0.name] }
      // An entity without concrete descendants has no table.
      let isEmpty = stayed.allSatisfy { name in
        source.model.entity(named: name).flatMap(source.table) == nil
      }
      guard isEmpty || replaced.contains(table.name) else { continue }
      if let former = stayed.first.flatMap({ source.model.entity(named: $0) })
        .flatMap({ source.table(of: $0) })
      {
        successors[former] = table.name
      }
      version.setAside(stayed)
      for member in family {
        version.add(member)
        for attribute in member.attributes where !attribute.isTransient {
          var attribute = attribute
          let place = destination.columns[
            .attribute(entity: member.name, attribute.name, path: [])
          ]
          // Triggers keep it no longer.
          if place.flatMap({ destination.derivations[$0] }) != nil {
            attribute.derivationExpression = nil
          }
          version.add(attribute, to: member)
        }
      }
      version.bind(object, table, .root(entity: version.names[rootName] ?? rootName))
    }
  }

  /// Puts back tables of links whose ends exist.
  private mutating func putBackJoins(_ replaced: Set<SQLIdentifier>) {
    for object in version.candidates {
      guard let table = wholeTable(object),
        case .join(let entityName, let name)? = destination.tableOrigins[table.name],
        let entity = destination.model.entity(named: entityName),
        let relationship = entity.relationships.first(where: { $0.name == name })
      else { continue }
      let inverse = destination.model.inverse(of: relationship)
      let hasStayed =
        version.counterpart(of: relationship, entity) != nil
        || inverse.map { version.counterpart(of: $0.relationship, $0.declaringEntity) != nil }
          ?? false
      if hasStayed, bindJoin(object, table, relationship, entity) { continue }
      if hasStayed, !replaced.contains(table.name) {
        putBack(object, table, relationship, below: entity)
        continue
      }
      if hasStayed {
        version.setAside(relationship, of: entity)
      } else if version.isInherited(relationship, by: entity)
        || inverse.map({ version.isInherited($0.relationship, by: $0.declaringEntity) }) ?? false
      {
        // Links that an entity above has are newer.
        continue
      }
      version.addLineage(of: entity)
      version.addTarget(of: relationship)
      guard version.add(relationship, of: entity) else { continue }
      version.bind(
        object,
        table,
        .join(
          entity: version.currentName(of: entityName) ?? entityName,
          version.propertyNames[entityName]?[name] ?? name
        )
      )
    }
  }

  /// Puts back a table of links whose relationship has stayed, while one of the ends had no rows and so
  /// there was no place for links.
  ///
  /// - Returns: Whether this was so.
  private mutating func bindJoin(
    _ object: RetainedObject,
    _ table: Table,
    _ relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) -> Bool {
    guard let name = version.currentName(of: entity.name),
      let before = version.counterpart(of: relationship, entity),
      let own = source.model.entity(named: name)?.relationships
        .first(where: { $0.name == before.name }), version.place(of: own, declaredBy: name) == nil
    else { return false }
    version.propertyNames[entity.name, default: [:]][relationship.name] = before.name
    if let inverse = destination.model.inverse(of: relationship),
      let end = version.counterpart(of: inverse.relationship, inverse.declaringEntity)
    {
      version.propertyNames[inverse.declaringEntity.name, default: [:]][inverse.relationship.name] =
        end.name
    }
    version.bind(object, table, .join(entity: name, before.name))
    return true
  }

  /// Puts back relationships between reinstated and remaining entities.
  private mutating func putBackRelationshipsOfRoots() {
    for table in version.tables.keys.sorted() {
      guard case .root(let name)? = destination.tableOrigins[table],
        let root = destination.model.entity(named: name)
      else { continue }
      for member in destination.model.family(of: root) {
        for relationship in member.relationships where !relationship.isTransient {
          if version.isStored(relationship, of: member) {
            version.addTarget(of: relationship)
            version.add(relationship, of: member)
          } else {
            takeOverPairs(of: relationship, member)
          }
        }
      }
    }
  }

  /// Assigns a join table that remained while its ends moved to the entities in their places.
  private mutating func takeOverPairs(
    of relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) {
    let model = source.model
    guard let before = version.displaced[entity.name].flatMap({ model.entity(named: $0) }),
      let end = before.relationships.first(where: {
        $0.canonicalName == relationship.canonicalName
      }),
      case .joinTable = model.storage(of: end, declaredBy: before),
      case .joinTable = destination.model.storage(
        of: relationship,
        declaredBy: entity
      ),
      version.add(relationship, of: entity)
    else { return }
    takeOver(end, of: before.name, relationship.name, of: entity.name)
    guard let inverse = model.inverse(of: end),
      let after = destination.model.inverse(of: relationship)
    else { return }
    takeOver(
      inverse.relationship,
      of: inverse.declaringEntity.name,
      after.relationship.name,
      of: after.declaringEntity.name
    )
  }

  private mutating func takeOver(
    _ end: RelationshipDescription,
    of formerEntity: String,
    _ name: String,
    of entityName: String
  ) {
    guard let aside = version.remains.entityNames[formerEntity],
      let owner = version.names[entityName],
      let property = version.propertyNames[entityName]?[name]
    else { return }
    version.remains.movedEnds[.init(entity: aside, property: end.name)] =
      .init(entity: owner, property: property)
    version.noteLoosePairs(of: formerEntity, end.name)
    version.withEntity(aside) { entity in entity.relationships.removeAll { $0.name == end.name } }
  }

  /// Redirects relationships of remaining entities to the reinstated entities in the places of
  /// their destinations.
  private mutating func retarget() {
    let asides = Set(version.remains.entityNames.values)
    guard !asides.isEmpty else { return }
    for entity in destination.model.entities {
      guard let name = version.names[entity.name], !asides.contains(name) else { continue }
      for relationship in entity.relationships {
        guard let before = version.counterpart(of: relationship, entity),
          asides.contains(before.destinationEntityName),
          let target = version.names[relationship.destinationEntityName]
        else { continue }
        // Rows inserted since then are not in the reinstated tables.
        for origin: ColumnOrigin in [
          .reference(entity: name, before.name), .joinedDestination(entity: name, before.name),
        ] {
          if let place = source.columns[origin] { version.looseLinks.insert(place) }
        }
        version.withEntity(name) { entity in
          guard let index = entity.relationships.firstIndex(where: { $0.name == before.name })
          else { return }
          entity.relationships[index].destinationEntityName = target
          entity.relationships[index].inverseName = nil
        }
        version.withEntity(before.destinationEntityName) { aside in
          for index in aside.relationships.indices
          where aside.relationships[index].inverseName == before.name {
            aside.relationships[index].inverseName = nil
          }
        }
      }
    }
  }

  // MARK: - Tables

  /// Returns the table of the destination that something retained is as a whole, with all columns as
  /// they were; none if it is anything else.
  private func wholeTable(_ object: RetainedObject) -> Table? {
    guard let origin = object.origin, origin.content == .table,
      let table = destination.schema.tables[SQLIdentifier(origin.table)],
      origin.columns.count == table.columns.count,
      origin.columns.allSatisfy({ column in
        table.column(SQLIdentifier(column.name))?.type.text == column.type
      }),
      object.relationNames.count == ReinstatedVersion.keptNames(of: table).count
    else { return nil }
    return table
  }

  /// Puts back a table of links for those below an entity that lack them, while the entity has links
  /// elsewhere still.
  private mutating func putBack(
    _ object: RetainedObject,
    _ table: Table,
    _ relationship: RelationshipDescription,
    below entity: EntityDescription
  ) {
    let ends = version.add(relationship, below: entity)
    guard let first = ends.first else { return }
    for column in table.columns {
      let former = ColumnReference(table: table.name, column: column.name)
      guard let origin = destination.columnOrigins[table.name]?[column.name] else {
        continue
      }
      version.ownOrigins[former] = ends.map { end in
        origin.renaming(entity: end.entity) { _ in end.property }
      }
    }
    version.bind(object, table, .join(entity: first.entity, first.property))
    if let place = destination.linkPlace(of: relationship, declaredBy: entity) {
      version.noteOutdated(
        ColumnReference(table: place.table, column: place.owner),
        relationship,
        of: entity
      )
    }
  }
}
