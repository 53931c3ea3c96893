import RemodelKit
import Synchronization

/// Reports the events of many stores on standard error, each with its name, and the number of
/// finished ones.
final class TargetReporter: Sendable {
  private struct State {
    var total = 0
    var repeated = 0
    var done = 0
    var failed = 0
    var reporters: [MigrationTarget: EventReporter] = [:]
  }

  private let reporter: EventReporter
  private let state = Mutex(State())

  init(_ reporter: EventReporter) {
    self.reporter = reporter
  }

  /// Tells of an event.
  func report(_ event: TargetEvent) {
    switch event {
    case .found(let count):
      let isFirst = state.withLock { state in
        defer { state.total = count }
        return state.total == 0
      }
      if isFirst { reporter.beginStores() }
    case .repeated(let target):
      state.withLock { state in
        state.repeated += 1
        state.reporters[target] = nil
      }
    case .happened(let event, let target):
      own(target).report(event)
    case .ended(let target, let error):
      if let error { own(target).reportFailure(error) }
      own(target).endStore(hasFailed: error != nil)
      let text = state.withLock { state in
        state.reporters[target] = nil
        state.done += 1
        if error != nil { state.failed += 1 }
        let failed = state.failed > 0 ? ", \(state.failed) failed" : ""
        return "\(state.done) of \(counted(state.total - state.repeated, "store"))\(failed)"
      }
      reporter.showStores(text)
    }
  }

  private func own(_ target: MigrationTarget) -> EventReporter {
    state.withLock { state in
      if let known = state.reporters[target] { return known }
      let own = reporter.of(target.name)
      state.reporters[target] = own
      return own
    }
  }
}
