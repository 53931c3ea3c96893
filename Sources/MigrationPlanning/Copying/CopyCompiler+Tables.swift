internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension CopyCompiler {
  /// Compiles the table of a root entity.
  mutating func addRootTable(_ name: SQLIdentifier) {
    guard let table = destination.schema.tables[name] else { return }
    dependencies = []
    refuseAlwaysNumbered(table)
    let columns = table.columns.filter { isFilled($0, in: name) }
    let feeds = mapping.mappingModel.entityMappings.compactMap { entity -> CopyFeed? in
      if entity.makesWrittenRows {
        let target = entity.destinationEntityName.flatMap { destination.model.entity(named: $0) }
        guard let target, destination.table(of: target) == name else { return nil }
        return writtenFeed(of: entity, in: name)
      }
      guard let rows = rows[entity.name], destination.table(of: rows.target) == name else {
        return nil
      }
      return feed(of: rows, columns, in: name)
    }
    plan.tables.append(
      CopiedTable(
        name: name,
        columns: columns.map(\.name),
        key: [destination.key(of: name)],
        unit: destination.key(of: name),
        unitType: keyType(of: name, in: destination),
        givenColumns: Set(
          columns.indices.filter { index in
            feeds.contains {
              $0.values.indices.contains(index) && givenValues.contains($0.values[index])
                && !$0.values[index].isConstant
            }
          }
          .map { columns[$0].name }
        ),
        overriding: table.overriding,
        types: Dictionary(
          columns.map { ($0.name, $0.type) },
          uniquingKeysWith: { first, _ in first }
        ),
        comparedAsText: Set(columns.filter { !$0.type.hasEquality }.map(\.name)),
        feeds: feeds,
        dependencies: dependencies,
        replacesChangedRows: table.hasUniqueValues
      )
    )
  }

  /// Rows that change bring all their values along, which such a column does not take.
  private mutating func refuseAlwaysNumbered(_ table: Table) {
    for column in table.columns
    where column.sequence?.kind == .identityAlways && column.name != table.key {
      guard let subject = destination.columnOrigins[table.name]?[column.name]?.subject else {
        continue
      }
      fault(
        "",
        subject.propertyName,
        .numberedAlways(column: column.name.name, entity: subject.entityName)
      )
    }
  }

  /// Returns whether rows bring the value of a column along; the others are computed.
  private func isFilled(_ column: Column, in table: SQLIdentifier) -> Bool {
    if column.generation != nil { return false }
    let place = ColumnReference(table: table, column: column.name)
    return destination.derivations[place].map(\.isStamp) ?? true
  }

  private mutating func feed(
    of rows: MappedRows,
    _ columns: [Column],
    in table: SQLIdentifier
  ) -> CopyFeed {
    for dependency in rows.dependencies(changes, in: schema) { add(dependency) }
    reads.watch(rows.decidingColumns.union([rows.key]), of: rows.table)
    for path in rows.decidingPaths { depend(on: path, of: rows) }
    if let each = rows.each { reads.watch(each.place) }
    let values = columns.map { value(of: $0, in: table, rows) }
    askForValues(values, of: columns, rows)
    askForAgreement(values, rows)
    askForIndexable(rows)
    if let contents = destination.schema.tables[table] {
      let named = Dictionary(
        zip(columns.map(\.name), values),
        uniquingKeysWith: { first, _ in first }
      )
      askForUniqueness(named, of: contents, rows)
    }
    let domain = rows.domain(in: schema)
    return CopyFeed(
      mappingName: rows.mapping.name,
      values: values,
      origin: rows.originWithMade(in: schema),
      unit: rows.unit,
      conditions: rows.conditions,
      choice: rows.choice,
      domain: domain.relation,
      domainColumn: domain.column,
      insertion: nil
    )
  }

  // MARK: - Values

  private mutating func value(
    of column: Column,
    in table: SQLIdentifier,
    _ rows: MappedRows
  ) -> SQLFragment {
    switch destination.columnOrigins[table]?[column.name] {
    case .key: rows.unit
    case .discriminator: "\(SQLLiteral.text(rows.target.name))"
    case .attribute(let entity, let name, let path):
      has(entity, rows) ? attribute(name, path, column, rows) : nothing(column)
    case .reference(let entity, let name):
      has(entity, rows) && !rows.mapping.makesWrittenLinks
        ? reference(name, of: entity, column, rows) : nothing(column)
    case .position(let entity, let name):
      position(name, of: entity, column, in: table, rows)
    case .joinedDestination, .joinedSource, nil: nothing(column)
    }
  }

  func nothing(_ column: Column) -> SQLFragment { "NULL::\(column.type)" }

  /// Returns whether the rows that are made have the properties that an entity declares.
  private func has(_ entityName: String, _ rows: MappedRows) -> Bool {
    destination.model.lineage(of: rows.target).contains { $0.name == entityName }
  }

  private mutating func attribute(
    _ name: String,
    _ path: [String],
    _ column: Column,
    _ rows: MappedRows
  ) -> SQLFragment {
    let pairing = rows.pairing(source.model, destination.model)
    let property = PropertyPath(name, elements: path)
    if let made = rows.madeValue(of: property) { return made }
    let fallback =
      pairing.fallback(of: property, of: rows.target.name)
      .map { "\($0.literal(of: column.type))" as SQLFragment } ?? writtenDefault(name, column, rows)
    switch rows.mapping(of: name)?.valueExpression {
    case .expression(let expression):
      return computed(expression, name, path, column, rows)
    case .sourceAttribute:
      let origin = ModelPairing.RowOrigin(source: rows.entity, destination: rows.target)
      guard let part = pairing.sourcePart(property, of: origin),
        let before = source.columns[
          .attribute(
            entity: part.declaringEntity.name,
            part.path.property,
            path: part.path.elements
          )
        ],
        let type = source.schema.tables[before.table]?.column(before.column)?.type
      else { return fallback ?? nothing(column) }
      reads.watch([before.column], of: rows.table)
      let value = ChangeColumnType.conversion(
        of: "\(MappedRows.sourceAlias).\(before.column)",
        from: type,
        to: column.type
      )
      return fallback.map { "coalesce(\(value), \($0))" } ?? value
    case .destinationInstances, nil:
      return fallback ?? nothing(column)
    }
  }

  /// Returns the default that a new attribute states in SQL, or its next number.
  private mutating func writtenDefault(
    _ name: String,
    _ column: Column,
    _ rows: MappedRows
  ) -> SQLFragment? {
    let attribute = destination.model.effectiveAttributes(of: rows.target)
      .first { $0.name == name }
    guard let attribute, rows.mapping(of: name)?.valueExpression == nil else { return nil }
    let value: SQLFragment
    if attribute.defaultExpression != nil, let expression = column.defaultExpression {
      value = "(\(expression))"
    } else if attribute.numbering != nil, let sequence = column.identitySequence {
      let staged = QualifiedName(schema: plan.stagingSchema, name: sequence)
      value = "pg_catalog.nextval(\(SQLLiteral.text(staged.quoted)))"
    } else {
      return nil
    }
    givenValues.insert(value)
    if !value.isConstant {
      obstruct("new attribute \"\(name)\" gets other values whenever the server is asked for them")
    }
    return value
  }

  private mutating func computed(
    _ expression: Expression,
    _ name: String,
    _ path: [String],
    _ column: Column,
    _ rows: MappedRows
  ) -> SQLFragment {
    let attribute = destination.model.effectiveAttributes(of: rows.target)
      .first { $0.name == name }
    guard path.isEmpty, let attribute else {
      fault(
        rows.mapping.name,
        name,
        .expression(
          .unsupported(
            "\"\(name)\" is a composite, whose elements have values of their own",
            hint: "Leave it out, so that its elements go as inference has them."
          )
        )
      )
      return nothing(column)
    }
    return evaluate(rows, name) { expression_ throws(ExpressionFault) in
      try expression_.assignment(expression, to: attribute)
    } ?? nothing(column)
  }

  // MARK: - References

  private func relationship(
    _ name: String,
    of entityName: String
  ) -> RelationshipDescription? {
    destination.model.entity(named: entityName)?.relationships.first { $0.name == name }
  }

  private mutating func reference(
    _ name: String,
    of entityName: String,
    _ column: Column,
    _ rows: MappedRows
  ) -> SQLFragment {
    guard let relationship = relationship(name, of: entityName),
      let links = links(of: relationship, rows)
    else { return nothing(column) }
    askForOne(of: links, name, rows)
    return key(links, rows) ?? nothing(column)
  }

  /// The place of a row among those that have the same key comes along where both are in the row;
  /// else the links are numbered when all are there.
  private mutating func position(
    _ name: String,
    of entityName: String,
    _ column: Column,
    in table: SQLIdentifier,
    _ rows: MappedRows
  ) -> SQLFragment {
    // The order is that of the inverse, whose key is in this row.
    guard let ordered = relationship(name, of: entityName),
      let owning = destination.model.inverse(of: ordered), has(owning.declaringEntity.name, rows),
      let key = destination.columns[
        .reference(entity: owning.declaringEntity.name, owning.relationship.name)
      ],
      let links = rows.mapping.makesWrittenLinks
        ? LinkSource.none : links(of: owning.relationship, rows)
    else { return nothing(column) }
    if case .way(let way, _) = links, let place = way.place, place.isInOwner,
      let position = place.ownerPosition
    {
      reads.watch([position], of: rows.table)
      return "\(MappedRows.sourceAlias).\(position)"
    }
    unnumbered.insert(
      UnnumberedLinks(table: table, position: column.name, owner: key.column)
    )
    return nothing(column)
  }
}

extension SQLTypeName {
  /// A Boolean value that indicates whether two values of the type can be compared.
  fileprivate var hasEquality: Bool {
    // Types of others are not known to have it.
    let comparable = [
      "bigint", "integer", "smallint", "numeric", "double precision", "real", "text", "boolean",
      "timestamp", "bytea", "uuid", "date", "time", "interval", "inet", "character varying",
      "varchar",
    ]
    return comparable.contains { text.hasPrefix($0) }
  }
}

extension Table {
  /// A Boolean value that indicates whether rows may not agree in something besides their keys.
  fileprivate var hasUniqueValues: Bool {
    indexes.contains(where: \.isUnique)
      || constraints.contains { constraint in
        if case .unique = constraint.definition { true } else { false }
      }
  }
}
