internal import ObjectModel
internal import SQLSyntax

extension Reinstatement {
  /// Puts back the tables of hierarchies; what the source has of the same entities makes room for
  /// those that replace it.
  mutating func putBackRoots(_ replaced: Set<SQLIdentifier>) {
    for object in candidates {
      guard let table = wholeTable(object),
        case .root(let rootName)? = destination.projection.tableOrigins[table.name],
        let root = destination.projection.model.entity(named: rootName)
      else { continue }
      let family = destination.projection.model.family(of: root)
      let stayed = family.compactMap { names[$0.name] }
      // What has no concrete entity any more has no table.
      let isEmpty = stayed.allSatisfy { name in
        source.projection.model.entity(named: name).flatMap(source.projection.table) == nil
      }
      guard isEmpty || replaced.contains(table.name) else { continue }
      if let former = stayed.first.flatMap({ source.projection.model.entity(named: $0) })
        .flatMap({ source.projection.table(of: $0) })
      {
        noteSuccessor(table.name, of: former)
      }
      setAside(stayed)
      for member in family {
        add(member)
        for attribute in member.attributes where !attribute.isTransient {
          var attribute = attribute
          let place = destination.projection.columns[
            .attribute(entity: member.name, attribute.name, path: [])
          ]
          // Triggers keep it no longer.
          if place.flatMap({ destination.projection.derivations[$0] }) != nil {
            attribute.derivationExpression = nil
          }
          add(attribute, to: member)
        }
      }
      putBack(object, table, .root(entity: names[rootName] ?? rootName))
    }
  }

  /// Puts back tables of links whose ends are there.
  mutating func putBackJoins(_ replaced: Set<SQLIdentifier>) {
    for object in candidates {
      guard let table = wholeTable(object),
        case .join(let entityName, let name)? = destination.projection.tableOrigins[table.name],
        let entity = destination.projection.model.entity(named: entityName),
        let relationship = entity.relationships.first(where: { $0.name == name })
      else { continue }
      let inverse = destination.projection.model.inverse(of: relationship)
      let hasStayed =
        counterpart(of: relationship, entity) != nil
        || inverse.map { counterpart(of: $0.relationship, $0.declaringEntity) != nil } ?? false
      if hasStayed, bindJoin(object, table, relationship, entity) { continue }
      if hasStayed, !replaced.contains(table.name) {
        putBack(object, table, relationship, below: entity)
        continue
      }
      if hasStayed {
        setAside(relationship, of: entity)
      } else if isInherited(relationship, by: entity)
        || inverse.map({ isInherited($0.relationship, by: $0.declaringEntity) }) ?? false
      {
        // Links that an entity above has are newer.
        continue
      }
      addLineage(of: entity)
      addTarget(of: relationship)
      guard add(relationship, of: entity) else { continue }
      putBack(
        object,
        table,
        .join(
          entity: currentName(of: entityName) ?? entityName,
          propertyNames[entityName]?[name] ?? name
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
    guard let name = currentName(of: entity.name),
      let before = counterpart(of: relationship, entity),
      let own = source.projection.model.entity(named: name)?.relationships
        .first(where: { $0.name == before.name }), place(of: own, declaredBy: name) == nil
    else { return false }
    propertyNames[entity.name, default: [:]][relationship.name] = before.name
    if let inverse = destination.projection.model.inverse(of: relationship),
      let end = counterpart(of: inverse.relationship, inverse.declaringEntity)
    {
      propertyNames[inverse.declaringEntity.name, default: [:]][inverse.relationship.name] =
        end.name
    }
    putBack(object, table, .join(entity: name, before.name))
    return true
  }

  /// Relationships between what is put back and what has stayed.
  mutating func putBackRelationshipsOfRoots() {
    for table in tables.keys.sorted() {
      guard case .root(let name)? = destination.projection.tableOrigins[table],
        let root = destination.projection.model.entity(named: name)
      else { continue }
      for member in destination.projection.model.family(of: root) {
        for relationship in member.relationships where !relationship.isTransient {
          if isStored(relationship, of: member) {
            addTarget(of: relationship)
            add(relationship, of: member)
          } else {
            takeOverPairs(of: relationship, member)
          }
        }
      }
    }
  }

  /// A join table that has stayed while its ends made room is of what has their places.
  mutating func takeOverPairs(
    of relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) {
    let model = source.projection.model
    guard let before = displaced[entity.name].flatMap({ model.entity(named: $0) }),
      let end = before.relationships.first(where: {
        $0.canonicalName == relationship.canonicalName
      }),
      case .joinTable = model.storage(of: end, declaredBy: before),
      case .joinTable = destination.projection.model.storage(
        of: relationship,
        declaredBy: entity
      ),
      add(relationship, of: entity)
    else { return }
    takeOver(end, of: before.name, relationship.name, of: entity.name)
    guard let inverse = model.inverse(of: end),
      let after = destination.projection.model.inverse(of: relationship)
    else { return }
    takeOver(
      inverse.relationship,
      of: inverse.declaringEntity.name,
      after.relationship.name,
      of: after.declaringEntity.name
    )
  }

  /// Pairs of rows that came since lead to none that are put back.
  mutating func noteLoosePairs(of entityName: String, _ relationshipName: String) {
    for origin: ColumnOrigin in [
      .joinedDestination(entity: entityName, relationshipName),
      .joinedSource(entity: entityName, relationshipName),
    ] {
      if let place = source.projection.columns[origin] { looseLinks.insert(place) }
    }
  }

  private mutating func takeOver(
    _ end: RelationshipDescription,
    of formerEntity: String,
    _ name: String,
    of entityName: String
  ) {
    guard let aside = remains.entityNames[formerEntity], let owner = names[entityName],
      let property = propertyNames[entityName]?[name]
    else { return }
    remains.movedEnds[.init(entity: aside, property: end.name)] =
      .init(entity: owner, property: property)
    noteLoosePairs(of: formerEntity, end.name)
    withEntity(aside) { entity in entity.relationships.removeAll { $0.name == end.name } }
  }

  /// Relationships of what has stayed lead to what is put back in the places of their destinations.
  mutating func retarget() {
    let asides = Set(remains.entityNames.values)
    guard !asides.isEmpty else { return }
    for entity in destination.projection.model.entities {
      guard let name = names[entity.name], !asides.contains(name) else { continue }
      for relationship in entity.relationships {
        guard let before = counterpart(of: relationship, entity),
          asides.contains(before.destinationEntityName),
          let target = names[relationship.destinationEntityName]
        else { continue }
        // Rows that came since are not in what is put back.
        for origin: ColumnOrigin in [
          .reference(entity: name, before.name), .joinedDestination(entity: name, before.name),
        ] {
          if let place = source.projection.columns[origin] { looseLinks.insert(place) }
        }
        withEntity(name) { entity in
          guard let index = entity.relationships.firstIndex(where: { $0.name == before.name })
          else { return }
          entity.relationships[index].destinationEntityName = target
          entity.relationships[index].inverseName = nil
        }
        withEntity(before.destinationEntityName) { aside in
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
      let table = destination.projection.schema.tables[SQLIdentifier(origin.table)],
      origin.columns.count == table.columns.count,
      origin.columns.allSatisfy({ column in
        table.column(SQLIdentifier(column.name))?.type.text == column.type
      }),
      object.relationNames.count == Self.keptNames(of: table).count
    else { return nil }
    return table
  }

  /// The names that a table takes up once it is retained.
  private static func keptNames(of table: Table) -> [SQLIdentifier] {
    let gone = Set(
      table.constraints.filter { $0.hasIndex && !$0.isPrimaryKey }.map(\.name)
        + table.indexes.filter(\.isUnique).map(\.name)
    )
    return table.relationNames.filter { !gone.contains($0) }
  }

  mutating func putBack(
    _ object: RetainedObject,
    _ table: Table,
    _ origin: TableOrigin
  ) {
    let names = Dictionary(
      zip(Self.keptNames(of: table), object.relationNames),
      uniquingKeysWith: { first, _ in first }
    )
    var current = table
    current.name = object.table
    current.triggers = []
    current.constraints = table.constraints.filter(\.isPrimaryKey)
    current.indexes = table.indexes.filter { !$0.isUnique }
    for index in current.constraints.indices {
      current.constraints[index].name =
        names[current.constraints[index].name] ?? current.constraints[index].name
    }
    for index in current.indexes.indices {
      current.indexes[index].name =
        names[current.indexes[index].name] ?? current.indexes[index].name
    }
    let key = current.constraints.first?.columns ?? []
    for index in current.columns.indices {
      let column = current.columns[index]
      if !key.contains(column.name) { current.columns[index].notNullConstraint = nil }
      current.columns[index].identitySequence = column.identitySequence.map { names[$0] ?? $0 }
    }
    remains.tables.append((current, origin))
    tables[table.name] = object.table
    for column in table.columns {
      places[ColumnReference(table: table.name, column: column.name)] =
        ColumnReference(table: object.table, column: column.name)
    }
    release(object)
  }
}
