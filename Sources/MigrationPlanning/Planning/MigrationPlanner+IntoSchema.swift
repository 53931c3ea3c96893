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
    let made = destination.projection.schema
    let draft = StepDraft(self, mapping, from: source, to: destination, retained: [])
    try draft.refuseMovedLinks()
    let changes = changes(making: destination, from: source, all)
    var compiler = CopyCompiler(
      all,
      from: source.projection,
      to: destination.projection,
      stagingSchema: made.name,
      mapSchema: stagingSchema
    )
    var plan = try compiler.compile()
    let staged = StagedTables(
      of: changes.operations.filter(\.isOfNewTable) + compiler.numbering,
      copying: Set(made.tables.keys),
      in: made.name,
      formerSequence: { _ in nil }
    )
    let hasMaps = !plan.maps.isEmpty || !plan.writtenMaps.isEmpty || !plan.rowPolicies.isEmpty
    if hasMaps { plan.preparation.insert(plan.creation(ofMapSchema: stagingSchema), at: 0) }
    plan.stage(staged, keysFirst: false, in: made.tables, createsSchema: createsSchema)
    let operations = try order(staged.operations)
    let questions = try draft.questionsBeside()
    let written = try WrittenStatements(of: all, changes, plan, isBeside: true)
    plan.openings = written.openings(of: plan, asking: questions)
    plan.validations = written.validations
    var step = MigrationStep(
      source: source,
      destination: destination,
      passedVersions: passedVersions,
      mappingModel: mapping.mappingModel,
      preconditions: mapping.mappingModel.before.isEmpty ? questions : [],
      lockedTables: source.projection.schema.tables.keys.sorted().map {
        MigrationStep.LockedTable(name: source.projection.schema.qualified($0), mode: .accessShare)
      },
      statements: plan.preparation + plan.fillStatements() + plan.completion
        + plan.validations + statements(for: operations, in: destination) + written.closings
        + (hasMaps ? [plan.removal(ofMapSchema: stagingSchema)] : []),
      retained: [],
      renamedRetained: [:],
      droppedRetained: [],
      warnings: mapping.warnings,
      operations: operations
    )
    step.isIntoSchema = true
    return step
  }

  /// The operations for a destination none of whose tables is there; those of the source's tables are
  /// among them.
  private func changes(
    making destination: PlannedVersion,
    from source: PlannedVersion,
    _ mapping: CompleteMapping
  ) -> SchemaChanges {
    var planner = self
    planner.removals = .drop
    let match = SchemaMatch(
      from: source.projection,
      to: destination.projection,
      by: mapping.copyScope.placement,
      copying: Set(destination.projection.schema.tables.keys)
    )
    var changes = SchemaChanges(from: source, to: destination, match, planner, retained: [])
    changes.leaveLinks(ofMappingsIn: mapping.mappingModel)
    changes.collect()
    return changes
  }
}

extension StepDraft {
  /// Links that move between the ends of a relationship are only known to the tables themselves.
  fileprivate func refuseMovedLinks() throws(PlanningError) {
    let moved = changes.operations.compactMap { operation -> String? in
      switch operation {
      case .moveLinks, .cutLinks: operation.base.summary
      default: nil  // Nothing else takes links from one place to another.
      }
    }
    guard moved.isEmpty else { throw PlanningError(fact: .linksMove(moved)) }
  }

  /// The rows are asked what they would be asked if the source itself became the destination.
  fileprivate func questionsBeside() throws(PlanningError) -> [PlannedPrecondition] {
    let questions = try PreconditionQueries(source, destination, changes.match)
      .planned(mapping.preconditions)
    return try copies ? questions + compiled().compiler.questions : questions
  }
}

extension MigrationOperation {
  /// A Boolean value that indicates whether it is about a table that is made, where none stays.
  fileprivate var isOfNewTable: Bool {
    switch self {
    case .createTable, .setNotNull, .addConstraint, .createIndex, .createTrigger, .computeValues,
      .numberLinks:
      true
    case .installTable, .dropTable, .renameTable, .retainTable, .addColumn, .dropColumn,
      .renameColumn, .retainColumn, .changeColumnType, .dropNotNull, .setDefault, .dropExpression,
      .updateRows, .copyRows, .retainRows, .deleteRows, .cutLinks, .cutDanglingLinks, .moveLinks,
      .reinstateRows, .dropConstraint,
      .renameConstraint, .dropIndex, .renameIndex, .renameSequence, .dropTrigger, .renameRetained,
      .dropDependent, .createDependent:
      false
    }
  }
}
