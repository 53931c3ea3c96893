internal import Dispatch
package import PostgresClient
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A way to end a migration from another thread: the statement that runs is cancelled, the
/// transaction rolled back.
public final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var canceller: ConnectionCanceller?
    var others: [Int: ConnectionCanceller] = [:]
    var parts: [Int: Part] = [:]
    var nextNumber = 0
  }

  /// An interruption of something that this one interrupts as well.
  private struct Part {
    weak var interruption: Interruption?
  }

  /// The signal for the cancellation of a task: SIGINT.
  package static let taskCancellation: Int32 = 2

  private let state = Mutex(State())
  private let enclosing: (interruption: Interruption, number: Int)?

  /// Creates an interruption that has not come yet.
  public init() {
    enclosing = nil
  }

  /// Creates an interruption of one call, which an interruption of all calls includes.
  package init(within all: Interruption) {
    enclosing = (all, all.nextNumber())
    all.add(self)
  }

  deinit {
    if let enclosing { enclosing.interruption.removePart(enclosing.number) }
  }

  /// The signal that came, if one did.
  public var signal: Int32? { state.withLock(\.signal) }

  /// Ends the migration as if this signal had come.
  public func interrupt(signal: Int32) {
    let parts: [Interruption]? = state.withLock { state in
      // A signal also cancels the task, which is not a signal of its own.
      guard state.signal == nil else { return nil }
      state.signal = signal
      return state.parts.values.compactMap(\.interruption)
    }
    guard let parts else { return }
    // Cancelling opens a connection, which takes long without a network: do not wait for it.
    DispatchQueue.global().async { [weak self] in self?.cancelStatements() }
    // An interruption between two statements cancels neither, and the second may take hours.
    for seconds in [0.3, 1, 3] {
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
        self?.cancelStatements()
      }
    }
    for part in parts { part.interrupt(signal: signal) }
  }

  private func cancelStatements() {
    let cancellers = state.withLock { state in
      [state.canceller].compactMap(\.self) + state.others.values
    }
    for canceller in cancellers { canceller.cancel() }
  }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
  }

  private func add(_ part: Interruption) {
    guard let number = part.enclosing?.number else { return }
    let signal = state.withLock { state in
      state.parts[number] = Part(interruption: part)
      return state.signal
    }
    if let signal { part.interrupt(signal: signal) }
  }

  private func removePart(_ number: Int) {
    state.withLock { _ = $0.parts.removeValue(forKey: number) }
  }

  /// Cancels the statement on this connection when the interruption occurs.
  package func watch(_ canceller: ConnectionCanceller?) {
    state.withLock { $0.canceller = canceller }
  }

  /// Cancels the statement on another connection when the interruption occurs.
  ///
  /// - Returns: The number that ends the watch.
  package func alsoWatch(_ canceller: ConnectionCanceller) -> Int {
    state.withLock { state in
      state.nextNumber += 1
      state.others[state.nextNumber] = canceller
      return state.nextNumber
    }
  }

  /// Ends the watch of one more connection.
  package func stopWatching(_ number: Int) {
    state.withLock { _ = $0.others.removeValue(forKey: number) }
  }

  /// Waits until the time is up or the interruption occurs.
  func sleep(seconds: Double) {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while signal == nil {
      let left = clock.now.duration(to: end)
      guard left > .zero else { return }
      usleep(UInt32(min(left, .milliseconds(50)).components.attoseconds / 1_000_000_000_000))
    }
  }

  /// Waits, and throws when the interruption occurs.
  package func pause(seconds: Double) throws(ExecutionError) {
    sleep(seconds: seconds)
    try check()
  }

  package func check() throws(ExecutionError) {
    if let signal { throw ExecutionError(.interrupted(signal: signal)) }
  }
}
