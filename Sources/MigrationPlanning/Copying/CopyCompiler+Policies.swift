internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// What people wrote in SQL: the stages of entity mappings, and what comes before all of them.
extension CopyCompiler {
  /// Compiles all that is not the making of rows.
  mutating func addPolicies() {
    let mappings = mapping.mappingModel.entityMappings
    plan.mappingNames = mappings.map(\.name)
    for template in mapping.mappingModel.before {
      obstruct("the mapping model has SQL of its own")
      guard let sql = written(template, nil, "before") else { continue }
      plan.openings.append(sql)
    }
    for entity in mappings {
      // What is written after it was asked for would not be found.
      if entity.policy.statements[.validate] != nil {
        obstruct("entity mapping \"\(entity.name)\" has a validation")
      }
      plan.openings += stage(.begin, of: entity)
    }
    // Core Data goes over all mappings for the rows, then over all of them for their relationships.
    for entity in mappings { plan.closings += stage(.endInstanceCreation, of: entity) }
    for entity in mappings {
      plan.closings += stage(.createRelationships, of: entity)
      plan.closings += stage(.endRelationshipCreation, of: entity)
    }
    for entity in mappings { plan.closings += stage(.end, of: entity) }
    for entity in mappings {
      for name in entity.dependsOn {
        guard let table = source.model.entity(named: name).flatMap({ source.table(of: $0) }) else {
          continue
        }
        reads.watch([source.key(of: table)], of: table)
      }
    }
  }

  private mutating func stage(
    _ stage: SQLMigrationPolicy.Stage,
    of entity: EntityMapping
  ) -> [PlannedStatement] {
    guard let template = entity.policy.statements[stage] else { return [] }
    obstruct("entity mapping \"\(entity.name)\" has SQL in it")
    return written(template, entity, stage.rawValue).map { [$0] } ?? []
  }

  // MARK: - Texts

  /// Returns a statement of SQL that people wrote; none if there is a fault.
  private mutating func written(
    _ template: SQLTemplate,
    _ entity: EntityMapping?,
    _ part: String
  ) -> PlannedStatement? {
    guard let (parts, tables) = parts(of: template, entity?.name ?? "", part) else { return nil }
    let subject = entity.map { "of entity mapping \"\($0.name)\"" } ?? "of the mapping model"
    // What it does is its own affair; writing is the most that it should.
    let mode: LockMode = entity == nil ? .rowExclusive : .accessShare
    return PlannedStatement(
      sql: parts.joined(separator: "true"),
      reason: "run \"\(part)\" \(subject)",
      impact: OperationImpact(
        locks: Dictionary(uniqueKeysWithValues: tables.map { ($0, mode) }),
        scans: tables,
        hazards: Hazard.ofUnknownSQL
      ),
      isWritten: true
    )
  }

  /// Returns SQL that people wrote, cut at the condition, and the tables of the source that it names.
  private mutating func parts(
    of template: SQLTemplate,
    _ name: String,
    _ part: String
  ) -> (parts: [SQLFragment], tables: Set<SQLIdentifier>)? {
    var names = PlaceholderNames(
      source,
      destination,
      mapping,
      stagingSchema: plan.stagingSchema,
      at: .copying
    )
    names.maps = rows.compactMapValues { $0.map?.members }
    do {
      let parts = try names.parts(of: template)
      for table in names.namedTables { reads.watch([source.key(of: table)], of: table) }
      if let fault = WrittenSQL(parts.joined(separator: "true").text).fault {
        self.fault(name, nil, .unusableSQL(part: part, fault))
        return nil
      }
      return (parts, names.namedTables)
    } catch {
      fault(name, nil, error.fact)
      return nil
    }
  }

  // MARK: - Rows

  /// Returns whether any SQL of the mapping model names the map of a mapping.
  func namesMap(of entity: EntityMapping) -> Bool {
    let model = mapping.mappingModel
    let templates =
      model.before + model.after
      + model.entityMappings.flatMap { $0.policy.statements.values }
    return templates.contains { $0.placeholders.contains(.map(entity.name)) }
  }

  /// Compiles the map of a mapping whose rows people's SQL makes: it fills the map, too.
  mutating func addWrittenMap(of rows: MappedRows, _ target: SQLIdentifier) {
    guard let map = rows.map else { return }
    let names = MappedRows.MapNames.self
    plan.writtenMaps[rows.mapping.name] = map.members
    plan.preparation.append(
      statement(
        """
        CREATE TABLE \(map.members) (\(names.source) \(keyType(of: rows.table, in: source)) \
        NOT NULL, \(names.destination) \(keyType(of: target, in: destination)) NOT NULL, \
        PRIMARY KEY (\(names.source), \(names.destination)))
        """,
        "create the map of the keys of entity mapping \"\(rows.mapping.name)\""
      )
    )
  }

  /// Compiles the statement that people wrote in place of the one that inserts the rows.
  mutating func writtenFeed(of entity: EntityMapping, in table: SQLIdentifier) -> CopyFeed? {
    let stage = SQLMigrationPolicy.Stage.createDestinationInstances
    guard let template = entity.policy.statements[stage] else { return nil }
    obstruct("entity mapping \"\(entity.name)\" has SQL in it")
    refuseExpressions(of: entity)
    startKeys(of: table)
    guard let (parts, _) = parts(of: template, entity.name, stage.rawValue) else { return nil }
    let staged = QualifiedName(schema: plan.stagingSchema, name: table)
    let rows = rows[entity.name]
    let conditions = (rows?.conditions ?? []).map { "\($0) AND " as SQLFragment }
      .joined(separator: "")
    var restricted = parts
    for index in restricted.indices.dropLast() {
      restricted[index].append("(\(conditions)")
      restricted[index + 1] = ")\(restricted[index + 1])"
    }
    return CopyFeed(
      mappingName: entity.name,
      values: [],
      origin: rows?.sourceOrigin(in: schema) ?? "\(staged)",
      unit: "\(MappedRows.sourceAlias).\(rows?.key ?? destination.key(of: table))",
      conditions: rows?.conditions ?? [],
      choice: [],
      domain: rows.map { source.schema.qualified($0.table) } ?? staged,
      domainColumn: rows?.key ?? destination.key(of: table),
      insertion: RestrictedStatement(
        parts: restricted,
        key: "\(MappedRows.sourceAlias).\(rows?.key ?? destination.key(of: table))"
      )
    )
  }

  /// The rows get all their values at once.
  private mutating func refuseExpressions(of entity: EntityMapping) {
    for property in entity.attributeMappings + entity.relationshipMappings {
      guard case .expression = property.valueExpression else { continue }
      let isLink: Bool
      switch entity.destinationEntityName.flatMap({ destination.place(of: property.name, $0) }) {
      case .join: isLink = true
      case .column, nil: isLink = false
      }
      // Links of a join table are looked up as ever.
      if !isLink { fault(entity.name, property.name, .writtenByPolicy) }
    }
  }

  /// No key that was given in the source is given again in a destination beside it.
  mutating func startAllKeys() {
    plan.keyStarts = []
    for table in plan.tables { startKeys(of: table.name) }
    plan.preparation += plan.keyStarts
    plan.keyStarts = []
  }

  /// A row that is made without a key gets one above all that there were.
  private mutating func startKeys(of table: SQLIdentifier) {
    guard let former = formerSequence(of: table),
      let own = destination.schema.tables[table]?.column(destination.key(of: table))?
        .identitySequence
    else { return }
    let name = SQLLiteral.text(QualifiedName(schema: plan.stagingSchema, name: own).quoted)
    let known = source.schema.qualified(former)
    let start = statement(
      "SELECT pg_catalog.setval(\(name), last_value, is_called) FROM \(known)",
      "let the keys of table \"\(table)\" begin above all that there were"
    )
    if !plan.keyStarts.contains(start) { plan.keyStarts.append(start) }
  }
}

extension EntityMapping {
  /// A Boolean value that indicates whether people's SQL makes the rows.
  var makesWrittenRows: Bool { policy.statements[.createDestinationInstances] != nil }

  /// A Boolean value that indicates whether people's SQL makes the links.
  var makesWrittenLinks: Bool { policy.statements[.createRelationships] != nil }
}
