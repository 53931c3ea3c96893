package import PostgresClient
internal import Synchronization

/// A way to end a migration from another thread: the statement that runs is cancelled, the
/// transaction rolled back.
public final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var canceller: ConnectionCanceller?
    var others: [Int: ConnectionCanceller] = [:]
    var nextNumber = 0
  }

  private let state = Mutex(State())

  /// Creates an interruption that has not come yet.
  public init() {}

  /// The signal that came, if one did.
  public var signal: Int32? { state.withLock(\.signal) }

  /// Ends the migration as if this signal had come.
  public func interrupt(signal: Int32) {
    let cancellers = state.withLock { state in
      state.signal = signal
      return [state.canceller].compactMap(\.self) + state.others.values
    }
    for canceller in cancellers { canceller.cancel() }
  }

  /// Cancels what runs on this connection when the interruption comes.
  package func watch(_ canceller: ConnectionCanceller?) {
    state.withLock { $0.canceller = canceller }
  }

  /// Cancels what runs on one more connection when the interruption comes.
  ///
  /// - Returns: What ends the watch.
  func alsoWatch(_ canceller: ConnectionCanceller) -> Int {
    state.withLock { state in
      state.nextNumber += 1
      state.others[state.nextNumber] = canceller
      return state.nextNumber
    }
  }

  /// Ends the watch of one more connection.
  func stopWatching(_ number: Int) {
    state.withLock { _ = $0.others.removeValue(forKey: number) }
  }

  /// Waits, and ends the wait when the interruption comes.
  package func pause(seconds: Double) throws(ExecutionError) {
    Pause.sleep(seconds: seconds, self)
    try check()
  }

  package func check() throws(ExecutionError) {
    if let signal { throw ExecutionError(.interrupted(signal: signal)) }
  }
}
