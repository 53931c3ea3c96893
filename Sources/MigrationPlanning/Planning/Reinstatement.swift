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
  /// What composites of the destination are called in it.
  var compositeNames: [String: String] = [:]
  /// What columns that are put back stand for in it where that is not what they were, by what the
  /// destination calls them: elements of other composites, properties of some of those that had them.
  var ownOrigins: [ColumnReference: [ColumnOrigin]] = [:]
  /// What the entities of the destination are called in it.
  var names: [String: String]
  /// What properties of the destination that are put back are called in it, by their entities.
  var propertyNames: [String: [String: String]] = [:]
  /// The entities of the source that have what is put back of entities above them which have gone or have
  /// no rows any more, by these.
  var heirs: [String: String] = [:]
  /// The columns that tell entities apart again, with the only entity that there was meanwhile.
  var discriminators: [ColumnReference: String] = [:]
  /// The columns with the places of links that have stayed and may have no places.
  var sparePositions: Set<ColumnReference> = []
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
  /// The retained columns of tables that have stayed, by what the destination calls them.
  private(set) var columnCandidates: [ColumnReference: RetainedObject] = [:]
  let matching: ModelMatching

  /// Puts back what can be put back; there is nothing if nothing of the destination is retained.
  ///
  /// - Parameters:
  ///   - source: The version that the database is at.
  ///   - destination: The version that is led to.
  ///   - retained: What is retained.
  ///   - replaced: The tables of the destination whose rows the source has as well, and which take
  ///     the places of what the source has.
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
    columnCandidates = findColumns()
    putBackDiscriminators()
    putBackRoots(replaced)
    putBackJoins(replaced)
    retarget()
    putBackRelationshipsOfRoots()
    putBackColumns()
    putBackRows()
    for (former, place) in places { note(place, as: former) }
    discriminators = discriminators.mapValues { remains.entityNames[$0] ?? $0 }
    for (place, name) in discriminators { remains.soleEntities[place.table] = name }
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

  /// The columns that a table of the source has in addition.
  func columnsPutBack(into table: SQLIdentifier) -> Set<SQLIdentifier> {
    Set(places.values.filter { $0.table == table }.map(\.column))
  }

  /// Returns what a column of the destination stands for in the model that is made.
  func origin(_ origin: ColumnOrigin) -> ColumnOrigin? {
    guard var name = currentName(of: origin.entityName) else { return nil }
    if case .discriminator = origin { name = rootName(of: name) }
    return origin.renaming(entity: name) { property in
      propertyNames[origin.entityName]?[property] ?? property
    }
  }

  /// Has a column that is there stand for one of the destination.
  private mutating func note(_ place: ColumnReference, as former: ColumnReference) {
    guard let origin = destination.projection.columnOrigins[former.table]?[former.column],
      let after = ownOrigins[former] ?? self.origin(origin).map({ [$0] }),
      let first = after.first
    else { return }
    remains.origins[place] = after
    if destination.projection.unboundedColumns.contains(former) {
      remains.unboundedColumns.insert(place)
    }
    switch first {
    case .reference, .joinedDestination, .joinedSource: looseLinks.insert(place)
    case .key, .discriminator, .attribute, .position: break
    }
  }
}
