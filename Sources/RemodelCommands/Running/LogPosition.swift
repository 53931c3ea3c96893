import Logging
import Synchronization

/// The position of a call: every JSON log record between a step's beginning and its end names the
/// step.
final class LogPosition: Sendable {
  private struct State {
    var step = 0
    var statement = 0
    var versions: (source: String?, destination: String)?
  }

  private let state = Mutex(State())

  /// Begins the next step, or the same one again after an attempt that was given up.
  func begin(from source: String?, to destination: String) {
    state.withLock { state in
      let isAgain = state.versions.map { $0 == (source, destination) } ?? false
      state = State(step: state.step + (isAgain ? 0 : 1), versions: (source, destination))
    }
  }

  /// Ends the step.
  func end() {
    state.withLock { $0.versions = nil }
  }

  /// Counts a statement of the step.
  func advance() -> Int {
    state.withLock { state in
      state.statement += 1
      return state.statement
    }
  }

  /// The current step, if there is one, with its versions.
  var metadata: Logger.Metadata {
    state.withLock { state in
      guard let versions = state.versions else { return [:] }
      return [
        "step": .stringConvertible(state.step), "from": "\(versions.source ?? "empty")",
        "to": "\(versions.destination)",
      ]
    }
  }
}
