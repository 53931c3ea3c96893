internal import ModelMapping
internal import SQLSyntax

/// The keys of rows that are made once for each of some values.
extension CopyCompiler {
  mutating func addDistinctMap(
    of rows: MappedRows,
    _ distinct: DistinctRows,
    _ target: SQLIdentifier
  ) {
    guard var map = rows.map, let keys = map.keys,
      let values = values(distinct, rows)
    else { return }
    map.values = values
    var complete = self.rows[rows.mapping.name] ?? rows
    complete.map = map
    complete.choice = choice(distinct, complete)
    set(complete)
    reads.watch(complete.decidingColumns, of: rows.table)
    addDistinctTables(map, keys, complete, target)
    plan.maps.append(
      IdentityMap(
        mappingName: rows.mapping.name,
        members: map.members,
        source: rows.table,
        domainColumn: rows.key,
        keyType: keyType(of: rows.table, in: source),
        fill: fill(of: map, keys, complete, target),
        withdrawal: [
          RestrictedStatement(
            head: "DELETE FROM \(map.members) WHERE ",
            tail: "",
            key: "\(MappedRows.MapNames.source)"
          )
        ],
        dependencies: decidingDependencies(of: complete)
      )
    )
  }

  /// Returns the values that tell the rows apart, each with the column of the map that keeps it; none
  /// if there is a fault.
  private mutating func values(
    _ distinct: DistinctRows,
    _ rows: MappedRows
  ) -> [(column: SQLIdentifier, type: SQLTypeName, value: SQLFragment)]? {
    var values: [(column: SQLIdentifier, type: SQLTypeName, value: SQLFragment)] = []
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
      values.append((column: SQLIdentifier("key_\(index + 1)"), type: type, value: found.sql))
      note(columns, paths, decidingRowsOf: rows.mapping.name)
    }
    return values.count == distinct.keys.count ? values : nil
  }

  /// Returns what gives a key to each of the values, then that key to each row that has them.
  private mutating func fill(
    of map: MappedRows.MapNames,
    _ keys: QualifiedName,
    _ rows: MappedRows,
    _ target: SQLIdentifier
  ) -> [RestrictedStatement] {
    let names = MappedRows.MapNames.self
    let columns = map.values.map(\.column)
    let values = map.values.map { "\($0.value) AS \($0.column)" as SQLFragment }
      .joined(separator: ", ")
    let conditions = rows.conditions.map { " AND \($0)" as SQLFragment }.joined(separator: "")
    let sourceKey: SQLFragment = "\(MappedRows.sourceAlias).\(rows.key)"
    let origin = rows.sourceOrigin(in: schema)
    func joining(_ comparison: SQLFragment, _ filter: SQLFragment) -> RestrictedStatement {
      let equal = columns.map { "known.\($0) \(comparison) found.\($0)" as SQLFragment }
      return RestrictedStatement(
        head: """
          INSERT INTO \(map.members) (\(names.source), \(names.destination)) \
          SELECT found.src, known.\(names.destination) FROM (SELECT \(sourceKey) AS src, \(values) \
          FROM \(origin) WHERE\u{20}
          """,
        tail: """
          \(conditions)) AS found JOIN \(keys) AS known ON \(equal.joined(separator: " AND "))\
          \(filter) ON CONFLICT DO NOTHING
          """,
        key: sourceKey
      )
    }
    let allocation = RestrictedStatement(
      head: """
        INSERT INTO \(keys) (\(columns), \(names.destination)) SELECT \(columns), \
        \(allocation(for: target, rows)) FROM (SELECT DISTINCT \(values) FROM \(origin) WHERE\u{20}
        """,
      tail: "\(conditions)) AS found ON CONFLICT (\(columns)) DO NOTHING",
      key: sourceKey
    )
    let required = map.values.allSatisfy { isRequired($0.value, rows) }
    guard !required else { return [allocation, joining("=", "")] }
    // Rows without a value are few, and no index finds them by comparing.
    let anyNull = columns.map { "found.\($0) IS NULL" as SQLFragment }.joined(separator: " OR ")
    return [
      allocation, joining("=", ""), joining("IS NOT DISTINCT FROM", " WHERE \(anyNull)"),
    ]
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
    return order + [ordered("\(MappedRows.sourceAlias).\(rows.key)", false)]
  }
}
