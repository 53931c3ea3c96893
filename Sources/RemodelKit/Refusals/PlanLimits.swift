internal import MigrationPlanning

/// The limits of plans for other users of the database.
struct PlanLimits {
  private let denials: [HazardDenial]
  private let maxBlock: Duration
  private let isBlockBound: Bool
  private let isForShow: Bool

  init(_ configuration: RemodelConfiguration) {
    isForShow = configuration.isForShow
    denials = configuration.denials
    maxBlock = configuration.maxBlock
    isBlockBound = configuration.strategy == nil || configuration.bindsGivenStrategy
  }

  /// Refuses steps that exceed the limits.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - sizes: The sizes of the existing tables, by name.
  ///   - kinds: The tables of other kinds; one of them without a size may have any.
  ///   - isBegun: Returns whether a step has already begun.
  /// - Throws: The exceeded limits.
  func check(
    _ steps: [MigrationStep],
    sizes: TableSizes,
    kinds: TableKinds = TableKinds(),
    isBegun: (MigrationStep) -> Bool = { _ in false }
  ) throws(RemodelError) {
    guard !isForShow else { return }
    let forecast = PlanForecast(of: steps, sizes: sizes)
    try checkDenials(steps, forecast)
    guard isBlockBound else { return }
    var blocking: [BlockingStatement] = []
    for (step, expected) in zip(steps, forecast.steps) where !isBegun(step) {
      blocking += self.blocking(step, expected, kinds)
    }
    guard blocking.isEmpty else { throw RemodelError(.blocksTooLong(blocking, limit: maxBlock)) }
  }

  /// Returns why steps from where a database is may not be taken; none if they may.
  func refusal(of steps: [MigrationStep], _ view: DatabaseView) -> RemodelError? {
    do {
      try check(steps, sizes: view.sizes, kinds: view.kinds, isBegun: view.isBegun)
      return nil
    } catch {
      return error
    }
  }

  private func checkDenials(
    _ steps: [MigrationStep],
    _ forecast: PlanForecast
  ) throws(RemodelError) {
    guard !denials.isEmpty else { return }
    var denied: [DeniedStatement] = []
    for (step, expected) in zip(steps, forecast.steps) {
      let elements = StepElements(of: step)
      for (statement, cost) in zip(step.allStatements, expected.statements) {
        for denial in denials where cost.hazards.contains(denial.hazard) {
          guard concerns(elements, statement, denial) else { continue }
          let refusal = DeniedStatement(
            hazard: denial.hazard,
            step: step.kind.staysAtVersion ? nil : step.destination.name,
            reason: statement.reason
          )
          if !denied.contains(refusal) { denied.append(refusal) }
        }
      }
      for denial in denials where denial.hazard == .failsOnData {
        let questions = elements.unsaidPreconditions.filter { question in
          denial.entityName.map { elements.asks(question, about: $0, denial.propertyName) } ?? true
        }
        for question in questions {
          denied.append(
            DeniedStatement(
              hazard: .failsOnData,
              step: step.destination.name,
              reason: "ask whether \(question.requirement)"
            )
          )
        }
      }
    }
    guard denied.isEmpty else { throw RemodelError(.hazardDenied(denied)) }
  }

  /// Returns the work that blocks writers for longer than allowed; work on small tables does not.
  private func blocking(
    _ step: MigrationStep,
    _ expected: StepForecast,
    _ kinds: TableKinds
  ) -> [BlockingStatement] {
    let statements = step.allStatements
    return expected.blocks.compactMap { block in
      guard let longest = block.longestStatement, expected.statements[longest].isLong else {
        return nil
      }
      let seconds: Double?
      switch block.writers {
      case .about(let time) where .seconds(time) > maxBlock: seconds = time
      case .notKnown where kinds[block.table.name] != nil: seconds = nil
      case .none, .about, .notKnown: return nil
      }
      return BlockingStatement(
        step: step.destination.name,
        reason: statements[longest].reason,
        table: block.table.name.name,
        seconds: seconds,
        isEndOfCopy: step.isCopyJob
      )
    }
  }
  /// Returns whether a statement affects the element of a denial.
  private func concerns(
    _ elements: StepElements,
    _ statement: PlannedStatement,
    _ denial: HazardDenial
  ) -> Bool {
    guard let entity = denial.entityName, !statement.hasUnknownEffect else { return true }
    guard let property = denial.propertyName else {
      return elements.locks(statement, tableOf: entity)
    }
    return elements.changes(statement, property, of: entity, hazard: denial.hazard)
  }
}
