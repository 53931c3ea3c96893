internal import Diagnostics
internal import MigrationPlanning

extension StepPlanning {
  /// Returns the step that is carried out where no strategy was given: the planned one, in one
  /// transaction, unless that would block writers for too long.
  ///
  /// - Parameters:
  ///   - planned: The step in one transaction.
  ///   - mayBeFilled: Whether there is anything that could be filled in place.
  ///   - forecast: The sizes of the tables before it.
  ///   - step: Plans the step by a strategy.
  /// - Returns: The step.
  /// - Throws: An error if it has to copy and cannot do so while others write.
  func chosen(
    insteadOf planned: MigrationStep,
    mayBeFilled: Bool,
    _ forecast: ForecastState,
    _ step: (CopyStrategy) throws -> MigrationStep
  ) throws -> MigrationStep {
    func cost(_ step: MigrationStep) -> StepForecast {
      var forecast = forecast
      return forecast.carryOut(step)
    }
    guard planned.copy != nil || mayBeFilled,
      case .about(let seconds)? = cost(planned).longestWrite?.writers, isTooLong(seconds)
    else { return planned }
    var steps: [CopyStrategy: MigrationStep] = [:]
    var candidates: [StrategyChoice.Candidate] = []
    if mayBeFilled {
      do {
        let filled = try filled(step, cost)
        steps[.filled] = filled
        candidates.append(.init(.filled, cost(filled)))
      } catch let obstacle as Obstacle {
        candidates.append(.init(.filled, obstacle: obstacle.reason))
      }
    }
    if let copy = planned.copy {
      if let obstacle = copy.onlineObstacle {
        candidates.append(.init(.online, obstacle: obstacle))
      } else {
        let online = try step(.online)
        steps[.online] = online
        candidates.append(.init(.online, cost(online)))
      }
    }
    let choice = StrategyChoice(insteadOfBlocking: seconds, candidates)
    if let strategy = choice.strategy, var chosen = steps[strategy] {
      chosen.choice = choice
      return chosen
    }
    guard let obstacle = planned.copy?.onlineObstacle else { return planned }
    throw RemodelError(
      .notOnline(step: planned.destination.name, obstacle: obstacle, seconds: seconds)
    )
  }

  private struct Obstacle: Error {
    let reason: String
  }

  /// Returns the step that fills columns in place, if it does and keeps nobody waiting.
  private func filled(
    _ step: (CopyStrategy) throws -> MigrationStep,
    _ cost: (MigrationStep) -> StepForecast
  ) throws -> MigrationStep {
    let filled: MigrationStep
    do {
      filled = try step(.filled)
    } catch let error as PlanningError {
      if case .notFillable(let reason) = error.fact { throw Obstacle(reason: reason) }
      throw Obstacle(reason: error.diagnostics.first?.message ?? "objects depend on its columns")
    }
    if let obstacle = filled.onlineObstacle { throw Obstacle(reason: obstacle) }
    if case .about(let seconds)? = cost(filled).longestWrite?.writers, isTooLong(seconds) {
      throw Obstacle(reason: "its end would block writers for about \(Int(seconds.rounded(.up))) s")
    }
    return filled
  }

  private func isTooLong(_ seconds: Double) -> Bool {
    .seconds(seconds) > catalog.configuration.maxBlock
  }
}
