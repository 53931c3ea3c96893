internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Which tables and columns of two versions are the same, by what they stand for in the models.
struct SchemaMatch {
  /// The new name of each table that stays.
  private(set) var tables: [SQLIdentifier: SQLIdentifier] = [:]
  /// The new name of each column that stays, by the old name of its table.
  private(set) var columns: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]
  /// The old name of each table that stays.
  private(set) var oldTables: [SQLIdentifier: SQLIdentifier] = [:]
  /// The old place of each column that stays.
  private(set) var oldColumns: [ColumnReference: ColumnReference] = [:]

  private let source: ModelProjection
  private let destination: ModelProjection
  /// What each entity of the destination was.
  private var sourceEntities: [String: String] = [:]
  /// What each property of an entity of the destination was.
  private var sourceProperties: [String: [String: String]] = [:]
  /// What each element of a composite of an entity of the destination was.
  private var sourceElements: [String: [PropertyPath: [String]]] = [:]

  init(
    from source: ModelProjection,
    to destination: ModelProjection,
    by mapping: MappingModel
  ) throws(PlanningError) {
    self.source = source
    self.destination = destination
    for entityMapping in mapping.entityMappings {
      guard let before = entityMapping.sourceEntityName,
        let after = entityMapping.destinationEntityName
      else { continue }
      sourceEntities[after] = before
      sourceProperties[after] = Self.sourceNames(of: entityMapping)
      sourceElements[after] = Self.sourceElements(of: entityMapping)
    }
    for (origin, name) in destination.tables {
      guard let before = sourceTable(of: origin) else { continue }
      tables[before] = name
      oldTables[name] = before
    }
    oldColumns.reserveCapacity(destination.columns.count)
    for (origin, reference) in destination.columns { try match(origin, reference) }
  }

  private static func sourceNames(of mapping: EntityMapping) -> [String: String] {
    var names: [String: String] = [:]
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      switch property.valueExpression {
      case .sourceAttribute(let name), .destinationInstances(let name): names[property.name] = name
      case nil: continue
      }
    }
    return names
  }

  private static func sourceElements(of mapping: EntityMapping) -> [PropertyPath: [String]] {
    var paths: [PropertyPath: [String]] = [:]
    for property in mapping.attributeMappings {
      for element in property.elementMappings {
        paths[PropertyPath(property.name, elements: element.path)] = element.sourcePath
      }
    }
    return paths
  }

  private mutating func match(
    _ origin: ColumnOrigin,
    _ reference: ColumnReference
  ) throws(PlanningError) {
    guard let sourceOrigin = sourceOrigin(of: origin), let before = source.columns[sourceOrigin]
    else { return }
    guard tables[before.table] == reference.table else {
      let words = "column \"\(before.column)\" of table \"\(before.table)\" moves to table "
      throw PlanningError(fact: .notYetSupported(words + "\"\(reference.table)\""))
    }
    columns[before.table, default: [:]][before.column] = reference.column
    oldColumns[reference] = before
  }

  // MARK: - Origins

  private func sourceTable(of origin: TableOrigin) -> SQLIdentifier? {
    switch origin {
    case .root(let entity):
      return sourceEntities[entity].flatMap { source.tables[.root(entity: $0)] }
    case .join(let entity, let relationship):
      guard let ends = sourceEnds(of: entity, relationship) else { return nil }
      // Either end may have given the table its name before.
      return ends.compactMap { source.tables[.join(entity: $0.entity, $0.relationship)] }.first
    }
  }

  private func sourceEnds(
    of entity: String,
    _ relationship: String
  ) -> [(entity: String, relationship: String)]? {
    guard let before = sourceProperty(relationship, of: entity),
      let description = source.model.entity(named: before.entity)?
        .relationships.first(where: { $0.name == before.property })
    else { return nil }
    let inverse = source.model.inverse(of: description)
    return [(before.entity, before.property)]
      + (inverse.map { [($0.declaringEntity.name, $0.relationship.name)] } ?? [])
  }

  private func sourceProperty(
    _ property: String,
    of entity: String
  ) -> (entity: String, property: String)? {
    guard let before = sourceEntities[entity], let name = sourceProperties[entity]?[property] else {
      return nil
    }
    return (before, name)
  }

  private func sourcePath(_ path: [String], of property: String, of entity: String) -> [String]? {
    path.isEmpty ? path : sourceElements[entity]?[PropertyPath(property, elements: path)]
  }

  private func sourceOrigin(of origin: ColumnOrigin) -> ColumnOrigin? {
    switch origin {
    case .key(let entity): sourceEntities[entity].map { .key(entity: $0) }
    case .discriminator(let root): sourceEntities[root].map { .discriminator(root: $0) }
    case .attribute(let entity, let name, let path):
      sourceProperty(name, of: entity).flatMap { before in
        sourcePath(path, of: name, of: entity).map {
          .attribute(entity: before.entity, before.property, path: $0)
        }
      }
    case .reference(let entity, let name):
      sourceProperty(name, of: entity).map { .reference(entity: $0.entity, $0.property) }
    case .position(let entity, let name):
      sourceProperty(name, of: entity).map { .position(entity: $0.entity, $0.property) }
    case .joinedDestination(let entity, let name):
      sourceProperty(name, of: entity).map { .joinedDestination(entity: $0.entity, $0.property) }
    case .joinedSource(let entity, let name):
      sourceProperty(name, of: entity).map { .joinedSource(entity: $0.entity, $0.property) }
    }
  }
}
