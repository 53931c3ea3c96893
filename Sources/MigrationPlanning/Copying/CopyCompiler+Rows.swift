internal import Diagnostics
internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension CopyCompiler {
  /// Finds the rows that an entity mapping starts from, and how they get their keys.
  mutating func addRows(of mapping: EntityMapping) {
    guard
      let entity = mapping.sourceEntityName.flatMap({ source.model.entity(named: $0) }),
      let target = mapping.destinationEntityName.flatMap({ destination.model.entity(named: $0) }),
      !entity.isAbstract, !target.isAbstract, let table = source.table(of: entity)
    else { return }
    var rows = MappedRows(mapping: mapping, entity: entity, target: target, table: table)
    if let name = mapping.forEach {
      rows.each = each(name, of: entity)
      if rows.each == nil { fault(mapping.name, nil, .unusableForEach(name)) }
      if mapping.distinct != nil { fault(mapping.name, nil, .distinctForEach) }
    }
    let hasMap =
      mapping.makesWrittenRows ? namesMap(of: mapping) : !scope.keptKeys.contains(mapping.name)
    if isCopied(target), hasMap {
      let number = plan.maps.count + self.rows.values.count { $0.map != nil } + 1
      let name = StorageNames.snakeCase(mapping.name)
      func qualified(_ prefix: String) -> QualifiedName {
        QualifiedName(
          schema: mapSchema,
          name: StorageNames.fitted("\(prefix)_\(number)_\(name)")
        )
      }
      rows.map = MappedRows.MapNames(
        members: qualified("map"),
        keys: mapping.distinct == nil ? nil : qualified("keys")
      )
    }
    set(rows)
  }

  private func isCopied(_ entity: EntityDescription) -> Bool {
    scope.rootNames.contains(destination.model.root(of: entity).name)
  }

  private func each(_ name: String, of entity: EntityDescription) -> MappedRows.Each? {
    for declaring in source.model.lineage(of: entity) {
      guard
        let relationship = declaring.relationships.first(where: {
          $0.name == name && $0.isToMany && !$0.isTransient
        }),
        let place = source.linkPlace(of: relationship, declaredBy: declaring),
        let other = source.model.entity(named: relationship.destinationEntityName),
        let table = source.table(of: other)
      else { continue }
      return MappedRows.Each(entity: other, table: table, place: place)
    }
    return nil
  }

  /// Compiles which rows take part, and the map of their keys if they cannot keep theirs.
  mutating func addConditions(of name: String) {
    guard var rows = rows[name] else { return }
    let discriminator = StorageNames.discriminator
    if source.membership(of: [rows.entity.name], in: rows.table) != nil {
      let literal = SQLLiteral.text(rows.entity.name)
      rows.conditions.append("\(MappedRows.sourceAlias).\(discriminator) = \(literal)")
      rows.decidingColumns.insert(discriminator)
    }
    if let each = rows.each,
      let membership = source.membership(
        of: source.concreteFamily(of: each.entity),
        in: each.table
      )
    {
      rows.conditions.append(
        """
        \(MappedRows.eachAlias).\(StorageNames.key) IN (SELECT \(StorageNames.key) FROM \
        \(QualifiedName(schema: schema, name: each.table)) WHERE \(membership))
        """
      )
    }
    if let predicate = rows.mapping.condition {
      var columns: [SQLIdentifier] = []
      var paths: [RelationshipPath] = []
      let condition = evaluate(rows, nil, notesDependencies: false) {
        expression throws(ExpressionFault) in
        let condition = try expression.condition(predicate)
        columns = expression.columns
        paths = expression.paths
        return condition
      }
      rows.decidingColumns.formUnion(columns)
      rows.decidingPaths += paths
      if let condition { rows.conditions.append("(\(condition))") }
    }
    set(rows)
    if rows.map != nil { addMap(of: rows) }
  }

  // MARK: - Maps

  private mutating func addMap(of rows: MappedRows) {
    guard let target = destination.table(of: rows.target) else { return }
    reads.watch(rows.decidingColumns.union([StorageNames.key]), of: rows.table)
    if rows.mapping.makesWrittenRows { return addWrittenMap(of: rows, target) }
    if let distinct = rows.mapping.distinct {
      addDistinctMap(of: rows, distinct, target)
    } else {
      addRowMap(of: rows, target)
    }
  }

  /// What gives a row of a table a new key: where others keep theirs, the sequence that those are
  /// from, so that the server gives no key twice meanwhile.
  private func allocation(for table: SQLIdentifier) -> SQLFragment {
    guard let key = destination.schema.tables[table]?.column(StorageNames.key) else {
      return "NULL"
    }
    guard key.type == "bigint" else { return "pg_catalog.gen_random_uuid()" }
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
      destination.table(of: $0.target) == table && $0.map == nil
    }
    return kept.flatMap { source.schema.tables[$0.drivingTable]?.column(StorageNames.key) }?
      .identitySequence
  }

  func keyType(of table: SQLIdentifier, in projection: ModelProjection) -> SQLTypeName {
    projection.schema.tables[table]?.column(StorageNames.key)?.type ?? "bigint"
  }

  private mutating func addRowMap(of rows: MappedRows, _ target: SQLIdentifier) {
    guard let map = rows.map else { return }
    let names = MappedRows.MapNames.self
    let allocation = allocation(for: target)
    let sourceKey: SQLFragment = "\(MappedRows.sourceAlias).\(StorageNames.key)"
    let eachKey: SQLFragment = "\(MappedRows.eachAlias).\(StorageNames.key)"
    let sourceType = keyType(of: rows.table, in: source)
    let targetType = keyType(of: target, in: destination)
    let each = rows.each.map { (alias: eachKey, type: keyType(of: $0.table, in: source)) }
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
        domainColumn: StorageNames.key,
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

  /// A pair whose link has gone is none any more; all others keep their keys.
  private func withdrawal(
    of rows: MappedRows,
    _ map: MappedRows.MapNames
  ) -> [RestrictedStatement] {
    guard let place = rows.each?.place else { return [] }
    let links = QualifiedName(schema: schema, name: place.table)
    return [
      RestrictedStatement(
        head: """
          DELETE FROM \(map.members) AS known WHERE NOT EXISTS (SELECT FROM \(links) AS "link" \
          WHERE "link".\(place.owner) = known.\(MappedRows.MapNames.source) \
          AND "link".\(place.target) = known.\(MappedRows.MapNames.each)) AND\u{20}
          """,
        tail: "",
        key: "known.\(MappedRows.MapNames.source)"
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

  private mutating func addDistinctMap(
    of rows: MappedRows,
    _ distinct: DistinctRows,
    _ target: SQLIdentifier
  ) {
    guard var map = rows.map, let keys = map.keys else { return }
    let names = MappedRows.MapNames.self
    for (index, key) in distinct.keys.enumerated() {
      var columns: [SQLIdentifier] = []
      var paths: [RelationshipPath] = []
      let found = evaluate(rows, nil, notesDependencies: false) {
        expression throws(ExpressionFault) in
        let value = try expression.value(key)
        columns = expression.columns
        paths = expression.paths
        return value
      }
      guard let found else { continue }
      // A relationship has the type of the column that keeps it.
      let reference =
        found.type == .reference
        ? columns.last.flatMap { source.schema.tables[rows.table]?.column($0)?.type } : nil
      guard let type = found.columnType ?? reference ?? found.type.keepingType?.columnType else {
        fault(rows.mapping.name, nil, .indistinct("\(key)"))
        continue
      }
      map.values.append(
        (column: SQLIdentifier("key_\(index + 1)"), type: type, value: found.sql)
      )
      note(columns, paths, decidingRowsOf: rows.mapping.name)
    }
    guard map.values.count == distinct.keys.count else { return }
    var complete = self.rows[rows.mapping.name] ?? rows
    complete.map = map
    complete.choice = choice(distinct, complete)
    set(complete)
    reads.watch(complete.decidingColumns, of: rows.table)
    addDistinctTables(map, keys, complete, target)
    let columns = map.values.map(\.column)
    let values = map.values.map { "\($0.value) AS \($0.column)" as SQLFragment }
    let conditions = rows.conditions.map { " AND \($0)" as SQLFragment }.joined(separator: "")
    let sourceKey: SQLFragment = "\(MappedRows.sourceAlias).\(StorageNames.key)"
    let origin = rows.sourceOrigin(in: schema)
    let found: SQLFragment = "(SELECT \(sourceKey) AS src, \(values.joined(separator: ", "))"
    func joining(_ comparison: SQLFragment, _ filter: SQLFragment) -> RestrictedStatement {
      let equal = columns.map { "known.\($0) \(comparison) found.\($0)" as SQLFragment }
      return RestrictedStatement(
        head: """
          INSERT INTO \(map.members) (\(names.source), \(names.destination)) \
          SELECT found.src, known.\(names.destination) FROM \(found) FROM \(origin) WHERE\u{20}
          """,
        tail: """
          \(conditions)) AS found JOIN \(keys) AS known ON \(equal.joined(separator: " AND "))\
          \(filter) ON CONFLICT DO NOTHING
          """,
        key: sourceKey
      )
    }
    let hasNulls = map.values.contains { !isRequired($0.value, rows) }
    let anyNull = columns.map { "found.\($0) IS NULL" as SQLFragment }.joined(separator: " OR ")
    plan.maps.append(
      IdentityMap(
        mappingName: rows.mapping.name,
        members: map.members,
        source: rows.table,
        domainColumn: StorageNames.key,
        keyType: keyType(of: rows.table, in: source),
        fill: [
          RestrictedStatement(
            head: """
              INSERT INTO \(keys) (\(columns), \(names.destination)) SELECT \(columns), \
              \(allocation(for: target)) FROM (SELECT DISTINCT \
              \(values.joined(separator: ", ")) FROM \(origin) WHERE\u{20}
              """,
            tail: "\(conditions)) AS found ON CONFLICT (\(columns)) DO NOTHING",
            key: sourceKey
          ),
          joining("=", ""),
        ]
          // Rows without a value are few, and no index finds them by comparing.
          + (hasNulls ? [joining("IS NOT DISTINCT FROM", " WHERE \(anyNull)")] : []),
        withdrawal: [
          RestrictedStatement(
            head: "DELETE FROM \(map.members) WHERE ",
            tail: "",
            key: "\(names.source)"
          )
        ],
        dependencies: decidingDependencies(of: complete)
      )
    )
  }

  /// Returns whether a value is that of a column that always has one.
  private func isRequired(_ value: SQLFragment, _ rows: MappedRows) -> Bool {
    guard let column = value.identifiers.last,
      value == "\(MappedRows.sourceAlias).\(column)",
      let contents = source.schema.tables[rows.table]?.column(column)
    else { return false }
    return !contents.isNullable
  }

  private mutating func note(
    _ columns: [SQLIdentifier],
    _ paths: [RelationshipPath],
    decidingRowsOf name: String
  ) {
    guard var rows = rows[name] else { return }
    rows.decidingColumns.formUnion(columns)
    rows.decidingPaths += paths
    set(rows)
  }

  /// Returns which rows of the source may take part or not when rows of other tables have changed.
  private func decidingDependencies(of rows: MappedRows) -> [CopyDependency] {
    rows.decidingPaths.flatMap { path in
      path.sources.map { read in
        let condition = path.condition(that: read, has: "\(changes(of: read.table))", in: schema)
        let table = QualifiedName(schema: schema, name: rows.table)
        return CopyDependency(
          source: read.table,
          units: "SELECT \(StorageNames.key) FROM \(table) WHERE \(condition)"
        )
      }
    }
  }

  private mutating func addDistinctTables(
    _ map: MappedRows.MapNames,
    _ keys: QualifiedName,
    _ rows: MappedRows,
    _ target: SQLIdentifier
  ) {
    let names = MappedRows.MapNames.self
    let targetType = keyType(of: target, in: destination)
    let columns = map.values.map { "\($0.column) \($0.type)" as SQLFragment }
    plan.preparation += [
      statement(
        """
        CREATE TABLE \(keys) (\(columns.joined(separator: ", ")), \
        \(names.destination) \(targetType) NOT NULL PRIMARY KEY, \
        UNIQUE NULLS NOT DISTINCT (\(map.values.map(\.column))))
        """,
        "create the table of the distinct values of entity mapping \"\(rows.mapping.name)\""
      ),
      statement(
        """
        CREATE TABLE \(map.members) (\(names.source) \(keyType(of: rows.table, in: source)) \
        NOT NULL PRIMARY KEY, \(names.destination) \(targetType) NOT NULL)
        """,
        "create the map of the keys of entity mapping \"\(rows.mapping.name)\""
      ),
      statement(
        "CREATE INDEX ON \(map.members) (\(names.destination))",
        "index the map of the keys of entity mapping \"\(rows.mapping.name)\""
      ),
    ]
  }

  /// The order that says which of several rows is taken: nulls come first, as Foundation sorts.
  private mutating func choice(_ distinct: DistinctRows, _ rows: MappedRows) -> [SQLFragment] {
    let isReversed = distinct.conflict == .last
    func ordered(_ value: SQLFragment, _ isDescending: Bool) -> SQLFragment {
      isDescending != isReversed ? "\(value) DESC NULLS LAST" : "\(value) ASC NULLS FIRST"
    }
    var order: [SQLFragment] = []
    for part in distinct.order {
      let value = evaluate(rows, nil, notesDependencies: false) {
        expression throws(ExpressionFault) in try expression.value(part.expression).sql
      }
      if let value { order.append(ordered(value, part.isDescending)) }
    }
    return order + [ordered("\(MappedRows.sourceAlias).\(StorageNames.key)", false)]
  }
}
