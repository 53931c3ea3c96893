public import ObjectModel
public import SQLSyntax

extension ModelProjection {
  /// Adds the table of a hierarchy: the key, the discriminator, the attributes of all its entities.
  mutating func addTable(of root: EntityDescription) {
    let family = model.family(of: root)
    guard family.contains(where: { !$0.isAbstract }) else { return }
    let name = StorageNames.table(of: root)
    let element = element(of: root)
    addTable(Table(name: name), for: .root(entity: root.name), element)
    guard tables[.root(entity: root.name)] != nil else { return }

    addColumn(keyColumn(of: root, in: name), to: name, for: .key(entity: root.name), element)
    if family.count > 1 {
      addColumn(
        required(Column(name: StorageNames.discriminator, type: "text"), in: name),
        to: name,
        for: .discriminator(root: root.name),
        element
      )
    }
    for entity in family {
      for (index, attribute) in entity.attributes.enumerated() where !attribute.isTransient {
        let element = attributeElement(entity, index)
        addAttribute(attribute, of: entity, to: name, element)
      }
    }
  }

  /// Returns the table that an entity's rows are in, if it can have any.
  public func table(of entity: EntityDescription) -> SQLIdentifier? {
    tables[.root(entity: model.root(of: entity).name)]
  }

  /// Returns the column with the name of its NOT NULL constraint.
  func required(_ column: Column, in table: SQLIdentifier) -> Column {
    var column = column
    column.notNullConstraint = StorageNames.object(table, [column.name], label: "not_null")
    return column
  }

  func keyType(of root: EntityDescription) -> SQLTypeName {
    root.key.attributeType.columnType ?? "bigint"
  }

  private func keyColumn(of root: EntityDescription, in table: SQLIdentifier) -> Column {
    let name = root.key.columnName.map { SQLIdentifier($0) } ?? StorageNames.key
    var column = Column(name: name, type: keyType(of: root))
    switch root.key.effectiveGeneration {
    case .identity: column.sequence = sequence(.identity, of: name, in: table)
    case .identityAlways: column.sequence = sequence(.identityAlways, of: name, in: table)
    case .serial: column.sequence = sequence(.serial, of: name, in: table)
    case .sql(let expression): column.defaultExpression = Self.writtenDefault(expression)
    case .application: break
    }
    return required(column, in: table)
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

  /// Returns a sequence; the name is its final one only when all columns are there.
  private func sequence(
    _ kind: ColumnSequence.Kind,
    of column: SQLIdentifier,
    in table: SQLIdentifier
  ) -> ColumnSequence {
    ColumnSequence(name: StorageNames.object(table, [column], label: "seq"), kind: kind)
  }

  // MARK: - Attributes

  private mutating func addAttribute(
    _ attribute: AttributeDescription,
    of entity: EntityDescription,
    to table: SQLIdentifier,
    _ element: ModelElement
  ) {
    if let expression = attribute.derivationExpression, attribute.type.columnType == nil {
      let reason = ExpressionFault.unfittingType(
        "one value",
        attribute: attribute.type.description,
        suggestion: nil
      )
      return fault(element, .expression(expression, reason))
    }
    let name = StorageNames.column(attribute.name, explicit: attribute.columnName, of: entity)
    addColumns(
      of: attribute,
      named: name,
      path: [],
      isRequired: !attribute.isOptional,
      root: attribute,
      entity,
      table,
      element
    )
  }

  private mutating func addColumns(
    of attribute: AttributeDescription,
    named name: SQLIdentifier,
    path: [String],
    isRequired: Bool,
    root: AttributeDescription,
    _ entity: EntityDescription,
    _ table: SQLIdentifier,
    _ element: ModelElement
  ) {
    if case .composite(let compositeName) = attribute.type {
      let elements = model.composite(named: compositeName)?.elements ?? []
      for part in elements where !part.isTransient && path.count < 16 {
        let path = path + [part.name]
        addColumns(
          of: part,
          named: StorageNames.element([part.name], of: name.name),
          path: path,
          isRequired: isRequired && !part.isOptional,
          root: root,
          entity,
          table,
          element
        )
      }
      return
    }
    guard let type = attribute.type.columnType else {
      return fault(element, .unusableType(attribute.type.description))
    }
    var column = Column(name: name, type: type)
    let isRoot = entity.superentityName == nil
    // Rows of other entities of the hierarchy have to stay null, defaults and all.
    if isRoot {
      if isRequired { column = required(column, in: table) }
      if path.isEmpty || isRequired, root.derivationExpression == nil {
        column.defaultExpression = attribute.defaultValue.map { "\($0.literal(of: type))" }
      }
      if let expression = attribute.defaultExpression {
        column.defaultExpression = Self.writtenDefault(expression)
      }
      switch attribute.numbering {
      case .identity: column.sequence = sequence(.identity, of: name, in: table)
      case .identityAlways: column.sequence = sequence(.identityAlways, of: name, in: table)
      case .serial: column.sequence = sequence(.serial, of: name, in: table)
      case nil: break
      }
    }
    let origin = ColumnOrigin.attribute(entity: entity.name, root.name, path: path)
    addColumn(column, to: table, for: origin, element)
    if attribute.type.isUnbounded { noteUnbounded(origin) }
  }

  /// Returns the attribute, or the element of one, that a column holds the values of.
  func leaf(in reference: ColumnReference) -> (EntityDescription, AttributePart)? {
    guard
      case .attribute(let entityName, let name, let path) =
        columnOrigins[reference.table]?[reference.column],
      let entity = model.entity(named: entityName),
      let attribute = entity.attributes.first(where: { $0.name == name }),
      let leaf = model.leaves(of: AttributePart(attribute)).first(where: { $0.path == path })
    else { return nil }
    return (entity, leaf)
  }

  // MARK: - Elements

  func element(of entity: EntityDescription) -> ModelElement {
    model.position(ofEntityNamed: entity.name).map { .entity($0) } ?? .model
  }

  func attributeElement(_ entity: EntityDescription, _ index: Int) -> ModelElement {
    guard case .entity(let position) = element(of: entity) else { return .model }
    return .attribute(entity: position, index)
  }

  func attributeElement(_ entity: EntityDescription, named name: String) -> ModelElement {
    let attributes = model.entity(named: entity.name)?.attributes ?? []
    return attributes.firstIndex { $0.name == name }.map { attributeElement(entity, $0) }
      ?? element(of: entity)
  }

  func relationshipElement(_ entity: EntityDescription, _ index: Int) -> ModelElement {
    guard case .entity(let position) = element(of: entity) else { return .model }
    return .relationship(entity: position, index)
  }
}
