internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The third pass of the compilation: the tables that are copied, and the queries for their rows.
struct TableCompiler {
  private(set) var tables: [CopiedTable] = []
  /// The statements that let authored SQL add rows without keys.
  private(set) var keyStarts: [PlannedStatement] = []
  private(set) var questions: [PlannedPrecondition] = []
  private(set) var notes = CopyNotes()
  private var numberings: Set<NumberLinks> = []

  private let mapped: MappedSource
  private var request: CopyRequest { mapped.request }
  private var destination: ModelProjection { mapped.request.destination }

  init(of mapped: MappedSource) {
    self.mapped = mapped
    for name in request.scope.rootNames.compactMap({ destination.tables[.root(entity: $0)] })
      .sorted()
    {
      if let table = destination.schema.tables[name] { addRootTable(table) }
    }
    for join in request.scope.joins.sorted(by: {
      ($0.entityName, $0.relationshipName) < ($1.entityName, $1.relationshipName)
    }) {
      addJoinTable(join)
    }
  }

  /// The operations that number links once all exist.
  var numbering: [MigrationOperation] {
    numberings.sorted { ($0.table, $0.position) < ($1.table, $1.position) }.map { .numberLinks($0) }
  }

  /// Adds the compiled query of a feed, and returns its dependencies.
  private mutating func add(_ compiler: FeedCompiler) -> CopyNotes {
    questions += compiler.questions
    numberings.formUnion(compiler.numberings)
    notes.add(compiler.notes)
    return compiler.notes
  }

  // MARK: - Root entities

  private mutating func addRootTable(_ table: Table) {
    refuseAlwaysNumbered(table)
    let columns = table.columns.filter { isFilled($0, in: table.name) }
    var feeds: [CopyFeed] = []
    var givenColumns: Set<SQLIdentifier> = []
    var tableNotes = CopyNotes()
    for mapping in request.entityMappings {
      if mapping.makesWrittenRows {
        let target = mapping.destinationEntityName.flatMap { destination.model.entity(named: $0) }
        guard let target, destination.table(of: target) == table.name else { continue }
        if let feed = writtenFeed(of: mapping, in: table.name) { feeds.append(feed) }
      } else if let rows = mapped[mapping.name], rows.targetTable == table.name {
        var compiler = FeedCompiler(mapped, rows, into: table)
        let feed = compiler.feed(columns)
        tableNotes.add(add(compiler))
        for (column, value) in zip(columns, feed.values) where compiler.isGiven(value) {
          givenColumns.insert(column.name)
        }
        feeds.append(feed)
      }
    }
    let key = destination.key(of: table.name)
    tables.append(
      CopiedTable(
        name: table.name,
        staged: request.staged(table.name),
        columns: columns.map(\.name),
        key: [key],
        unit: key,
        unitType: destination.keyType(of: table.name),
        givenColumns: givenColumns,
        overriding: table.overriding,
        types: Dictionary(
          columns.map { ($0.name, $0.type) },
          uniquingKeysWith: { first, _ in first }
        ),
        comparedAsText: Set(columns.filter { !$0.type.hasEquality }.map(\.name)),
        feeds: feeds,
        dependencies: tableNotes.dependencies,
        // A row that has become one of another entity, and has left its partition, may be there twice.
        replacesChangedRows: table.hasUniqueValues || table.partitioning != nil && feeds.count > 1,
        isPartitioned: table.partitioning != nil
      )
    )
  }

  /// Rows that change have all their values with them, which such a column does not take.
  private mutating func refuseAlwaysNumbered(_ table: Table) {
    for column in table.columns
    where column.sequence?.kind == .identityAlways && column.name != table.key {
      guard let subject = destination.columnOrigins[table.name]?[column.name]?.subject else {
        continue
      }
      notes.add(
        MappingFault(
          mappingName: "",
          propertyName: subject.propertyName,
          fact: .numberedAlways(column: column.name.name, entity: subject.entityName)
        )
      )
    }
  }

  /// Returns whether rows have the value of a column with them; the others are computed.
  private func isFilled(_ column: Column, in table: SQLIdentifier) -> Bool {
    if column.generation != nil { return false }
    let place = ColumnReference(table: table, column: column.name)
    return destination.derivations[place].map(\.isStamp) ?? true
  }

  // MARK: - Rows of people's SQL

  /// Compiles the statement that people wrote in place of the one that inserts the rows.
  private mutating func writtenFeed(
    of mapping: EntityMapping,
    in table: SQLIdentifier
  ) -> CopyFeed? {
    let stage = SQLMigrationPolicy.Stage.createDestinationInstances
    guard let template = mapping.policy.statements[stage] else { return nil }
    notes.obstruct("entity mapping \"\(mapping.name)\" has SQL in it")
    refuseExpressions(of: mapping)
    if let start = mapped.keyStart(of: table), !keyStarts.contains(start) {
      keyStarts.append(start)
    }
    let rows = mapped[mapping.name]
    let conditions = rows?.conditions ?? []
    let key = rows?.key ?? destination.key(of: table)
    var parts: [SQLFragment]
    do {
      let text = try PlaceholderNames(mapped, at: .copying)
        .text(of: template, in: mapping, part: stage.rawValue)
      parts = text.parts
      notes.watchKeys(of: text.sources, in: request.source)
    } catch {
      notes.add(error)
      return nil
    }
    let prefix = conditions.map { "\($0) AND " as SQLFragment }.joined(separator: "")
    for index in parts.indices.dropLast() {
      parts[index].append("(\(prefix)")
      parts[index + 1] = ")\(parts[index + 1])"
    }
    let unit: SQLFragment = "\(MappedRows.sourceAlias).\(key)"
    return CopyFeed(
      mappingName: mapping.name,
      values: [],
      origin: rows?.sourceOrigin ?? "\(request.staged(table))",
      unit: unit,
      conditions: conditions,
      choice: [],
      domain: rows?.relation ?? request.staged(table),
      domainColumn: key,
      insertion: RestrictedStatement(parts: parts, key: unit)
    )
  }

  /// The rows get all their values at once.
  private mutating func refuseExpressions(of mapping: EntityMapping) {
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      guard case .expression = property.valueExpression else { continue }
      switch mapping.destinationEntityName.flatMap({ destination.place(of: property.name, $0) }) {
      case .join: continue  // Links of a join table are looked up in any case.
      case .column, nil:
        notes.add(
          MappingFault(
            mappingName: mapping.name,
            propertyName: property.name,
            fact: .writtenByPolicy
          )
        )
      }
    }
  }

  // MARK: - Join tables

  private mutating func addJoinTable(_ join: CopyScope.JoinName) {
    guard let owner = destination.model.entity(named: join.entityName),
      let relationship = owner.relationships.first(where: { $0.name == join.relationshipName }),
      let place = destination.linkPlace(of: relationship, declaredBy: owner),
      let table = destination.schema.tables[place.table]
    else { return }
    var end = (declaringEntity: owner, relationship: relationship)
    var seen = place
    if let inverse = destination.model.inverse(of: relationship), isComputed(inverse),
      !isComputed(end)
    {
      end = inverse
      seen = place.reversed
    }
    var feeds: [CopyFeed] = []
    var tableNotes = CopyNotes()
    for rows in owners(of: end.declaringEntity) {
      var compiler = FeedCompiler(mapped, rows, into: table)
      if let feed = compiler.feed(ofLinks: end.relationship, at: seen) { feeds.append(feed) }
      tableNotes.add(add(compiler))
    }
    tables.append(
      CopiedTable(
        name: table.name,
        staged: request.staged(table.name),
        columns: table.columns.map(\.name),
        key: [place.owner, place.target],
        unit: seen.owner,
        unitType: table.column(seen.owner)?.type ?? "bigint",
        comparedAsText: [],
        feeds: feeds,
        dependencies: tableNotes.dependencies
      )
    )
  }

  private func owners(of entity: EntityDescription) -> [MappedRows] {
    let family = Set(destination.model.family(of: entity).map(\.name))
    return mapped.rows.filter { family.contains($0.target.name) }
  }

  private func isComputed(
    _ end: (declaringEntity: EntityDescription, relationship: RelationshipDescription)
  ) -> Bool {
    owners(of: end.declaringEntity).contains { rows in
      guard case .expression = rows.valueExpression(of: end.relationship.name) else { return false }
      return true
    }
  }
}

extension SQLTypeName {
  /// A Boolean value that indicates whether two values of the type can be compared.
  var hasEquality: Bool {
    let parts = self.parts
    return switch parts.family {
    case .integer, .numeric, .floating, .boolean, .text, .bytea, .date, .time, .timestamp,
      .interval, .uuid, .network, .range, .textSearch:
      true
    // Types of extensions are not known to have it, and json has none.
    case .json: parts.name == "jsonb"
    case .array: SQLTypeName(parts.elementText)?.hasEquality ?? false
    case .other: false
    }
  }
}

extension Table {
  /// A Boolean value that indicates whether rows may not agree in something besides their keys.
  fileprivate var hasUniqueValues: Bool {
    indexes.contains(where: \.isUnique)
      || constraints.contains { constraint in
        constraint.hasIndex && !constraint.isPrimaryKey
      }
  }
}
