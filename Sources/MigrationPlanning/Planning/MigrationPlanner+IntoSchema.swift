package import ModelMapping
internal import SQLSyntax

/// Migration into another schema, as Core Data's migration manager has a store of its own for the
/// destination.
extension MigrationPlanner {
  /// Plans the creation of a version beside its source: every row is copied, and the source does
  /// not change.
  ///
  /// - Parameters:
  ///   - source: The version of the rows, projected to their schema.
  ///   - destination: The version to create, projected to an empty schema.
  ///   - mapping: The mapping of the rows.
  ///   - passedVersions: The versions between, if the step is folded from several.
  ///   - createsSchema: Whether to create the schema as well.
  /// - Returns: The step.
  /// - Throws: Everything that the planner cannot do.
  package func step(
    copying source: PlannedVersion,
    into destination: PlannedVersion,
    by mapping: CompleteMapping,
    over passedVersions: [String] = [],
    createsSchema: Bool
  ) throws(PlanningError) -> MigrationStep {
    let all = mapping.copyingEverything(
      from: source.projection.model,
      to: destination.projection.model
    )
    let draft = StepDraft(self, mapping, from: source, to: destination, retained: [])
    try draft.refuseMovedLinks()
    var planner = self
    planner.removals = .drop
    // All tables of the destination are new; the changes of the source's tables are left out below.
    let changes = SchemaChanges(
      from: source,
      to: destination,
      by: all.copyScope.placement,
      linking: all.mappingModel,
      copying: Set(destination.projection.schema.tables.keys),
      planner
    )
    let copy = try CompiledCopy(
      CopyRequest(
        mapping: all,
        source: source.projection,
        destination: destination.projection,
        staging: .beside,
        mapSchema: stagingSchema
      )
    )
    let staged = StagedCopy(
      copy,
      among: changes.operations.filter { $0.base.traits.contains(.appliesToNewTables) },
      of: changes,
      by: .locked
    )
    let operations = try order(staged.operations)
    let questions = try draft.questionsBeside()
    let written = try WrittenStatements(of: copy, changes)
    let plan = staged.plan(
      openings: written.openings(asking: questions),
      validations: written.validations,
      createsSchema: createsSchema
    )
    // The schema is a new one, wherever the source is.
    let schemaDistribution = SchemaDistribution(from: nil, to: destination.projection, TableKinds())
    let tables = destination.projection.schema.tables.keys.sorted()
    var step = MigrationStep(
      source: source,
      destination: destination,
      passedVersions: passedVersions,
      mappingModel: mapping.mappingModel,
      preconditions: mapping.mappingModel.before.isEmpty ? questions : [],
      lockedTables: source.projection.schema.tables.keys.sorted().map {
        MigrationStep.LockedTable(name: source.projection.schema.qualified($0), mode: .accessShare)
      },
      statements: plan.preparation + plan.fillStatements + plan.completion
        + plan.validations + statements(for: operations, in: destination) + written.closings
        + (copy.hasMaps ? [CopyPlan.removal(of: stagingSchema)] : [])
        + (schemaDistribution?.statements(for: destination.projection.schema, moving: tables) ?? []),
      retained: [],
      renamedRetained: [:],
      droppedRetained: [],
      warnings: mapping.warnings,
      operations: operations
    )
    step.isIntoSchema = true
    step.schemaDistribution = schemaDistribution
    return step
  }
}

extension StepDraft {
  /// Links that move between the ends of a relationship are only known to the tables themselves.
  fileprivate func refuseMovedLinks() throws(PlanningError) {
    let moved = changes.operations.map(\.base).filter { $0.rowChange == .links }.map(\.summary)
    guard moved.isEmpty else { throw PlanningError(fact: .linksMove(moved)) }
  }

  /// The preconditions are those of a migration in place.
  fileprivate func questionsBeside() throws(PlanningError) -> [PlannedPrecondition] {
    let questions = try PreconditionQueries(changes.match)
      .planned(mapping.preconditions)
    return try questions + compiled().questions
  }
}
