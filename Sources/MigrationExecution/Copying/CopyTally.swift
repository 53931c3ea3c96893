internal import Synchronization

/// The progress of a part's workers, and their first failure.
final class CopyTally: Sendable {
  private struct State {
    var chunksDone: Int
    var chunksTotal: Int
    var chunksCopied = 0
    var rows = 0
    var error: (any Error)?
    var isStopped = false
  }

  private let state: Mutex<State>
  private let name: String
  private let begin = ContinuousClock.now
  private let onEvent: (@Sendable (MigrationEvent) -> Void)?

  init(
    name: String,
    done: Int,
    total: Int,
    _ onEvent: (@Sendable (MigrationEvent) -> Void)?
  ) {
    self.name = name
    self.onEvent = onEvent
    state = Mutex(State(chunksDone: done, chunksTotal: total))
  }

  /// A Boolean value that indicates whether all workers are to stop.
  var isStopped: Bool { state.withLock(\.isStopped) }

  /// The first error that a worker met.
  var error: (any Error)? { state.withLock(\.error) }

  /// Notes that ranges are copied.
  func add(chunks: Int, rows: Int, seconds: Double) {
    let copied = state.withLock { state in
      state.chunksDone += chunks
      state.chunksCopied += chunks
      state.rows += rows
      state.chunksTotal = max(state.chunksTotal, state.chunksDone)
      let elapsed = max(begin.duration(to: .now).inSeconds, 1e-6)
      return MigrationEvent.CopyProgress(
        part: name,
        chunksDone: state.chunksDone,
        chunksTotal: state.chunksTotal,
        rows: state.rows,
        rowsTotal: nil,
        duration: .seconds(elapsed),
        chunksCopied: state.chunksCopied
      )
    }
    onEvent?(.copied(copied))
  }

  /// Ends all workers.
  func stop(_ error: (any Error)?) {
    state.withLock { state in
      state.isStopped = true
      if state.error == nil { state.error = error }
    }
  }
}
