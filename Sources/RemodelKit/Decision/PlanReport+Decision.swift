internal import MigrationExecution
internal import MigrationPlanning
internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension PlanReport {
  /// What has to be known to decide on the plan.
  public var decision: PlanDecision {
    let lost = losses
    return PlanDecision(
      origin: PlanDecision.Origin(
        database: origin,
        schema: plan.schema,
        modelName: plan.place.modelName,
        configurationName: plan.place.configurationName,
        source: source,
        target: target,
        digest: plan.digest
      ),
      verdict: verdict,
      waits: waits,
      losses: lost,
      breakages: breakages,
      rowChecks: rowChecks,
      wayBack: wayBack(missing: lost),
      next: nextCommands,
      isCopy: plan.steps.contains(where: \.isCopyJob)
    )
  }

  // MARK: - Waits

  private var waits: [PlanDecision.Wait] {
    let noticed = BlockedTime.about(PlanDecision.Wait.noticedSeconds)
    var waits: [PlanDecision.Wait] = []
    for (index, step) in plan.steps.enumerated() where forecast.steps.indices.contains(index) {
      let blocks = forecast.steps[index].blocks.filter { max($0.readers, $0.writers) > noticed }
      guard !blocks.isEmpty else { continue }
      let statements = step.allStatements
      waits += blocks.map { block in
        let cause = block.longestStatement.flatMap { statements.indices.contains($0) ? $0 : nil }
        return PlanDecision.Wait(
          table: block.table,
          step: index,
          lock: block.lock,
          readers: block.readers,
          writers: block.writers,
          cause: cause.map { StatementReference(step: index, statement: $0) },
          reason: cause.map { statements[$0].reason },
          rowsWrittenPerSecond: activity?.rowsWrittenPerSecond[block.table.name.name]
        )
      }
    }
    // Tables that are blocked alike stay in the order of the steps and of their names.
    return waits.enumerated().sorted {
      let (first, second) = ($0.element.longest, $1.element.longest)
      return first == second ? $0.offset < $1.offset : first > second
    }.map(\.element)
  }

  // MARK: - Losses

  /// What is lost for good, in the order of the statements.
  var losses: [PlanDecision.Loss] {
    var losses: [PlanDecision.Loss] = []
    for (index, step) in plan.steps.enumerated() {
      for (number, statement) in step.allStatements.enumerated() {
        let reference = StatementReference(step: index, statement: number)
        if statement.hasUnknownEffect {
          losses.append(
            .init(statement: reference, data: nil, count: .notKnown, isRemoval: false)
          )
        }
        let rows = forecast(of: reference)?.rowsAtRisk?.count
        losses += step.losses(by: statement).map { data in
          let counted = data.query.flatMap { lossCounts[$0] }
          return .init(
            statement: reference,
            data: data,
            count: counted.map { .counted($0) } ?? rows.map { .about($0) } ?? .notKnown,
            isRemoval: step.isRemoved(data)
          )
        }
      }
    }
    return losses
  }

  private func forecast(of reference: StatementReference) -> StatementForecast? {
    guard forecast.steps.indices.contains(reference.step),
      forecast.steps[reference.step].statements.indices.contains(reference.statement)
    else { return nil }
    return forecast.steps[reference.step].statements[reference.statement]
  }

  // MARK: - Breakages

  private var breakages: [PlanDecision.Breakage] {
    var breakages: [PlanDecision.Breakage] = []
    for (index, step) in plan.steps.enumerated() {
      for (number, statement) in step.allStatements.enumerated() {
        breakages += statement.breakages.map { change in
          .init(
            statement: StatementReference(step: index, statement: number),
            change: change,
            failing: step.failingStatement(by: change)
          )
        }
      }
    }
    return breakages
  }

  // MARK: - Rows

  private var rowChecks: [PlanDecision.RowCheck] {
    let found = Dictionary(
      findings.map { ($0.precondition, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var checks: [PlanDecision.RowCheck] = []
    for (index, step) in plan.steps.enumerated() where !step.preconditions.isEmpty {
      let statements = StatementsOfPreconditions(of: step)
      for (number, condition) in step.preconditions.enumerated() {
        let finding = found[condition]
        let state: PlanDecision.RowCheck.State =
          switch finding?.count {
          case nil: .notChecked
          case 0: .met
          case _?: .violated
          }
        checks.append(
          .init(
            step: index,
            number: number,
            statements: statements.statements(relyingOn: condition).map {
              StatementReference(step: index, statement: $0)
            },
            condition: condition,
            state: state,
            count: finding?.count,
            exampleKeys: finding?.exampleKeys ?? [],
            query: condition.keysQuery
          )
        )
      }
    }
    return checks
  }

  // MARK: - The way back

  private func wayBack(missing losses: [PlanDecision.Loss]) -> PlanDecision.WayBack {
    PlanDecision.WayBack(
      revert: revert(missing: losses),
      version: plan.steps.first?.source?.name,
      stepCount: plan.steps.count,
      retained: plan.steps.enumerated().flatMap { index, step in
        step.retained.map { .init(step: index, object: $0) }
      },
      term: .cleanup,
      missing: losses
    )
  }

  private func revert(missing losses: [PlanDecision.Loss]) -> PlanDecision.WayBack.Revert {
    guard let first = plan.steps.first else { return .nothing }
    guard first.kind != .revert else { return .migration }
    guard first.source != nil, !first.isIntoSchema else { return .noVersionBefore }
    let unmapped = zip(plan.steps, waysBack).filter { $0.1 == .missing }.map(\.0)
    if !unmapped.isEmpty {
      // Replaced tables can be put back while they have what the new ones were made of.
      let isReplaced = unmapped.allSatisfy { $0.isAuthored && !$0.retained.isEmpty }
      return isReplaced && losses.isEmpty ? .untilWritten : .needsMapping
    }
    if waysBack.contains(.authored) { return .byMappingModel }
    return losses.isEmpty ? .restoresAll : .restoresSome
  }

  // MARK: - What comes next

  /// Without a call of the command line, or without a database, there is nothing to repeat.
  private var nextCommands: PlanDecision.NextCommands {
    guard let call, origin != nil, let first = plan.steps.first else {
      return .init(run: nil, approve: nil, planAgain: nil, revert: nil)
    }
    let isStopped = refusal != nil || findings.contains(where: \.isViolated)
    let version = first.kind == .migration && !first.isIntoSchema ? first.source?.name : nil
    return .init(
      run: isStopped ? nil : call.run(plan.digest),
      approve: isStopped ? nil : call.approve(plan.digest),
      planAgain: isStopped ? call.planAgain : nil,
      revert: version.map { call.revert(to: $0) }
    )
  }
}

extension MigrationStep {
  /// Returns whether data are lost because the model has no place for them any more, and not because of a
  /// mapping or a narrower type.
  fileprivate func isRemoved(_ data: DataLoss) -> Bool {
    guard !isIntoSchema, !isAuthored, kind == .migration, data.kind != .replacedRows else {
      return false
    }
    let model = destination.projection.model
    // What is renamed is still there.
    return data.entityNames.allSatisfy { name in
      let entity = model.entities.first { $0.name == name || $0.renamingIdentifier == name }
      guard let entity, let property = data.propertyName else { return entity == nil }
      return !model.effectiveAttributes(of: entity)
        .contains { $0.name == property || $0.renamingIdentifier == property }
        && !model.effectiveRelationships(of: entity)
          .contains { $0.name == property || $0.renamingIdentifier == property }
    }
  }
}

extension PlanDecision.Wait {
  /// The longer of the two times.
  public var longest: BlockedTime { max(readers, writers) }
}
