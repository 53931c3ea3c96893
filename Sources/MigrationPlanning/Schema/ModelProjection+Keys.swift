internal import ObjectModel
internal import SQLSyntax

extension ModelProjection {
  // MARK: - Uniqueness

  /// The root's uniqueness is a constraint; a subentity's holds for its rows alone, by an index.
  mutating func addUniqueness(
    of entity: EntityDescription,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    for constraint in entity.uniquenessConstraints {
      let columns = constraint.flatMap { self.columns(ofProperty: $0, seenFrom: entity) }
      if let name = constraint.first(where: { isKeptElsewhere($0, by: entity) }) {
        // The key at the other end of a one-to-one relationship is unique there.
        if constraint.count > 1 { fault(element(of: entity), .uniquenessElsewhere(name)) }
        continue
      }
      guard !columns.isEmpty, let contents = schema.tables[table] else { continue }
      if entity.superentityName == nil {
        let definition = Constraint.Definition.unique(columns)
        guard !contents.constraints.contains(where: { $0.definition == definition }) else {
          continue
        }
        let name = names.allocate(table, columns, label: "key")
        withTable(table) {
          $0.constraints.append(Constraint(name: name, definition: definition))
        }
      } else {
        let members = concreteFamily(of: entity)
        guard !members.isEmpty else { continue }
        let name = names.allocate(table, columns, label: "idx")
        let index = Index(
          name: name,
          elements: columns.map { Index.Element(column: $0) },
          isUnique: true,
          predicate: "\(StorageNames.discriminator) IN (\(list(members)))"
        )
        withTable(table) { $0.indexes.append(index) }
      }
    }
  }

  /// Returns whether the links of a relationship are kept in the table at the other end.
  private func isKeptElsewhere(_ name: String, by entity: EntityDescription) -> Bool {
    for declaring in model.lineage(of: entity) {
      guard let relationship = declaring.relationships.first(where: { $0.name == name }) else {
        continue
      }
      guard !relationship.isTransient, target(of: relationship) != nil else { return false }
      if case .ownKey = model.storage(of: relationship, declaredBy: declaring) { return false }
      return true
    }
    return false
  }

  /// Returns the columns of a property that an entity declares or inherits: one, or those of all
  /// elements of a composite.
  func columns(ofProperty name: String, seenFrom entity: EntityDescription) -> [SQLIdentifier] {
    for declaring in [entity] + model.superentities(of: entity) {
      if let attribute = declaring.attributes.first(where: { $0.name == name && !$0.isTransient }) {
        return model.leaves(of: AttributePart(attribute)).compactMap { leaf in
          columns[.attribute(entity: declaring.name, name, path: leaf.path)]?.column
        }
      }
      if declaring.relationships.contains(where: { $0.name == name && !$0.isTransient }) {
        let origin = ColumnOrigin.reference(entity: declaring.name, name)
        return columns[origin].map { [$0.column] } ?? []
      }
    }
    return []
  }

  // MARK: - Foreign keys

  mutating func addForeignKeys(
    of entity: EntityDescription,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    for relationship in entity.relationships where !relationship.isTransient {
      let end = RelationshipEnd(entity: entity, relationship: relationship)
      guard let column = columns[end.reference]?.column, let target = target(of: relationship),
        let referenced = tables[.root(entity: target.name)]
      else { continue }
      let rule = inverseEnd(of: end)?.relationship.deleteRule ?? .noAction
      let reference = relationship.reference
      let foreignKey = ForeignKey(
        column: column,
        references: referenced,
        key: key(of: target),
        onDelete: reference?.onDelete
          ?? Self.action(for: rule, isOptional: relationship.isOptional),
        onUpdate: reference?.onUpdate ?? .noAction,
        deferrability: reference?.deferrability ?? .immediate
      )
      let unique = Constraint.Definition.unique([column])
      if case .ownKey(isUnique: true) = model.storage(of: relationship, declaredBy: entity),
        !(schema.tables[table]?.constraints.contains { $0.definition == unique } ?? false)
      {
        let name = names.allocate(table, [column], label: "key")
        withTable(table) {
          $0.constraints.append(Constraint(name: name, definition: unique))
        }
      }
      let name = names.allocate(table, [column], label: "fkey")
      withTable(table) {
        $0.constraints.append(Constraint(name: name, definition: .foreignKey(foreignKey)))
      }
    }
  }

  private static func action(
    for rule: RelationshipDescription.DeleteRule,
    isOptional: Bool
  ) -> ForeignKey.Action {
    switch rule {
    case .nullify, .noAction: isOptional ? .setNull : .noAction
    case .cascade: .cascade
    case .deny: .noAction
    }
  }

  /// Every foreign key has an index, so that deletes at the other end need not scan.
  mutating func addForeignKeyIndexes(to table: SQLIdentifier, _ names: inout NameAllocator) {
    for constraint in schema.tables[table]?.constraints ?? [] {
      guard let column = constraint.foreignKey?.column, isIndexed(column, of: table),
        !isLeading(column, in: table)
      else { continue }
      let name = names.allocate(table, [column], label: "idx")
      withTable(table) {
        $0.indexes.append(Index(name: name, elements: [Index.Element(column: column)]))
      }
    }
  }

  /// Returns whether the relationship that a column is of wants an index.
  private func isIndexed(_ column: SQLIdentifier, of table: SQLIdentifier) -> Bool {
    guard case .reference(let entity, let name) = columnOrigins[table]?[column] else { return true }
    let relationship = model.entity(named: entity)?.relationships.first { $0.name == name }
    return relationship?.reference?.isIndexed ?? true
  }

  private func isLeading(_ column: SQLIdentifier, in table: SQLIdentifier) -> Bool {
    guard let contents = schema.tables[table] else { return false }
    return contents.indexes.contains { $0.leadingColumn == column && $0.predicate == nil }
      || contents.constraints.contains { $0.hasIndex && $0.columns.first == column }
  }

  // MARK: - Indexes

  mutating func addIndexes(
    of entity: EntityDescription,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    for index in entity.declaredIndexes {
      if let definition = index.definition {
        addWrittenIndex(index, definition, to: table, &names)
        continue
      }
      let expressions = index.elements.map(\.expression) + [index.partialPredicate]
      do {
        let elements = try elements(of: index, entity)
        let predicate = try predicate(of: index, entity)
        guard !elements.isEmpty, !hasIndex(on: elements, predicate, index.isUnique, table) else {
          continue
        }
        var planned = Index(
          name: table,
          elements: elements,
          isUnique: index.isUnique,
          predicate: predicate
        )
        planned.name = names.allocate(table, planned.nameParts, label: "idx")
        withTable(table) { $0.indexes.append(planned) }
      } catch {
        let text = expressions.compactMap(\.self).joined(separator: ", ")
        fault(element(of: entity), .expression(text, error))
      }
    }
  }

  private mutating func addWrittenIndex(
    _ index: FetchIndexDescription,
    _ definition: String,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    let part = SQLIdentifier(StorageNames.snakeCase(index.name))
    let planned = Index(
      name: names.allocate(table, [part], label: "idx"),
      elements: [],
      isUnique: index.isUnique,
      definition: written(definition, over: table)
    )
    withTable(table) { $0.indexes.append(planned) }
  }

  private func elements(
    of index: FetchIndexDescription,
    _ entity: EntityDescription
  ) throws(ExpressionFault) -> [Index.Element] {
    var elements: [Index.Element] = []
    for element in index.elements {
      guard let text = element.expression else {
        elements += columns(ofProperty: element.propertyName ?? "", seenFrom: entity)
          .map { Index.Element(column: $0, isDescending: !element.isAscending) }
        continue
      }
      var row = RowExpression(self, entity, computesDerived: false, breadth: .row)
      let value = try row.value(RowExpression.parsed(text))
      try requireOwnRow(row, text)
      elements.append(Index.Element(.expression(value.sql), isDescending: !element.isAscending))
    }
    return elements
  }

  private func predicate(
    of index: FetchIndexDescription,
    _ entity: EntityDescription
  ) throws(ExpressionFault) -> SQLFragment? {
    guard let text = index.partialPredicate else { return nil }
    var row = RowExpression(self, entity, computesDerived: false, breadth: .row)
    let condition = try row.condition(RowExpression.parsed(predicate: text))
    try requireOwnRow(row, text)
    return condition
  }

  /// An index has to give the same for a row at any time.
  private func requireOwnRow(_ row: RowExpression, _ text: String) throws(ExpressionFault) {
    guard row.paths.isEmpty, !row.readsClock else { throw .notImmutable(text) }
    guard !row.columns.isEmpty else { throw .readsNothing }
  }

  private func hasIndex(
    on elements: [Index.Element],
    _ predicate: SQLFragment?,
    _ isUnique: Bool,
    _ table: SQLIdentifier
  ) -> Bool {
    guard let contents = schema.tables[table] else { return false }
    return contents.indexes.contains {
      $0.elements == elements && $0.predicate == predicate && (!isUnique || $0.isUnique)
    }
  }

  // MARK: - Join tables

  mutating func addJoinObjects(
    _ entityName: String,
    _ relationshipName: String,
    to table: SQLIdentifier,
    _ names: inout NameAllocator
  ) {
    guard let entity = model.entity(named: entityName),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName }),
      let columns = schema.tables[table]?.columns.prefix(2).map(\.name), columns.count == 2,
      let target = target(of: relationship),
      let owner = tables[.root(entity: model.root(of: entity).name)],
      let referenced = tables[.root(entity: target.name)]
    else { return }
    let end = RelationshipEnd(entity: entity, relationship: relationship)
    let key = names.allocate(table, [], label: "pkey")
    let inverseRule = inverseEnd(of: end)?.relationship.deleteRule ?? .noAction
    let reference = relationship.reference
    let foreignKeys = [
      (columns[0], owner, relationship.deleteRule), (columns[1], referenced, inverseRule),
    ].map { column, referenced, rule in
      Constraint(
        name: names.allocate(table, [column], label: "fkey"),
        definition: .foreignKey(
          ForeignKey(
            column: column,
            references: referenced,
            key: self.key(of: referenced),
            onDelete: reference?.onDelete ?? (rule == .deny ? .noAction : .cascade),
            onUpdate: reference?.onUpdate ?? .noAction,
            deferrability: reference?.deferrability ?? .immediate
          )
        )
      )
    }
    withTable(table) {
      $0.constraints.append(Constraint(name: key, definition: .primaryKey(Array(columns))))
      $0.constraints += foreignKeys
    }
    if reference?.isIndexed ?? true {
      let wayBack = names.allocate(table, [columns[1]], label: "idx")
      withTable(table) {
        $0.indexes.append(Index(name: wayBack, elements: [Index.Element(column: columns[1])]))
      }
    }
    addJoinCascades(end, to: table, &names)
  }
}
