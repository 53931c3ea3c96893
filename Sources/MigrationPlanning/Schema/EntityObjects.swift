internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The objects of an entity in the table of its hierarchy: checks, keys, foreign keys and indexes.
struct EntityObjects {
  private let projection: ModelProjection
  private let entity: EntityDescription
  /// The concrete entities among it and its subentities, which the discriminator distinguishes.
  private let members: [String]
  private let leaves: [(column: SQLIdentifier, part: AttributePart, attribute: String)]

  private var model: ManagedObjectModel { projection.model }
  private var isRoot: Bool { entity.superentityName == nil }

  init(_ entity: EntityDescription, in projection: ModelProjection) {
    self.projection = projection
    self.entity = entity
    members = projection.concreteFamily(of: entity)
    // The column of a root's attribute says all by itself, but for these.
    let checked = entity.attributes.filter { attribute in
      !attribute.isTransient && (entity.superentityName != nil || attribute.mayNeedCheck)
    }
    leaves = checked.flatMap { attribute in
      projection.model.leaves(of: AttributePart(attribute)).compactMap { part in
        let origin = ColumnOrigin.attribute(entity: entity.name, attribute.name, path: part.path)
        return projection.columns[origin].map { ($0.column, part, attribute.name) }
      }
    }
  }

  // MARK: - Checks

  func addConstraints(to builder: inout TableBuilder) {
    addRequiredChecks(to: &builder)
    for (column, part, _) in leaves {
      guard case .enumeration(let values) = part.description.type else { continue }
      builder.addCheck("\(column) IN (\(projection.list(values)))", on: [column])
    }
    for leaf in leaves where leaf.part.description.validation.isEnforced {
      do {
        try addValidationCheck(leaf.column, leaf.part.description, to: &builder)
      } catch {
        let path = PropertyPath(leaf.attribute, elements: leaf.part.path)
        builder.fault(
          model.element(ofAttribute: leaf.attribute, of: entity),
          .unenforceable("attribute \"\(path)\" of entity \"\(entity.name)\"", error)
        )
      }
    }
    for check in entity.checks {
      let condition = projection.written(check.expression, over: builder.table.name)
      let definition = Constraint.Definition.check(condition, columns: condition.identifiers)
      builder.table.constraints.append(
        Constraint(name: SQLIdentifier(check.name), definition: definition)
      )
    }
    addUniqueness(to: &builder)
    addReferences(to: &builder)
  }

  private var nonmembership: SQLFragment? { projection.nonmembership(of: entity) }

  /// Required properties of a subentity become conditions on its rows; their columns are nullable.
  private func addRequiredChecks(to builder: inout TableBuilder) {
    guard let others = nonmembership else { return }
    let references = entity.relationships.filter { !$0.isTransient && !$0.isOptional }
      .compactMap { projection.columns[.reference(entity: entity.name, $0.name)]?.column }
    for column in leaves.filter(\.part.isRequired).map(\.column) + references {
      builder.addCheck(
        projection.presence(of: column, unless: others),
        on: [StorageNames.discriminator, column]
      )
    }
  }

  private func addValidationCheck(
    _ column: SQLIdentifier,
    _ attribute: AttributeDescription,
    to builder: inout TableBuilder
  ) throws(ExpressionFault) {
    let condition = try ValidationCondition.condition(
      on: "\(column)",
      attribute.validation,
      of: attribute.type
    )
    guard let condition else { return }
    if let others = nonmembership {
      builder.addCheck("\(others) OR \(condition)", on: [StorageNames.discriminator, column])
    } else {
      builder.addCheck(condition, on: [column])
    }
  }

  // MARK: - Uniqueness

  /// The root's uniqueness is a constraint; a subentity's holds for its rows alone, by an index.
  private func addUniqueness(to builder: inout TableBuilder) {
    for constraint in entity.uniquenessConstraints {
      if let name = constraint.first(where: isKeptElsewhere) {
        // The key at the other end of a one-to-one relationship is unique there.
        if constraint.count > 1 {
          builder.oddity(model.element(of: entity), .uniquenessElsewhere(name))
        }
        continue
      }
      let columns = constraint.flatMap { projection.columns(ofProperty: $0, seenFrom: entity) }
      if columns.isEmpty { continue }
      let predicate: SQLFragment? =
        isRoot ? nil : "\(StorageNames.discriminator) IN (\(projection.list(members)))"
      let ranges = Set(columns.filter { indexMethod(of: $0, builder.table.name) == .gist })
      if isRoot, ranges.isEmpty {
        builder.addUnique(columns)
      } else if !members.isEmpty || isRoot, !ranges.isEmpty {
        let exclusion = Constraint.Exclusion(
          columns: columns,
          ranges: ranges,
          predicate: predicate
        )
        builder.addOnce(.exclusion(exclusion), "excl", namedAfter: columns)
      } else if !members.isEmpty {
        builder.add(
          Index(
            name: builder.table.name,
            elements: columns.map { Index.Element(column: $0) },
            isUnique: true,
            predicate: predicate
          )
        )
      }
    }
  }

  /// Returns the kind of index that is of use for the values of a column.
  private func indexMethod(
    of column: SQLIdentifier,
    _ table: SQLIdentifier
  ) -> AttributeTypeTraits.IndexMethod {
    let place = ColumnReference(table: table, column: column)
    return projection.leaf(in: place)?.1.description.type.traits.indexMethod ?? .btree
  }

  /// Returns whether the links of a relationship are kept in the table at the other end.
  private func isKeptElsewhere(_ name: String) -> Bool {
    for declaring in model.lineage(of: entity) {
      guard let relationship = declaring.relationships.first(where: { $0.name == name }) else {
        continue
      }
      guard !relationship.isTransient, projection.target(of: relationship) != nil else {
        return false
      }
      if case .ownKey = model.storage(of: relationship, declaredBy: declaring) { return false }
      return true
    }
    return false
  }

  // MARK: - Foreign keys

  private func addReferences(to builder: inout TableBuilder) {
    for relationship in entity.relationships where !relationship.isTransient {
      let origin = ColumnOrigin.reference(entity: entity.name, relationship.name)
      guard let column = projection.columns[origin]?.column,
        let target = projection.target(of: relationship),
        let referenced = projection.table(of: target)
      else { continue }
      if case .ownKey(isUnique: true) = model.storage(of: relationship, declaredBy: entity) {
        builder.addUnique([column])
      }
      let key = projection.key(of: target)
      let rule = model.inverse(of: relationship)?.relationship.deleteRule ?? .noAction
      var foreignKey = ForeignKey(
        column,
        to: referenced,
        key: key,
        relationship.reference,
        onDelete: rule.action(on: relationship),
        model.layout
      )
      let other = TableDistribution(of: model.root(of: target), in: projection)?.column
      if let place = builder.table.distribution?.column, place != column, let other, other != key {
        foreignKey.distribution = ForeignKey.DistributionColumns(column: place, key: other)
      }
      builder.add(.foreignKey(foreignKey), "fkey", namedAfter: [column])
      // A foreign key cannot cascade to its destination.
      if relationship.deleteRule == .cascade, relationship.reference?.onDelete == nil {
        let destination = projection.schema.qualified(referenced)
        builder.addCascade(
          "DELETE FROM \(destination) WHERE \(key) = OLD.\(column);",
          along: column
        )
      }
    }
  }

  // MARK: - Indexes

  func addIndexes(to builder: inout TableBuilder) {
    for index in entity.declaredIndexes {
      if let definition = index.definition {
        let written = Index(
          name: builder.table.name,
          elements: [],
          isUnique: index.isUnique,
          definition: projection.written(definition, over: builder.table.name)
        )
        builder.add(
          written,
          namedAfter: SQLIdentifier(StorageNames.snakeCase(index.name)),
          inModel: index.name
        )
        continue
      }
      do {
        var planned = Index(
          name: builder.table.name,
          elements: try elements(of: index),
          isUnique: index.isUnique,
          predicate: try predicate(of: index)
        )
        // Only a B-tree has an order, and keeps values unique.
        let methods = planned.elements.map { element in
          element.isDescending
            ? .btree : element.column.map { indexMethod(of: $0, planned.name) } ?? .btree
        }
        if !planned.isUnique, let method = methods.first, Set(methods).count == 1 {
          planned.method = method
        }
        let isThere = builder.table.indexes.contains {
          $0.elements == planned.elements && $0.predicate == planned.predicate
            && (!planned.isUnique || $0.isUnique)
        }
        if !planned.elements.isEmpty, !isThere { builder.add(planned, inModel: index.name) }
      } catch {
        let expressions = index.elements.map(\.expression) + [index.partialPredicate]
        builder.oddity(
          indexElement(index),
          .expression(expressions.compactMap(\.self).joined(separator: ", "), error)
        )
      }
    }
  }

  /// The part of the model that an index is, whose position is not the one that it has here.
  private func indexElement(_ index: FetchIndexDescription) -> ModelElement {
    let declared = model.entity(named: entity.name)?.fetchIndexes
    return model.element(of: entity) { position in
      declared?.firstIndex(of: index).map { .fetchIndex(entity: position, $0) } ?? .entity(position)
    }
  }

  private func elements(
    of index: FetchIndexDescription
  ) throws(ExpressionFault) -> [Index.Element] {
    var elements: [Index.Element] = []
    for element in index.elements {
      guard let text = element.expression else {
        elements += projection.columns(ofProperty: element.propertyName ?? "", seenFrom: entity)
          .map { Index.Element(column: $0, isDescending: !element.isAscending) }
        continue
      }
      var row = RowExpression(projection, entity, computesDerived: false, breadth: .row)
      let value = try row.value(RowExpression.parsed(text))
      try requireOwnRow(row, text)
      elements.append(Index.Element(.expression(value.sql), isDescending: !element.isAscending))
    }
    return elements
  }

  private func predicate(
    of index: FetchIndexDescription
  ) throws(ExpressionFault) -> SQLFragment? {
    guard let text = index.partialPredicate else { return nil }
    var row = RowExpression(projection, entity, computesDerived: false, breadth: .row)
    let condition = try row.condition(RowExpression.parsed(predicate: text))
    try requireOwnRow(row, text)
    return condition
  }

  /// An index has to give the same for a row at any time.
  private func requireOwnRow(_ row: RowExpression, _ text: String) throws(ExpressionFault) {
    guard row.ownReads.paths.isEmpty, !row.readsClock else { throw .notImmutable(text) }
    guard !row.ownReads.columns.isEmpty else { throw .readsNothing }
  }
}

extension AttributeDescription {
  /// A Boolean value that indicates whether values have to fulfil more than their column's type demands.
  fileprivate var mayNeedCheck: Bool {
    if case .enumeration = type { return true }
    if case .composite = type { return true }
    return validation.isEnforced
  }
}

extension RelationshipDescription.DeleteRule {
  /// The action of the inverse's delete rule on the referring rows.
  fileprivate func action(on relationship: RelationshipDescription) -> ForeignKey.Action {
    switch self {
    case .nullify, .noAction: relationship.isOptional ? .setNull : .noAction
    case .cascade: .cascade
    case .deny: .noAction
    }
  }
}

extension ForeignKey {
  /// Creates a foreign key with the actions of the model, or those that follow from the delete
  /// rules.
  init(
    _ column: SQLIdentifier,
    to table: SQLIdentifier,
    key: SQLIdentifier,
    _ reference: ReferenceDescription?,
    onDelete: Action,
    _ layout: LayoutDescription
  ) {
    let usual: Deferrability =
      switch layout.constraints {
      case .deferrable: .immediate
      case .immediate: .notDeferrable
      }
    self.init(
      column: column,
      references: table,
      key: key,
      onDelete: reference?.onDelete ?? onDelete,
      onUpdate: reference?.onUpdate ?? .noAction,
      deferrability: reference?.deferrability ?? usual
    )
  }
}
