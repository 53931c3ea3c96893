internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Compiles the query for the rows that one entity mapping gives a table, with its dependencies and
/// the preconditions of these rows.
struct FeedCompiler {
  private(set) var notes = CopyNotes()
  private(set) var questions: [PlannedPrecondition] = []
  /// The operations that number links once all exist.
  private(set) var numberings: [NumberLinks] = []
  /// Values that the server gives.
  private var givenValues: Set<SQLFragment> = []

  private let mapped: MappedSource
  private let rows: MappedRows
  private let table: Table

  private var request: CopyRequest { mapped.request }
  private var source: ModelProjection { mapped.request.source }
  private var destination: ModelProjection { mapped.request.destination }
  private var schema: SQLIdentifier { mapped.request.schema }

  init(_ mapped: MappedSource, _ rows: MappedRows, into table: Table) {
    self.mapped = mapped
    self.rows = rows
    self.table = table
  }

  private func feed(
    _ values: [SQLFragment],
    from origin: SQLFragment,
    unit: SQLFragment,
    conditions: [SQLFragment] = [],
    choice: [SQLFragment] = []
  ) -> CopyFeed {
    CopyFeed(
      mappingName: rows.mapping.name,
      values: values,
      origin: origin,
      unit: unit,
      conditions: conditions,
      choice: choice,
      domain: rows.domain.relation,
      domainColumn: rows.domain.column
    )
  }

  /// Notes the tables that the rows are joined of.
  private mutating func dependOnRows() {
    for dependency in rows.dependencies { notes.add(dependency) }
    notes.watchDecisions(of: rows)
    for path in rows.decidingPaths { notes.depend(on: path, of: rows) }
  }

  // MARK: - Rows of entities

  /// Compiles the rows of the table of a root entity.
  mutating func feed(_ columns: [Column]) -> CopyFeed {
    dependOnRows()
    if let each = rows.each { notes.watch(each.place) }
    let values = columns.map { value(of: $0) }
    questions += RowQuestions(request, rows, givenValues: givenValues)
      .about(values, of: columns, in: table)
    return feed(
      values,
      from: rows.originWithMade,
      unit: rows.unit,
      conditions: rows.conditions + sharing,
      choice: rows.choice
    )
  }

  /// The condition that a row which several rows of the source share is taken once.
  private var sharing: [SQLFragment] {
    guard rows.mapping.instanceCreation?.creatorName != nil else { return [] }
    return ["\(MappedRows.mapAlias).\(MappedRows.MapNames.isFirst)"]
  }

  /// Returns whether the server gives a value another time than the last.
  func isGiven(_ value: SQLFragment) -> Bool { givenValues.contains(value) && !value.isConstant }

  private mutating func value(of column: Column) -> SQLFragment {
    let value: SQLFragment? =
      switch destination.columnOrigins[table.name]?[column.name] {
      case .key: rows.unit
      case .discriminator: "\(SQLLiteral.text(rows.target.name))"
      case .attribute(let entity, let name, let path):
        has(entity) ? attribute(PropertyPath(name, elements: path), column) : nil
      case .reference(let entity, let name): reference(name, of: entity)
      case .position(let entity, let name): position(name, of: entity, column)
      case .joinedDestination, .joinedSource, nil: nil
      }
    return value ?? "NULL::\(column.type)"
  }

  /// Returns whether the rows have the properties that an entity declares.
  private func has(_ entityName: String) -> Bool {
    destination.model.lineage(of: rows.target).contains { $0.name == entityName }
  }

  private mutating func attribute(_ property: PropertyPath, _ column: Column) -> SQLFragment? {
    if let made = rows.madeValue(of: property) { return made }
    let pairing = rows.pairing(source.model, destination.model)
    let name = property.property
    let constant = pairing.fallback(of: property, of: rows.target.name)
    let fallback =
      constant.map { "\($0.literal(of: column.type))" as SQLFragment }
      ?? writtenDefault(name, column)
    switch rows.valueExpression(of: name) {
    case .expression(let expression): return computed(expression, property)
    case .destinationInstances, nil: return fallback
    case .sourceAttribute:
      let origin = ModelPairing.RowOrigin(source: rows.entity, destination: rows.target)
      guard let before = source.place(of: pairing.sourcePart(property, of: origin)),
        let type = source.schema.tables[before.table]?.column(before.column)?.type
      else { return fallback }
      notes.watch([before.column], of: rows.table)
      let value = ChangeColumnType.conversion(
        of: "\(MappedRows.sourceAlias).\(before.column)",
        from: type,
        to: column.type
      )
      let alternative =
        constant.map { "\($0.assigned(to: column.type))" as SQLFragment } ?? fallback
      return alternative.map { "coalesce(\(value), \($0))" } ?? value
    }
  }

  private func attribute(named name: String) -> AttributeDescription? {
    destination.model.effectiveAttributes(of: rows.target).first { $0.name == name }
  }

  /// Returns the default that a new attribute states in SQL, or its next number.
  private mutating func writtenDefault(_ name: String, _ column: Column) -> SQLFragment? {
    guard let attribute = attribute(named: name), rows.valueExpression(of: name) == nil else {
      return nil
    }
    let value: SQLFragment
    if attribute.defaultExpression != nil, let expression = column.defaultExpression {
      value = "(\(expression))"
    } else if attribute.numbering != nil, let sequence = column.identitySequence {
      value = "pg_catalog.nextval(\(SQLLiteral.text(request.staged(sequence).quoted)))"
    } else {
      return nil
    }
    givenValues.insert(value)
    if !value.isConstant {
      notes.obstruct(
        "new attribute \"\(name)\" gets other values whenever the server is asked for them"
      )
    }
    return value
  }

  private mutating func computed(
    _ expression: Expression,
    _ property: PropertyPath
  ) -> SQLFragment? {
    do throws(MappingFault) {
      guard property.elements.isEmpty, let attribute = attribute(named: property.property) else {
        throw rows.fault(
          property.property,
          .expression(
            .unsupported(
              "\"\(property.property)\" is a composite, whose elements have values of their own",
              hint: "Leave it out, so that its elements go as inference has them."
            )
          )
        )
      }
      let found = try rows.evaluate(in: source, for: property.property) {
        row throws(ExpressionFault) in try row.assignment(expression, to: attribute)
      }
      notes.add(found.expression, of: rows)
      return found.value
    } catch {
      notes.add(error)
      return nil
    }
  }

  // MARK: - References

  private func relationship(
    _ name: String,
    of entityName: String
  ) -> RelationshipDescription? {
    destination.model.entity(named: entityName)?.relationships.first { $0.name == name }
  }

  private mutating func reference(_ name: String, of entityName: String) -> SQLFragment? {
    guard has(entityName), !rows.mapping.makesWrittenLinks,
      let relationship = relationship(name, of: entityName), let links = links(of: relationship)
    else { return nil }
    questions += RowQuestions(request, rows).aboutOne(of: links, name)
    return key(links)
  }

  /// The position of a row among those with the same key is copied if both are in the row;
  /// otherwise links are numbered once all exist.
  private mutating func position(
    _ name: String,
    of entityName: String,
    _ column: Column
  ) -> SQLFragment? {
    // The order is that of the inverse, whose key is in this row.
    guard let ordered = relationship(name, of: entityName),
      let owning = destination.model.inverse(of: ordered), has(owning.declaringEntity.name),
      let key = destination.columns[
        .reference(entity: owning.declaringEntity.name, owning.relationship.name)
      ],
      let links = rows.mapping.makesWrittenLinks
        ? LinkSource.none : links(of: owning.relationship)
    else { return nil }
    if case .path(let path, _) = links, let place = path.place, place.isInOwner,
      let position = place.ownerPosition
    {
      notes.watch([position], of: rows.table)
      return "\(MappedRows.sourceAlias).\(position)"
    }
    number(column.name, of: key.column)
    return nil
  }

  /// Requests that links are numbered once all exist.
  private mutating func number(_ position: SQLIdentifier, of owner: SQLIdentifier) {
    let key = table.rowKey
    numberings.append(
      NumberLinks(
        table: table.name,
        position: position,
        owner: owner,
        key: key.count > 1
          ? [owner] + key.filter { $0 != owner } : [destination.key(of: table.name)],
        hasPlaces: true
      )
    )
  }

  private mutating func links(of relationship: RelationshipDescription) -> LinkSource? {
    do {
      let links = try LinkFinder(mapped, rows, relationship).links()
      note(links)
      return links
    } catch {
      notes.add(error)
      return nil
    }
  }

  private mutating func note(_ links: LinkSource) {
    switch links {
    case .none, .path: break
    case .keyed(_, let values):
      notes.obstruct("entity mapping \"\(rows.mapping.name)\" looks rows up by their values")
      for value in values { notes.add(value.expression, of: rows) }
    case .choice(let condition, let first, let second):
      notes.add(condition.expression, of: rows)
      note(first)
      note(second)
    }
  }

  // MARK: - Keys

  /// Returns the key that a to-one relationship gets.
  private mutating func key(_ links: LinkSource) -> SQLFragment? {
    switch links {
    case .none: return nil
    case .path(let path, let via):
      if path.alias == MappedRows.sourceAlias, let column = path.keyColumn {
        notes.watch([column], of: rows.table)
      } else {
        notes.depend(on: path.path, of: rows, from: path.alias)
      }
      return translated(path.key(in: schema), path, via)
    case .keyed(let named, let values):
      guard let map = named.map, let keys = map.keys else { return nil }
      let conditions = zip(map.values, values).map {
        "known.\($0.column) = \($1.value)" as SQLFragment
      }
      return """
        (SELECT known.\(MappedRows.MapNames.destination) FROM \(keys) AS known \
        WHERE \(conditions.joined(separator: " AND ")))
        """
    case .choice(let condition, let first, let second):
      let first = key(first) ?? "NULL"
      let second = key(second) ?? "NULL"
      return "CASE WHEN \(condition.value) THEN \(first) ELSE \(second) END"
    }
  }

  /// Returns the new key for a key of the source by some mappings.
  private mutating func translated(
    _ key: SQLFragment,
    _ path: LinkPath,
    _ via: [MappedRows]
  ) -> SQLFragment? {
    guard !via.isEmpty else { return nil }
    let members = Set(source.concreteFamily(of: path.entity))
    let isPlain = via.allSatisfy {
      $0.map == nil && $0.mapping.condition == nil && $0.each == nil
        && !$0.mapping.makesWrittenRows
    }
    if isPlain, members.isSubset(of: via.map(\.entity.name)) { return key }
    notes.depend(on: path.path, of: rows, from: path.alias)
    let branches = via.compactMap { translated(key, path, by: $0) }
    return branches.count > 1 ? "coalesce(\(branches.joined(separator: ", ")))" : branches.first
  }

  private mutating func translated(
    _ key: SQLFragment,
    _ path: LinkPath,
    by target: MappedRows
  ) -> SQLFragment? {
    notes.watchDecisions(of: target)
    if !target.decidingPaths.isEmpty {
      notes.obstruct(
        "entity mapping \"\(target.mapping.name)\" chooses its rows by those of others"
      )
    }
    if let map = target.map {
      let isOne = target.each == nil && target.mapping.instanceCreation?.count != .any
      let first: SQLFragment = isOne ? "" : " ORDER BY 1 LIMIT 1"
      return """
        (SELECT known.\(MappedRows.MapNames.destination) FROM \(map.members) AS known \
        WHERE known.\(MappedRows.MapNames.source) = \(key)\(first))
        """
    }
    if target.mapping.makesWrittenRows { return unmappedRow(of: target, key) }
    let alias: SQLIdentifier = "target"
    var conditions: [SQLFragment] = ["\(alias).\(target.key) = \(key)"]
    if path.path.hops.count == 1, let hop = path.path.hops.first {
      conditions += hop.keys.conditions(from: "\(path.alias).", to: "\(alias).")
    }
    conditions += [target.membership(in: source, alias: alias)].compactMap(\.self)
    if let predicate = target.mapping.condition {
      do {
        let condition = try target.evaluate(in: source, alias: alias) {
          row throws(ExpressionFault) in try row.condition(predicate)
        }
        notes.add(condition.expression, of: target, dependsOnPaths: false)
        conditions.append("(\(condition.value.unparenthesised))")
      } catch {
        notes.add(error)
      }
    }
    return """
      (SELECT \(alias).\(target.key) FROM \(target.relation) AS \(alias) \
      WHERE \(conditions.joined(separator: " AND ")))
      """
  }

  /// Returns the key if authored SQL has created a row with it; `nil` if such rows have other keys.
  private func unmappedRow(of target: MappedRows, _ key: SQLFragment) -> SQLFragment? {
    guard request.scope.keptKeys.contains(target.mapping.name) else { return nil }
    let alias: SQLIdentifier = "made"
    let table = target.targetTable
    let ownKey = destination.key(of: table)
    var conditions: [SQLFragment] = ["\(alias).\(ownKey) = \(key)"]
    if destination.membership(of: [target.target.name], in: table) != nil {
      let name = SQLLiteral.text(target.target.name)
      conditions.append("\(alias).\(StorageNames.discriminator) = \(name)")
    }
    return """
      (SELECT \(alias).\(ownKey) FROM \(request.staged(table)) AS \(alias) \
      WHERE \(conditions.joined(separator: " AND ")))
      """
  }

  // MARK: - Join tables

  /// Compiles the links of a relationship in its join table; none if the mapping has none.
  mutating func feed(
    ofLinks relationship: RelationshipDescription,
    at place: LinkPlace
  ) -> CopyFeed? {
    guard !rows.mapping.makesWrittenLinks else { return nil }
    switch rows.valueExpression(of: relationship.name) {
    case .expression, .destinationInstances: break
    case .sourceAttribute, nil: return nil
    }
    guard let links = links(of: relationship) else { return nil }
    var conditions = rows.conditions
    if rows.mapping.makesWrittenRows, rows.map == nil {
      guard let found = unmappedRow(of: rows, rows.unit) else { return nil }
      conditions.append("\(found) IS NOT NULL")
    }
    let queries = queries(links, where: conditions)
    guard !queries.isEmpty else { return nil }
    dependOnRows()
    let values = table.columns.map { column -> SQLFragment in
      switch column.name {
      case place.owner: "links.owner"
      case place.target: "links.target"
      // The places of the links of each owner, those first that had one.
      case place.targetPosition:
        """
        row_number() OVER (PARTITION BY links.owner ORDER BY links.target_position, \
        links.target) - 1
        """
      // All are numbered in the end, those last that had no place.
      case place.ownerPosition: "coalesce(links.owner_position, 2147483647)"
      default: "NULL"  // A join table has no other columns.
      }
    }
    if let position = place.ownerPosition { number(position, of: place.target) }
    return feed(
      values,
      from: """
        (SELECT owner, target, min(target_position) AS target_position, \
        min(owner_position) AS owner_position FROM (\(queries.joined(separator: " UNION ALL "))) \
        AS found WHERE target IS NOT NULL GROUP BY owner, target) AS links
        """,
      unit: "links.owner"
    )
  }

  /// Returns queries for the keys of owners and targets.
  private mutating func queries(
    _ links: LinkSource,
    where conditions: [SQLFragment]
  ) -> [SQLFragment] {
    let filter: SQLFragment =
      conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    switch links {
    case .none: return []
    case .path(let path, let via):
      if let place = path.place { notes.watch(place) }
      notes.depend(on: path.path, of: rows, from: path.alias)
      guard let target = translated("link.target", path, via) else { return [] }
      return [
        """
        SELECT \(rows.unit) AS owner, \(target) AS target, link.target_position, \
        link.owner_position FROM \(rows.originWithMade) CROSS JOIN LATERAL \(path.links(in: schema)) AS link\
        \(filter)
        """
      ]
    case .keyed:
      guard let target = key(links) else { return [] }
      return [
        """
        SELECT \(rows.unit) AS owner, \(target) AS target, NULL::integer AS target_position, \
        NULL::integer AS owner_position FROM \(rows.originWithMade)\(filter)
        """
      ]
    case .choice(let choice, let first, let second):
      return queries(first, where: conditions + ["(\(choice.value.unparenthesised))"])
        + queries(second, where: conditions + ["((\(choice.value)) IS NOT TRUE)"])
    }
  }
}

extension ModelProjection {
  /// Returns the column of a part of an attribute.
  func place(of part: ModelPairing.SourcePart?) -> ColumnReference? {
    part.flatMap {
      columns[
        .attribute(
          entity: $0.declaringEntity.name,
          $0.path.property,
          path: $0.path.elements
        )
      ]
    }
  }
}
