internal import ObjectModel
internal import SQLSyntax

/// What things are called that are not called by the rules.
extension ModelProjection {
  /// The names that the model gives, by table and by the name that the rules would give.
  var givenNames: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] {
    var given: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]
    for entity in model.entities where !entity.objectNames.isEmpty {
      let names = Dictionary(
        entity.objectNames.map { (SQLIdentifier($0.key), SQLIdentifier($0.value)) },
        uniquingKeysWith: { first, _ in first }
      )
      for table in tablesNamed(by: entity) {
        given[table, default: [:]].merge(names) { first, _ in first }
      }
    }
    return given
  }

  /// The table of an entity, and the join tables of the relationships that keep their links there.
  private func tablesNamed(by entity: EntityDescription) -> [SQLIdentifier] {
    let joins = entity.relationships.compactMap {
      tables[.join(entity: entity.name, $0.name)]
    }
    return [table(of: entity)].compactMap(\.self) + joins
  }

  /// Complains about names for things that there are not, and about things of one name.
  mutating func checkNames(_ names: NameAllocator) {
    for entity in model.entities where !entity.objectNames.isEmpty {
      let known = tablesNamed(by: entity).flatMap { names.known[$0] ?? [] }
      for ours in entity.objectNames.keys.sorted() where !known.contains(SQLIdentifier(ours)) {
        fault(
          element(of: entity),
          .unrecognizedObjectName(ours, entity: entity.name, known: known.map(\.name).sorted())
        )
      }
    }
    guard model.entities.contains(where: { !$0.objectNames.isEmpty || !$0.checks.isEmpty }) else {
      return
    }
    var relations: Set<SQLIdentifier> = []
    for table in schema.sortedTables {
      let element = element(of: table)
      for name in table.relationNames where !relations.insert(name).inserted {
        fault(element, .sharedObjectName(name.name, table: table.name.name))
      }
      var constraints: Set<SQLIdentifier> = []
      let required = table.columns.compactMap(\.notNullConstraint)
      for name in table.constraints.map(\.name) + required
      where !constraints.insert(name).inserted {
        fault(element, .sharedObjectName(name.name, table: table.name.name))
      }
    }
  }

  private func element(of table: Table) -> ModelElement {
    switch tableOrigins[table.name] {
    case .root(let name), .join(let name, _):
      model.entity(named: name).map { element(of: $0) } ?? .model
    case nil: .model
    }
  }
}

/// Keys of any name.
extension ModelProjection {
  /// Returns the key of the table that an entity's rows are in.
  func key(of entity: EntityDescription) -> SQLIdentifier {
    model.root(of: entity).key.columnName.map { SQLIdentifier($0) } ?? StorageNames.key
  }

  /// Returns the key of a table of a root entity.
  func key(of table: SQLIdentifier) -> SQLIdentifier {
    guard case .root(let name) = tableOrigins[table], let root = model.entity(named: name) else {
      return StorageNames.key
    }
    return key(of: root)
  }
}

/// What people wrote in SQL.
extension ModelProjection {
  /// Returns SQL over the columns of a table.
  func written(_ text: String, over table: SQLIdentifier) -> SQLFragment {
    let columns = columnOrigins[table].map { Set($0.keys) } ?? []
    return SQLFragment(written: text, columns: columns)
  }

  /// Sets what the server computes by expressions in its own words; all columns are there by then.
  mutating func addWrittenGenerations(of entity: EntityDescription) {
    for attribute in entity.attributes {
      guard let text = attribute.generationExpression,
        let place = columns[.attribute(entity: entity.name, attribute.name, path: [])]
      else { continue }
      let expression = written(text, over: place.table)
      withTable(place.table) { table in
        table.withColumn(place.column) { $0.generation = expression }
      }
    }
  }

  /// Adds the conditions that the entity states in SQL, under the names that it gives them.
  mutating func addWrittenChecks(of entity: EntityDescription, to table: SQLIdentifier) {
    for check in entity.checks {
      let condition = written(check.expression, over: table)
      let constraint = Constraint(
        name: SQLIdentifier(check.name),
        definition: .check(condition, columns: condition.identifiers)
      )
      withTable(table) { $0.constraints.append(constraint) }
    }
  }
}
