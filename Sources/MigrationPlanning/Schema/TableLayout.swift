internal import ObjectModel
internal import SQLSyntax

/// The tables of a model with their columns, and their origins.
struct TableLayout {
  private let model: ManagedObjectModel
  private(set) var schema: DatabaseSchema
  private(set) var tables: [TableOrigin: SQLIdentifier] = [:]
  private(set) var tableOrigins: [SQLIdentifier: TableOrigin] = [:]
  private(set) var columns: [ColumnOrigin: ColumnReference] = [:]
  private(set) var columnOrigins: [SQLIdentifier: [SQLIdentifier: ColumnOrigin]] = [:]
  private(set) var unboundedColumns: Set<ColumnReference> = []
  private(set) var faults: [ProjectionFault] = []

  init(_ model: ManagedObjectModel, in schema: SQLIdentifier) {
    self.model = model
    self.schema = DatabaseSchema(name: schema)
    columns.reserveCapacity(
      model.entities.reduce(0) { $0 + $1.attributes.count + $1.relationships.count + 2 }
    )
    let roots = model.rootEntities
    for root in roots { addTable(of: root) }
    for root in roots {
      for entity in model.family(of: root) { addRelationships(of: entity) }
    }
  }

  // MARK: - Tables and columns

  /// Returns whether there is a table of that name now.
  private mutating func addTable(
    _ name: SQLIdentifier,
    for origin: TableOrigin,
    _ element: ModelElement
  ) -> Bool {
    guard schema.tables[name] == nil else {
      faults.append(ProjectionFault(element: element, fact: .sharedTable(name.name)))
      return false
    }
    guard isUsable(name, element) else { return false }
    schema.tables[name] = Table(name: name)
    tables[origin] = name
    tableOrigins[name] = origin
    return true
  }

  private mutating func addColumn(
    _ column: Column,
    to table: SQLIdentifier,
    for origin: ColumnOrigin,
    _ element: ModelElement
  ) {
    guard columnOrigins[table]?[column.name] == nil else {
      let fact = ProjectionFault.Fact.sharedColumn(column.name.name, table: table.name)
      return faults.append(ProjectionFault(element: element, fact: fact))
    }
    guard isUsable(column.name, element) else { return }
    schema.tables[table]?.columns.append(column)
    columnOrigins[table, default: [:]][column.name] = origin
    columns[origin] = ColumnReference(table: table, column: column.name)
  }

  private mutating func isUsable(_ name: SQLIdentifier, _ element: ModelElement) -> Bool {
    if (1...SQLIdentifier.maximumLength).contains(name.name.utf8.count) { return true }
    faults.append(ProjectionFault(element: element, fact: .unusableName(name.name)))
    return false
  }

  /// Returns a column; constraints and sequences are named when all columns exist.
  private func column(
    _ name: SQLIdentifier,
    _ type: SQLTypeName,
    isRequired: Bool = true,
    sequence: ColumnSequence.Kind? = nil
  ) -> Column {
    var column = Column(name: name, type: type, notNullConstraint: isRequired ? name : nil)
    column.sequence = sequence.map { ColumnSequence(name: name, kind: $0) }
    return column
  }

  // MARK: - Hierarchies

  /// Adds the table of a hierarchy: the key, the discriminator, the attributes of all its entities.
  private mutating func addTable(of root: EntityDescription) {
    let family = model.family(of: root)
    guard family.contains(where: { !$0.isAbstract }) else { return }
    let table = StorageNames.table(of: root)
    let element = model.element(of: root)
    guard addTable(table, for: .root(entity: root.name), element) else { return }
    schema.tables[table]?.storage = root.storage
    addColumn(keyColumn(of: root), to: table, for: .key(entity: root.name), element)
    if family.count > 1 {
      addColumn(
        column(StorageNames.discriminator, "text"),
        to: table,
        for: .discriminator(root: root.name),
        element
      )
    }
    for entity in family {
      for (index, attribute) in entity.attributes.enumerated() where !attribute.isTransient {
        let element = model.element(of: entity) { .attribute(entity: $0, index) }
        addColumns(of: attribute, entity, to: table, element)
      }
    }
  }

  private func keyColumn(of root: EntityDescription) -> Column {
    let name = root.key.columnName.map { SQLIdentifier($0) } ?? StorageNames.key
    var key = column(name, root.keyColumnType)
    switch root.key.effectiveGeneration {
    case .identity: key.sequence = ColumnSequence(name: name, kind: .identity)
    case .identityAlways: key.sequence = ColumnSequence(name: name, kind: .identityAlways)
    case .serial: key.sequence = ColumnSequence(name: name, kind: .serial)
    case .sql(let expression): key.defaultExpression = Self.writtenDefault(expression)
    case .application: break
    }
    return key
  }

  /// Returns a default that people wrote; DEFAULT takes no condition without parentheses.
  private static func writtenDefault(_ text: String) -> SQLFragment {
    let isPlain = text.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "_.()'".unicodeScalars.contains($0)
    }
    let expression = SQLFragment(written: text)
    return isPlain ? expression : "(\(expression))"
  }

  private mutating func addColumns(
    of attribute: AttributeDescription,
    _ entity: EntityDescription,
    to table: SQLIdentifier,
    _ element: ModelElement
  ) {
    if let expression = attribute.derivationExpression, attribute.type.columnType == nil {
      let reason = ExpressionFault.unfittingType(
        "one value",
        attribute: attribute.type.description,
        suggestion: nil
      )
      faults.append(ProjectionFault(element: element, fact: .expression(expression, reason)))
      return
    }
    let name = StorageNames.column(attribute.name, explicit: attribute.columnName, of: entity)
    // Rows of other entities of the hierarchy have to stay null, defaults and all.
    let isRoot = entity.superentityName == nil
    for leaf in model.leaves(of: AttributePart(attribute)) {
      guard let type = leaf.description.type.columnType else {
        let fact = ProjectionFault.Fact.unusableType(leaf.description.type.description)
        faults.append(ProjectionFault(element: element, fact: fact))
        continue
      }
      var column = column(
        leaf.path.reduce(name) { StorageNames.element($1, of: $0) },
        type,
        isRequired: isRoot && leaf.isRequired,
        sequence: isRoot ? leaf.description.numbering : nil
      )
      if isRoot {
        if let expression = leaf.description.defaultExpression {
          column.defaultExpression = Self.writtenDefault(expression)
        } else if attribute.derivationExpression == nil {
          column.defaultExpression = leaf.defaultValue.map { "\($0.literal(of: type))" }
        }
      }
      let origin = ColumnOrigin.attribute(entity: entity.name, attribute.name, path: leaf.path)
      addColumn(column, to: table, for: origin, element)
      if leaf.description.type.isUnbounded, let place = columns[origin] {
        unboundedColumns.insert(place)
      }
    }
  }

  // MARK: - Relationships

  /// Adds the columns and join tables of the relationships whose links an entity keeps.
  private mutating func addRelationships(of entity: EntityDescription) {
    for (index, relationship) in entity.relationships.enumerated() where !relationship.isTransient {
      let element = model.element(of: entity) { .relationship(entity: $0, index) }
      let end = RelationshipEnd(entity: entity, relationship: relationship)
      guard let table = tables[.root(entity: model.root(of: entity).name)],
        let target = model.entity(named: relationship.destinationEntityName)
          .map({ model.root(of: $0) }), tables[.root(entity: target.name)] != nil
      else { continue }
      switch model.storage(of: relationship, declaredBy: entity) {
      case .ownKey: addReference(end, to: target, in: table, element)
      case .joinTable(isOwner: true): addJoinTable(end, to: target, element)
      case .joinTable(isOwner: false), .inverseKey: continue
      }
    }
  }

  private mutating func addReference(
    _ end: RelationshipEnd,
    to target: EntityDescription,
    in table: SQLIdentifier,
    _ element: ModelElement
  ) {
    let relationship = end.relationship
    let name = StorageNames.column(
      relationship.name,
      explicit: relationship.columnName,
      of: end.entity
    )
    let isRequired = end.entity.superentityName == nil && !relationship.isOptional
    addColumn(
      column(name, target.keyColumnType, isRequired: isRequired),
      to: table,
      for: end.reference,
      element
    )
    if let inverse = model.inverseEnd(of: end), inverse.relationship.isOrdered {
      addColumn(
        column(inverse.positionName, "integer", isRequired: false),
        to: table,
        for: inverse.position,
        element
      )
    }
  }

  private mutating func addJoinTable(
    _ end: RelationshipEnd,
    to target: EntityDescription,
    _ element: ModelElement
  ) {
    let table = StorageNames.joinTable(of: end.entity, end.relationship)
    guard addTable(table, for: .join(entity: end.entity.name, end.relationship.name), element)
    else { return }
    let inverse = model.inverseEnd(of: end)
    let isItsOwnInverse = inverse?.joinedDestination == end.joinedDestination
    let source = isItsOwnInverse ? nil : inverse
    let names = joinColumnNames(end, inverse, source)
    addColumn(
      column(names.source, model.root(of: end.entity).keyColumnType),
      to: table,
      for: source?.joinedDestination ?? end.joinedSource,
      element
    )
    addColumn(
      column(names.destination, target.keyColumnType),
      to: table,
      for: end.joinedDestination,
      element
    )
    for ordered in [end, inverse].compactMap(\.self)
    where ordered.relationship.isOrdered && columns[ordered.position] == nil {
      addColumn(column(ordered.positionName, "integer"), to: table, for: ordered.position, element)
    }
  }

  /// A column is named after the relationship to the entity of its key.
  private func joinColumnNames(
    _ end: RelationshipEnd,
    _ inverse: RelationshipEnd?,
    _ source: RelationshipEnd?
  ) -> (source: SQLIdentifier, destination: SQLIdentifier) {
    let names = [inverse?.relationship.name ?? end.entity.name, end.relationship.name]
      .map { StorageNames.fitted(StorageNames.snakeCase($0)) }
    let isSelfRelation = inverse == nil && end.relationship.destinationEntityName == end.entity.name
    let isAmbiguous = names[0] == names[1] || isSelfRelation
    return (
      source?.joinColumnName ?? (isAmbiguous ? "source" : names[0]),
      end.joinColumnName ?? (isAmbiguous ? "target" : names[1])
    )
  }
}

extension EntityDescription {
  /// The type of the key of a root entity.
  fileprivate var keyColumnType: SQLTypeName { key.attributeType.columnType ?? "bigint" }
}

extension RelationshipEnd {
  private var columnName: SQLIdentifier? { relationship.columnName.map { SQLIdentifier($0) } }

  /// An ordered to-many has no column of its own, so an explicit column name is its position's.
  fileprivate var positionName: SQLIdentifier {
    columnName ?? StorageNames.position(of: relationship, declaredBy: entity)
  }

  /// The name that the model gives the column of a join table that leads to the destination.
  fileprivate var joinColumnName: SQLIdentifier? { relationship.isOrdered ? nil : columnName }
}
