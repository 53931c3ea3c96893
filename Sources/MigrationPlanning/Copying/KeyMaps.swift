internal import ModelMapping
internal import SQLSyntax

/// The second pass of the compilation: the maps that give new keys to rows that cannot keep their
/// own, and the rows of policies in code.
struct KeyMaps {
  /// The statements that create the tables of the maps.
  private(set) var preparation: [PlannedStatement] = []
  private(set) var maps: [IdentityMap] = []
  /// The maps that people's SQL or code fills, by the names of their entity mappings.
  private(set) var writtenMaps: [String: QualifiedName] = [:]
  private(set) var rowPolicies: [RowPolicy] = []
  private(set) var notes = CopyNotes()

  private let mapped: MappedSource
  private var request: CopyRequest { mapped.request }

  init(of mapped: MappedSource) {
    self.mapped = mapped
    for rows in mapped.rows {
      do {
        if let map = rows.map { try add(map, of: rows) }
        if let compiled = try CompiledRowPolicy(of: rows, in: mapped) { add(compiled, of: rows) }
      } catch {
        notes.add(error)
      }
    }
  }

  private mutating func add(_ map: MappedRows.MapNames, of rows: MappedRows) throws(MappingFault) {
    notes.watchDecisions(of: rows)
    // The policy fills it.
    if rows.mapping.countsRowsInCode { return }
    if rows.mapping.makesWrittenRows {
      addWrittenMap(map, of: rows)
    } else if let keys = map.keys {
      guard map.values.count == rows.mapping.distinct?.keys.count else { return }
      try addDistinctMap(map, keys, of: rows)
    } else {
      try addRowMap(map, of: rows)
    }
  }

  private mutating func add(_ compiled: CompiledRowPolicy, of rows: MappedRows) {
    let policy = compiled.policy
    notes.obstruct(
      "rows of entity mapping \"\(policy.mappingName)\" pass through policy "
        + "\"\(policy.policyClassName)\""
    )
    notes.watchDecisions(of: rows)
    notes.watch(compiled.readColumns, of: rows.table)
    for argument in compiled.arguments { notes.add(argument, of: rows, dependsOnPaths: false) }
    preparation += compiled.preparation
    if rows.mapping.countsRowsInCode { writtenMaps[policy.mappingName] = policy.table }
    rowPolicies.append(policy)
  }

  private func sourceType(_ rows: MappedRows) -> SQLTypeName {
    request.source.keyType(of: rows.table)
  }
  private func targetType(_ rows: MappedRows) -> SQLTypeName {
    request.destination.keyType(of: rows.targetTable)
  }

  private mutating func prepare(_ sql: SQLFragment, _ action: String, _ rows: MappedRows) {
    preparation.append(
      PlannedStatement(sql: sql, reason: "\(action) of entity mapping \"\(rows.mapping.name)\"")
    )
  }

  private mutating func addMap(
    _ map: MappedRows.MapNames,
    of rows: MappedRows,
    fill: [RestrictedStatement],
    withdrawal: [RestrictedStatement],
    dependencies: [CopyDependency] = []
  ) {
    let deciding = rows.decidingPaths.flatMap { path in
      path.sources.map { read in
        let changes = CopySource.changes(of: read.table)
        let condition = path.condition(that: read, has: "\(changes)", in: request.schema)
        return CopyDependency(
          source: read.table,
          units: "SELECT \(rows.key) FROM \(rows.relation) WHERE \(condition)"
        )
      }
    }
    maps.append(
      IdentityMap(
        mappingName: rows.mapping.name,
        members: map.members,
        source: rows.table,
        domainColumn: rows.key,
        keyType: sourceType(rows),
        fill: fill,
        withdrawal: withdrawal,
        dependencies: deciding + dependencies
      )
    )
  }

  private typealias Names = MappedRows.MapNames

  /// Adds the map of a mapping whose rows authored SQL creates, which fills the map, too.
  private mutating func addWrittenMap(_ map: MappedRows.MapNames, of rows: MappedRows) {
    writtenMaps[rows.mapping.name] = map.members
    prepare(
      """
      CREATE TABLE \(map.members) (\(Names.source) \(sourceType(rows)) \
      NOT NULL, \(Names.destination) \(targetType(rows)) NOT NULL, \
      PRIMARY KEY (\(Names.source), \(Names.destination)))
      """,
      "create the map of the keys",
      rows
    )
  }

  // MARK: - A key for each row

  private mutating func addRowMap(
    _ map: MappedRows.MapNames,
    of rows: MappedRows
  ) throws(MappingFault) {
    let allocation = try mapped.allocation(for: rows)
    let eachColumn: SQLFragment =
      rows.each.map { ", \(Names.each) \(request.source.keyType(of: $0.table)) NOT NULL" } ?? ""
    let key = rows.each == nil ? [Names.source] : [Names.source, Names.each]
    prepare(
      """
      CREATE TABLE \(map.members) (\(Names.source) \(sourceType(rows)) NOT NULL\(eachColumn), \
      \(Names.destination) \(targetType(rows)) NOT NULL UNIQUE, PRIMARY KEY (\(key)))
      """,
      "create the map of the keys",
      rows
    )
    let eachKey = rows.each.map { "\(MappedRows.eachAlias).\($0.key)" as SQLFragment }
    let values = [rows.sourceKey] + [eachKey].compactMap(\.self)
    let known = zip(key, values).map { "known.\($0) = \($1)" as SQLFragment }
    addMap(
      map,
      of: rows,
      fill: [
        RestrictedStatement(
          head: """
            INSERT INTO \(map.members) (\(key), \(Names.destination)) \
            SELECT \(values.joined(separator: ", ")), \(allocation) \
            FROM \(rows.sourceOrigin) WHERE NOT EXISTS (SELECT FROM \
            \(map.members) AS known WHERE \(known.joined(separator: " AND "))) AND\u{20}
            """,
          tail: "\(rows.furtherConditions) ON CONFLICT DO NOTHING",
          key: rows.sourceKey
        )
      ],
      withdrawal: withdrawal(of: rows, map),
      // Pairs follow their links.
      dependencies: rows.each.map { each in
        let changes = CopySource.changes(of: each.place.table)
        return [
          CopyDependency(
            source: each.place.table,
            units: "SELECT \(each.place.owner) FROM \(changes)"
          )
        ]
      } ?? []
    )
  }

  /// A pair without its link is removed, and others must not find rows that no longer take part;
  /// all others keep their keys.
  private func withdrawal(
    of rows: MappedRows,
    _ map: MappedRows.MapNames
  ) -> [RestrictedStatement] {
    guard rows.each != nil || !rows.conditions.isEmpty else { return [] }
    let each: SQLFragment =
      rows.each.map { " AND \(MappedRows.eachAlias).\($0.key) = known.\(Names.each)" } ?? ""
    return [
      RestrictedStatement(
        head: """
          DELETE FROM \(map.members) AS known WHERE NOT EXISTS (SELECT FROM \
          \(rows.sourceOrigin) WHERE \(rows.sourceKey) = \
          known.\(Names.source)\(each)\(rows.furtherConditions)) AND\u{20}
          """,
        tail: "",
        key: "known.\(Names.source)"
      )
    ]
  }

  // MARK: - A key for each of some values

  private mutating func addDistinctMap(
    _ map: MappedRows.MapNames,
    _ keys: QualifiedName,
    of rows: MappedRows
  ) throws(MappingFault) {
    let fill = try fill(of: map, keys, rows)
    let columns = map.values.map { "\($0.column) \($0.type)" as SQLFragment }
    prepare(
      """
      CREATE TABLE \(keys) (\(columns.joined(separator: ", ")), \
      \(Names.destination) \(targetType(rows)) NOT NULL PRIMARY KEY, \
      UNIQUE NULLS NOT DISTINCT (\(map.values.map(\.column))))
      """,
      "create the table of the distinct values",
      rows
    )
    prepare(
      """
      CREATE TABLE \(map.members) (\(Names.source) \(sourceType(rows)) \
      NOT NULL PRIMARY KEY, \(Names.destination) \(targetType(rows)) NOT NULL)
      """,
      "create the map of the keys",
      rows
    )
    prepare(
      "CREATE INDEX ON \(map.members) (\(Names.destination))",
      "index the map of the keys",
      rows
    )
    addMap(
      map,
      of: rows,
      fill: fill,
      withdrawal: [
        RestrictedStatement(
          head: "DELETE FROM \(map.members) WHERE ",
          tail: "",
          key: "\(Names.source)"
        )
      ]
    )
  }

  /// Returns the statements that give a key to each of the values, then that key to each row that
  /// has them.
  private func fill(
    of map: MappedRows.MapNames,
    _ keys: QualifiedName,
    _ rows: MappedRows
  ) throws(MappingFault) -> [RestrictedStatement] {
    let columns = map.values.map(\.column)
    let values = map.values.map { "\($0.value) AS \($0.column)" as SQLFragment }
      .joined(separator: ", ")
    func joining(_ comparison: SQLFragment, _ filter: SQLFragment) -> RestrictedStatement {
      let equal = columns.map { "known.\($0) \(comparison) found.\($0)" as SQLFragment }
      return RestrictedStatement(
        head: """
          INSERT INTO \(map.members) (\(Names.source), \(Names.destination)) \
          SELECT found.src, known.\(Names.destination) FROM (SELECT \(rows.sourceKey) AS src, \
          \(values) FROM \(rows.sourceOrigin) WHERE\u{20}
          """,
        tail: """
          \(rows.furtherConditions)) AS found JOIN \(keys) AS known \
          ON \(equal.joined(separator: " AND "))\(filter) ON CONFLICT DO NOTHING
          """,
        key: rows.sourceKey
      )
    }
    let allocation = RestrictedStatement(
      head: """
        INSERT INTO \(keys) (\(columns), \(Names.destination)) SELECT \(columns), \
        \(try mapped.allocation(for: rows)) FROM (SELECT DISTINCT \(values) \
        FROM \(rows.sourceOrigin) WHERE\u{20}
        """,
      tail: "\(rows.furtherConditions)) AS found ON CONFLICT (\(columns)) DO NOTHING",
      key: rows.sourceKey
    )
    let statements = [allocation, joining("=", "")]
    guard !map.values.allSatisfy({ rows.isRequiredColumn($0.value, in: request.source) }) else {
      return statements
    }
    // Rows without a value are few, and no index finds them by comparing.
    let anyNull = columns.map { "found.\($0) IS NULL" as SQLFragment }.joined(separator: " OR ")
    return statements + [joining("IS NOT DISTINCT FROM", " WHERE \(anyNull)")]
  }
}
