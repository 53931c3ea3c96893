internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Builds the version of the database with the retained objects of the destination put back.
struct ReinstatedVersion {
  let source, destination: ModelProjection
  let matching: ModelMatching
  /// The name of the version that the database is at.
  private let versionName: String
  /// The retained objects of the destination.
  let candidates: [RetainedObject]
  /// The retained columns of remaining tables, by the destination's names.
  let columnCandidates: [ColumnReference: RetainedObject]

  // MARK: The model

  private var entities: [EntityDescription]
  private var positions: [String: Int]
  var composites: ReinstatedComposites
  /// The names of the destination's entities in the model.
  private(set) var names: [String: String]
  /// The names of reinstated properties of the destination in it, by their entities.
  var propertyNames: [String: [String: String]] = [:]
  /// The entities of the source that have the properties of entities above them which are removed
  /// or have no rows any more, by these.
  var heirs: [String: String] = [:]
  /// The names in the source of entities that moved to make room for reinstated ones.
  private(set) var displaced: [String: String] = [:]

  // MARK: What is put back

  var remains = ModelProjection.Remains()
  /// The objects that are no longer retained.
  private(set) var objects: Set<RetainedObject> = []
  /// The tables of the destination that are put back as a whole, by their current names.
  private(set) var tables: [SQLIdentifier: SQLIdentifier] = [:]
  /// The current places of the destination's reinstated columns.
  private(set) var places: [ColumnReference: ColumnReference] = [:]
  /// The origins of reinstated columns, by the destination's names, where they have changed:
  /// elements of other composites, or properties of only some of the former entities.
  var ownOrigins: [ColumnReference: [ColumnOrigin]] = [:]
  /// The columns whose keys nothing holds to, by the names that they have.
  var looseLinks: Set<ColumnReference> = []

  init(
    of source: PlannedVersion,
    to destination: PlannedVersion,
    isReturn: Bool,
    _ candidates: [RetainedObject]
  ) {
    (self.source, self.destination) = (source.projection, destination.projection)
    versionName = source.name
    self.candidates = candidates
    let model = source.projection.model
    entities = model.entities
    positions = Dictionary(
      zip(entities.map(\.name), entities.indices),
      uniquingKeysWith: { first, _ in first }
    )
    composites = ReinstatedComposites(from: model, to: destination.projection.model)
    matching = ModelMatching(
      from: model,
      to: destination.projection.model,
      isReturn: isReturn
    )
    names = matching.sourceNames
    columnCandidates = Self.columns(
      among: candidates,
      from: source.projection,
      to: destination.projection
    )
  }

  /// The retained columns of remaining tables, by the destination's names.
  private static func columns(
    among candidates: [RetainedObject],
    from source: ModelProjection,
    to destination: ModelProjection
  ) -> [ColumnReference: RetainedObject] {
    var columns: [ColumnReference: RetainedObject] = [:]
    for object in candidates {
      guard let origin = object.origin, origin.content == .column, object.column != nil,
        let former = origin.columns.first,
        let table = destination.schema.tables[SQLIdentifier(origin.table)],
        let column = table.column(SQLIdentifier(former.name)), column.type.text == former.type,
        column.generation == nil,
        // Early tools did not keep the sequences of columns.
        column.sequence == nil || !object.relationNames.isEmpty,
        source.schema.tables[object.table] != nil
      else { continue }
      let place = ColumnReference(table: table.name, column: column.name)
      guard destination.derivations[place] == nil else { continue }
      columns[place] = object
    }
    return columns
  }

  /// Returns the projection with all that is put back.
  ///
  /// - Parameter soleEntities: What the rows of tables are whose discriminators are put back.
  /// - Returns: The projection.
  mutating func finish(soleEntities: [ColumnReference: String]) -> ModelProjection {
    for (former, place) in places { note(place, as: former) }
    for (place, name) in soleEntities { remains.soleEntities[place.table] = name }
    let model = source.model
    return source.adding(
      remains,
      of: ManagedObjectModel(
        entities: entities,
        composites: composites.all,
        configurations: model.configurations,
        fetchRequests: model.fetchRequests,
        versionIdentifier: model.versionIdentifier,
        foreign: model.foreign,
        layout: model.layout
      )
    )
  }

  // MARK: - Entities and properties

  func entity(named name: String) -> EntityDescription? { positions[name].map { entities[$0] } }

  /// Returns the entity of the model that has the rows of an entity of the destination.
  func currentName(of entityName: String) -> String? { heirs[entityName] ?? names[entityName] }

  mutating func withEntity(_ name: String, _ body: (inout EntityDescription) -> Void) {
    guard let index = positions[name] else { return }
    body(&entities[index])
  }

  /// Adds an entity of the destination without its properties.
  mutating func add(_ entity: EntityDescription) {
    guard names[entity.name] == nil else { return }
    var added = entity
    added.name = free(entity.name, among: positions.keys)
    added.renamingIdentifier = entity.canonicalName
    added.userInfo[reinstatedNameKey] = entity.name
    added.superentityName = entity.superentityName.flatMap { currentName(of: $0) }
    added.attributes = []
    added.relationships = []
    added.uniquenessConstraints = []
    added.fetchIndexes = []
    added.compoundIndexes = []
    positions[added.name] = entities.count
    entities.append(added)
    names[entity.name] = added.name
    inheritAgain(from: entity, as: added)
  }

  /// Restores inheritance from a removed entity above others.
  private mutating func inheritAgain(from entity: EntityDescription, as added: EntityDescription) {
    var ancestors: Set<String> = []
    var parent = added.superentityName
    while let name = parent, ancestors.insert(name).inserted {
      parent = self.entity(named: name)?.superentityName
    }
    for child in destination.model.entities
    where child.superentityName == entity.name {
      guard let name = names[child.name] else { continue }
      withEntity(name) { child in
        if child.superentityName.map(ancestors.contains) ?? false {
          child.superentityName = added.name
        }
      }
    }
  }

  /// Adds an optional attribute, and returns its name.
  @discardableResult
  mutating func add(
    _ attribute: AttributeDescription,
    to entity: EntityDescription
  ) -> (entity: String, property: String)? {
    guard let name = currentName(of: entity.name) else { return nil }
    var added = attribute
    added.name = freeProperty(attribute.name, of: name)
    added.renamingIdentifier = attribute.canonicalName
    added.userInfo[reinstatedNameKey] = attribute.name
    added.type = composites.adopted(attribute.type)
    added.isOptional = true
    added.isIndexed = false
    added.validation.isEnforced = false
    propertyNames[entity.name, default: [:]][attribute.name] = added.name
    withEntity(name) { $0.attributes.append(added) }
    return (name, added.name)
  }

  /// Adds both ends of a relationship, unless one of them has become something else.
  ///
  /// - Returns: Whether they exist.
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
    let inverse = destination.model.inverse(of: relationship)
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
    let model = source.model
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
    let model = source.model
    guard
      let before = model.entity(named: entityName)?.relationships.first(where: {
        $0.name == relationship.name
      }), model.inverse(of: before) == nil,
      let place = source.columns[
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
    added.userInfo[reinstatedNameKey] = relationship.name
    added.destinationEntityName =
      currentName(of: relationship.destinationEntityName) ?? relationship.destinationEntityName
    added.inverseName = inverse
    added.isOptional = true
    withEntity(owner) { $0.relationships.append(added) }
  }

  /// Returns the counterpart of a destination's relationship in an entity of the source.
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

  /// Returns the root of an entity in the model.
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

  /// Adds a relationship of an entity to subentities that lack it.
  ///
  /// A relationship with an inverse has no such links, since losing them is a precondition.
  ///
  /// - Returns: The added relationships.
  mutating func add(
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

  // MARK: - Making room

  /// Gives the hierarchies of entities other names, so that nothing of the destination is taken for
  /// them.
  mutating func setAside(_ entityNames: [String]) {
    let model = source.model
    let roots = Set(
      entityNames.compactMap { model.entity(named: $0) }.map { model.root(of: $0).name }
    )
    for root in roots.sorted() {
      for member in model.entity(named: root).map(model.family) ?? [] {
        let name = free("\(member.name) of version \(versionName)", among: positions.keys)
        remains.entityNames[member.name] = name
        positions[name] = positions.removeValue(forKey: member.name)
        for index in entities.indices {
          if entities[index].name == member.name {
            entities[index].name = name
            entities[index].renamingIdentifier = name
          }
          if entities[index].superentityName == member.name {
            entities[index].superentityName = name
          }
          for position in entities[index].relationships.indices
          where entities[index].relationships[position].destinationEntityName == member.name {
            entities[index].relationships[position].destinationEntityName = name
          }
        }
        for (after, before) in names where before == member.name {
          names[after] = nil
          displaced[after] = before
        }
      }
    }
  }

  /// Gives both ends of a relationship other names.
  mutating func setAside(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) {
    let inverse = destination.model.inverse(of: relationship)
    let ends =
      [(relationship, entity)] + (inverse.map { [($0.relationship, $0.declaringEntity)] } ?? [])
    for (end, declaring) in ends {
      guard let name = names[declaring.name], let before = counterpart(of: end, declaring) else {
        continue
      }
      let aside = freeProperty(before.name, of: name)
      remains.propertyNames[.init(entity: name, property: before.name)] = aside
      renameInKeys(before.name, to: aside, of: name)
      for index in entities.indices {
        for position in entities[index].relationships.indices {
          let candidate = entities[index].relationships[position]
          if entities[index].name == name, candidate.name == before.name {
            entities[index].relationships[position].name = aside
            entities[index].relationships[position].renamingIdentifier = aside
          }
          if candidate.inverseName == before.name, candidate.destinationEntityName == name {
            entities[index].relationships[position].inverseName = aside
          }
        }
      }
    }
  }

  /// Renames the derivation inputs of an attribute in an entity and its subentities, so that
  /// computed values are not taken for written ones.
  mutating func setAsideComputed(
    _ attribute: AttributeDescription,
    of entity: EntityDescription
  ) {
    for member in destination.model.family(of: entity) {
      guard let (owner, before) = matching.sourceAttribute(of: attribute, member),
        before.isComputed,
        remains.propertyNames[.init(entity: owner, property: before.name)] == nil
      else { continue }
      let aside = freeProperty(before.name, of: owner)
      withEntity(owner) { entity in
        for index in entity.attributes.indices where entity.attributes[index].name == before.name {
          entity.attributes[index].name = aside
          entity.attributes[index].renamingIdentifier = aside
        }
      }
      renameInKeys(before.name, to: aside, of: owner)
      remains.propertyNames[.init(entity: owner, property: before.name)] = aside
    }
  }

  /// Calls a property otherwise in the keys and indexes of an entity of the source and of those below it.
  private mutating func renameInKeys(_ name: String, to newName: String, of owner: String) {
    let model = source.model
    for member in model.entity(named: owner).map(model.family) ?? [] {
      withEntity(member.name) { $0.renameInKeys(name, to: newName) }
    }
  }

  // MARK: - What stands for it

  /// Returns whether an entity of the source has a relationship that it declares in the destination from
  /// one above it.
  func isInherited(_ relationship: RelationshipDescription, by entity: EntityDescription) -> Bool {
    heirs[entity.name] == nil && names[entity.name] != nil && displaced[entity.name] == nil
      && counterpart(of: relationship, entity) == nil && !matching.adds(relationship, to: entity)
  }

  /// Returns where the source has the links of a relationship.
  func place(
    of relationship: RelationshipDescription,
    declaredBy name: String
  ) -> LinkPlace? {
    guard let entity = source.model.entity(named: name),
      let own = entity.relationships.first(where: { $0.name == relationship.name })
    else { return nil }
    return source.linkPlace(of: own, declaredBy: entity)
  }

  /// Returns whether all rows of an entity are in a single table with the retained columns.
  func hasTable(_ entity: EntityDescription, _ tables: [SQLIdentifier]) -> Bool {
    let root = destination.model.root(of: entity)
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
    source.model.entity(named: name).flatMap(source.table)
  }

  /// Returns the entity that has the rows of a former parent that is removed or has no rows any
  /// more; `nil` if the parent has rows, or if there are several.
  func heir(of entity: EntityDescription) -> String? {
    let destination = destination.model
    guard sourceTable(of: destination.root(of: entity)) == nil, sourceTable(of: entity) == nil
    else { return nil }
    let members = Set(
      destination.family(of: entity).filter { sourceTable(of: $0) != nil }
        .compactMap { names[$0.name] }
    )
    let model = source.model
    let highest = members.filter { name in
      let above = model.entity(named: name).map(model.superentities) ?? []
      return !above.contains { members.contains($0.name) }
    }
    return highest.count == 1 ? highest.first : nil
  }

  /// Adds the entity that a relationship leads to: its rows may come back.
  mutating func addTarget(of relationship: RelationshipDescription) {
    let model = destination.model
    guard let target = model.entity(named: relationship.destinationEntityName) else { return }
    addLineage(of: target)
  }

  /// Returns whether a discriminator distinguishes rows of an entity of the source.
  func hasDiscriminator(_ name: String) -> Bool {
    source.columns[.discriminator(root: rootName(of: name))] != nil
  }

  /// Adds an entity removed from an existing hierarchy; its remaining subentities represent it.
  mutating func addLineage(of entity: EntityDescription) {
    let lineage = destination.model.lineage(of: entity)
    for ancestor in lineage {
      if let heir = heir(of: ancestor) { heirs[ancestor.name] = heir }
    }
    // Without a discriminator, rows of several entities cannot be distinguished.
    let root = destination.model.root(of: entity)
    guard let name = currentName(of: root.name),
      hasDiscriminator(name)
        || destination.columns[.discriminator(root: root.name)]
          .map({ places[$0] != nil }) ?? false
    else { return }
    for ancestor in lineage where heirs[ancestor.name] == nil { add(ancestor) }
  }

  /// Returns whether the links of a relationship are in something that is put back, or have stayed.
  func isStored(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
    func isThere(_ origin: ColumnOrigin) -> Bool {
      guard let place = destination.columns[origin] else { return false }
      return tables[place.table] != nil || columnCandidates[place] != nil
    }
    let inverse = destination.model.inverse(of: relationship)
    let stayed =
      inverse.flatMap { inverse in
        counterpart(of: inverse.relationship, inverse.declaringEntity)
      }?.destinationEntityName
    if let stayed, stayed == currentName(of: entity.name) { return true }
    switch destination.model.storage(of: relationship, declaredBy: entity) {
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

  /// Notes the entities whose values of a column that is put back are in other ones by now.
  mutating func noteOutdated(
    _ former: ColumnReference,
    _ attribute: AttributeDescription,
    of entity: EntityDescription
  ) {
    noteOutdated(former, of: entity) { [matching] in matching.adds(attribute, to: $0) }
  }

  /// Notes the entities whose links in a column that is put back are in other ones by now.
  mutating func noteOutdated(
    _ former: ColumnReference,
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) {
    noteOutdated(former, of: entity) { [matching] in matching.adds(relationship, to: $0) }
  }

  private mutating func noteOutdated(
    _ former: ColumnReference,
    of entity: EntityDescription,
    lacking isAdded: (EntityDescription) -> Bool
  ) {
    guard let place = places[former] else { return }
    remains.outdated[place, default: []].formUnion(
      destination.model.family(of: entity).filter { !isAdded($0) }.compactMap { names[$0.name] }
    )
  }

  /// Returns the entities below one that have stayed and lack a property, without those below them.
  func highest(
    below entity: EntityDescription,
    lacking isAdded: (EntityDescription) -> Bool
  ) -> [EntityDescription] {
    let lacking = destination.model.family(of: entity).filter {
      names[$0.name] != nil && isAdded($0)
    }
    let lackingNames = Set(lacking.map(\.name))
    return lacking.filter { entity in
      let above =
        names[entity.name].flatMap { source.model.entity(named: $0) }
        .map { source.model.superentities(of: $0).map(\.name) } ?? []
      return !lackingNames.contains { names[$0].map(above.contains) ?? false }
    }
  }

  /// Pairs of rows that came since lead to none that are put back.
  mutating func noteLoosePairs(of entityName: String, _ relationshipName: String) {
    for origin: ColumnOrigin in [
      .joinedDestination(entity: entityName, relationshipName),
      .joinedSource(entity: entityName, relationshipName),
    ] {
      if let place = source.columns[origin] { looseLinks.insert(place) }
    }
  }

  // MARK: - Tables and columns

  /// Puts back the discriminators of tables that have rows of only one entity now.
  ///
  /// - Returns: These entities, by the columns.
  mutating func putBackDiscriminators() -> [ColumnReference: String] {
    var discriminators: [ColumnReference: String] = [:]
    for root in destination.model.rootEntities {
      guard let former = destination.columns[.discriminator(root: root.name)],
        let object = columnCandidates[former],
        let name = heir(of: root) ?? names[root.name],
        !hasDiscriminator(name),
        let before = source.model.entity(named: name),
        object.table == source.table(of: before)
      else { continue }
      let concrete = source.concreteFamily(of: before)
      guard concrete.count == 1 else { continue }
      if name != names[root.name] { heirs[root.name] = name }
      bind(object, former)
      if let place = places[former] { discriminators[place] = concrete[0] }
    }
    return discriminators
  }

  /// Binds something retained as a column.
  mutating func bind(_ object: RetainedObject, _ former: ColumnReference) {
    guard let name = object.column, let table = destination.schema.tables[former.table],
      var column = table.column(former.column)
    else { return }
    column.name = name
    // A column with a sequence always has a value; the name of the sequence is the last one.
    var relationNames = object.relationNames
    if column.sequence != nil {
      column.identitySequence = relationNames.popLast()
    } else {
      column.notNullConstraint = nil
    }
    remains.columns.append((column, object.table))
    places[former] = ColumnReference(table: object.table, column: name)
    // Retained indexes were over retained columns only, and belong to the first.
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

  /// The names that a table takes up once it is retained.
  static func keptNames(of table: Table) -> [SQLIdentifier] {
    let gone = Set(
      table.constraints.filter { $0.hasIndex && !$0.isPrimaryKey }.map(\.name)
        + table.indexes.filter(\.isUnique).map(\.name)
    )
    return table.relationNames.filter { !gone.contains($0) }
  }

  /// Binds something retained as a table.
  mutating func bind(_ object: RetainedObject, _ table: Table, _ origin: TableOrigin) {
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

  /// Notes that something is retained no longer.
  mutating func release(_ object: RetainedObject) { objects.insert(object) }

  /// Returns the origin of a destination's column in the model.
  func origin(_ origin: ColumnOrigin) -> ColumnOrigin? {
    guard var name = currentName(of: origin.entityName) else { return nil }
    if case .discriminator = origin { name = rootName(of: name) }
    return origin.renaming(entity: name) { property in
      propertyNames[origin.entityName]?[property] ?? property
    }
  }

  /// Records that an existing column is one of the destination's.
  private mutating func note(_ place: ColumnReference, as former: ColumnReference) {
    guard let origin = destination.columnOrigins[former.table]?[former.column],
      let after = ownOrigins[former] ?? self.origin(origin).map({ [$0] }),
      let first = after.first
    else { return }
    remains.origins[place] = after
    if destination.unboundedColumns.contains(former) {
      remains.unboundedColumns.insert(place)
    }
    switch first {
    case .reference, .joinedDestination, .joinedSource: looseLinks.insert(place)
    case .key, .discriminator, .attribute, .position: break
    }
  }
}

extension EntityDescription {
  /// Renames a property in uniqueness constraints and indexes.
  fileprivate mutating func renameInKeys(_ name: String, to newName: String) {
    func renamed(_ names: [[String]]) -> [[String]] {
      names.map { $0.map { $0 == name ? newName : $0 } }
    }
    uniquenessConstraints = renamed(uniquenessConstraints)
    compoundIndexes = renamed(compoundIndexes)
    for index in fetchIndexes.indices {
      for element in fetchIndexes[index].elements.indices
      where fetchIndexes[index].elements[element].propertyName == name {
        fetchIndexes[index].elements[element].propertyName = newName
      }
    }
  }
}
