internal import ObjectModel
internal import SQLSyntax

/// The tables of a layout with constraints, indexes and triggers, table by table in the order of their
/// names, so that the names of all these depend on nothing but the model.
struct SchemaObjects {
  private(set) var tables: [SQLIdentifier: Table]
  private(set) var derivations: [ColumnReference: Derivation] = [:]
  private(set) var faults: [ProjectionFault] = []
  /// The indexes that something else has the names of.
  private(set) var concessions: [NameConcession] = []
  /// Indexes and constraints that no table can have, which can be left out without losing values.
  private(set) var oddities: [ProjectionFault] = []
  private let projection: ModelProjection

  private var model: ManagedObjectModel { projection.model }

  /// Lays out the objects of a projection that has columns only.
  init(_ projection: ModelProjection, isInterpreted: Bool) {
    var others: Set<SQLIdentifier>?
    if projection.model.layout.indexNames == .model {
      // No index takes the name of a key, which nothing would tell.
      let usual = SchemaObjects(projection, isInterpreted: isInterpreted, namingIndexesBeside: nil)
      others = Set(
        usual.tables.values.flatMap { table in
          Set(table.relationNames).subtracting(table.indexes.map(\.name))
        }
      )
    }
    self.init(projection, isInterpreted: isInterpreted, namingIndexesBeside: others)
  }

  /// Lays out the objects, with indexes under their names in the model if there are names of other things.
  private init(
    _ projection: ModelProjection,
    isInterpreted: Bool,
    namingIndexesBeside others: Set<SQLIdentifier>?
  ) {
    self.projection = projection
    tables = projection.schema.tables
    var given = givenNames
    let indexNames = others.map { IndexNames(projection, besides: given, $0) }
    if let indexNames {
      given.addRelations(indexNames.names)
      concessions = indexNames.concessions
    }
    var builder = TableBuilder(
      names: NameAllocator(taken: tables.keys, given: given),
      indexNames: indexNames?.names ?? [],
      isInterpreted: isInterpreted
    )
    var deriving: [(root: String, family: [EntityDescription])] = []
    for table in projection.schema.sortedTables {
      builder.table = table
      builder.nameColumns()
      switch projection.tableOrigins[table.name] {
      case .root(let name):
        guard let root = model.entity(named: name) else { continue }
        let family = sortedFamily(of: root)
        addObjects(of: family, to: &builder)
        if family.contains(where: \.derivesAttributes) { deriving.append((name, family)) }
      case .join(let entity, let relationship):
        addObjects(ofJoin: relationship, of: entity, to: &builder)
      case nil: continue
      }
      tables[table.name] = builder.table
    }
    faults = builder.faults
    oddities = builder.oddities
    for (_, family) in deriving.sorted(by: { byBytes($0.root, $1.root) }) {
      for entity in family { addDerivations(of: entity, &builder.names) }
    }
    checkNames(builder.names)
  }

  /// Returns a root and its descendants with everything that becomes constraints and indexes, in an
  /// order independent of the file, so that the numbers in their names are stable.
  private func sortedFamily(of root: EntityDescription) -> [EntityDescription] {
    let subentities = model.family(of: root).dropFirst().sorted { byBytes($0.name, $1.name) }
    return ([root] + subentities).map { entity in
      var sorted = entity
      sorted.attributes.sort { byBytes($0.name, $1.name) }
      sorted.relationships.sort { byBytes($0.name, $1.name) }
      sorted.uniquenessConstraints.sort { $0.lexicographicallyPrecedes($1, by: byBytes) }
      sorted.compoundIndexes.sort { $0.lexicographicallyPrecedes($1, by: byBytes) }
      sorted.fetchIndexes.sort { $0.sortKey.lexicographicallyPrecedes($1.sortKey, by: byBytes) }
      return sorted
    }
  }

  // MARK: - Hierarchies

  private func addObjects(of family: [EntityDescription], to builder: inout TableBuilder) {
    let table = builder.table.name
    for entity in family {
      for attribute in entity.attributes {
        guard let text = attribute.generationExpression,
          let place = projection.columns[.attribute(entity: entity.name, attribute.name, path: [])]
        else { continue }
        let expression = projection.written(text, over: table)
        builder.table.withColumn(place.column) { $0.generation = expression }
      }
    }
    let key = projection.key(of: family[0])
    builder.table.partitioning = TablePartitioning(of: family[0], in: projection)
    builder.table.distribution = TableDistribution(of: family[0], in: projection)
    // The column that decides where rows are is in every key; those of one tenant are beside each other.
    let place = [builder.table.distribution?.column].compactMap(\.self).filter { $0 != key }
    let others = [builder.table.partitioning?.column].compactMap(\.self).filter { $0 != key }
    builder.add(.primaryKey(place + [key] + others), "pkey", namedAfter: [])
    if family.count > 1 {
      let concrete = family.filter { !$0.isAbstract }.map(\.name).sorted(by: byBytes)
      let column = StorageNames.discriminator
      builder.addCheck("\(column) IN (\(projection.list(concrete)))", on: [column])
    }
    let entities = family.map { EntityObjects($0, in: projection) }
    for entity in entities { entity.addConstraints(to: &builder) }
    for entity in entities { entity.addIndexes(to: &builder) }
    builder.addForeignKeyIndexes { column in
      guard case .reference(let entity, let name) = projection.columnOrigins[table]?[column] else {
        return false
      }
      let relationship = model.entity(named: entity)?.relationships.first { $0.name == name }
      return relationship?.reference?.isIndexed == false
    }
  }

  // MARK: - Join tables

  private func addObjects(
    ofJoin name: String,
    of entityName: String,
    to builder: inout TableBuilder
  ) {
    let columns = builder.table.columns.prefix(2).map(\.name)
    guard columns.count == 2, let entity = model.entity(named: entityName),
      let relationship = entity.relationships.first(where: { $0.name == name }),
      let target = projection.target(of: relationship),
      let owner = projection.table(of: entity), let referenced = projection.table(of: target)
    else { return }
    let inverse = model.inverse(of: relationship)?.relationship
    let ends = [
      (column: columns[0], table: owner, rule: relationship.deleteRule),
      (column: columns[1], table: referenced, rule: inverse?.deleteRule ?? .noAction),
    ]
    let reference = relationship.reference
    if [entity, target].allSatisfy({ model.root(of: $0).distribution == .reference }) {
      builder.table.distribution = .reference
    }
    if model.layout.distribution == .schema { builder.table.distribution = .schema }
    builder.add(.primaryKey(columns), "pkey", namedAfter: [])
    for end in ends {
      let foreignKey = ForeignKey(
        end.column,
        to: end.table,
        key: projection.key(of: end.table),
        reference,
        onDelete: end.rule == .deny ? .noAction : .cascade,
        model.layout
      )
      builder.add(.foreignKey(foreignKey), "fkey", namedAfter: [end.column])
    }
    if reference?.isIndexed ?? true {
      builder.add(Index(name: owner, elements: [Index.Element(column: columns[1])]))
    }
    // With actions in the model, the foreign key needs no trigger.
    guard reference?.onDelete == nil else { return }
    for (own, other) in zip(ends, ends.reversed()) where own.rule == .cascade {
      // A link that is deleted with its owner takes the destination along; one that is cut does not.
      let body: SQLFragment = """
        IF NOT EXISTS (SELECT FROM \(projection.schema.qualified(own.table)) \
        WHERE \(projection.key(of: own.table)) = OLD.\(own.column)) THEN
            DELETE FROM \(projection.schema.qualified(other.table)) \
        WHERE \(projection.key(of: other.table)) = OLD.\(other.column);
          END IF;
        """
      builder.addCascade(body, along: other.column)
    }
  }

  // MARK: - Derived attributes

  private mutating func addDerivations(of entity: EntityDescription, _ names: inout NameAllocator) {
    for attribute in entity.attributes where !attribute.isTransient {
      guard let text = attribute.derivationExpression,
        let place = projection.columns[.attribute(entity: entity.name, attribute.name, path: [])]
      else { continue }
      let layout = DerivationLayout(entity, place, in: projection)
      do {
        switch try layout.derivation(of: attribute, &names) {
        case .generated(let expression):
          tables[place.table]?.withColumn(place.column) { $0.generation = expression }
        case .kept(let derivation):
          for (table, triggers) in derivation.triggers { tables[table]?.triggers += triggers }
          derivations[place] = derivation
        }
      } catch {
        let element = model.element(ofAttribute: attribute.name, of: entity)
        faults.append(ProjectionFault(element: element, fact: .expression(text, error)))
      }
    }
  }

  // MARK: - Names

  /// The names that the model gives to objects of its tables.
  private var givenNames: GivenNames {
    var given = GivenNames()
    for entity in model.entities where !entity.objectNames.isEmpty || !entity.checks.isEmpty {
      for table in tablesNamed(by: entity) {
        for (ours, name) in entity.objectNames {
          given.name(SQLIdentifier(ours), of: table, SQLIdentifier(name))
        }
      }
      guard let table = projection.table(of: entity) else { continue }
      for check in entity.checks { given.addCheck(SQLIdentifier(check.name), of: table) }
    }
    return given
  }

  /// The table of an entity, and the join tables of the relationships that keep their links there.
  private func tablesNamed(by entity: EntityDescription) -> [SQLIdentifier] {
    ([projection.table(of: entity)]
      + entity.relationships.map { projection.tables[.join(entity: entity.name, $0.name)] })
      .compactMap(\.self)
  }

  /// Reports names of missing objects, and duplicate names.
  private mutating func checkNames(_ names: NameAllocator) {
    for entity in model.entities where !entity.objectNames.isEmpty {
      let known = tablesNamed(by: entity).flatMap { names.known[$0] ?? [] }.map(\.name).sorted()
      for ours in entity.objectNames.keys.sorted() where !known.contains(ours) {
        faults.append(
          ProjectionFault(
            element: model.element(of: entity),
            fact: .unrecognizedObjectName(ours, entity: entity.name, known: known)
          )
        )
      }
    }
    guard model.entities.contains(where: { !$0.objectNames.isEmpty || !$0.checks.isEmpty }) else {
      return
    }
    var relations: Set<SQLIdentifier> = []
    for (_, table) in tables.inOrder {
      var constraints: Set<SQLIdentifier> = []
      let required = table.columns.compactMap(\.notNullConstraint)
      let shared =
        table.relationNames.filter { !relations.insert($0).inserted }
        + (table.constraints.map(\.name) + required).filter { !constraints.insert($0).inserted }
      for name in shared {
        faults.append(
          ProjectionFault(
            element: element(of: table.name),
            fact: .sharedObjectName(name.name, table: table.name.name)
          )
        )
      }
    }
  }

  private func element(of table: SQLIdentifier) -> ModelElement {
    switch projection.tableOrigins[table] {
    case .root(let name), .join(let name, _):
      model.entity(named: name).map { model.element(of: $0) } ?? .model
    case nil: .model
    }
  }
}

extension EntityDescription {
  fileprivate var derivesAttributes: Bool {
    attributes.contains { $0.derivationExpression != nil }
  }
}

extension FetchIndexDescription {
  /// The complete definition of the database's index, without the name in the model.
  fileprivate var sortKey: [String] {
    elements.flatMap {
      [$0.propertyName ?? "", $0.expression ?? "", $0.isAscending ? "" : "descending"]
    } + [partialPredicate ?? ""] + [definition, isUnique ? "unique" : nil].compactMap(\.self)
  }
}
