internal import MigrationExecution

/// Works on many stores, a few at a time; what goes wrong with one is no matter to the others.
struct TargetPool: Sendable {
  let parallel: Int
  let interruption: Interruption
  var onEvent: (@Sendable (TargetEvent) -> Void)?

  /// Works on all of them.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - body: What is done with each, by its number among them.
  /// - Returns: What came of each, in the order of the stores.
  func results<Report: Sendable>(
    _ targets: [MigrationTarget],
    _ body: @escaping @Sendable (Int, MigrationTarget) async throws -> Report
  ) async -> [TargetResult<Report>] {
    await withTaskGroup(of: (Int, TargetResult<Report>).self) { group in
      var results = [TargetResult<Report>?](repeating: nil, count: targets.count)
      var waiting = targets.enumerated().makeIterator()
      func startNext() {
        guard let (index, target) = waiting.next() else { return }
        group.addTask { (index, await result(index, target, body)) }
      }
      for _ in 0..<max(1, parallel) { startNext() }
      while let (index, result) = await group.next() {
        results[index] = result
        startNext()
      }
      return results.compactMap(\.self)
    }
  }

  private func result<Report: Sendable>(
    _ index: Int,
    _ target: MigrationTarget,
    _ body: @Sendable (Int, MigrationTarget) async throws -> Report
  ) async -> TargetResult<Report> {
    guard interruption.signal == nil, !Task.isCancelled else {
      return TargetResult(target: target, outcome: .notStarted, duration: .zero)
    }
    let clock = ContinuousClock()
    let begin = clock.now
    let outcome: TargetResult<Report>.Outcome
    do {
      outcome = .done(try await body(index, target))
    } catch {
      let isTold = interruption.signal != nil || Task.isCancelled
      let isInterrupted = error is CancellationError || isTold && error.isOfInterruption
      outcome = isInterrupted ? .interrupted(error) : .failed(error)
    }
    let result = TargetResult(
      target: target,
      outcome: outcome,
      duration: begin.duration(to: clock.now)
    )
    onEvent?(result.error is RepeatedStore ? .repeated(target) : .ended(target, result.error))
    return result
  }
}
