internal import ModelMapping
internal import SQLSyntax

/// The second pass of planning: how rows are copied is decided, and what can be done beside others is
/// apart from what waits for them.
package struct StagedStep {
  private let draft: StepDraft
  private let planner: MigrationPlanner
  private let compiled: StepDraft.Compilation
  private let copy: StagedCopy?
  private let divided: OnlineChanges?
  /// All that is done, in no order yet.
  private let all: [MigrationOperation]
  /// What the transaction does, in its order, without what others have on the tables.
  private let operations: [MigrationOperation]

  /// What is copied, with the tables that are made for it.
  private struct StagedCopy {
    var plan: CopyPlan
    var staged: StagedTables
    let replacements: TableReplacements
    let leavingTables: [SQLIdentifier: Set<String>]
  }

  init(_ draft: StepDraft, _ planner: MigrationPlanner) throws(PlanningError) {
    self.draft = draft
    self.planner = planner
    compiled = try draft.compiled()
    copy = draft.copies ? Self.staged(compiled, of: draft, planner) : nil
    all = copy?.staged.operations ?? draft.changes.operations
    divided =
      planner.dividesSteps
      ? OnlineChanges(dividing: all, of: draft.changes, smallTables: planner.smallTables) : nil
    operations = try planner.order(divided?.operations ?? all)
  }

  private var replacements: TableReplacements? {
    copy?.replacements
      ?? planner.reinstatement?.replacements(from: draft.source.projection.schema)
  }

  /// A Boolean value that indicates whether the step does anything that an object which depends on the
  /// tables can keep the server from.
  package var mayBreakDependents: Bool { operations.mayBreakDependents(replacing: replacements) }

  // MARK: - Copy

  private static func staged(
    _ compiled: StepDraft.Compilation,
    of draft: StepDraft,
    _ planner: MigrationPlanner
  ) -> StagedCopy {
    var (compiler, plan) = compiled
    let copied = draft.changes.match.copiedTables
    let isOnline = planner.strategy == .online
    var staged = StagedTables(
      of: draft.changes.operations + compiler.numbering,
      copying: copied,
      in: planner.stagingSchema,
      // Rows of these are deleted and inserted again while others write, which must not reach others.
      unreferenced: isOnline
        ? Set(plan.tables.filter(\.replacesChangedRows).map(\.name)) : [],
      formerSequence: compiler.formerSequence
    )
    if planner.strategy != .locked {
      let late = LateReferences(
        changes: draft.changes,
        copied: copied,
        stagingSchema: planner.stagingSchema
      )
      plan.lateReferences = staged.postponeValidation(late.reference)
      late.watch(plan.lateReferences, &compiler)
      plan.sources = compiler.reads.sources(draft.source.projection.schema.tables)
    }
    plan.stage(
      staged,
      // Changes are applied by key; and of what people wrote, the row that repeats a key is to be found.
      keysFirst: isOnline || planner.strategy == .gated && plan.writtenMappingName != nil,
      in: draft.destination.projection.schema.tables
    )
    let replacements = compiler.replacements(draft.changes.match)
    return StagedCopy(
      plan: plan,
      staged: staged,
      replacements: replacements,
      leavingTables: compiler.leavingTables(replacements)
    )
  }

  // MARK: - Step

  /// The third pass of planning: everything in its order, with what has to be done to the objects that
  /// depend on what changes, what the rows are asked, and what hurts.
  ///
  /// - Parameter dependents: What is not of the store and uses its tables, as it is before the step.
  /// - Returns: The step.
  /// - Throws: What cannot be done.
  package func step(
    among dependents: [DependentObject]
  ) throws(PlanningError) -> MigrationStep {
    let (changes, mapping) = (draft.changes, draft.mapping)
    let (source, destination) = (draft.source, draft.destination)
    let replacements = replacements
    var plan = copy?.plan
    var operations = operations
    if !dependents.isEmpty {
      let dependentChanges = try DependentChanges(
        dependents,
        in: operations,
        replacing: replacements,
        copying: plan.map { ($0, planner.strategy) }
      )
      plan?.carriedParts = dependentChanges.carriedParts
      if !dependentChanges.operations.isEmpty {
        operations = try planner.order(operations + dependentChanges.operations)
      }
    }
    let queries = PreconditionQueries(source, destination, changes.match)
    let indexable = queries.indexable(all)
    let questions =
      try queries.planned(mapping.preconditions) + indexable
      + (copy == nil ? [] : compiled.compiler.questions) + changes.questionsOfLooseLinks()
    let written = try WrittenStatements(of: mapping, changes, compiled.plan, isBeside: false)
    let openings = written.openings(of: compiled.plan, asking: questions)
    if copy != nil {
      plan?.openings = openings
      plan?.validations = written.validations
    }
    let deferredWork = (divided?.deferredWork ?? []).enumerated().sorted {
      ($0.element.phase, $0.offset) < ($1.element.phase, $1.offset)
    }.map(\.element)
    let leaving = copy?.leavingTables ?? [:]
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
      // SQL that comes before all else may mend what they ask about.
      preconditions: mapping.mappingModel.before.isEmpty ? questions : [],
      lockedTables: planner.lockedTables(
        for: operations,
        changes.tableNames,
        in: source,
        writing: copy == nil ? Set(compiled.plan.openings.flatMap(\.impact.locks.keys)) : [],
        copying: plan
      ),
      statements: (copy == nil ? openings + compiled.plan.closings : [])
        + statements(for: operations, hazards, copying: plan, written.closings),
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
    step.onlineObstacle = divided?.obstacle
    step.isAuthored = mapping.isAuthored
    return step
  }

  private func statements(
    for operations: [MigrationOperation],
    _ hazards: StepHazards,
    copying plan: CopyPlan?,
    _ closings: [PlannedStatement]
  ) -> [PlannedStatement] {
    let statements =
      planner.statements(for: operations, in: draft.destination, hazards) + closings
    guard let plan, planner.strategy == .locked else { return statements }
    return plan.preparation + plan.carriedParts.flatMap(\.statements) + plan.fillStatements()
      + plan.completion + plan.validations + statements + plan.removal
  }
}
