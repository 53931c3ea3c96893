internal import ModelMapping
internal import SQLSyntax

/// The second pass of planning: it decides how rows are copied, and separates work that can run
/// while others write from the rest.
package struct StagedStep {
  private let draft: StepDraft
  private let planner: MigrationPlanner
  private let compiled: CompiledCopy
  private let copy: StagedCopy?
  private let heirs: TableHeirs?
  private let divided: OnlineChanges?
  /// All that is done, in no order yet.
  private let all: [MigrationOperation]
  /// The operations of the transaction in order, without dependent objects.
  private let operations: [MigrationOperation]

  init(_ draft: StepDraft, _ planner: MigrationPlanner) throws(PlanningError) {
    self.draft = draft
    self.planner = planner
    compiled = try draft.compiled()
    let changes = draft.changes
    copy =
      draft.copies
      ? StagedCopy(compiled, among: changes.operations, of: changes, by: planner.strategy) : nil
    heirs = draft.copies ? TableHeirs(of: compiled, changes.match) : nil
    all = copy?.operations ?? changes.operations
    divided =
      planner.dividesSteps || planner.strategy == .filled
      ? OnlineChanges(dividing: all, of: changes, smallTables: planner.smallTables) : nil
    operations = try planner.order(divided?.operations ?? all)
  }

  private var replacements: TableReplacements? {
    heirs?.replacements ?? planner.reinstatement?.replacements
  }

  /// A Boolean value that indicates whether the step does anything that an object which depends on the
  /// tables can keep the server from.
  package var mayBreakDependents: Bool { operations.mayBreakDependents(replacing: replacements) }

  // MARK: - Step

  /// The third pass of planning: it orders all parts, and adds changes of dependent objects,
  /// preconditions and hazards.
  ///
  /// - Parameter dependents: The objects outside of the store that use its tables, before the step.
  /// - Returns: The step.
  /// - Throws: Everything that cannot be done.
  package func step(
    among dependents: [DependentObject]
  ) throws(PlanningError) -> MigrationStep {
    let (changes, mapping) = (draft.changes, draft.mapping)
    let (source, destination) = (draft.source, draft.destination)
    let replacements = replacements
    var carriedParts: [CarriedPart] = []
    var operations = operations
    if !dependents.isEmpty {
      let dependentChanges = try DependentChanges(
        dependents,
        in: operations,
        replacing: replacements,
        copying: copy.map { ($0.copy.tables, $0.strategy) }
      )
      carriedParts = dependentChanges.carriedParts
      if !dependentChanges.operations.isEmpty {
        operations = try planner.order(operations + dependentChanges.operations)
      }
    }
    let queries = PreconditionQueries(changes.match)
    let indexable = queries.indexable(all)
    let questions =
      try queries.planned(mapping.preconditions) + indexable
      + compiled.questions + changes.linkQuestions
    let written = try WrittenStatements(of: compiled, changes)
    let openings = written.openings(asking: questions)
    let plan =
      copy?.plan(
        openings: openings,
        validations: written.validations,
        carriedParts: carriedParts
      )
      ?? CopyPlan(
        filling: draft.fills,
        of: changes.match.source,
        stagingSchema: planner.stagingSchema
      )
    let deferredWork = (divided?.deferredWork ?? []).enumerated().sorted {
      ($0.element.phase, $0.offset) < ($1.element.phase, $1.offset)
    }.map(\.element)
    let leaving = heirs?.leaving ?? [:]
    let comparison = changes.releaseComparison(replacements, leaving: leaving)
    let hazards = StepHazards(
      of: operations,
      deferredWork,
      comparison,
      RowRisks(
        of: changes,
        asking: questions.filter { !indexable.contains($0) },
        indexing: indexable,
        comparison,
        leaving: leaving
      )
    )
    var step = MigrationStep(
      source: source,
      destination: destination,
      passedVersions: draft.passedVersions,
      mappingModel: mapping.mappingModel,
      // SQL at the beginning may repair rows that violate them.
      preconditions: mapping.mappingModel.before.isEmpty ? questions : [],
      lockedTables: planner.lockedTables(
        for: operations,
        changes.names.tables,
        in: source,
        writing: copy == nil ? Set(compiled.written.openings.flatMap(\.impact.locks.keys)) : [],
        copying: plan
      ),
      statements: moves(.removed) + sequenceRenames(operations)
        + (copy == nil ? openings + compiled.written.closings : [])
        + statements(for: operations, hazards, copying: plan, written.closings) + moves(.added),
      retained: changes.retained.added,
      renamedRetained: changes.retained.renamed,
      droppedRetained: changes.retained.dropped.union(planner.reinstatement?.objects ?? []),
      warnings: mapping.warnings
        + planner.unsubscribed(operations, plan).map(MigrationPlanner.refresh)
        + operations.flatMap(MigrationPlanner.unrecognizedParameters),
      copy: plan,
      strategy: planner.strategy,
      replacements: replacements,
      operations: operations
    )
    step.deferredWork = deferredWork
    step.lateHazards = hazards.deferredWork
    step.onlineObstacle = divided?.obstacle(draft.updateReasons)
    step.isAuthored = mapping.isAuthored
    step.releaseTables = comparison.releaseTables(
      changes,
      conflicts: draft.bridgeConflicts,
      moving: draft.copies ? compiled.movedTables(heirs: comparison.copiedHeirs) : [:]
    )
    step.postponable = comparison.postponable(step.releaseTables)
    step.bridges = changes.planner.bridges.compactMap { bridge in
      guard !changes.match.copiedTables.contains(bridge.newName),
        let names = comparison.columnsAfter[bridge.oldName]
      else { return nil }
      return TableBridge(
        bridge,
        of: source.retentionName,
        names: names,
        in: source.projection.schema.name
      )
    }
    let whole = destination.whole ?? destination.projection.schema
    step.links = changes.linkBridges.compactMap { LinkBridge($0, comparison, in: whole) }
    step.schemaDistribution = schemaDistribution
    if schemaDistribution != nil {
      let schema = source.projection.schema
      step.lockedTables = schema.tables.keys.sorted().map {
        MigrationStep.LockedTable(name: schema.qualified($0), mode: .accessExclusive)
      }
    }
    if !mapping.isAuthored {
      step.redividedTables = Set(draft.redividedTables.filter(\.value).keys)
    }
    return step
  }

  /// The change of whether the schema is distributed as a whole.
  private var schemaDistribution: SchemaDistribution? {
    SchemaDistribution(
      from: draft.source.projection,
      to: draft.destination.projection,
      planner.kinds
    )
  }

  /// Returns the statements that distribute the schema as a whole, or no longer, if that is the change.
  private func moves(_ change: SchemaDistribution) -> [PlannedStatement] {
    guard schemaDistribution == change else { return [] }
    let version = change == .removed ? draft.source : draft.destination
    let schema = version.projection.schema
    return change.statements(for: schema, moving: schema.tables.keys.sorted())
  }

  /// Returns the statement that lets sequences have names which others have on workers, if any has to.
  private func sequenceRenames(_ operations: [MigrationOperation]) -> [PlannedStatement] {
    let kinds = planner.kinds
    let isOnNodes = kinds.schemaColocation != nil && schemaDistribution != .removed
    guard operations.contains(where: { $0.makesWorkerSequences(isOnNodes: isOnNodes) }) else {
      return []
    }
    let schema = draft.source.projection.schema
    let tables = Set(schema.tables.keys).union(draft.retained.map(\.table))
      .filter { kinds[$0]?.isOnOtherNodes == true }
    return tables.isEmpty
      ? [] : [WorkerSequences(schema: schema.name, tables: tables.sorted()).renaming]
  }

  private func statements(
    for operations: [MigrationOperation],
    _ hazards: StepHazards,
    copying plan: CopyPlan?,
    _ closings: [PlannedStatement]
  ) -> [PlannedStatement] {
    let statements =
      planner.statements(
        for: operations,
        in: draft.destination,
        hazards,
        among: planner.kinds.renamed(draft.changes.match.tables, columns: [:])
      ) + closings
    guard let plan, planner.strategy == .locked else { return statements }
    return plan.preparation + plan.carriedParts.flatMap(\.statements) + plan.fillStatements
      + plan.completion + plan.validations + statements + [plan.removal]
  }
}
