internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The fourth pass of the compilation: authored SQL that runs before and after the rows are copied,
/// while the tables of the source are unchanged.
struct WrittenStages {
  /// The statements that run once before the first row is copied.
  private(set) var openings: [PlannedStatement] = []
  /// The statements that run once after the last row is copied.
  private(set) var closings: [PlannedStatement] = []
  private(set) var notes = CopyNotes()

  private let names: PlaceholderNames
  private let source: ModelProjection

  init(of mapped: MappedSource) {
    names = PlaceholderNames(mapped, at: .copying)
    source = mapped.request.source
    let mappings = mapped.request.entityMappings
    for template in mapped.request.mapping.mappingModel.before {
      notes.obstruct("the mapping model has SQL of its own")
      openings += statements(template, nil, "before")
    }
    for mapping in mappings {
      // Rows written after the check would not be found.
      if mapping.policy.statements[.validate] != nil {
        notes.obstruct("entity mapping \"\(mapping.name)\" has a validation")
      }
      openings += statements(.begin, of: mapping)
    }
    // Core Data processes the rows of all mappings, then the relationships of all of them.
    for mapping in mappings { closings += statements(.endInstanceCreation, of: mapping) }
    for mapping in mappings {
      closings += statements(.createRelationships, of: mapping)
      closings += statements(.endRelationshipCreation, of: mapping)
    }
    for mapping in mappings { closings += statements(.end, of: mapping) }
    for name in mappings.flatMap(\.dependsOn) {
      notes.watchKeys(
        of: [source.model.entity(named: name).flatMap { source.table(of: $0) }].compactMap(\.self),
        in: source
      )
    }
  }

  private mutating func statements(
    _ stage: SQLMigrationPolicy.Stage,
    of mapping: EntityMapping
  ) -> [PlannedStatement] {
    guard let template = mapping.policy.statements[stage] else { return [] }
    notes.obstruct("entity mapping \"\(mapping.name)\" has SQL in it")
    return statements(template, mapping, stage.rawValue)
  }

  private mutating func statements(
    _ template: SQLTemplate,
    _ mapping: EntityMapping?,
    _ part: String
  ) -> [PlannedStatement] {
    do {
      let text = try names.text(of: template, in: mapping, part: part)
      notes.watchKeys(of: text.sources, in: source)
      return [PlannedStatement(written: text.whole, part, of: mapping, on: text.sources)]
    } catch {
      notes.add(error)
      return []
    }
  }
}

/// Authored SQL that runs when the copied tables are complete, or in place.
struct WrittenStatements {
  /// The statements that run when all tables are in place.
  private(set) var closings: [PlannedStatement] = []
  /// The queries for faults that run when the copied tables are complete.
  private(set) var validations: [PlannedStatement] = []

  private let copy: CompiledCopy

  /// Compiles authored SQL.
  ///
  /// - Parameters:
  ///   - copy: The copy, whose maps the SQL may name.
  ///   - changes: The changes of the tables.
  /// - Throws: All faults in it.
  init(of copy: CompiledCopy, _ changes: SchemaChanges) throws(PlanningError) {
    self.copy = copy
    var faults: [MappingFault] = []
    let model = copy.request.mapping.mappingModel
    let copying = PlaceholderNames(copy.mapped, at: .copying)
    let afterwards =
      copy.request.isBeside ? copying : PlaceholderNames(copy.mapped, at: .afterwards(changes))
    let copied = copy.request.copiedTables
    for mapping in model.entityMappings {
      guard let template = mapping.policy.statements[.validate] else { continue }
      do {
        if Self.isOf(copied, template, copy.request.destination) {
          validations.append(try Self.validation(template, mapping, copying))
        } else {
          closings.append(try Self.validation(template, mapping, afterwards))
        }
      } catch {
        faults.append(error)
      }
    }
    for template in model.after {
      do {
        let text = try afterwards.text(of: template, in: nil, part: "after")
        closings.append(
          PlannedStatement(written: text.whole, "after", of: nil, on: text.currentTables)
        )
      } catch {
        faults.append(error)
      }
    }
    guard faults.isEmpty else { throw PlanningError(fact: .unmappable(faults)) }
  }

  /// Returns the first statements: authored SQL for the beginning, then the preconditions on the
  /// rows after it.
  func openings(asking questions: [PlannedPrecondition]) -> [PlannedStatement] {
    let openings = copy.written.openings
    let before = copy.request.mapping.mappingModel.before.count
    guard before > 0 else { return openings }
    return openings.prefix(before) + questions.map { $0.assertion(in: copy.request.schema) }
      + openings.dropFirst(before)
  }

  /// Returns whether a copy creates everything of the destination that SQL names.
  private static func isOf(
    _ copied: Set<SQLIdentifier>,
    _ template: SQLTemplate,
    _ destination: ModelProjection
  ) -> Bool {
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

  private static func validation(
    _ template: SQLTemplate,
    _ mapping: EntityMapping,
    _ names: PlaceholderNames
  ) throws(MappingFault) -> PlannedStatement {
    let text = try names.text(of: template, in: mapping, part: "validate", isQuery: true)
    let query = SQLFragment(written: text.statements.joined())
    let message = SQLLiteral.text(
      "the rows do not pass the validation of entity mapping \"\(mapping.name)\""
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
      written: "DO \(body.dollarQuoted)",
      "validate",
      of: mapping,
      on: text.currentTables,
      hazards: [.failsOnData]
    )
  }
}

extension PlannedStatement {
  /// Creates a statement of people's SQL.
  fileprivate init(
    written sql: SQLFragment,
    _ part: String,
    of mapping: EntityMapping?,
    on tables: Set<SQLIdentifier>,
    hazards: Set<Hazard> = Hazard.ofUnknownSQL
  ) {
    let owner = mapping.map { "entity mapping \"\($0.name)\"" } ?? "the mapping model"
    // Its effects are unknown; writing is the most that it should do.
    let mode: LockMode = mapping == nil ? .rowExclusive : .accessShare
    self.init(
      sql: sql,
      reason: "run \"\(part)\" of \(owner)",
      impact: OperationImpact(
        locks: Dictionary(uniqueKeysWithValues: tables.map { ($0, mode) }),
        scans: tables,
        hazards: hazards
      ),
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
