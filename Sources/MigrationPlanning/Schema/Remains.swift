internal import SQLSyntax

extension ModelProjection {
  /// The objects of a former version that are still in a schema.
  struct Remains {
    /// Whole tables with their columns.
    var tables: [(table: Table, origin: TableOrigin)] = []
    /// Columns of tables that are in use.
    var columns: [(column: Column, table: SQLIdentifier)] = []
    /// Indexes of tables that are in use.
    var indexes: [(index: Index, table: SQLIdentifier)] = []
    /// The origins of all these columns: one property, or the same one of several entities.
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

    /// Returns the current name of an entity.
    func name(of entity: String) -> String { entityNames[entity] ?? entity }

    /// Returns the current name of a property and its entity.
    func name(of property: String, of entity: String) -> PropertyName {
      let former = PropertyName(entity: name(of: entity), property: property)
      return movedEnds[former]
        ?? PropertyName(entity: former.entity, property: propertyNames[former] ?? property)
    }
  }
}

extension ColumnOrigin {
  /// The entity that declares the column's property.
  var entityName: String {
    switch self {
    case .key(let entity), .discriminator(let entity), .attribute(let entity, _, _),
      .reference(let entity, _), .position(let entity, _), .joinedDestination(let entity, _),
      .joinedSource(let entity, _):
      entity
    }
  }

  func renaming(_ remains: ModelProjection.Remains) -> ColumnOrigin {
    switch self {
    case .key(let entity), .discriminator(let entity):
      return renaming(entity: remains.name(of: entity)) { $0 }
    case .attribute(let entity, let name, _), .reference(let entity, let name),
      .position(let entity, let name), .joinedDestination(let entity, let name),
      .joinedSource(let entity, let name):
      let renamed = remains.name(of: name, of: entity)
      return renaming(entity: renamed.entity) { _ in renamed.property }
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
    case .root(let entity): return .root(entity: remains.name(of: entity))
    case .join(let entity, let relationship):
      let renamed = remains.name(of: relationship, of: entity)
      return .join(entity: renamed.entity, renamed.property)
    }
  }
}
