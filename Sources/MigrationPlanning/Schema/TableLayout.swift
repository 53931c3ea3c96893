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
  private(set) var concessions: [NameConcession] = []
  /// The types of columns by those of attributes, of which a large model has few.
  private var columnTypes: [AttributeType: ColumnType] = [:]

  private struct ColumnType {
    /// The type; `nil` if there is no column of it.
    let name: SQLTypeName?
    /// A Boolean value that indicates whether values may be too long for an index.
    let isUnbounded: Bool
  }

  init(_ model: ManagedObjectModel, in schema: SQLIdentifier) {
    self.model = model
    self.schema = DatabaseSchema(name: schema)
    columns.reserveCapacity(
      model.entities.reduce(0) { $0 + $1.attributes.count + $1.relationships.count + 2 }
    )
    let roots = model.rootEntities.filter { root in
      model.family(of: root).contains { !$0.isAbstract }
    }
    nameTables(of: roots)
    var claims: [TableOrigin: TableClaims] = [:]
    for root in roots { claims[.root(entity: root.name)] = attributeClaims(of: root) }
    for root in roots {
      for entity in model.family(of: root) { addRelationships(of: entity, to: &claims) }
    }
    for (table, origin) in tableOrigins.inOrder {
      if let claims = claims[origin] { addColumns(claims, to: table) }
    }
  }

  // MARK: - Names

  /// Makes the tables of hierarchies and of links, under names of their own.
  private mutating func nameTables(of roots: [EntityDescription]) {
    var claims = NameClaims(reserving: model.givenRelationNames)
    var origins: [(origin: TableOrigin, element: ModelElement)] = []
    for root in roots {
      origins.append((.root(entity: root.name), model.element(of: root)))
      let rank = root.tableName == nil ? NameClaims.Rank.declared : .given
      let name = StorageNames.table(of: root)
      claims.add(.init(name: name, rank: rank, subject: .table([root.name])))
    }
    let tableRoots = Set(roots.map(\.name))
    for root in roots {
      for entity in model.family(of: root) {
        for (index, relationship) in entity.relationships.enumerated()
        where !relationship.isTransient {
          guard
            case .joinTable(isOwner: true) = model.storage(of: relationship, declaredBy: entity),
            let target = model.entity(named: relationship.destinationEntityName),
            tableRoots.contains(model.root(of: target).name)
          else { continue }
          let element = model.element(of: entity) { .relationship(entity: $0, index) }
          origins.append((.join(entity: entity.name, relationship.name), element))
          claims.add(claim(toTableOf: relationship, entity, target))
        }
      }
    }
    for ((origin, element), (claim, name)) in zip(origins, zip(claims.claims, claims.names())) {
      guard let name else {
        faults.append(ProjectionFault(element: element, fact: .sharedTable(claim.name.name)))
        continue
      }
      guard isUsable(name, element) else { continue }
      note(name, insteadOf: claim.name, of: nil, element)
      schema.tables[name] = Table(name: name)
      tables[origin] = name
      tableOrigins[name] = origin
    }
  }

  private mutating func note(
    _ name: SQLIdentifier,
    insteadOf wanted: SQLIdentifier,
    of table: SQLIdentifier?,
    _ element: ModelElement
  ) {
    guard name != wanted else { return }
    concessions.append(
      NameConcession(element: element, wanted: wanted, name: name, table: table)
    )
  }

  private func claim(
    toTableOf relationship: RelationshipDescription,
    _ entity: EntityDescription,
    _ target: EntityDescription
  ) -> NameClaims.Claim {
    let otherEnd = model.inverse(of: relationship)?.relationship.name ?? target.name
    return NameClaims.Claim(
      name: StorageNames.joinTable(of: entity, relationship),
      rank: relationship.joinTableName == nil ? .following : .given,
      subject: .table([entity.name, relationship.name]),
      alternative: .name(StorageNames.joinTable(of: entity, relationship, otherEnd: otherEnd))
    )
  }

  private mutating func addColumns(_ claims: TableClaims, to table: SQLIdentifier) {
    if case .root(let name) = tableOrigins[table], let root = model.entity(named: name) {
      schema.tables[table]?.storage = root.storage
    }
    var added: [Column] = []
    var origins: [SQLIdentifier: ColumnOrigin] = [:]
    origins.reserveCapacity(claims.entries.count)
    for (entry, name) in zip(claims.entries, claims.names()) {
      guard let name else {
        let fact = ProjectionFault.Fact.sharedColumn(entry.column.name.name, table: table.name)
        faults.append(ProjectionFault(element: entry.element, fact: fact))
        continue
      }
      guard isUsable(name, entry.element) else { continue }
      added.append(entry.column.named(name))
      note(name, insteadOf: entry.column.name, of: table, entry.element)
      let place = ColumnReference(table: table, column: name)
      origins[name] = entry.origin
      columns[entry.origin] = place
      if entry.isUnbounded { unboundedColumns.insert(place) }
    }
    if !origins.isEmpty { columnOrigins[table] = origins }
    schema.tables[table]?.columns = added
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

  /// The columns of a hierarchy: the key, the discriminator, the attributes of all its entities.
  private mutating func attributeClaims(of root: EntityDescription) -> TableClaims {
    let family = model.family(of: root)
    let element = model.element(of: root)
    var claims = TableClaims()
    claims.add(
      .init(column: keyColumn(of: root), origin: .key(entity: root.name), element: element),
      root.key.columnName == nil ? .fixed : .given
    )
    if family.count > 1 {
      let discriminator = column(StorageNames.discriminator, "text")
      claims.add(
        .init(column: discriminator, origin: .discriminator(root: root.name), element: element),
        .fixed
      )
    }
    for entity in family {
      for (index, attribute) in entity.attributes.enumerated() where !attribute.isTransient {
        let element = model.element(of: entity) { .attribute(entity: $0, index) }
        addColumns(of: attribute, entity, to: &claims, element)
      }
    }
    return claims
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
    to claims: inout TableClaims,
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
      let columnType = columnType(of: leaf.description.type)
      guard let type = columnType.name else {
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
          column.defaultExpression = leaf.defaultValue.map { "\($0.assigned(to: type))" }
        }
      }
      let origin = ColumnOrigin.attribute(entity: entity.name, attribute.name, path: leaf.path)
      let isGiven = attribute.columnName != nil && leaf.path.isEmpty
      claims.add(
        .init(
          column: column,
          origin: origin,
          element: element,
          isUnbounded: columnType.isUnbounded
        ),
        isGiven ? .given : .declared
      )
    }
  }

  private mutating func columnType(of type: AttributeType) -> ColumnType {
    if let known = columnTypes[type] { return known }
    let columnType = ColumnType(name: type.columnType, isUnbounded: type.isUnbounded)
    columnTypes[type] = columnType
    return columnType
  }

  // MARK: - Relationships

  /// Adds the columns of the relationships whose links an entity keeps.
  private func addRelationships(
    of entity: EntityDescription,
    to claims: inout [TableOrigin: TableClaims]
  ) {
    let own = TableOrigin.root(entity: model.root(of: entity).name)
    for (index, relationship) in entity.relationships.enumerated() where !relationship.isTransient {
      let element = model.element(of: entity) { .relationship(entity: $0, index) }
      let end = RelationshipEnd(entity: entity, relationship: relationship)
      guard tables[own] != nil,
        let target = model.entity(named: relationship.destinationEntityName)
          .map({ model.root(of: $0) }), tables[.root(entity: target.name)] != nil
      else { continue }
      switch model.storage(of: relationship, declaredBy: entity) {
      case .ownKey: addReference(end, to: target, in: &claims[own, default: TableClaims()], element)
      case .joinTable(isOwner: true):
        claims[.join(entity: entity.name, relationship.name)] = linkClaims(end, target, element)
      case .joinTable(isOwner: false), .inverseKey: continue
      }
    }
  }

  private func addReference(
    _ end: RelationshipEnd,
    to target: EntityDescription,
    in claims: inout TableClaims,
    _ element: ModelElement
  ) {
    let relationship = end.relationship
    let name = StorageNames.column(
      relationship.name,
      explicit: relationship.columnName,
      of: end.entity
    )
    let isRequired = end.entity.superentityName == nil && !relationship.isOptional
    let reference = claims.add(
      .init(
        column: column(name, target.keyColumnType, isRequired: isRequired),
        origin: end.reference,
        element: element
      ),
      relationship.columnName == nil ? .reference : .given
    )
    if let inverse = model.inverseEnd(of: end), inverse.relationship.isOrdered {
      addPosition(of: inverse, isRequired: false, beside: reference, to: &claims, element)
    }
  }

  private func addPosition(
    of end: RelationshipEnd,
    isRequired: Bool,
    beside neighbour: Int,
    to claims: inout TableClaims,
    _ element: ModelElement
  ) {
    claims.add(
      .init(
        column: column(end.positionName, "integer", isRequired: isRequired),
        origin: end.position,
        element: element
      ),
      end.relationship.columnName == nil ? .following : .given,
      beside: neighbour
    )
  }

  private func linkClaims(
    _ end: RelationshipEnd,
    _ target: EntityDescription,
    _ element: ModelElement
  ) -> TableClaims {
    var claims = TableClaims()
    let inverse = model.inverseEnd(of: end)
    let isItsOwnInverse = inverse?.joinedDestination == end.joinedDestination
    let source = isItsOwnInverse ? nil : inverse
    let names = joinColumnNames(end, inverse, source)
    let toSource = claims.add(
      .init(
        column: column(names.source, model.root(of: end.entity).keyColumnType),
        origin: source?.joinedDestination ?? end.joinedSource,
        element: element
      ),
      source?.joinColumnName == nil ? .reference : .given
    )
    let toDestination = claims.add(
      .init(
        column: column(names.destination, target.keyColumnType),
        origin: end.joinedDestination,
        element: element
      ),
      end.joinColumnName == nil ? .reference : .given
    )
    for (ordered, neighbour) in [(end, toDestination), (inverse, toSource)] {
      guard let ordered, ordered.relationship.isOrdered, !claims.has(ordered.position) else {
        continue
      }
      addPosition(of: ordered, isRequired: true, beside: neighbour, to: &claims, element)
    }
    return claims
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
