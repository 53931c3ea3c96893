internal import MigrationPlanning
package import SQLSyntax
internal import Synchronization

/// The progress of a transfer, for reports.
package final class TransferTally: Sendable {
  /// A table that was filled.
  package struct Table: Hashable, Sendable {
    /// The table.
    package let name: SQLIdentifier
    /// The number of its rows.
    package let rows: Int
    /// Whether an earlier run filled it, and nothing has changed at the source since.
    package let wasFilled: Bool
  }

  private struct State {
    var tables: [Table] = []
    var total = 0
    /// The rows of the tables that are to be filled; `nil` if unknown.
    var rowsTotal: Int?
    var rowsUnderWay: [SQLIdentifier: Int] = [:]
    var lastEvent: ContinuousClock.Instant?
    var snapshotTime = ""
    var isFinished = false
  }

  private let state = Mutex(State())
  private let begin = ContinuousClock.now

  /// The filled tables, in the order of their names.
  package var tables: [Table] { state.withLock(\.tables).sorted { $0.name < $1.name } }

  /// When the snapshot was taken, by the clock of the source.
  package var snapshotTime: String { state.withLock(\.snapshotTime) }

  var isFinished: Bool { state.withLock(\.isFinished) }

  /// Begins with so many tables, none of them filled.
  func begin(tables: Int, at snapshotTime: String) {
    state.withLock { state in
      state.tables = []
      state.total = tables
      state.snapshotTime = snapshotTime
    }
  }

  /// Notes about how many rows are to be copied.
  func expect(rows: Int?) {
    state.withLock { $0.rowsTotal = rows }
  }

  /// Notes that a table is filled.
  func add(_ table: Table, _ onEvent: (@Sendable (MigrationEvent) -> Void)?) {
    state.withLock { state in
      state.tables.append(table)
      state.rowsUnderWay[table.name] = nil
    }
    tell(table.name, onEvent)
  }

  /// Notes how many rows of a table have been sent, and tells of it once a second.
  func note(
    _ rows: Int,
    of table: SQLIdentifier,
    _ onEvent: (@Sendable (MigrationEvent) -> Void)?
  ) {
    let isDue = state.withLock { state in
      state.rowsUnderWay[table] = rows
      let now = ContinuousClock.now
      if let last = state.lastEvent, now - last < .seconds(1) { return false }
      state.lastEvent = now
      return true
    }
    if isDue { tell(table, onEvent) }
  }

  /// Notes the end.
  func finish() {
    state.withLock { $0.isFinished = true }
  }

  private func tell(_ table: SQLIdentifier, _ onEvent: (@Sendable (MigrationEvent) -> Void)?) {
    let progress = state.withLock { state in
      let filled = state.tables.filter { !$0.wasFilled }
      return MigrationEvent.CopyProgress(
        part: table.name,
        chunksDone: state.tables.count,
        chunksTotal: state.total,
        rows: filled.reduce(0) { $0 + $1.rows } + state.rowsUnderWay.values.reduce(0, +),
        rowsTotal: state.rowsTotal,
        duration: begin.duration(to: .now),
        chunksCopied: filled.count
      )
    }
    onEvent?(.copied(progress))
  }
}
