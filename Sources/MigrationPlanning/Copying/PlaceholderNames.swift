internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The names that the placeholders of people's SQL stand for.
struct PlaceholderNames {
  /// When the SQL runs.
  enum Time {
    /// While rows are copied: the tables of the source are as they were.
    case copying
    /// When all tables are in their places.
    case afterwards(SchemaChanges)
  }

  /// SQL of people with names in place of its placeholders.
  struct Text {
    /// The SQL, cut where it has `${chunk}`.
    fileprivate(set) var parts: [SQLFragment] = [SQLFragment()]
    /// The tables of the source whose entities or properties are named.
    fileprivate(set) var sources: Set<SQLIdentifier> = []
    /// The tables that are named, as they are called when the SQL runs, but for those that are copied.
    fileprivate(set) var currentTables: Set<SQLIdentifier> = []

    /// The statements, without the semicolons between them.
    fileprivate(set) var statements: [String] = []

    /// The SQL for all rows.
    var whole: SQLFragment { parts.joined(separator: "true") }
  }

  private let mapped: MappedSource
  private let time: Time

  private var source: ModelProjection { mapped.request.source }
  private var destination: ModelProjection { mapped.request.destination }

  init(_ mapped: MappedSource, at time: Time) {
    self.mapped = mapped
    self.time = time
  }

  /// Returns the text of a template.
  ///
  /// - Parameters:
  ///   - template: The template.
  ///   - mapping: The entity mapping that has it; `nil` for the mapping model itself.
  ///   - part: The name of the template in its file.
  ///   - isQuery: Whether it must be a single query.
  /// - Returns: The SQL.
  /// - Throws: The reason why it cannot run.
  func text(
    of template: SQLTemplate,
    in mapping: EntityMapping?,
    part: String,
    isQuery: Bool = false
  ) throws(MappingFault) -> Text {
    func fault(_ fact: MappingFault.Fact) -> MappingFault {
      MappingFault(mappingName: mapping?.name ?? "", propertyName: nil, fact: fact)
    }
    var text = Text()
    for segment in template.segments {
      let last = text.parts.count - 1
      switch segment {
      case .text(let written): text.parts[last].append(SQLFragment(written: written))
      case .placeholder(.chunk): text.parts.append(SQLFragment())
      case .placeholder(let placeholder):
        switch name(of: placeholder) {
        case .table(let name, let table):
          text.sources.formUnion([table].compactMap(\.self))
          if name.schema == source.schema.name { text.currentTables.insert(name.name) }
          text.parts[last].append("\(name)")
        case .column(let name, let table):
          text.sources.formUnion([table].compactMap(\.self))
          text.parts[last].append("\(name)")
        case .absent(let absence): throw fault(.untimelyPlaceholder("\(placeholder)", absence))
        case nil: throw fault(.unrecognizedPlaceholder("\(placeholder)"))
        }
      }
    }
    // A comment at the end must not swallow the following text.
    text.parts[text.parts.count - 1].append("\n")
    let written = WrittenSQL(text.whole.text)
    let isSeveral = isQuery && written.statements.count > 1
    if let found = written.fault ?? (isSeveral ? .severalStatements : nil) {
      throw fault(.unusableSQL(part: part, found))
    }
    text.statements = written.statements
    return text
  }

  private enum Name {
    /// A table, with the table of the source that it is.
    case table(QualifiedName, SQLIdentifier?)
    /// A column, with the table of the source that it is in.
    case column(SQLIdentifier, SQLIdentifier?)
    case absent(MappingFault.Absence)
  }

  private func name(of placeholder: SQLTemplate.Placeholder) -> Name? {
    switch placeholder {
    case .sourceEntity(let entity): sourceTable(entity)
    case .sourceProperty(let entity, let property): sourceProperty(property, of: entity)
    case .destinationEntity(let entity): destinationTable(entity)
    case .destinationProperty(let entity, let property):
      destinationProperty(property, of: entity)
    case .map(let name): mapped[name]?.map.map { .table($0.members, nil) }
    case .chunk: nil
    }
  }

  // MARK: - The source

  private func sourceTable(_ entity: String) -> Name? {
    source.model.entity(named: entity).flatMap { source.table(of: $0) }.map(current)
  }

  /// Returns the name of a table of the source when the SQL runs.
  private func current(_ table: SQLIdentifier) -> Name {
    guard case .afterwards(let changes) = time else {
      return .table(source.schema.qualified(table), table)
    }
    let name = changes.names.current(table)
    let isDropped = changes.operations.contains { operation in
      operation.base.table == name && operation.base.dependentBreakage == .tableDropped
    }
    return isDropped ? .absent(.dropped) : .table(source.schema.qualified(name), table)
  }

  private func sourceProperty(_ property: String, of entity: String) -> Name? {
    switch source.place(of: property, entity) {
    case .join(let table): return current(table)
    case .column(let place):
      guard case .table(let table, _) = current(place.table) else { return .absent(.dropped) }
      guard case .afterwards(let changes) = time else { return .column(place.column, place.table) }
      let name = changes.names.current(place)
      let isDropped = changes.operations.contains { operation in
        operation.base.table == table.name
          && operation.base.dependentBreakage == .columnDropped(name)
      }
      return isDropped ? .absent(.dropped) : .column(name, place.table)
    case nil: return nil
    }
  }

  // MARK: - The destination

  private func destinationTable(_ entity: String) -> Name? {
    guard let description = destination.model.entity(named: entity),
      let table = destination.table(of: description)
    else { return nil }
    if let name = name(ofDestination: table) { return name }
    // Tables that do not change are still in place.
    return placed(entity)?.sourceEntityName.flatMap(sourceTable) ?? .absent(.later)
  }

  /// Returns the name of an existing table with the destination's name.
  private func name(ofDestination table: SQLIdentifier) -> Name? {
    switch time {
    case .afterwards: .table(destination.schema.qualified(table), nil)
    case .copying:
      mapped.request.copiedTables.contains(table)
        ? .table(mapped.request.staged(table), nil) : nil
    }
  }

  private func destinationProperty(_ property: String, of entity: String) -> Name? {
    switch destination.place(of: property, entity) {
    case .join(let table): return name(ofDestination: table) ?? .absent(.later)
    case .column(let place):
      if name(ofDestination: place.table) != nil { return .column(place.column, nil) }
      guard let placed = placed(entity), let before = placed.sourceEntityName else {
        return .absent(.later)
      }
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

  private func placed(_ entity: String) -> EntityMapping? {
    mapped.request.scope.placement.entityMappings.first { $0.destinationEntityName == entity }
  }
}

extension ModelProjection {
  /// Returns the table or column that a placeholder stands for, if it is one of the source.
  func sql(of placeholder: SQLTemplate.Placeholder) -> SQLFragment? {
    switch placeholder {
    case .sourceEntity(let name):
      return model.entity(named: name).flatMap { table(of: $0) }
        .map { "\(schema.qualified($0))" }
    case .sourceProperty(let name, let property):
      return model.entity(named: name).flatMap { columns(ofProperty: property, seenFrom: $0).first }
        .map { "\($0)" }
    case .destinationEntity, .destinationProperty, .map, .chunk: return nil
    }
  }

  /// Where a property is stored.
  enum PropertyPlace {
    case column(ColumnReference)
    case join(SQLIdentifier)
  }

  /// Returns where a property of an entity is kept, its own or an inherited one; none if it is
  /// nowhere, or in several columns.
  func place(of property: String, _ entityName: String) -> PropertyPlace? {
    guard let entity = model.entity(named: entityName) else { return nil }
    let lineage = model.lineage(of: entity)
    for declaring in lineage {
      if let place = columns[.attribute(entity: declaring.name, property, path: [])]
        ?? columns[.reference(entity: declaring.name, property)]
      {
        return .column(place)
      }
    }
    guard let (declaring, relationship) = lineage.relationship(named: property),
      !relationship.isTransient,
      let place = linkPlace(of: relationship, declaredBy: declaring), place.isJoinTable
    else { return nil }
    return .join(place.table)
  }
}
