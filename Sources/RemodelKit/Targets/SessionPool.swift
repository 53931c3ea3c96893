internal import PostgresClient
internal import Synchronization

/// Sessions that the work on one store leaves to the work on another one of the same database: a new session
/// would read the catalog anew.
final class SessionPool: Sendable {
  fileprivate struct Idle: Sendable {
    let source: ConnectionSource
    let session: PostgresSession
  }

  fileprivate struct State {
    /// The one that has waited longest is first.
    var idle: [Idle] = []
    /// How many stores of each database are still to be begun.
    var expected: [ConnectionSource: Int] = [:]
    /// The databases that have had several stores to be begun at a time.
    var shared: Set<ConnectionSource> = []
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates a pool without sessions.
  ///
  /// - Parameter limit: How many sessions may wait for work.
  init(limit: Int) {
    self.limit = limit
  }

  /// Notes that there are stores to be worked on.
  func expect(_ stores: [MigrationTarget]) {
    state.withLock { state in
      for store in stores {
        state.expected[store.database, default: 0] += 1
        if state.expected[store.database, default: 0] > 1 { state.shared.insert(store.database) }
      }
    }
  }

  /// Returns whether the database of a store has others.
  func isShared(_ store: MigrationTarget) -> Bool {
    state.withLock { $0.shared.contains(store.database) }
  }

  /// Notes that the work on a store begins.
  func begin(_ store: MigrationTarget) {
    state.withLock { $0.expected[store.database, default: 1] -= 1 }
  }

  /// Returns a session of a database without anything that earlier work has left in it.
  ///
  /// - Parameters:
  ///   - source: The source of the connection's settings.
  ///   - wait: The time to retry while the server does not accept connections.
  /// - Returns: The session.
  /// - Throws: The reason why there is none.
  func session(of source: ConnectionSource, wait: Duration) async throws -> PostgresSession {
    while let session = take(source) {
      if await session.renew() { return session }
      await session.close()
    }
    return try await PostgresSession.connect(to: source, wait: wait)
  }

  private func take(_ source: ConnectionSource) -> PostgresSession? {
    state.withLock { state in
      state.idle.lastIndex { $0.source == source }.map { state.idle.remove(at: $0).session }
    }
  }

  /// Keeps a session as long as other work on its database is to be begun.
  func keep(_ session: PostgresSession, of source: ConnectionSource) async {
    let surplus = state.withLock { state in
      state.idle.append(Idle(source: source, session: session))
      guard state.expected[source, default: 0] > 0 else { return state.removeAll { $0 == source } }
      return state.idle.count > limit ? [state.idle.removeFirst().session] : []
    }
    for session in surplus { await session.close() }
  }

  /// Closes all sessions that wait for work.
  func close() async {
    for session in state.withLock({ $0.removeAll { _ in true } }) { await session.close() }
  }
}

extension SessionPool.State {
  /// Takes out the sessions of some databases.
  fileprivate mutating func removeAll(
    _ isMeant: (ConnectionSource) -> Bool
  ) -> [PostgresSession] {
    defer { idle.removeAll { isMeant($0.source) } }
    return idle.filter { isMeant($0.source) }.map(\.session)
  }
}
