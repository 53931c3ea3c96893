public import ModelMapping
internal import SQLSyntax

/// Migration into another schema, as Core Data's migration manager has a store of its own for the
/// destination.
extension MigrationPlanner {
  /// Plans the making of a version beside the one that it comes from: every row is copied, and the
  /// source stays as it is.
  ///
  /// - Parameters:
  ///   - source: The version that the rows are at, laid out in their schema.
  ///   - destination: The version that is made, laid out in a schema that is empty.
  ///   - mapping: How the rows of the one become rows of the other.
  ///   - passedVersions: The versions between, if the step is folded from several.
  ///   - createsSchema: Whether the schema itself is still to be made.
  /// - Returns: The step.
  /// - Throws: What the planner cannot do.
  public func step(
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
    // None of the destination's tables is there; what becomes of the source's is left out below.
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
        stagingSchema: destination.projection.schema.name,
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
        + (copy.hasMaps ? [CopyPlan.removal(of: stagingSchema)] : []),
      retained: [],
      renamedRetained: [:],
      droppedRetained: [],
      warnings: mapping.warnings,
      operations: operations
    )
    step.isIntoSchema = true
    return step
  }
}

extension StepDraft {
  /// Links that move between the ends of a relationship are only known to the tables themselves.
  fileprivate func refuseMovedLinks() throws(PlanningError) {
    let moved = changes.operations.map(\.base).filter { $0.rowChange == .links }.map(\.summary)
    guard moved.isEmpty else { throw PlanningError(fact: .linksMove(moved)) }
  }

  /// The rows are asked what they would be asked if the source itself became the destination.
  fileprivate func questionsBeside() throws(PlanningError) -> [PlannedPrecondition] {
    let questions = try PreconditionQueries(changes.match)
      .planned(mapping.preconditions)
    return try questions + compiled().questions
  }
}
