internal import ModelMapping
internal import SQLSyntax

extension MigrationPlanner {
  typealias Copying = (
    plan: CopyPlan, staged: StagedTables, replacements: TableReplacements,
    questions: [PlannedPrecondition], leavingTables: [SQLIdentifier: Set<String>]
  )

  /// Plans what is made anew; none if all is done to the tables as they are.
  func copying(
    _ mapping: CompleteMapping,
    from source: PlannedVersion,
    to destination: PlannedVersion,
    _ changes: SchemaChanges
  ) throws(PlanningError) -> Copying? {
    let copied = changes.match.copiedTables
    guard !copied.isEmpty else { return nil }
    var compiler = CopyCompiler(
      mapping,
      from: source.projection,
      to: destination.projection,
      stagingSchema: stagingSchema
    )
    var plan = try compiler.compile()
    var staged = StagedTables(
      of: changes.operations + compiler.numbering,
      copying: copied,
      in: stagingSchema,
      // Rows of these are deleted and inserted again while others write, which must not reach others.
      unreferenced: strategy == .online
        ? Set(plan.tables.filter(\.replacesChangedRows).map(\.name)) : [],
      formerSequence: compiler.formerSequence
    )
    if strategy != .locked {
      let late = LateReferences(changes: changes, copied: copied, stagingSchema: stagingSchema)
      plan.lateReferences = staged.postponeValidation(late.reference)
      watch(plan.lateReferences, late, &compiler)
      plan.sources = compiler.reads.sources(source.projection.schema.tables)
    }
    plan.stage(
      staged,
      // Changes are applied by key; and of what people wrote, the row that repeats a key is to be found.
      keysFirst: strategy == .online || strategy == .gated && plan.writtenMappingName != nil,
      in: destination.projection.schema.tables
    )
    let replacements = compiler.replacements(changes.match)
    return (
      plan, staged, replacements, compiler.questions, compiler.leavingTables(replacements)
    )
  }

  /// Tables that stay are watched, too, where they may come to refer to a row that is left out.
  private func watch(
    _ references: [LateReference],
    _ late: LateReferences,
    _ compiler: inout CopyCompiler
  ) {
    for reference in references where late.copied.contains(reference.referencedTable) {
      guard let rows = reference.rows, rows.table.schema != stagingSchema else { continue }
      let isSafe = late.formerTarget(of: rows).map {
        compiler.keepsAllRows(of: $0, in: reference.referencedTable)
      }
      guard isSafe != true else { continue }
      compiler.reads.watch(rows.key + [rows.column], of: rows.table.name)
    }
  }
}
