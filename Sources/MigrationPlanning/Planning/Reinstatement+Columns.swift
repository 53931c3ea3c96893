internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension Reinstatement {
  /// Puts back the columns of tables that have stayed.
  mutating func putBackColumns() {
    let columns = columnCandidates
    guard !columns.isEmpty else { return }
    for entity in destination.projection.model.entities {
      for attribute in entity.attributes
      where !attribute.isTransient && !attribute.isComputed {
        putBack(attribute, of: entity, columns)
        putBackElements(of: attribute, entity, columns)
      }
      for relationship in entity.relationships
      where !relationship.isTransient && isStored(relationship, of: entity) {
        putBack(relationship, of: entity, columns)
      }
      for relationship in entity.relationships where relationship.isOrdered {
        putBackOrder(of: relationship, entity, columns)
      }
    }
  }

  /// Notes the rows and links that come back from tables of their own.
  mutating func putBackRows() {
    for object in candidates {
      guard let origin = object.origin,
        let table = destination.projection.schema.tables[SQLIdentifier(origin.table)]
      else { continue }
      switch origin.content {
      case .rows(let entity):
        // Rows that went to another table come back from there.
        guard matching.sourceNames[entity] == nil, tables[table.name] == nil,
          origin.columns.allSatisfy({ former in
            table.column(SQLIdentifier(former.name)).map {
              $0.type.text == former.type || $0.generation != nil
            } ?? false
          })
        else { continue }
        release(object, isApart: true)
      case .links(let column):
        guard table.column(SQLIdentifier(column)) != nil else { continue }
        // Links that are rows may have moved to a table that is put back as a whole.
        if tables[table.name] != nil, case .root? = destination.projection.tableOrigins[table.name]
        {
          continue
        }
        release(object, isApart: true)
      case .column, .table: continue
      }
    }
  }

  /// The retained columns of tables that have stayed, by what the destination calls them.
  func findColumns() -> [ColumnReference: RetainedObject] {
    var columns: [ColumnReference: RetainedObject] = [:]
    for object in candidates {
      guard let origin = object.origin, origin.content == .column, object.column != nil,
        let former = origin.columns.first,
        let table = destination.projection.schema.tables[SQLIdentifier(origin.table)],
        let column = table.column(SQLIdentifier(former.name)), column.type.text == former.type,
        column.generation == nil,
        // Early tools did not keep the sequences of columns.
        column.sequence == nil || !object.relationNames.isEmpty,
        source.projection.schema.tables[object.table] != nil
      else { continue }
      let place = ColumnReference(table: table.name, column: column.name)
      guard destination.projection.derivations[place] == nil else { continue }
      columns[place] = object
    }
    return columns
  }

  private mutating func putBack(
    _ attribute: AttributeDescription,
    of entity: EntityDescription,
    _ columns: [ColumnReference: RetainedObject]
  ) {
    let model = destination.projection.model
    let places = model.leaves(of: .init(attribute)).compactMap { leaf in
      destination.projection.columns[
        .attribute(entity: entity.name, attribute.name, path: leaf.path)
      ]
    }
    let found = places.compactMap { place in columns[place].map { (place, $0) } }
    guard !found.isEmpty, found.count == places.count else { return }
    let heir = heir(of: entity)
    guard matching.adds(attribute, to: entity, from: heir) else {
      if heir == nil { putBack(attribute, below: entity, found) }
      return
    }
    guard hasTable(entity, found.map(\.1.table)) else { return }
    addLineage(of: entity)
    guard currentName(of: entity.name) != nil else { return }
    setAsideComputed(attribute, of: entity)
    add(attribute, to: entity)
    for (former, object) in found {
      putBack(object, former)
      noteOutdated(former, holders(below: entity) { matching.adds(attribute, to: $0) })
    }
  }

  private mutating func putBack(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription,
    _ columns: [ColumnReference: RetainedObject]
  ) {
    let origin = ColumnOrigin.reference(entity: entity.name, relationship.name)
    guard let place = destination.projection.columns[origin], let object = columns[place],
      hasTable(entity, [object.table])
    else { return }
    addLineage(of: entity)
    addTarget(of: relationship)
    guard let name = currentName(of: entity.name) else { return }
    let ends = heirs[entity.name] == nil ? putBack(relationship, below: entity) : []
    if !ends.isEmpty {
      ownOrigins[place] = ends.map { .reference(entity: $0.entity, $0.property) }
      putBack(object, place)
      noteOutdated(place, relationship, of: entity)
      return
    }
    if propertyNames[entity.name]?[relationship.name] == nil,
      let before = counterpart(of: relationship, entity),
      self.place(of: before, declaredBy: name) == nil
    {
      // What it leads to had no table meanwhile.
      propertyNames[entity.name, default: [:]][relationship.name] = before.name
    } else {
      // Links that an entity above or the other end has elsewhere are newer.
      guard !isInherited(relationship, by: entity), !hasLinks(opposite: relationship, entity),
        add(relationship, of: entity)
      else { return }
    }
    putBack(object, place)
    noteOutdated(place, relationship, of: entity)
    guard let inverse = destination.projection.model.inverse(of: relationship),
      let position = destination.projection.columns[
        .position(entity: inverse.declaringEntity.name, inverse.relationship.name)
      ], position.table == place.table, let object = columns[position]
    else { return }
    putBack(object, position)
  }

  /// Puts back the places of links that have stayed and have no order now.
  private mutating func putBackOrder(
    of relationship: RelationshipDescription,
    _ entity: EntityDescription,
    _ columns: [ColumnReference: RetainedObject]
  ) {
    let origin = ColumnOrigin.position(entity: entity.name, relationship.name)
    guard let former = destination.projection.columns[origin], places[former] == nil,
      let object = columns[former], let name = currentName(of: entity.name)
    else { return }
    if let before = counterpart(of: relationship, entity) {
      // The links themselves may have moved to the other end.
      guard !before.isOrdered, let place = place(of: before, declaredBy: name),
        place.table == object.table,
        place.isInOwner
          == destination.projection.linkPlace(of: relationship, declaredBy: entity)?.isInOwner
      else { return }
      withEntity(name) { entity in
        guard let index = entity.relationships.firstIndex(where: { $0.name == before.name })
        else { return }
        entity.relationships[index].isOrdered = true
      }
      propertyNames[entity.name, default: [:]][relationship.name] = before.name
    } else {
      // The other end has stayed, with the links.
      guard let inverse = destination.projection.model.inverse(of: relationship),
        let other = currentName(of: inverse.declaringEntity.name),
        let before = counterpart(of: inverse.relationship, inverse.declaringEntity),
        place(of: before, declaredBy: other)?.table == object.table,
        add(relationship, of: entity)
      else { return }
    }
    putBack(object, former)
    if let place = places[former] { sparePositions.insert(place) }
  }

  /// Returns whether an entity of the source has a relationship that it declares in the destination from
  /// one above it.
  func isInherited(_ relationship: RelationshipDescription, by entity: EntityDescription) -> Bool {
    heirs[entity.name] == nil && names[entity.name] != nil && displaced[entity.name] == nil
      && counterpart(of: relationship, entity) == nil && !matching.adds(relationship, to: entity)
  }

  /// Returns whether the other end of a relationship has stayed with links between the same rows.
  private func hasLinks(
    opposite relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) -> Bool {
    guard let inverse = destination.projection.model.inverse(of: relationship),
      let other = currentName(of: inverse.declaringEntity.name),
      let before = counterpart(of: inverse.relationship, inverse.declaringEntity)
    else { return false }
    return before.destinationEntityName == currentName(of: entity.name)
      && place(of: before, declaredBy: other) != nil
  }

  /// Returns where the source has the links of a relationship.
  func place(
    of relationship: RelationshipDescription,
    declaredBy name: String
  ) -> LinkPlace? {
    guard let entity = source.projection.model.entity(named: name),
      let own = entity.relationships.first(where: { $0.name == relationship.name })
    else { return nil }
    return source.projection.linkPlace(of: own, declaredBy: entity)
  }

  mutating func putBack(_ object: RetainedObject, _ former: ColumnReference) {
    guard let name = object.column, let table = destination.projection.schema.tables[former.table],
      var column = table.column(former.column)
    else { return }
    column.name = name
    // What a sequence gives has a value as ever; the name of the sequence is the last one.
    var relationNames = object.relationNames
    if column.sequence != nil {
      column.identitySequence = relationNames.popLast()
    } else {
      column.notNullConstraint = nil
    }
    remains.columns.append((column, object.table))
    places[former] = ColumnReference(table: object.table, column: name)
    // What is retained of the indexes was over retained columns alone, and counts with the first.
    let indexes = table.indexes.filter { index in
      !index.isUnique && index.definition == nil && index.columns.first == former.column
        && index.readColumns.allSatisfy {
          columnCandidates[ColumnReference(table: former.table, column: $0)] != nil
        }
    }
    for (index, name) in zip(indexes, relationNames) where indexes.count == relationNames.count {
      remains.indexes.append((Self.renamed(index, name, former.column, column.name), object.table))
    }
    release(object)
  }

  private static func renamed(
    _ index: Index,
    _ name: SQLIdentifier,
    _ column: SQLIdentifier,
    _ newColumn: SQLIdentifier
  ) -> Index {
    var index = index
    index.name = name
    index.elements = index.elements.map { $0.renamingColumns([column: newColumn]) }
    index.predicate = index.predicate?.renamingIdentifiers([column: newColumn])
    index.definition = index.definition?.renamingIdentifiers([column: newColumn])
    return index
  }

  // MARK: - What may come back

  /// Returns whether the rows of an entity are in one and the same table with what is retained.
  func hasTable(_ entity: EntityDescription, _ tables: [SQLIdentifier]) -> Bool {
    let root = destination.projection.model.root(of: entity)
    guard
      let table = sourceTable(of: root) ?? (heir(of: root) ?? heir(of: entity)).flatMap(sourceTable)
    else { return false }
    return tables.allSatisfy { $0 == table }
  }

  /// Returns where the source has the rows of an entity of the destination; none if it has no such.
  private func sourceTable(of entity: EntityDescription) -> SQLIdentifier? {
    names[entity.name].flatMap(sourceTable)
  }

  private func sourceTable(of name: String) -> SQLIdentifier? {
    source.projection.model.entity(named: name).flatMap(source.projection.table)
  }

  /// Returns the entity that has the rows of another one which was above it, and has gone or has no rows
  /// any more; none if that one has some, or if there are several.
  func heir(of entity: EntityDescription) -> String? {
    let destination = destination.projection.model
    guard sourceTable(of: destination.root(of: entity)) == nil, sourceTable(of: entity) == nil
    else { return nil }
    let members = Set(
      destination.family(of: entity).filter { sourceTable(of: $0) != nil }
        .compactMap { names[$0.name] }
    )
    let model = source.projection.model
    let highest = members.filter { name in
      let above = model.entity(named: name).map(model.superentities) ?? []
      return !above.contains { members.contains($0.name) }
    }
    return highest.count == 1 ? highest.first : nil
  }

  /// Puts back what told the rows of entities apart in tables that have rows of only one now.
  mutating func putBackDiscriminators() {
    for root in destination.projection.model.rootEntities {
      guard let former = destination.projection.columns[.discriminator(root: root.name)],
        let object = columnCandidates[former],
        let name = heir(of: root) ?? names[root.name],
        !hasDiscriminator(name),
        let before = source.projection.model.entity(named: name),
        object.table == source.projection.table(of: before)
      else { continue }
      let concrete = source.projection.concreteFamily(of: before)
      guard concrete.count == 1 else { continue }
      if name != names[root.name] { heirs[root.name] = name }
      putBack(object, former)
      if let place = places[former] { discriminators[place] = concrete[0] }
    }
  }

  /// Adds the entity that a relationship leads to: its rows may come back.
  mutating func addTarget(of relationship: RelationshipDescription) {
    let model = destination.projection.model
    guard let target = model.entity(named: relationship.destinationEntityName) else { return }
    addLineage(of: target)
  }

  /// Returns whether rows of an entity of the source are told from those of others.
  private func hasDiscriminator(_ name: String) -> Bool {
    source.projection.columns[.discriminator(root: rootName(of: name))] != nil
  }

  /// Adds an entity that has gone from a hierarchy that has stayed; what stayed below it stands for it.
  mutating func addLineage(of entity: EntityDescription) {
    let lineage = destination.projection.model.lineage(of: entity)
    for ancestor in lineage {
      if let heir = heir(of: ancestor) { heirs[ancestor.name] = heir }
    }
    // Without a discriminator, rows of several entities could not be told from one another.
    let root = destination.projection.model.root(of: entity)
    guard let name = currentName(of: root.name),
      hasDiscriminator(name)
        || destination.projection.columns[.discriminator(root: root.name)]
          .map({ places[$0] != nil }) ?? false
    else { return }
    for ancestor in lineage where heirs[ancestor.name] == nil { add(ancestor) }
  }

  /// Returns whether the links of a relationship are in something that is put back, or have stayed.
  func isStored(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
    func isThere(_ origin: ColumnOrigin) -> Bool {
      guard let place = destination.projection.columns[origin] else { return false }
      return tables[place.table] != nil || columnCandidates[place] != nil
    }
    let inverse = destination.projection.model.inverse(of: relationship)
    let stayed =
      inverse.flatMap { inverse in
        counterpart(of: inverse.relationship, inverse.declaringEntity)
      }?.destinationEntityName
    if let stayed, stayed == currentName(of: entity.name) { return true }
    switch destination.projection.model.storage(of: relationship, declaredBy: entity) {
    case .ownKey: return isThere(.reference(entity: entity.name, relationship.name))
    case .inverseKey:
      return inverse.map {
        isThere(.reference(entity: $0.declaringEntity.name, $0.relationship.name))
      } ?? false
    case .joinTable(isOwner: true):
      return isThere(.joinedDestination(entity: entity.name, relationship.name))
    case .joinTable(isOwner: false):
      return inverse.map {
        isThere(.joinedDestination(entity: $0.declaringEntity.name, $0.relationship.name))
      } ?? false
    }
  }
}
