internal import MigrationPlanning

// How long a run still takes.
extension RunProgress {
  /// How much longer work takes than the plan expected, by what is done.
  private var scale: Double {
    let units = phases.flatMap(\.units)
    let paces = units.compactMap(\.pace)
    let expected = paces.reduce(0) { $0 + $1.expected }
    guard expected > 0.02 else { return 1 }
    let ratio = min(50, max(0.02, paces.reduce(0) { $0 + $1.actual } / expected))
    let all = units.reduce(0) { $0 + ($1.seconds ?? 0) }
    let evidence = min(1, expected / max(0.02, 0.05 * all))
    return 1 + evidence * (ratio - 1)
  }

  /// Returns how much longer a phase takes than the plan expected, by what is done.
  private func scale(of phase: RunPhase, _ scale: Double) -> Double {
    switch phase {
    case .copyRows, .compare: scale
    // A slow copy may have other reasons than a slow server.
    case .prepare, .buildIndexes, .catchUp, .switch, .change, .validate, .deferredWork, .cleanUp:
      scale.squareRoot()
    }
  }

  /// Whether nothing is copied at the moment, so that nobody knows when it ends.
  private var isStanding: Bool {
    switch wait {
    case .worker, .throttle(.paused): return true
    case .migrationLock, .locks, .throttle, .server, nil: break
    }
    guard let phase, phase.phase == .copyRows, let rate = phase.rowsPerSecond else { return false }
    return rate < 1
  }

  /// Returns how many seconds the current phase still takes; `nil` if unknown.
  package func remainingOfPhase(at time: Double) -> Double? {
    isStanding
      ? nil
      : phase.flatMap { $0.remaining(at: time, scale: scale(of: $0.phase, scale)) }
  }

  /// Returns how many seconds the run still takes; `nil` if unknown.
  package func remaining(at time: Double) -> Double? {
    guard let phaseIndex, !isStanding else { return nil }
    let scale = scale
    var sum = 0.0
    for phase in phases[phaseIndex...] {
      let scale = self.scale(of: phase.phase, scale)
      guard let seconds = phase.remaining(at: time, scale: scale) else { return nil }
      sum += seconds
    }
    let steps = plan?.forecast.steps ?? []
    for step in steps.dropFirst((stepIndex ?? steps.count) + 1) {
      guard let seconds = step.seconds else { return nil }
      sum += seconds * scale
    }
    return sum
  }
}
