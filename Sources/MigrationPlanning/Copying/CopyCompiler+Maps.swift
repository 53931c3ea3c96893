internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The keys of rows that cannot keep those that they had.
extension CopyCompiler {
  /// Compiles the map of the keys of an entity mapping.
  mutating func addMap(of rows: MappedRows) {
    guard let target = destination.table(of: rows.target) else { return }
    reads.watch(rows.decidingColumns.union([rows.key]), of: rows.table)
    // Its rowPolicy fills it.
    if rows.mapping.countsRowsInCode { return }
    if rows.mapping.makesWrittenRows { return addWrittenMap(of: rows, target) }
    if let distinct = rows.mapping.distinct {
      addDistinctMap(of: rows, distinct, target)
    } else {
      addRowMap(of: rows, target)
    }
  }

  /// What gives a row of a table a new key: where others keep theirs, the sequence that those are
  /// from, so that the server gives no key twice meanwhile.
  mutating func allocation(for table: SQLIdentifier, _ rows: MappedRows) -> SQLFragment {
    guard let key = destination.schema.tables[table]?.column(destination.key(of: table)) else {
      return "NULL"
    }
    if key.sequence == nil {
      // A default gives other values whenever it is asked: the map keeps them.
      if let expression = key.defaultExpression {
        return expression == "gen_random_uuid()" ? "pg_catalog.gen_random_uuid()" : expression
      }
      fault(rows.mapping.name, nil, .noNewKeys(entity: rows.target.name))
      return "NULL"
    }
    if !isBeside, let former = formerSequence(of: table) {
      let name = SQLLiteral.text(QualifiedName(schema: schema, name: former).quoted)
      return "pg_catalog.nextval(\(name))"
    }
    guard let own = key.identitySequence else { return "NULL" }
    let name = SQLLiteral.text(QualifiedName(schema: plan.stagingSchema, name: own).quoted)
    return "pg_catalog.nextval(\(name))"
  }

  /// The sequence of the table whose rows keep their keys in a table that is made anew.
  func formerSequence(of table: SQLIdentifier) -> SQLIdentifier? {
    let kept = rows.values.first {
      destination.table(of: $0.target) == table && keepsKeys($0)
    }
    return kept.flatMap { source.schema.tables[$0.drivingTable]?.column($0.drivingKey) }?
      .identitySequence
  }

  /// Returns whether rows have the keys that they had.
  func keepsKeys(_ rows: MappedRows) -> Bool {
    rows.map == nil
      || rows.mapping.countsRowsInCode && scope.keptKeys.contains(rows.mapping.name)
  }

  func keyType(of table: SQLIdentifier, in projection: ModelProjection) -> SQLTypeName {
    projection.schema.tables[table]?.column(projection.key(of: table))?.type ?? "bigint"
  }

  private mutating func addRowMap(of rows: MappedRows, _ target: SQLIdentifier) {
    guard let map = rows.map else { return }
    let names = MappedRows.MapNames.self
    let allocation = allocation(for: target, rows)
    let sourceKey: SQLFragment = "\(MappedRows.sourceAlias).\(rows.key)"
    let sourceType = keyType(of: rows.table, in: source)
    let targetType = keyType(of: target, in: destination)
    let each = rows.each.map {
      (
        alias: "\(MappedRows.eachAlias).\($0.key)" as SQLFragment,
        type: keyType(of: $0.table, in: source)
      )
    }
    let eachColumn: SQLFragment = each.map { ", \(names.each) \($0.type) NOT NULL" } ?? ""
    let key: [SQLIdentifier] = each == nil ? [names.source] : [names.source, names.each]
    plan.preparation.append(
      statement(
        """
        CREATE TABLE \(map.members) (\(names.source) \(sourceType) NOT NULL\(eachColumn), \
        \(names.destination) \(targetType) NOT NULL UNIQUE, PRIMARY KEY (\(key)))
        """,
        "create the map of the keys of entity mapping \"\(rows.mapping.name)\""
      )
    )
    let values: [SQLFragment] = [sourceKey] + (each.map { [$0.alias] } ?? [])
    let conditions = rows.conditions.map { " AND \($0)" as SQLFragment }.joined(separator: "")
    let known: SQLFragment = zip(key, values).map {
      "known.\($0) = \($1)" as SQLFragment
    }.joined(separator: " AND ")
    plan.maps.append(
      IdentityMap(
        mappingName: rows.mapping.name,
        members: map.members,
        source: rows.table,
        domainColumn: rows.key,
        keyType: keyType(of: rows.table, in: source),
        fill: [
          RestrictedStatement(
            head: """
              INSERT INTO \(map.members) (\(key), \(names.destination)) \
              SELECT \(values.joined(separator: ", ")), \(allocation) \
              FROM \(rows.sourceOrigin(in: schema)) WHERE NOT EXISTS (SELECT FROM \
              \(map.members) AS known WHERE \(known)) AND\u{20}
              """,
            tail: "\(conditions) ON CONFLICT DO NOTHING",
            key: sourceKey
          )
        ],
        withdrawal: withdrawal(of: rows, map),
        dependencies: decidingDependencies(of: rows) + pairDependencies(of: rows)
      )
    )
  }

  /// A pair whose link has gone is none any more, and what leaves the rows that take part must not be
  /// found by others; all others keep their keys.
  private func withdrawal(
    of rows: MappedRows,
    _ map: MappedRows.MapNames
  ) -> [RestrictedStatement] {
    guard rows.each != nil || !rows.conditions.isEmpty else { return [] }
    let names = MappedRows.MapNames.self
    let each: SQLFragment =
      rows.each.map { " AND \(MappedRows.eachAlias).\($0.key) = known.\(names.each)" } ?? ""
    let conditions = rows.conditions.map { " AND \($0)" as SQLFragment }.joined(separator: "")
    return [
      RestrictedStatement(
        head: """
          DELETE FROM \(map.members) AS known WHERE NOT EXISTS (SELECT FROM \
          \(rows.sourceOrigin(in: schema)) WHERE \(MappedRows.sourceAlias).\(rows.key) = \
          known.\(names.source)\(each)\(conditions)) AND\u{20}
          """,
        tail: "",
        key: "known.\(names.source)"
      )
    ]
  }

  /// Pairs come and go with their links.
  private func pairDependencies(of rows: MappedRows) -> [CopyDependency] {
    guard let place = rows.each?.place else { return [] }
    return [
      CopyDependency(
        source: place.table,
        units: "SELECT \(place.owner) FROM \(changes(of: place.table))"
      )
    ]
  }

  /// Returns which rows of the source may take part or not when rows of other tables have changed.
  func decidingDependencies(of rows: MappedRows) -> [CopyDependency] {
    rows.decidingPaths.flatMap { path in
      path.sources.map { read in
        let condition = path.condition(that: read, has: "\(changes(of: read.table))", in: schema)
        let table = QualifiedName(schema: schema, name: rows.table)
        return CopyDependency(
          source: read.table,
          units: "SELECT \(rows.key) FROM \(table) WHERE \(condition)"
        )
      }
    }
  }
}
