internal import MigrationPlanning
internal import Synchronization

/// The tables that workers fill, and the first error of one of them.
final class TransferQueue: Sendable {
  private struct State {
    var tables: ArraySlice<TransferredTable>
    var error: (any Error)?
  }

  private let state: Mutex<State>

  init(_ tables: [TransferredTable]) {
    state = Mutex(State(tables: tables[...]))
  }

  /// How many tables are left.
  var count: Int { state.withLock { $0.tables.count } }

  /// The error that ended the work.
  var error: (any Error)? { state.withLock(\.error) }

  /// Takes the next table; none if there is none, or an error has ended the work.
  func next() -> TransferredTable? {
    state.withLock { $0.error == nil ? $0.tables.popFirst() : nil }
  }

  /// Ends the work after the tables that are being filled.
  func stop(_ error: any Error) {
    state.withLock { state in
      if state.error == nil { state.error = error }
    }
  }
}
