internal import ObjectModel
internal import SQLSyntax

extension ModelProjection {
  /// Adds constraints, indexes and triggers, table by table in the order of their names, so that
  /// the names they get depend on nothing but the model.
  mutating func addObjects() {
    var names = NameAllocator(taken: schema.tables.keys, given: givenNames)
    for entity in model.entities { addWrittenGenerations(of: entity) }
    for table in schema.sortedTables.map(\.name) {
      reserveColumnNames(of: table, in: &names)
      switch tableOrigins[table] {
      case .root(let name):
        guard let root = model.entity(named: name) else { continue }
        addKey([key(of: root)], to: table, &names)
        addObjects(of: sortedFamily(of: root), to: table, &names)
      case .join(let entity, let relationship):
        addJoinObjects(entity, relationship, to: table, &names)
      case nil:
        continue
      }
    }
    for root in model.rootEntities.sorted(by: { byBytes($0.name, $1.name) }) {
      for entity in sortedFamily(of: root) { addDerivations(of: entity, &names) }
    }
    checkNames(names)
  }

  /// Returns a root and all that inherit from it with all that becomes constraints and indexes in an
  /// order that does not depend on the file, so that neither do the numbers in their names.
  private func sortedFamily(of root: EntityDescription) -> [EntityDescription] {
    let subentities = model.family(of: root).dropFirst().sorted { byBytes($0.name, $1.name) }
    return ([root] + subentities).map { entity in
      var sorted = entity
      sorted.attributes.sort { byBytes($0.name, $1.name) }
      sorted.relationships.sort { byBytes($0.name, $1.name) }
      sorted.uniquenessConstraints.sort { first, second in
        first.lexicographicallyPrecedes(second, by: byBytes)
      }
      sorted.compoundIndexes.sort { first, second in
        first.lexicographicallyPrecedes(second, by: byBytes)
      }
      sorted.fetchIndexes.sort { first, second in
        first.sortKey.lexicographicallyPrecedes(second.sortKey, by: byBytes)
      }
      return sorted
    }
  }

  /// Sequences and NOT NULL constraints are named with their columns; here they get their final
  /// names.
  private mutating func reserveColumnNames(of table: SQLIdentifier, in names: inout NameAllocator) {
    withTable(table) { contents in
      for index in contents.columns.indices {
        let column = contents.columns[index].name
        if contents.columns[index].identitySequence != nil {
          contents.columns[index].identitySequence = names.allocate(table, [column], label: "seq")
        }
      }
      var constraints = NameAllocator(taken: [], given: names.given)
      for index in contents.columns.indices where !contents.columns[index].isNullable {
        let column = contents.columns[index].name
        contents.columns[index].notNullConstraint =
          constraints.allocate(table, [column], label: "not_null")
      }
      // What is optional may get its name before it is required, or keep it afterwards.
      for column in contents.columns where column.isNullable {
        _ = constraints.allocate(table, [column.name], label: "not_null")
      }
      names.learn(from: constraints)
    }
  }

  private mutating func addKey(
    _ columns: [SQLIdentifier],
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    let name = names.allocate(table, [], label: "pkey")
    withTable(table) {
      $0.constraints.append(Constraint(name: name, definition: .primaryKey(columns)))
    }
  }

  // MARK: - Hierarchies

  private mutating func addObjects(
    of family: [EntityDescription],
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    if family.count > 1 { addDiscriminatorCheck(of: family, to: table, &names) }
    for entity in family {
      addRequiredChecks(of: entity, to: table, &names)
      addEnumerationChecks(of: entity, to: table, &names)
      addValidationChecks(of: entity, to: table, &names)
      addWrittenChecks(of: entity, to: table)
      addUniqueness(of: entity, to: table, &names)
      addForeignKeys(of: entity, to: table, &names)
      addCascades(of: entity, to: table, &names)
    }
    for entity in family { addIndexes(of: entity, to: table, &names) }
    addForeignKeyIndexes(to: table, &names)
  }

  private mutating func addDiscriminatorCheck(
    of family: [EntityDescription],
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    let concrete = family.filter { !$0.isAbstract }.map(\.name).sorted(by: byBytes)
    let column = StorageNames.discriminator
    addCheck("\(column) IN (\(list(concrete)))", [column], to: table, &names)
  }

  /// What a subentity requires is a condition on its rows; the column itself is nullable.
  private mutating func addRequiredChecks(
    of entity: EntityDescription,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    guard let others = nonmembership(of: entity) else { return }
    let discriminator = StorageNames.discriminator
    for column in requiredColumns(of: entity) {
      // Named after the column that it is about, not after both.
      let name = names.allocate(table, [column], label: "check")
      let condition: SQLFragment = "\(others) OR \(column) IS NOT NULL"
      withTable(table) {
        $0.constraints.append(
          Constraint(name: name, definition: .check(condition, columns: [discriminator, column]))
        )
      }
    }
  }

  /// Returns the condition that a row is none of a subentity's; none for a root, whose rows all are,
  /// and for what never has rows.
  func nonmembership(of entity: EntityDescription) -> SQLFragment? {
    let members = concreteFamily(of: entity)
    guard entity.superentityName != nil, !members.isEmpty else { return nil }
    let discriminator = StorageNames.discriminator
    return members.count == 1
      ? "\(discriminator) <> \(list(members))" : "\(discriminator) NOT IN (\(list(members)))"
  }

  private func requiredColumns(of entity: EntityDescription) -> [SQLIdentifier] {
    let attributes = entity.attributes.filter { !$0.isTransient }
      .flatMap { attribute in
        model.leaves(of: AttributePart(attribute)).filter(\.isRequired)
          .map { ColumnOrigin.attribute(entity: entity.name, attribute.name, path: $0.path) }
      }
    let references = entity.relationships.filter { !$0.isTransient && !$0.isOptional }
      .map { ColumnOrigin.reference(entity: entity.name, $0.name) }
    return (attributes + references).compactMap { columns[$0]?.column }
  }

  private mutating func addEnumerationChecks(
    of entity: EntityDescription,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    for attribute in entity.attributes where !attribute.isTransient {
      for leaf in model.leaves(of: AttributePart(attribute)) {
        let origin = ColumnOrigin.attribute(entity: entity.name, attribute.name, path: leaf.path)
        guard case .enumeration(let values) = leaf.description.type,
          let column = columns[origin]?.column
        else { continue }
        addCheck("\(column) IN (\(list(values)))", [column], to: table, &names)
      }
    }
  }

  private mutating func addCheck(
    _ condition: SQLFragment,
    _ columns: [SQLIdentifier],
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    let name = names.allocate(table, columns, label: "check")
    withTable(table) {
      $0.constraints.append(Constraint(name: name, definition: .check(condition, columns: columns)))
    }
  }

  // MARK: - Names of entities

  func concreteFamily(of entity: EntityDescription) -> [String] {
    model.family(of: entity).filter { !$0.isAbstract }.map(\.name).sorted(by: byBytes)
  }

  func list(_ values: [String]) -> SQLFragment {
    values.map { "\(SQLLiteral.text($0))" as SQLFragment }.joined(separator: ", ")
  }

  private func byBytes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}

extension FetchIndexDescription {
  /// All that makes the database's index what it is, the name in the model aside.
  fileprivate var sortKey: [String] {
    elements.flatMap {
      [$0.propertyName ?? "", $0.expression ?? "", $0.isAscending ? "" : "descending"]
    } + [partialPredicate ?? ""] + [definition, isUnique ? "unique" : nil].compactMap(\.self)
  }
}
