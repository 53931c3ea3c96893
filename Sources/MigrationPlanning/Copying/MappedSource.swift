internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The first pass of the compilation: the source rows of each entity mapping, their conditions and
/// distinct keys, and the names of the tables that give them new keys.
struct MappedSource {
  let request: CopyRequest
  /// The rows in the order of the entity mappings.
  private(set) var rows: [MappedRows] = []
  private(set) var notes = CopyNotes()
  private var positions: [String: Int] = [:]

  init(_ request: CopyRequest) {
    self.request = request
    guard !request.scope.isEmpty else { return }
    for mapping in request.entityMappings {
      guard let rows = named(mapping) else { continue }
      positions[mapping.name] = self.rows.count
      self.rows.append(rows)
    }
    for index in rows.indices { rows[index] = conditioned(rows[index]) }
  }

  /// Returns the rows of an entity mapping.
  subscript(name: String) -> MappedRows? { positions[name].map { rows[$0] } }

  // MARK: - Names

  private mutating func named(_ mapping: EntityMapping) -> MappedRows? {
    let (source, destination) = (request.source, request.destination)
    guard
      let entity = mapping.sourceEntityName.flatMap({ source.model.entity(named: $0) }),
      let target = mapping.destinationEntityName.flatMap({ destination.model.entity(named: $0) }),
      !entity.isAbstract, !target.isAbstract, let table = source.table(of: entity),
      let targetTable = destination.table(of: target)
    else { return nil }
    let isCopied = request.scope.rootNames.contains(destination.model.root(of: target).name)
    let made = isCopied ? madeNames(by: mapping, target) : nil
    let rows = MappedRows(
      mapping: mapping,
      entity: entity,
      target: target,
      targetAttributes: destination.model.effectiveAttributes(of: target),
      schema: request.schema,
      table: table,
      key: source.key(of: entity),
      targetTable: targetTable,
      each: mapping.forEach.flatMap { each($0, of: entity) },
      map: isCopied ? mapNames(of: mapping, made) : nil,
      made: made
    )
    if let name = mapping.forEach {
      if rows.each == nil { notes.add(rows.fault(nil, .unusableForEach(name))) }
      if mapping.distinct != nil { notes.add(rows.fault(nil, .distinctForEach)) }
    }
    return rows
  }

  private func each(_ name: String, of entity: EntityDescription) -> MappedRows.Each? {
    let source = request.source
    guard
      let (declaring, relationship) = source.model.lineage(of: entity).relationship(named: name),
      relationship.isToMany, !relationship.isTransient,
      let place = source.linkPlace(of: relationship, declaredBy: declaring),
      let other = source.model.entity(named: relationship.destinationEntityName),
      let table = source.table(of: other)
    else { return nil }
    return MappedRows.Each(entity: other, table: table, key: source.key(of: other), place: place)
  }

  private func mapNames(
    of mapping: EntityMapping,
    _ made: MappedRows.MadeNames?
  ) -> MappedRows.MapNames? {
    if mapping.countsRowsInCode, let made {
      return MappedRows.MapNames(members: made.table, keys: nil)
    }
    let hasMap =
      mapping.makesWrittenRows
      ? namesMap(of: mapping) : !request.scope.keptKeys.contains(mapping.name)
    guard hasMap else { return nil }
    let number = rows.count { $0.map != nil } + 1
    return MappedRows.MapNames(
      members: qualified("map", number, mapping),
      keys: mapping.distinct == nil ? nil : qualified("keys", number, mapping)
    )
  }

  /// Returns whether any SQL of the mapping model names the map of a mapping.
  private func namesMap(of entity: EntityMapping) -> Bool {
    let model = request.mapping.mappingModel
    let templates =
      model.before + model.after
      + model.entityMappings.flatMap { $0.policy.statements.values }
    return templates.contains { $0.placeholders.contains(.map(entity.name)) }
  }

  private func madeNames(
    by mapping: EntityMapping,
    _ target: EntityDescription
  ) -> MappedRows.MadeNames? {
    guard let creation = mapping.instanceCreation else { return nil }
    var columns: [PropertyPath: SQLIdentifier] = [:]
    for part in request.destination.storedParts(of: target)
    where creation.attributes.contains(part.path.description) {
      columns[part.path] = SQLIdentifier("value_\(columns.count + 1)")
    }
    return MappedRows.MadeNames(
      table: qualified("made", rows.count { $0.made != nil } + 1, mapping),
      columns: columns
    )
  }

  private func qualified(
    _ prefix: String,
    _ number: Int,
    _ mapping: EntityMapping
  ) -> QualifiedName {
    let suffix = StorageNames.snakeCase(mapping.name)
    return QualifiedName(
      schema: request.mapSchema,
      name: StorageNames.fitted("\(prefix)_\(number)_\(suffix)")
    )
  }

  // MARK: - Conditions

  /// Returns rows with their conditions and distinct keys.
  private mutating func conditioned(_ rows: MappedRows) -> MappedRows {
    let source = request.source
    var result = rows
    if let membership = rows.membership(in: source, alias: MappedRows.sourceAlias) {
      result.conditions.append(membership)
      result.decidingColumns.insert(StorageNames.discriminator)
    }
    if let each = rows.each,
      let membership = source.membership(of: source.concreteFamily(of: each.entity), in: each.table)
    {
      result.conditions.append(
        """
        \(MappedRows.eachAlias).\(each.key) IN (SELECT \(each.key) FROM \
        \(source.schema.qualified(each.table)) WHERE \(membership))
        """
      )
    }
    if let predicate = rows.mapping.condition,
      let condition = evaluate(
        rows,
        { expression throws(ExpressionFault) in try expression.condition(predicate) }
      )
    {
      result.decidingColumns.formUnion(condition.expression.ownReads.columns)
      result.decidingPaths += condition.expression.ownReads.paths
      result.conditions.append("(\(condition.value.unparenthesised))")
    }
    guard let distinct = rows.mapping.distinct, rows.map?.keys != nil,
      !rows.mapping.makesWrittenRows
    else { return result }
    for (index, key) in distinct.keys.enumerated() {
      guard
        let found = evaluate(
          rows,
          { expression throws(ExpressionFault) in try expression.value(key) }
        )
      else { continue }
      let columns = found.expression.ownReads.columns
      // A relationship has the type of the column that keeps it.
      let reference =
        found.value.type == .reference
        ? columns.last.flatMap { source.schema.tables[rows.table]?.column($0)?.type } : nil
      guard
        let type = found.value.columnType ?? reference ?? found.value.type.keepingType?.columnType
      else {
        notes.add(rows.fault(nil, .indistinct("\(key)")))
        continue
      }
      let column = SQLIdentifier("key_\(index + 1)")
      result.map?.values.append((column: column, type: type, value: found.value.sql))
      result.decidingColumns.formUnion(columns)
      result.decidingPaths += found.expression.ownReads.paths
    }
    result.choice = choice(distinct, rows)
    return result
  }

  /// The order that selects one of several rows: nulls first, as Foundation sorts.
  private mutating func choice(_ distinct: DistinctRows, _ rows: MappedRows) -> [SQLFragment] {
    let isReversed = distinct.conflict == .last
    func ordered(_ value: SQLFragment, _ isDescending: Bool) -> SQLFragment {
      isDescending != isReversed ? "\(value) DESC NULLS LAST" : "\(value) ASC NULLS FIRST"
    }
    let order = distinct.order.compactMap { part in
      evaluate(
        rows,
        { expression throws(ExpressionFault) in try expression.value(part.expression) }
      ).map { ordered($0.value.sql, part.isDescending) }
    }
    return order + [ordered(rows.sourceKey, false)]
  }

  private mutating func evaluate<Value>(
    _ rows: MappedRows,
    _ body: (inout RowExpression) throws(ExpressionFault) -> Value
  ) -> (value: Value, expression: RowExpression)? {
    do {
      let found = try rows.evaluate(in: request.source, body)
      notes.add(found.expression, of: rows, dependsOnPaths: false)
      return found
    } catch {
      notes.add(error)
      return nil
    }
  }
}

extension MappedSource {
  // MARK: - Keys

  /// Returns whether rows have the keys that they had.
  func keepsKeys(_ rows: MappedRows) -> Bool {
    rows.map == nil
      || rows.mapping.countsRowsInCode && request.scope.keptKeys.contains(rows.mapping.name)
  }

  /// Returns the sequence of the table whose rows keep their keys in a table that is copied.
  func formerSequence(of table: SQLIdentifier) -> SQLIdentifier? {
    let kept = rows.first { $0.targetTable == table && keepsKeys($0) }
    return kept.flatMap { request.source.schema.tables[$0.drivingTable]?.column($0.drivingKey) }?
      .identitySequence
  }

  /// Returns the source of new keys: if other rows keep theirs, their sequence, so that the server
  /// gives no key twice.
  func allocation(for rows: MappedRows) throws(MappingFault) -> SQLFragment {
    let (table, destination) = (rows.targetTable, request.destination)
    guard let key = destination.schema.tables[table]?.column(destination.key(of: table)) else {
      return "NULL"
    }
    if key.sequence == nil {
      // A default gives other values each time: the map keeps them.
      if let expression = key.defaultExpression {
        return expression == "gen_random_uuid()" ? "pg_catalog.gen_random_uuid()" : expression
      }
      throw rows.fault(nil, .noNewKeys(entity: rows.target.name))
    }
    let sequence: QualifiedName? =
      if !request.isBeside, let former = formerSequence(of: table) {
        request.source.schema.qualified(former)
      } else if let own = key.identitySequence {
        request.staged(own)
      } else {
        nil
      }
    return sequence.map { "pg_catalog.nextval(\(SQLLiteral.text($0.quoted)))" } ?? "NULL"
  }

  /// Returns the statement after which a row that is added without a key gets one above all that there
  /// were.
  func keyStart(of table: SQLIdentifier) -> PlannedStatement? {
    let destination = request.destination
    guard let former = formerSequence(of: table),
      let own = destination.schema.tables[table]?.column(destination.key(of: table))?
        .identitySequence
    else { return nil }
    let name = SQLLiteral.text(request.staged(own).quoted)
    let known = request.source.schema.qualified(former)
    return PlannedStatement(
      sql: "SELECT pg_catalog.setval(\(name), last_value, is_called) FROM \(known)",
      reason: "let the keys of table \"\(table)\" begin above all that there were"
    )
  }

  // MARK: - Rows that leave

  /// Returns the entities of which a copied table does not get all rows with the keys that they had.
  func leavingEntities(of old: SQLIdentifier, in new: SQLIdentifier) -> Set<String> {
    let kept = rows.filter { rows in
      rows.table == old && rows.map == nil && rows.each == nil && rows.mapping.condition == nil
        && rows.targetTable == new && !rows.mapping.makesWrittenRows
    }
    let names = Set(kept.map(\.entity.name))
    return Set(
      request.source.model.entities.filter { entity in
        !entity.isAbstract && request.source.table(of: entity) == old
          && !names.contains(entity.name)
      }.map(\.name)
    )
  }
}

extension ModelProjection {
  /// An attribute with a column, or an element of a composite with one.
  typealias StoredPart = (
    path: PropertyPath, part: AttributePart, column: Column, place: ColumnReference
  )

  /// Returns the attributes of an entity that have columns, and the elements of its composites.
  func storedParts(of entity: EntityDescription) -> [StoredPart] {
    model.lineage(of: entity).flatMap { declaring in
      declaring.attributes.flatMap { attribute in
        model.leaves(of: AttributePart(attribute)).compactMap { part -> StoredPart? in
          guard
            let place = columns[
              .attribute(entity: declaring.name, attribute.name, path: part.path)
            ],
            let column = schema.tables[place.table]?.column(place.column)
          else { return nil }
          return (PropertyPath(attribute.name, elements: part.path), part, column, place)
        }
      }
    }
  }
}
