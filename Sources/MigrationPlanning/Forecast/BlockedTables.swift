internal import SQLSyntax

/// Adds up for how long the tables of a step are kept from others: a lock is held from the statement
/// that takes it to the end of its transaction.
struct BlockedTables {
  /// The part of a transaction that a table is locked for, so far.
  private struct Wait {
    var lock = LockMode.share
    var readers: BlockedTime = .none
    var writers: BlockedTime = .none
    /// The longest statement of it; one of unknown duration is the longest of all.
    var longest: (statement: Int, seconds: Double)?
  }

  private var running: [QualifiedName: Wait] = [:]
  private var longest: [QualifiedName: TableBlock] = [:]

  /// The tables in the order of their names.
  var blocks: [TableBlock] { longest.values.sorted { $0.table < $1.table } }

  mutating func begin() { running = running.filter { $0.value.writers > .none } }

  /// Notes a lock that is held from now on.
  mutating func take(_ mode: LockMode, on table: QualifiedName) {
    guard mode >= .share else { return }
    var wait = running[table] ?? Wait()
    wait.lock = max(wait.lock, mode)
    if mode == .accessExclusive { wait.readers = max(wait.readers, .about(0)) }
    wait.writers = max(wait.writers, .about(0))
    running[table] = wait
  }

  /// Advances the time; `nil` is an unknown duration.
  mutating func work(_ seconds: Double?, statement: Int?) {
    for table in running.keys {
      running[table]?.readers.lengthen(by: seconds)
      running[table]?.writers.lengthen(by: seconds)
      guard let statement else { continue }
      let took = seconds ?? .infinity
      if took > running[table]?.longest?.seconds ?? -1 {
        running[table]?.longest = (statement, took)
      }
    }
  }

  /// Ends a transaction, with all of its locks.
  ///
  /// - Parameter keepingWriters: Whether writers are turned away until the next one ends.
  mutating func end(keepingWriters: Bool) {
    for (table, wait) in running {
      var block =
        longest[table]
        ?? TableBlock(table: table, lock: wait.lock, readers: .none, writers: .none)
      block.lock = max(block.lock, wait.lock)
      if max(wait.readers, wait.writers) > max(block.readers, block.writers) {
        block.longestStatement = wait.longest?.statement
      }
      block.readers = max(block.readers, wait.readers)
      block.writers = max(block.writers, wait.writers)
      longest[table] = block
      running[table]?.readers = .none
    }
    if !keepingWriters { running = [:] }
  }
}

extension BlockedTime {
  /// Adds to the time of those who wait.
  fileprivate mutating func lengthen(by more: Double?) {
    switch self {
    case .none, .notKnown: break
    case .about(let seconds): self = more.map { .about(seconds + $0) } ?? .notKnown
    }
  }
}
