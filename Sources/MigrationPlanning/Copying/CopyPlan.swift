package import SQLSyntax

/// The part of a step that rebuilds tables: the server computes their rows from those of the source
/// by a mapping.
///
/// It adds the tables in a schema of their own, fills and compares them, and moves them into place
/// at the end; until then, readers and writers use the old tables.
package struct CopyPlan: Hashable, Sendable {
  /// The schema that the tables of the source are in.
  package let schema: SQLIdentifier
  /// The schema of the tables until they are moved into place.
  ///
  /// It contains all other objects that the copy needs, and nothing else.
  package let stagingSchema: SQLIdentifier
  /// The tables of the source whose rows matter.
  package let sources: [CopySource]
  /// The keys of rows that cannot keep those that they had, in the order in which they are given.
  package let maps: [IdentityMap]
  /// The rows that pass through policies in code, which is done when all maps are filled.
  package let rowPolicies: [RowPolicy]
  /// The tables that are copied.
  package let tables: [CopiedTable]
  /// The statements that create the schema, the bare tables and the tables of the maps.
  package let preparation: [PlannedStatement]
  /// Authored SQL that runs once before the first row is copied.
  package let openings: [PlannedStatement]
  /// The statements that run once when all maps are filled: rows that authored SQL adds without a
  /// key get one above all existing keys.
  package let keyStarts: [PlannedStatement]
  /// The names of the entity mappings, in their order.
  package let mappingNames: [String]
  /// The maps of keys that people's SQL fills, by the names of their entity mappings.
  package let writtenMaps: [String: QualifiedName]
  /// Authored SQL that runs once after the last row is copied.
  package let closings: [PlannedStatement]
  /// Statements that fail where a query of people's finds a fault.
  package let validations: [PlannedStatement]
  /// The statements that give filled tables their primary keys, if they have none from the beginning.
  package let keys: [PlannedStatement]
  /// The statements that create the other indexes of the filled tables, and the constraints that do not
  /// refer to tables which are changed only at the end.
  package let completion: [PlannedStatement]
  /// The foreign keys from and to copied tables which are validated when all is in its place.
  package let unvalidatedReferences: [UnvalidatedReference]
  /// The parts that the tables get from those that they replace, before they replace them.
  package let carriedParts: [CarriedPart]
  /// The first reason why the service cannot write during the copy; `nil` if it can.
  package let onlineObstacle: String?
  /// The tables with columns that are filled in place of any copy.
  package let fills: [FilledTable]

  /// Creates a plan.
  package init(
    schema: SQLIdentifier,
    stagingSchema: SQLIdentifier,
    sources: [CopySource],
    maps: [IdentityMap],
    rowPolicies: [RowPolicy] = [],
    tables: [CopiedTable],
    preparation: [PlannedStatement] = [],
    openings: [PlannedStatement] = [],
    keyStarts: [PlannedStatement] = [],
    mappingNames: [String] = [],
    writtenMaps: [String: QualifiedName] = [:],
    closings: [PlannedStatement] = [],
    validations: [PlannedStatement] = [],
    keys: [PlannedStatement] = [],
    completion: [PlannedStatement] = [],
    unvalidatedReferences: [UnvalidatedReference] = [],
    carriedParts: [CarriedPart] = [],
    onlineObstacle: String? = nil,
    fills: [FilledTable] = []
  ) {
    self.schema = schema
    self.stagingSchema = stagingSchema
    self.sources = sources
    self.maps = maps
    self.rowPolicies = rowPolicies
    self.tables = tables
    self.preparation = preparation
    self.openings = openings
    self.keyStarts = keyStarts
    self.mappingNames = mappingNames
    self.writtenMaps = writtenMaps
    self.closings = closings
    self.validations = validations
    self.keys = keys
    self.completion = completion
    self.unvalidatedReferences = unvalidatedReferences
    self.carriedParts = carriedParts
    self.onlineObstacle = onlineObstacle
    self.fills = fills
  }

  // MARK: - Order

  /// The first entity mapping whose rows authored SQL creates; `nil` if the server computes all.
  package var writtenMappingName: String? {
    orderedFeeds.first { $0.feed.insertion != nil }?.feed.mappingName
  }

  /// The first entity mapping whose policy uses the migration manager.
  package var managedMappingName: String? { rowPolicies.first(where: \.usesManager)?.mappingName }

  /// The feeds in the order in which they run.
  ///
  /// Values that the server computes need no order. Authored SQL runs in the order of the entity
  /// mappings, so that it sees the rows of earlier ones; feeds that look up rows of such SQL run
  /// after it.
  package var orderedFeeds: [(table: CopiedTable, feed: CopyFeed)] {
    let all = tables.flatMap { table in table.feeds.map { (table: table, feed: $0) } }
    let written = all.filter { $0.feed.insertion != nil }
    guard !written.isEmpty else { return all }
    var pending = all.enumerated().sorted { first, second in
      let positions = (position(of: first.element), position(of: second.element))
      return positions.0 == positions.1
        ? first.offset < second.offset : positions.0 < positions.1
    }.map(\.element)
    var missing = written.map { result(of: $0) }
    var ordered: [(table: CopiedTable, feed: CopyFeed)] = []
    while let next = pending.firstIndex(where: { isReady($0, missing) }) {
      let entry = pending.remove(at: next)
      if entry.feed.insertion != nil, let done = missing.firstIndex(of: result(of: entry)) {
        missing.remove(at: done)
      }
      ordered.append(entry)
    }
    return ordered + pending
  }

  /// Links of join tables follow all rows.
  private func position(of entry: (table: CopiedTable, feed: CopyFeed)) -> Int {
    let index = mappingNames.firstIndex(of: entry.feed.mappingName) ?? mappingNames.count
    return entry.table.key.count > 1 ? mappingNames.count + 1 + index : index
  }

  /// The relation in which others find the rows that authored SQL creates: the map of their keys,
  /// or the table.
  private func result(of entry: (table: CopiedTable, feed: CopyFeed)) -> SQLIdentifier {
    writtenMaps[entry.feed.mappingName]?.name ?? entry.table.staged.name
  }

  private func isReady(
    _ entry: (table: CopiedTable, feed: CopyFeed),
    _ missing: [SQLIdentifier]
  ) -> Bool {
    guard entry.feed.insertion == nil else { return true }
    let names = Set(entry.feed.query().identifiers)
    let schemas = Set(writtenMaps.values.map(\.schema)).union(tables.map(\.staged.schema))
    return names.isDisjoint(with: schemas) || names.isDisjoint(with: missing)
  }

  // MARK: - Statements

  /// The statements that fill the tables at once, without concurrent writers, and add their keys.
  var fillStatements: [PlannedStatement] {
    var statements = openings
    for map in maps {
      statements += map.fill.map {
        filling(
          $0.sql { _ in "true" },
          "give new keys by entity mapping \"\(map.mappingName)\"",
          reading: [map.source],
          [.fill(map.members, from: qualified(map.source), .newKeys)],
          StatementPlace(before: .init(table: map.source))
        )
      }
      statements.append(
        PlannedStatement(
          sql: "ANALYZE \(map.members)",
          reason: "gather statistics of the map of entity mapping \"\(map.mappingName)\""
        )
      )
    }
    for rowPolicy in rowPolicies where rowPolicy.creatorName == nil {
      var planned = rowPolicy.planned
      planned.rowWork = [.fill(rowPolicy.table, from: qualified(rowPolicy.source), .policy)]
      statements.append(planned)
      statements.append(
        PlannedStatement(
          sql: "ANALYZE \(rowPolicy.table)",
          reason: "gather statistics of what policy \"\(rowPolicy.policyClassName)\" has made"
        )
      )
    }
    statements += keyStarts
    for (table, feed) in orderedFeeds {
      let sql = feed.insertion.map { $0.sql { _ in "true" } } ?? insertion(of: feed, into: table)
      let read = sql.relations(in: schema)
      statements.append(
        filling(
          sql,
          "copy rows to table \"\(table.name)\" by entity mapping \"\(feed.mappingName)\"",
          reading: sources.map(\.table).filter(read.contains),
          work(on: table, by: feed),
          StatementPlace(made: table.name),
          isWritten: feed.insertion != nil
        )
      )
    }
    return statements + closings + keys + fills.map(filling)
  }

  private func insertion(of feed: CopyFeed, into table: CopiedTable) -> SQLFragment {
    "INSERT INTO \(table.staged) (\(table.columns))\(table.overriding)\n\(feed.query())"
  }

  /// The statement that removes the rest of the copy once the tables are in place.
  var removal: PlannedStatement { Self.removal(of: stagingSchema) }

  /// Returns the statement that removes the schema of the maps of keys.
  static func removal(of schema: SQLIdentifier) -> PlannedStatement {
    PlannedStatement(
      sql: "DROP SCHEMA \(schema) CASCADE",
      reason: "drop schema \"\(schema)\" with the maps of keys"
    )
  }

  private func filling(
    _ sql: SQLFragment,
    _ reason: String,
    reading tables: [SQLIdentifier],
    _ work: [RowWork],
    _ place: StatementPlace,
    isWritten: Bool = false
  ) -> PlannedStatement {
    PlannedStatement(
      sql: sql,
      reason: reason,
      impact: OperationImpact(
        locks: Dictionary(uniqueKeysWithValues: tables.map { ($0, .accessShare) }),
        scans: Set(tables),
        hazards: isWritten ? Hazard.ofUnknownSQL : []
      ),
      isWritten: isWritten,
      rowWork: work,
      places: [place]
    )
  }

  private func qualified(_ table: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: schema, name: table)
  }

  /// Returns the work on the sources of the rows that a feed gives a table.
  private func work(on table: CopiedTable, by feed: CopyFeed) -> [RowWork] {
    let map = maps.first { $0.mappingName == feed.mappingName }?.source
    let rowPolicy = rowPolicies.first { $0.mappingName == feed.mappingName }?.source
    let isPlain = map == nil && rowPolicy == nil && feed.domain.schema == schema
    let origin = map ?? rowPolicy ?? (isPlain ? feed.domain.name : sources.first?.table)
    return origin.map { [.fill(table.staged, from: qualified($0), isPlain ? .rows : .mappedRows)] }
      ?? []
  }

  // MARK: - Fingerprint

  /// Passes on every statement and every name that the copy depends on.
  func addFingerprint(to add: (String) -> Void) {
    // To be raised with every change of how changes are captured and copied again.
    add("copy:3")
    add(schema.name)
    add(stagingSchema.name)
    for statement in preparation + openings + keyStarts + closings + validations + keys + completion
    {
      add(statement.sql.text)
    }
    for source in sources {
      add(source.table.name)
      for column in source.key + source.carried { add("\(column.name.name) \(column.type.text)") }
      for column in source.watched { add(column.name) }
      add(source.isWatchedWhole ? "whole" : "part")
      if source.isPartitioned { add("partitioned") }
    }
    for map in maps {
      add("\(map.mappingName) \(map.members.quoted) \(map.source.name) \(map.domainColumn.name)")
      for statement in map.fill { add(statement.sql { $0 }.text) }
      for statement in map.withdrawal { add(statement.sql { $0 }.text) }
      for dependency in map.dependencies {
        add("\(dependency.source.name) \(dependency.units.text)")
      }
    }
    for rowPolicy in rowPolicies { rowPolicy.addFingerprint(to: add) }
    for fill in fills { for sql in FillStatements(of: fill, in: self).all { add(sql.text) } }
    for table in tables {
      add("\(table.name.name) \(table.unit.name) \(table.unitType.text)")
      for column in table.columns + table.key + table.comparedAsText.sorted() { add(column.name) }
      for feed in table.feeds {
        add("\(feed.mappingName) \(feed.domain.quoted) \(feed.domainColumn.name)")
        add(feed.query().text)
        add(feed.insertion?.sql { $0 }.text ?? "")
      }
      for dependency in table.dependencies {
        add(dependency.source.name)
        add(dependency.units.text)
      }
    }
  }
}
