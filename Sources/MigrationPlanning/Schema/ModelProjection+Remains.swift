internal import SQLSyntax

extension ModelProjection {
  /// What is still in a schema of a version that it is no longer at.
  struct Remains {
    /// Whole tables with their columns.
    var tables: [(table: Table, origin: TableOrigin)] = []
    /// Columns of tables that are in use.
    var columns: [(column: Column, table: SQLIdentifier)] = []
    /// Indexes of tables that are in use.
    var indexes: [(index: Index, table: SQLIdentifier)] = []
    /// What all these columns stand for: one property, or the same one of several entities.
    var origins: [ColumnReference: [ColumnOrigin]] = [:]
    /// Those whose values may be too long for an index.
    var unboundedColumns: Set<ColumnReference> = []
    /// Those of properties, with the entities whose values are in other ones by now.
    var outdated: [ColumnReference: Set<String>] = [:]
    /// The entities of the projection that give up their names to others.
    var entityNames: [String: String] = [:]
    /// The properties that give up their names.
    var propertyNames: [PropertyName: String] = [:]

    /// The only entities that tables have rows of whose discriminators are put back and do not tell so yet.
    var soleEntities: [SQLIdentifier: String] = [:]
    /// The ends of relationships that have become those of others.
    var movedEnds: [PropertyName: PropertyName] = [:]

    /// A property by its entity, after that has got its new name.
    struct PropertyName: Hashable {
      var entity: String
      var property: String
    }
  }
}

extension ColumnOrigin {
  /// The entity that declares what the column stands for.
  var entityName: String {
    switch self {
    case .key(let entity), .discriminator(let entity), .attribute(let entity, _, _),
      .reference(let entity, _), .position(let entity, _), .joinedDestination(let entity, _),
      .joinedSource(let entity, _):
      entity
    }
  }

  /// The relationship that the column has an end of; none for others.
  private var relationshipName: String? {
    switch self {
    case .key, .discriminator, .attribute: nil
    case .reference(_, let name), .position(_, let name), .joinedDestination(_, let name),
      .joinedSource(_, let name):
      name
    }
  }

  func renaming(_ remains: ModelProjection.Remains) -> ColumnOrigin {
    let entity = remains.entityNames[entityName] ?? entityName
    if let end = relationshipName.flatMap({
      remains.movedEnds[.init(entity: entity, property: $0)]
    }) {
      return renaming(entity: end.entity) { _ in end.property }
    }
    return renaming(entity: entity) { property in
      remains.propertyNames[.init(entity: entity, property: property)] ?? property
    }
  }

  /// Returns the same of an entity, and of a property, that are called something else.
  func renaming(entity name: String, _ property: (String) -> String) -> ColumnOrigin {
    switch self {
    case .key: .key(entity: name)
    case .discriminator: .discriminator(root: name)
    case .attribute(_, let attribute, let path):
      .attribute(entity: name, property(attribute), path: path)
    case .reference(_, let relationship): .reference(entity: name, property(relationship))
    case .position(_, let relationship): .position(entity: name, property(relationship))
    case .joinedDestination(_, let relationship):
      .joinedDestination(entity: name, property(relationship))
    case .joinedSource(_, let relationship): .joinedSource(entity: name, property(relationship))
    }
  }
}

extension TableOrigin {
  func renaming(_ remains: ModelProjection.Remains) -> TableOrigin {
    switch self {
    case .root(let entity): return .root(entity: remains.entityNames[entity] ?? entity)
    case .join(let entity, let relationship):
      let entity = remains.entityNames[entity] ?? entity
      let end = ModelProjection.Remains.PropertyName(entity: entity, property: relationship)
      if let moved = remains.movedEnds[end] {
        return .join(entity: moved.entity, moved.property)
      }
      let name = remains.propertyNames[.init(entity: entity, property: relationship)]
      return .join(entity: entity, name ?? relationship)
    }
  }
}
