internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// What people wrote in SQL around the operations of a step.
struct WrittenStatements {
  /// What runs when all tables are in their places.
  private(set) var closings: [PlannedStatement] = []
  /// The queries for faults that run when the tables which are made are complete.
  private(set) var validations: [PlannedStatement] = []

  private var faults: [MappingFault] = []
  private let names: PlaceholderNames
  private let copied: Set<SQLIdentifier>
  private let mapping: CompleteMapping
  private let schema: SQLIdentifier

  /// Compiles what people wrote.
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - changes: What the operations make of the tables.
  ///   - plan: The copy, whose maps the SQL may name.
  ///   - isBeside: Whether the destination is made beside the source, which stays.
  /// - Throws: Everything in it that cannot be carried out.
  init(
    of mapping: CompleteMapping,
    _ changes: SchemaChanges,
    _ plan: CopyPlan,
    isBeside: Bool
  ) throws(PlanningError) {
    let source = changes.source.projection
    let destination = changes.destination.projection
    self.mapping = mapping
    schema = source.schema.name
    copied = CopyCompiler.copiedTables(mapping.copyScope, in: destination)
    var maps = plan.writtenMaps
    for map in plan.maps { maps[map.mappingName] = map.members }
    func names(at time: PlaceholderNames.Time) -> PlaceholderNames {
      var names = PlaceholderNames(
        source,
        destination,
        mapping,
        stagingSchema: plan.stagingSchema,
        at: time
      )
      names.maps = maps
      return names
    }
    self.names = names(at: isBeside ? .copying : .afterwards(changes))
    for entity in mapping.mappingModel.entityMappings {
      guard let template = entity.policy.statements[.validate] else { continue }
      if isOfCopied(template, destination) {
        if let sql = validation(template, entity, names(at: .copying)) { validations.append(sql) }
      } else if let sql = validation(template, entity, self.names) {
        closings.append(sql)
      }
    }
    for template in mapping.mappingModel.after {
      if let sql = after(template) { closings.append(sql) }
    }
    guard faults.isEmpty else { throw PlanningError(fact: .unmappable(faults)) }
  }

  /// Returns what runs before all else: what people wrote for the beginning, then what the rows are
  /// asked when that has run.
  func openings(
    of plan: CopyPlan,
    asking questions: [PlannedPrecondition]
  ) -> [PlannedStatement] {
    let before = mapping.mappingModel.before.count
    guard before > 0 else { return plan.openings }
    return plan.openings.prefix(before) + questions.map { $0.assertion(in: schema) }
      + plan.openings.dropFirst(before)
  }

  /// Returns whether all that SQL names of the destination is made by a copy.
  private func isOfCopied(_ template: SQLTemplate, _ destination: ModelProjection) -> Bool {
    guard !copied.isEmpty else { return false }
    return template.placeholders.allSatisfy { placeholder in
      switch placeholder {
      case .destinationEntity(let name), .destinationProperty(let name, _):
        destination.model.entity(named: name).flatMap { destination.table(of: $0) }
          .map(copied.contains) ?? true
      case .sourceEntity, .sourceProperty, .map, .chunk: true
      }
    }
  }

  private mutating func after(_ template: SQLTemplate) -> PlannedStatement? {
    var names = names
    guard let text = text(template, "", "after", &names) else { return nil }
    if let fault = WrittenSQL(text.text).fault {
      faults.append(
        .init(mappingName: "", propertyName: nil, fact: .unusableSQL(part: "after", fault))
      )
      return nil
    }
    return PlannedStatement(
      sql: text,
      reason: "run \"after\" of the mapping model",
      impact: impact(names.currentTables, .rowExclusive, Hazard.ofUnknownSQL),
      isWritten: true
    )
  }

  private mutating func text(
    _ template: SQLTemplate,
    _ mappingName: String,
    _ part: String,
    _ names: inout PlaceholderNames
  ) -> SQLFragment? {
    do {
      return try names.parts(of: template).joined(separator: "true")
    } catch {
      faults.append(MappingFault(mappingName: mappingName, propertyName: nil, fact: error.fact))
      return nil
    }
  }

  private func impact(
    _ tables: Set<SQLIdentifier>,
    _ mode: LockMode,
    _ hazards: Set<Hazard>
  ) -> OperationImpact {
    OperationImpact(
      locks: Dictionary(uniqueKeysWithValues: tables.map { ($0, mode) }),
      scans: tables,
      hazards: hazards
    )
  }

  // MARK: - Validations

  private mutating func validation(
    _ template: SQLTemplate,
    _ entity: EntityMapping,
    _ placeholders: PlaceholderNames
  ) -> PlannedStatement? {
    var names = placeholders
    guard let text = text(template, entity.name, "validate", &names) else { return nil }
    let written = WrittenSQL(text.text)
    let fault = written.fault ?? (written.statements.count > 1 ? .severalStatements : nil)
    if let fault {
      faults.append(
        MappingFault(
          mappingName: entity.name,
          propertyName: nil,
          fact: .unusableSQL(part: "validate", fault)
        )
      )
      return nil
    }
    let query = SQLFragment(written: written.statements.joined())
    let message = SQLLiteral.text(
      "the rows do not pass the validation of entity mapping \"\(entity.name)\""
    )
    let body: SQLFragment = """

      #variable_conflict use_column
      DECLARE
        remodel_faults text;
      BEGIN
        SELECT string_agg(remodel_sample.text, E'\\n') INTO remodel_faults FROM (
          SELECT left(to_jsonb(remodel_fault)::text, 400) AS text FROM (
      \(query)
          ) AS remodel_fault LIMIT 5
        ) AS remodel_sample;
        IF remodel_faults IS NOT NULL THEN
          RAISE EXCEPTION USING MESSAGE = \(message), DETAIL = remodel_faults, ERRCODE = '23514';
        END IF;
      END

      """
    return PlannedStatement(
      sql: "DO \(body.dollarQuoted)",
      reason: "run \"validate\" of entity mapping \"\(entity.name)\"",
      impact: impact(names.currentTables, .accessShare, [.failsOnData]),
      isWritten: true
    )
  }
}

extension PlannedPrecondition {
  /// Returns the question as a statement that fails where the rows do not allow it.
  func assertion(in schema: SQLIdentifier) -> PlannedStatement {
    let tables = query.relations(in: schema)
    let message = SQLLiteral.text("the rows do not allow it: \(requirement)")
    let remedy = SQLLiteral.text(remedy)
    let body: SQLFragment = """

      DECLARE
        found record;
      BEGIN
        SELECT * INTO found FROM (\(query)) AS question;
        IF found.count > 0 THEN
          RAISE EXCEPTION USING MESSAGE = \(message), HINT = \(remedy), ERRCODE = '23514',
            DETAIL = concat(found.count, ' in the way. Keys: ', found.keys);
        END IF;
      END

      """
    return PlannedStatement(
      sql: "DO \(body.dollarQuoted)",
      reason: "ask whether \(requirement)",
      impact: OperationImpact(
        locks: Dictionary(uniqueKeysWithValues: tables.map { ($0, .accessShare) }),
        scans: tables,
        hazards: [.failsOnData]
      )
    )
  }
}
