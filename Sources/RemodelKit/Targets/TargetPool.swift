internal import MigrationExecution

/// Which store of all it is.
struct TargetNumber: Hashable, Comparable, Sendable {
  /// The number of the target that means it.
  let target: Int
  /// Its number among those that the target means.
  var position = 0

  static func < (first: Self, second: Self) -> Bool {
    (first.target, first.position) < (second.target, second.position)
  }
}

/// Works on many stores, a few at a time; a failure of one does not affect the others.
struct TargetPool: Sendable {
  /// A place to work on.
  enum Place: Sendable {
    /// A store.
    case store(MigrationTarget, TargetNumber)
    /// A database whose stores are still to be found, and the number of the target.
    case search(MigrationTarget, Int)

    /// A Boolean value that indicates whether the stores are still to be found.
    var isSearch: Bool { if case .search = self { true } else { false } }

    /// The store, or the database that stands for its stores.
    var target: MigrationTarget {
      switch self {
      case .store(let target, _), .search(let target, _): target
      }
    }

    /// Its number among all.
    var number: TargetNumber {
      switch self {
      case .store(_, let number): number
      case .search(_, let number): TargetNumber(target: number)
      }
    }
  }

  let parallel: Int
  /// After how many failures no further place is begun.
  let stopAfter: Int?
  let interruption: Interruption
  let onEvent: (@Sendable (TargetEvent) -> Void)?

  private enum Ended<Report: Sendable>: Sendable {
    case store(TargetResult<Report>, TargetNumber)
    case search(TargetResult<[MigrationTarget]>, Int)
  }

  /// Works on all places: on the stores of a database as soon as they are found.
  ///
  /// - Parameters:
  ///   - places: The stores, and the databases to search.
  ///   - search: Finds the stores of a database.
  ///   - body: The function for each store.
  /// - Returns: The result of each; a database that could not be searched represents all of its
  ///   stores.
  func results<Report: Sendable>(
    _ places: [Place],
    searching search: @escaping @Sendable (MigrationTarget) async throws -> [MigrationTarget],
    working body: @escaping @Sendable (MigrationTarget, TargetNumber) async throws -> Report
  ) async -> [TargetNumber: TargetResult<Report>] {
    await withTaskGroup(of: Ended<Report>.self) { group in
      var results: [TargetNumber: TargetResult<Report>] = [:]
      // The next one is the last.
      var waiting = Array(places.reversed())
      var count = places.count
      var running = 0
      var failures = 0
      onEvent?(.found(count))
      while true {
        while running < max(1, parallel), let place = waiting.popLast() {
          running += 1
          group.addTask {
            switch place {
            case .store(let target, let number):
              .store(await storeResult(target) { try await body(target, number) }, number)
            case .search(let target, let number):
              .search(await result(target) { try await search(target) }, number)
            }
          }
        }
        guard let ended = await group.next() else { return results }
        running -= 1
        switch ended {
        case .store(let result, let number):
          results[number] = result
          if result.isFailure { failures += 1 }
        case .search(let search, let number):
          if search.isFailure { failures += 1 }
          guard let stores = search.report else {
            results[TargetNumber(target: number)] = search.withoutReport()
            switch search.outcome {
            case .notStarted, .leftOut: break
            case .done, .failed, .interrupted: onEvent?(.ended(search.target, search.error))
            }
            break
          }
          waiting += stores.enumerated().reversed().map { position, store in
            .store(store, TargetNumber(target: number, position: position))
          }
          count += stores.count - 1
          onEvent?(.found(count))
        }
        if let stopAfter, failures >= stopAfter {
          for place in waiting { results[place.number] = .leftOut(place.target) }
          waiting = []
        }
      }
    }
  }

  private func storeResult<Report: Sendable>(
    _ target: MigrationTarget,
    _ body: @Sendable () async throws -> Report
  ) async -> TargetResult<Report> {
    let result = await result(target, body)
    switch result.outcome {
    case .notStarted, .leftOut: break
    case .failed(let error) where error is RepeatedStore: onEvent?(.repeated(target))
    case .done, .failed, .interrupted: onEvent?(.ended(target, result.error))
    }
    return result
  }

  private func result<Report: Sendable>(
    _ target: MigrationTarget,
    _ body: @Sendable () async throws -> Report
  ) async -> TargetResult<Report> {
    guard interruption.signal == nil, !Task.isCancelled else {
      return TargetResult(target: target, outcome: .notStarted, duration: .zero)
    }
    let clock = ContinuousClock()
    let begin = clock.now
    let outcome: TargetResult<Report>.Outcome
    do {
      outcome = .done(try await body())
    } catch {
      let isTold = interruption.signal != nil || Task.isCancelled
      let isInterrupted = error is CancellationError || isTold && error.isOfInterruption
      outcome = isInterrupted ? .interrupted(error) : .failed(error)
    }
    return TargetResult(target: target, outcome: outcome, duration: begin.duration(to: clock.now))
  }
}

extension TargetResult {
  /// Returns the result of a store that was not to be begun.
  static func leftOut(_ target: MigrationTarget) -> TargetResult {
    TargetResult(target: target, outcome: .leftOut, duration: .zero)
  }

  /// A Boolean value that indicates whether the work failed, which that on a store named twice does not.
  fileprivate var isFailure: Bool {
    if case .failed(let error) = outcome { !(error is RepeatedStore) } else { false }
  }

  /// Returns the same result for a report of another type, since there is none.
  fileprivate func withoutReport<Other>() -> TargetResult<Other> {
    let outcome: TargetResult<Other>.Outcome =
      switch outcome {
      case .failed(let error): .failed(error)
      case .interrupted(let error): .interrupted(error)
      case .leftOut: .leftOut
      case .done, .notStarted: .notStarted
      }
    return TargetResult<Other>(target: target, outcome: outcome, duration: duration)
  }
}
