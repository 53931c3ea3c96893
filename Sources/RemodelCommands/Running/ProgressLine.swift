import RemodelKit
import Synchronization

/// A line on the terminal with the progress of a run, which is erased when there is more to report.
final class ProgressLine: Sendable {
  private struct State {
    var begin = ContinuousClock.now
    var drawn: ContinuousClock.Instant?
    /// The line as it was drawn last.
    var line = ""
    /// Whether it was ever drawn.
    var wasDrawn = false
    var isEnded = false
  }

  private let state = Mutex(State())
  private let file: TextFile

  /// Creates a line that is not drawn yet.
  init(on file: TextFile = .standardError) {
    self.file = file
  }

  /// The minimum time between two drawings; faster steps draw nothing.
  private static let pause = Duration.milliseconds(100)

  /// Whether it was ever drawn.
  var wasDrawn: Bool { state.withLock(\.wasDrawn) }

  /// Begins a step.
  func begin() {
    state.withLock { state in
      clear(&state)
      state.begin = .now
    }
  }

  /// Shows how far the run is.
  func show(_ text: @autoclosure () -> String) {
    state.withLock { state in
      let now = ContinuousClock.now
      guard !state.isEnded, now - (state.drawn ?? state.begin) >= Self.pause else { return }
      draw(text(), &state, at: now)
    }
  }

  /// Takes the line away for good.
  func end() {
    state.withLock { state in
      clear(&state)
      state.isEnded = true
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
    // A line that is broken cannot be erased; the last column is left to the cursor.
    let line = line.shownInLine.cut(toColumns: (file.columns ?? 80) - 1)
    file.write(Self.erasure + line)
    state.line = line
    state.drawn = now
    state.wasDrawn = true
  }

  private func clear(_ state: inout State) {
    guard state.drawn != nil else { return }
    file.write(Self.erasure)
    state.drawn = nil
  }
}

extension String {
  /// Returns the beginning of a line that takes no more than so many columns of a terminal.
  func cut(toColumns count: Int) -> String {
    guard unicodeScalars.reduce(0, { $0 + $1.columns }) > count else { return self }
    var result = ""
    var used = 1
    for character in self {
      used += character.unicodeScalars.reduce(0) { $0 + $1.columns }
      guard used <= count else { break }
      result.append(character)
    }
    return result + "…"
  }
}

extension Unicode.Scalar {
  /// The columns that it takes at most.
  fileprivate var columns: Int {
    switch value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE10...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1  // Scalars are no closed set of ours.
    }
  }
}
