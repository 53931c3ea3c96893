import RemodelKit
import Synchronization

/// A line on the terminal with the progress of a step, which is erased when there is more to
/// report.
final class ProgressLine: Sendable {
  private struct State {
    var way = ""
    var statementCount = 0
    var begin = ContinuousClock.now
    var drawn: ContinuousClock.Instant?
    /// The line as it was drawn last.
    var line = ""
  }

  private let state = Mutex(State())
  private let file: TextFile

  /// Creates a line that is not drawn yet.
  init(on file: TextFile = .standardError) {
    self.file = file
  }

  /// The minimum time between two drawings; faster steps draw nothing.
  private static let pause = Duration.milliseconds(100)

  /// Begins a step.
  func begin(_ way: String) {
    state.withLock { state in
      clear(&state)
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
      draw(line, &state, at: now)
    }
  }

  /// Shows how far a copy is.
  func show(_ text: String) {
    state.withLock { state in
      let now = ContinuousClock.now
      guard now - (state.drawn ?? state.begin) >= Self.pause else { return }
      draw("\(state.way): \(text)", &state, at: now)
    }
  }

  /// Takes the line away.
  func clear() {
    state.withLock { clear(&$0) }
  }

  /// Writes a text of whole lines in place of the progress line, which continues below it.
  func write(_ text: String) {
    state.withLock { state in
      let isDrawn = state.drawn != nil
      // In one write, so that the line does not flicker.
      let line = isDrawn ? state.line : ""
      file.write((isDrawn ? Self.erasure : "") + text + line)
    }
  }

  /// Moves to the beginning of the line and erases it.
  private static let erasure = "\r\u{1B}[K"

  private func draw(_ line: String, _ state: inout State, at now: ContinuousClock.Instant) {
    let line = line.shownInLine
    file.write(Self.erasure + line)
    state.line = line
    state.drawn = now
  }

  private func clear(_ state: inout State) {
    guard state.drawn != nil else { return }
    file.write(Self.erasure)
    state.drawn = nil
  }
}
