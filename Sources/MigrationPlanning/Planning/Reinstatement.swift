internal import ModelMapping
internal import ObjectModel
public import SQLSyntax

/// What is retained of a version that is led to, put back into the version that the database is at.
///
/// A plan then finds it among the rest, under the name that it has, and binds it again: it is as if
/// it had never been dropped.
public struct Reinstatement: Sendable {
  /// The version that the database is at, with what is put back.
  public private(set) var source: PlannedVersion
  /// What is retained no longer.
  public private(set) var objects: Set<RetainedObject> = []
  /// The columns whose keys nothing holds to, by the names that they have.
  var looseLinks: Set<ColumnReference> = []
  /// The rows and links that are retained apart from their tables.
  private(set) var apart: [RetainedObject] = []

  let destination: PlannedVersion
  /// The model in the making.
  var entities: [EntityDescription]
  var composites: [CompositeDescription]
  /// What the entities of the destination are called in it.
  var names: [String: String]
  /// What properties of the destination that are put back are called in it, by their entities.
  private(set) var propertyNames: [String: [String: String]] = [:]
  var remains = ModelProjection.Remains()
  /// The tables of the destination that take the places of tables of the source, by these.
  private(set) var successors: [SQLIdentifier: SQLIdentifier] = [:]
  /// What the source calls entities of the destination that made room for what is put back.
  var displaced: [String: String] = [:]
  /// The tables of the destination that are put back as a whole, by what they are called now.
  var tables: [SQLIdentifier: SQLIdentifier] = [:]
  /// Where columns of the destination are now that are put back.
  var places: [ColumnReference: ColumnReference] = [:]
  let candidates: [RetainedObject]
  let matching: ModelMatching

  /// Puts back what can be put back.
  ///
  /// - Parameters:
  ///   - source: The version that the database is at.
  ///   - destination: The version that is led to.
  ///   - retained: What is retained.
  ///   - replaced: The tables of the destination whose rows the source has as well, and which take
  ///     the places of what the source has.
  /// - Returns: `nil` if nothing of the destination is retained.
  public init?(
    of source: PlannedVersion,
    to destination: PlannedVersion,
    _ retained: [RetainedObject],
    replacing replaced: Set<SQLIdentifier> = []
  ) {
    candidates = Self.latest(of: retained.filter { $0.version == destination.name })
    guard !candidates.isEmpty else { return nil }
    self.source = source
    self.destination = destination
    let model = source.projection.model
    entities = model.entities
    composites = model.composites
    matching = ModelMatching(from: model, to: destination.projection.model)
    names = matching.sourceNames
    putBackRoots(replaced)
    putBackJoins(replaced)
    retarget()
    putBackRelationshipsOfRoots()
    putBackColumns()
    putBackRows()
    for (former, place) in places { note(place, as: former) }
    guard !objects.isEmpty else { return nil }
    self.source = PlannedVersion(
      name: source.name,
      hashes: source.hashes,
      projection: source.projection.adding(
        remains,
        of: ManagedObjectModel(
          entities: entities,
          composites: composites,
          configurations: model.configurations,
          fetchRequests: model.fetchRequests,
          versionIdentifier: model.versionIdentifier,
          foreign: model.foreign
        )
      )
    )
  }

  /// Of what was dropped more than once, the last that was dropped is what there was in the end.
  private static func latest(of objects: [RetainedObject]) -> [RetainedObject] {
    struct Place: Hashable {
      var content: RetainedObject.Origin.Content
      var table: String
      var column: String?
    }
    func place(_ object: RetainedObject) -> Place? {
      object.origin.map { origin in
        Place(
          content: origin.content,
          table: origin.table,
          column: origin.content == .column ? origin.columns.first?.name : nil
        )
      }
    }
    var last: [Place: RetainedObject] = [:]
    for object in objects {
      if let place = place(object) { last[place] = object }
    }
    return objects.filter { object in place(object).map { last[$0] == object } ?? false }
  }

  // MARK: - The model

  func entity(named name: String) -> EntityDescription? { entities.first { $0.name == name } }

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
    added.superentityName = entity.superentityName.flatMap { names[$0] }
    added.attributes = []
    added.relationships = []
    added.uniquenessConstraints = []
    added.fetchIndexes = []
    added.compoundIndexes = []
    entities.append(added)
    names[entity.name] = added.name
  }

  /// Adds an attribute that need have no value.
  mutating func add(_ attribute: AttributeDescription, to entity: EntityDescription) {
    guard let name = names[entity.name] else { return }
    var added = attribute
    added.name = freeProperty(attribute.name, of: name)
    added.renamingIdentifier = attribute.canonicalName
    added.isOptional = true
    added.isIndexed = false
    added.validation.isEnforced = false
    propertyNames[entity.name, default: [:]][attribute.name] = added.name
    withEntity(name) { $0.attributes.append(added) }
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
    guard let owner = names[entity.name], names[relationship.destinationEntityName] != nil,
      counterpart(of: relationship, entity) == nil
    else { return false }
    let inverse = destination.projection.model.inverse(of: relationship)
    if let inverse {
      guard names[inverse.declaringEntity.name] != nil else { return false }
      if let existing = counterpart(of: inverse.relationship, inverse.declaringEntity) {
        // The other end stayed, and leads to the same rows still.
        guard existing.destinationEntityName == owner, existing.inverseName == nil else {
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
    let inverseOwner = names[inverse.declaringEntity.name] ?? inverse.declaringEntity.name
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
    } else {
      let inverseName = freeProperty(inverse.relationship.name, of: inverseOwner)
      propertyNames[inverse.declaringEntity.name, default: [:]][inverse.relationship.name] =
        inverseName
      append(relationship, called: name, to: owner, inverse: inverseName)
      append(inverse.relationship, called: inverseName, to: inverseOwner, inverse: name)
    }
    return true
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
    remains.movedEnds[.init(entity: aside, relationship: end.relationship.name)] =
      .init(entity: owner, relationship: name)
    noteLoosePairs(of: end.declaringEntity.name, end.relationship.name)
    withEntity(aside) { entity in
      entity.relationships.removeAll { $0.name == end.relationship.name }
    }
  }

  private mutating func append(
    _ relationship: RelationshipDescription,
    called name: String,
    to owner: String,
    inverse: String?
  ) {
    var added = relationship
    added.name = name
    added.renamingIdentifier = relationship.canonicalName
    added.destinationEntityName =
      names[relationship.destinationEntityName] ?? relationship.destinationEntityName
    added.inverseName = inverse
    added.isOptional = true
    withEntity(owner) { $0.relationships.append(added) }
  }

  /// Returns what a relationship of the destination is in an entity that the source has.
  func counterpart(
    of relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) -> RelationshipDescription? {
    guard let name = names[entity.name], let before = self.entity(named: name) else { return nil }
    return before.relationships.first { $0.canonicalName == relationship.canonicalName }
      ?? before.relationships.first { $0.name == relationship.name }
  }

  func free(_ name: String, among taken: some Collection<String>) -> String {
    guard taken.contains(name) else { return name }
    var count = 2
    while taken.contains("\(name) (\(count))") { count += 1 }
    return "\(name) (\(count))"
  }

  private func rootName(of name: String) -> String {
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

  // MARK: - What stands for it

  /// Notes that a table takes the place of another.
  mutating func noteSuccessor(_ table: SQLIdentifier, of former: SQLIdentifier) {
    successors[former] = table
  }

  /// The tables that others take the place of, with what hangs on them.
  func replacements(from source: DatabaseSchema) -> TableReplacements? {
    guard !successors.isEmpty else { return nil }
    var replacements = TableReplacements(schema: source.name)
    for (former, table) in successors {
      guard let old = source.tables[former],
        let new = destination.projection.schema.tables[table]
      else { continue }
      replacements.tables[former] = TableReplacements.Replacement(of: old, by: new, renaming: [:])
    }
    return replacements
  }

  /// Notes that something is retained no longer.
  mutating func release(_ object: RetainedObject, isApart: Bool = false) {
    objects.insert(object)
    if isApart { apart.append(object) }
  }

  /// Returns what a column of the destination stands for in the model that is made.
  func origin(_ origin: ColumnOrigin) -> ColumnOrigin? {
    guard let name = names[origin.entityName] else { return nil }
    return origin.renaming(entity: name) { property in
      propertyNames[origin.entityName]?[property] ?? property
    }
  }

  /// Has a column that is there stand for one of the destination.
  private mutating func note(_ place: ColumnReference, as former: ColumnReference) {
    guard let origin = destination.projection.columnOrigins[former.table]?[former.column],
      let after = self.origin(origin)
    else { return }
    remains.origins[place] = after
    if destination.projection.unboundedColumns.contains(former) {
      remains.unboundedColumns.insert(place)
    }
    switch after {
    case .reference, .joinedDestination, .joinedSource: looseLinks.insert(place)
    case .key, .discriminator, .attribute, .position: break
    }
  }
}
