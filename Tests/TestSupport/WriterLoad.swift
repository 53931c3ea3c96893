internal import Dispatch
internal import PostgresClient
internal import SQLSyntax
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Several concurrent writers, each with a session and a thread of its own, until they are stopped.
package final class WriterLoad: Sendable {
  private struct State {
    var isStopped = false
    var commits = 0
    var running = 0
    var processes: Set<Int> = []
    /// The tables that are left once others have come to their places.
    var remaining: Set<String>?
    var surprises: [String] = []
  }

  private let url: String
  private let tables: [WritableTable]
  private let isGated: Bool
  private let state = Mutex(State())
  private let group = DispatchGroup()

  /// Creates writers that do not write yet.
  ///
  /// - Parameters:
  ///   - url: The database.
  ///   - tables: The tables that they write to.
  ///   - isGated: Whether they have to expect being turned away.
  package init(_ url: String, _ tables: [WritableTable], isGated: Bool = false) {
    self.url = url
    self.tables = tables
    self.isGated = isGated
  }

  /// The unexpected errors of the writers.
  package var surprises: [String] { state.withLock(\.surprises) }

  /// How many transactions were committed.
  package var commits: Int { state.withLock(\.commits) }

  /// Begins to write.
  package func start(_ count: Int, seed: UInt64) {
    for number in 0..<count {
      let seed = seed * 100 + UInt64(number)
      state.withLock { $0.running += 1 }
      DispatchQueue(label: "writer-\(number)").async(group: group) { [self] in
        do {
          try write(RandomWriter(tables, seed: seed, empties: number == 0))
        } catch {
          note("\(error)")
        }
        state.withLock { $0.running -= 1 }
      }
    }
  }

  /// Writes so many transactions, one after the other.
  package func grow(_ count: Int, seed: UInt64) throws {
    let connection = try open()
    var writer = RandomWriter(tables, seed: seed, empties: false)
    for _ in 0..<count { try run(writer.transaction(), connection) }
  }

  /// Waits until so many more transactions are committed, or refused for too long.
  package func wait(forCommits count: Int) {
    let target = commits + count
    for _ in 0..<2_000 {
      let isOver = state.withLock { $0.commits >= target || $0.running == 0 }
      if isOver { return }
      usleep(2_000)
    }
  }

  /// Ends all writers when they have finished their transactions.
  package func stop() {
    state.withLock { $0.isStopped = true }
    group.wait()
  }

  /// Notes that the tables become others from now on; those that are left have to be there always.
  package func noteReplacement(leaving remaining: Set<String>) {
    state.withLock { $0.remaining = remaining }
  }

  // MARK: - Writing

  private func open() throws -> PostgresConnection {
    let connection = try PostgresConnection(to: .url(url))
    state.withLock { _ = $0.processes.insert(connection.backendPID) }
    return connection
  }

  private func write(_ writer: RandomWriter) throws {
    let connection = try open()
    var writer = writer
    while !state.withLock(\.isStopped) {
      try run(writer.transaction(), connection)
      // Others want to get something done as well.
      usleep(2_000)
    }
  }

  private func run(
    _ transaction: RandomWriter.Transaction,
    _ connection: borrowing PostgresConnection
  ) throws {
    var current: SQLFragment = ""
    do {
      for statement in transaction.statements {
        current = statement
        try connection.execute(statement)
      }
    } catch {
      if !isExpected(error, isTruncation: current.text.hasPrefix("TRUNCATE")) {
        let code = error.sqlState?.rawValue ?? ""
        note("\(code) \(error.message) \(error.detail ?? ""): \(current)")
      }
      return try end(connection)
    }
    if let name = transaction.preparedName {
      try connection.execute(
        transaction.isCommitted ? "COMMIT PREPARED \(name)" : "ROLLBACK PREPARED \(name)"
      )
    }
    if transaction.isCommitted { state.withLock { $0.commits += 1 } }
  }

  private func end(_ connection: borrowing PostgresConnection) throws {
    if connection.transactionStatus != .idle { try connection.execute("ROLLBACK") }
  }

  private func note(_ surprise: String) {
    state.withLock { state in
      if state.surprises.count < 10 { state.surprises.append(surprise) }
    }
  }

  // MARK: - Errors

  /// Returns whether an error is one that writers must expect from concurrent writers.
  private func isExpected(_ error: PostgresError, isTruncation: Bool) -> Bool {
    guard let code = error.sqlState?.rawValue else { return false }
    switch code {
    case "40001", "22003": return true
    case "57M01": return isGated
    // Who truncates locks tables in an order of their own while others hold some of them: of those
    // that wait for one another it may well be the one that has to begin again.
    case "40P01": return isAmongWriters(error) || isTruncation
    default: break
    }
    if code.hasPrefix("23") { return true }
    guard let remaining = state.withLock(\.remaining) else { return false }
    switch code {
    // Statements of the version before.
    case "42703", "42804", "42883", "42P10", "22P02", "22P04": return true
    case "42P01": return !remaining.contains { error.message.contains("\"public.\($0)\"") }
    default: return false
    }
  }

  /// Returns whether the victim of a deadlock waited for another writer.
  ///
  /// A session that waits for another's lock may not be chosen, however others wait for each other.
  private func isAmongWriters(_ error: PostgresError) -> Bool {
    let words = (error.detail ?? "").split { !$0.isLetter && !$0.isNumber }
    // The first line of the detail is about the victim.
    guard let word = words.firstIndex(of: "blocked"), words.indices.contains(word + 3),
      let blocker = Int(words[word + 3])
    else { return false }
    return state.withLock { $0.processes.contains(blocker) }
  }
}
