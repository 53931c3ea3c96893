internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// What the placeholders of people's SQL stand for.
struct PlaceholderNames {
  /// When the SQL runs.
  enum Time {
    /// While rows are copied: the tables of the source are as they were.
    case copying
    /// When all tables are in their places.
    case afterwards(SchemaChanges)
  }

  let source: ModelProjection
  let destination: ModelProjection
  let mapping: CompleteMapping
  let stagingSchema: SQLIdentifier
  let time: Time
  /// The maps of keys, by the names of the entity mappings.
  var maps: [String: QualifiedName] = [:]
  /// The tables of the source that were named, as they were called then.
  private(set) var namedTables: Set<SQLIdentifier> = []
  /// The tables that were named, as they are called when the SQL runs, but for those that are made.
  private(set) var currentTables: Set<SQLIdentifier> = []

  init(
    _ source: ModelProjection,
    _ destination: ModelProjection,
    _ mapping: CompleteMapping,
    stagingSchema: SQLIdentifier,
    at time: Time
  ) {
    self.source = source
    self.destination = destination
    self.mapping = mapping
    self.stagingSchema = stagingSchema
    self.time = time
  }

  /// Returns the text of a template, cut where it has `${chunk}`.
  mutating func parts(of template: SQLTemplate) throws(Failure) -> [SQLFragment] {
    var parts: [SQLFragment] = [SQLFragment()]
    for segment in template.segments {
      switch segment {
      case .text(let text): parts[parts.count - 1].append(SQLFragment(written: text))
      case .placeholder(.chunk): parts.append(SQLFragment())
      case .placeholder(let placeholder):
        parts[parts.count - 1].append(try name(placeholder))
      }
    }
    // A comment at the end must not swallow what comes after it.
    parts[parts.count - 1].append("\n")
    return parts
  }

  /// A placeholder that stands for nothing.
  struct Failure: Error {
    let fact: MappingFault.Fact
  }

  private mutating func name(
    _ placeholder: SQLTemplate.Placeholder
  ) throws(Failure) -> SQLFragment {
    let found: Name?
    switch placeholder {
    case .sourceEntity(let entity): found = sourceTable(entity)
    case .sourceProperty(let entity, let property): found = sourceProperty(property, of: entity)
    case .destinationEntity(let entity): found = destinationTable(entity)
    case .destinationProperty(let entity, let property):
      found = destinationProperty(property, of: entity)
    case .map(let name): found = maps[name].map { .table($0) }
    case .chunk: found = .text("true")
    }
    switch found {
    case .table(let name):
      if name.schema == source.schema.name { currentTables.insert(name.name) }
      return "\(name)"
    case .column(let name): return "\(name)"
    case .text(let text): return text
    case .absent(let absence):
      throw Failure(fact: .untimelyPlaceholder("\(placeholder)", absence))
    case nil: throw Failure(fact: .unrecognizedPlaceholder("\(placeholder)"))
    }
  }

  private enum Name {
    case table(QualifiedName)
    case column(SQLIdentifier)
    case text(SQLFragment)
    case absent(MappingFault.Absence)
  }

  // MARK: - The source

  private mutating func sourceTable(_ entity: String) -> Name? {
    guard let table = source.model.entity(named: entity).flatMap({ source.table(of: $0) }) else {
      return nil
    }
    return current(table)
  }

  /// What a table of the source is called when the SQL runs.
  private mutating func current(_ table: SQLIdentifier) -> Name {
    namedTables.insert(table)
    guard case .afterwards(let changes) = time else {
      return .table(source.schema.qualified(table))
    }
    let name = changes.currentName(of: table)
    let isDropped = changes.operations.contains { operation in
      guard case .dropTable(let drop) = operation else { return false }
      return drop.table == name
    }
    return isDropped ? .absent(.dropped) : .table(source.schema.qualified(name))
  }

  private mutating func sourceProperty(_ property: String, of entity: String) -> Name? {
    switch source.place(of: property, entity) {
    case .join(let table): return current(table)
    case .column(let place):
      guard case .table(let table) = current(place.table) else { return .absent(.dropped) }
      guard case .afterwards(let changes) = time else { return .column(place.column) }
      let name = changes.currentName(of: place)
      let isDropped = changes.operations.contains { operation in
        guard case .dropColumn(let drop) = operation else { return false }
        return drop.table == table.name && drop.column == name
      }
      return isDropped ? .absent(.dropped) : .column(name)
    case nil: return nil
    }
  }

  // MARK: - The destination

  private var copied: Set<SQLIdentifier> {
    CopyCompiler.copiedTables(mapping.copyScope, in: destination)
  }

  private mutating func destinationTable(_ entity: String) -> Name? {
    guard let description = destination.model.entity(named: entity),
      let table = destination.table(of: description)
    else { return nil }
    if let name = name(ofDestination: table) { return name }
    // What stays as it is is still where it was.
    guard let before = placed(description)?.sourceEntityName else { return .absent(.later) }
    return sourceTable(before) ?? .absent(.later)
  }

  /// Returns the name of a table that is there already under the destination's name.
  private func name(ofDestination table: SQLIdentifier) -> Name? {
    switch time {
    case .afterwards: .table(destination.schema.qualified(table))
    case .copying:
      copied.contains(table)
        ? .table(QualifiedName(schema: stagingSchema, name: table)) : nil
    }
  }

  private mutating func destinationProperty(_ property: String, of entity: String) -> Name? {
    switch destination.place(of: property, entity) {
    case .join(let table): return name(ofDestination: table) ?? .absent(.later)
    case .column(let place):
      if name(ofDestination: place.table) != nil { return .column(place.column) }
      guard let description = destination.model.entity(named: entity),
        let placed = placed(description), let before = placed.sourceEntityName
      else { return .absent(.later) }
      let mapped = (placed.attributeMappings + placed.relationshipMappings)
        .first { $0.name == property }?.valueExpression
      switch mapped {
      case .sourceAttribute(let name), .destinationInstances(let name):
        return sourceProperty(name, of: before) ?? .absent(.later)
      case .expression, nil: return .absent(.later)
      }
    case nil: return nil
    }
  }

  private func placed(_ entity: EntityDescription) -> EntityMapping? {
    mapping.copyScope.placement.entityMappings.first { $0.destinationEntityName == entity.name }
  }
}

extension ModelProjection {
  /// Where a property is kept.
  enum PropertyPlace {
    case column(ColumnReference)
    case join(SQLIdentifier)
  }

  /// Returns where a property of an entity is kept, its own or an inherited one; none if it is
  /// nowhere, or in several columns.
  func place(of property: String, _ entityName: String) -> PropertyPlace? {
    guard let entity = model.entity(named: entityName) else { return nil }
    for declaring in model.lineage(of: entity) {
      if let place = columns[.attribute(entity: declaring.name, property, path: [])]
        ?? columns[.reference(entity: declaring.name, property)]
      {
        return .column(place)
      }
      if let relationship = declaring.relationships.first(where: { $0.name == property }),
        !relationship.isTransient,
        let place = linkPlace(of: relationship, declaredBy: declaring), place.isJoinTable
      {
        return .join(place.table)
      }
    }
    return nil
  }
}
