import Dispatch
import RemodelKit
import Synchronization

/// The progress of a run as it is while the clock goes on.
final class RunRecord: Sendable {
  private struct State {
    var progress = RunProgress()
    var hasBegun = false
    /// When the progress was told last in the log.
    var told: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let begin = ContinuousClock.now

  /// Whether anything is planned or done.
  var hasBegun: Bool { state.withLock(\.hasBegun) }
  /// Whether the progress was told in the log.
  var wasTold: Bool { state.withLock { $0.told != nil } }

  /// Moves on by an event.
  ///
  /// - Returns: Whether it was the first one of a run.
  func note(_ event: MigrationEvent) -> Bool {
    let seconds = seconds
    return state.withLock { state in
      state.progress.note(event, at: seconds)
      switch event {
      case .warned, .statement: return false
      case _: break
      }
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
  }

  /// Returns something of the progress at this moment.
  func read<Result: Sendable>(_ body: (RunProgress, _ time: Double) -> Result) -> Result {
    body(state.withLock(\.progress), seconds)
  }

  /// Returns whether it is time to tell of the progress again, and takes it for told if so.
  ///
  /// - Parameters:
  ///   - pause: The time between.
  ///   - isFirstDue: Whether the first time is at once.
  /// - Returns: Whether it is.
  func isDue(after pause: Duration, isFirstDue: Bool = false) -> Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      let isFirst = isFirstDue && state.told == nil
      guard isFirst || now - (state.told ?? begin) >= pause else { return false }
      state.told = now
      return true
    }
  }

  private var seconds: Double {
    let (seconds, attoseconds) = begin.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

/// Has the progress told of while nothing happens.
final class RunTicker: Sendable {
  /// One who tells of progress.
  protocol Listener: AnyObject, Sendable {
    /// A second has passed.
    func tick()
  }

  private struct Entry {
    weak var listener: (any Listener)?
  }

  private struct State {
    var listeners: [Entry] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "remodel.progress")

  /// Adds somebody who hears of every second.
  func add(_ listener: any Listener) {
    let isFirst = state.withLock { state in
      guard !state.listeners.contains(where: { $0.listener === listener }) else { return false }
      state.listeners.append(Entry(listener: listener))
      return state.listeners.count == 1
    }
    if isFirst { wait() }
  }

  /// Stops for good.
  func stop() {
    state.withLock { $0.isStopped = true }
  }

  private func wait() {
    queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.tick() }
  }

  private func tick() {
    let listeners: [any Listener]? = state.withLock { state in
      state.listeners.removeAll { $0.listener == nil }
      return state.isStopped || state.listeners.isEmpty
        ? nil : state.listeners.compactMap(\.listener)
    }
    guard let listeners else { return }
    for listener in listeners { listener.tick() }
    wait()
  }
}
