import RemodelKit
import Synchronization

/// A line on the terminal that says how far a step has come, and goes when there is more to say.
final class ProgressLine: Sendable {
  private struct State {
    var way = ""
    var statementCount = 0
    var begin = ContinuousClock.now
    var drawn: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// Draws no more often than eyes can follow, and not at all for what is over in an instant.
  private static let pause = Duration.milliseconds(100)

  /// Begins a step.
  func begin(_ way: String) {
    state.withLock { state in
      Self.clear(&state)
      state = State(way: way)
    }
  }

  /// Counts a statement.
  func advance() {
    state.withLock { state in
      state.statementCount += 1
      let now = ContinuousClock.now
      guard now - (state.drawn ?? state.begin) >= Self.pause else { return }
      let work = counted(state.statementCount, "statement")
      let line = "\(state.way): \(work), \(state.begin.duration(to: now).brief)"
      TextFile.standardError.write("\r\u{1B}[K\(line)")
      state.drawn = now
    }
  }

  /// Shows how far a copy is.
  func show(_ text: String) {
    state.withLock { state in
      let now = ContinuousClock.now
      guard now - (state.drawn ?? state.begin) >= Self.pause else { return }
      TextFile.standardError.write("\r\u{1B}[K\(state.way): \(text)")
      state.drawn = now
    }
  }

  /// Takes the line away.
  func clear() {
    state.withLock { Self.clear(&$0) }
  }

  private static func clear(_ state: inout State) {
    guard state.drawn != nil else { return }
    TextFile.standardError.write("\r\u{1B}[K")
    state.drawn = nil
  }
}
