import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PostgresSessionTests {
  @Test
  func `a session has the fixed settings`() async throws {
    try await TestServer.withDatabase { url in
      let session = try await PostgresSession.connect(to: .url(url))

      let zone = try await session.run { try $0.query("SHOW TimeZone").value }

      #expect(zone == "UTC")
    }
  }

  @Test
  func `a statement is cancelled from another thread`() async throws {
    try await TestServer.withDatabase { url in
      let session = try await PostgresSession.connect(to: .url(url))
      let (canceller, process) = try await session.run { ($0.canceller, $0.backendPID) }
      let watcher = try await PostgresSession.connect(to: .url(url))

      let sleeper = Task {
        try await session.run { connection in
          _ = try connection.execute("SELECT pg_sleep(100)")
        }
      }
      while try await !isActive(process, seenBy: watcher) {}
      #expect(canceller.cancel())

      let error = await #expect(throws: PostgresError.self) { try await sleeper.value }
      #expect(error?.kind == .server)
      #expect(error?.sqlState == .queryCanceled)
      #expect(try await session.run { try $0.query("SELECT 1").value } == "1")
    }
  }

  @Test
  func `sessions wait side by side`() async throws {
    try await TestServer.withDatabase { url in
      // None goes on before all are there.
      let count: SQLFragment = """
        SELECT count(*) FROM pg_locks JOIN pg_database AS d ON d.oid = database \
        WHERE locktype = 'advisory' AND datname = current_database()
        """
      let sessions = try await withThrowingTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            let session = try await PostgresSession.connect(to: .url(url))
            try await session.run { connection in
              try connection.execute("SELECT pg_advisory_lock_shared(1)")
              while try connection.query(count).value != "8" {
                try connection.execute("SELECT pg_sleep(0.01)")
              }
            }
            return session
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }

      #expect(sessions.count == 8)
    }
  }

  @Test
  func `a closed session is lost`() async throws {
    try await TestServer.withDatabase { url in
      let session = try await PostgresSession.connect(to: .url(url))
      await session.close()

      let error = await #expect(throws: PostgresError.self) {
        try await session.run { $0.serverVersion }
      }

      #expect(error?.kind == .connectionLost)
    }
  }

  private func isActive(_ process: Int, seenBy watcher: PostgresSession) async throws -> Bool {
    try await watcher.run { connection in
      try connection.query(
        "SELECT FROM pg_stat_activity WHERE pid = $1::int AND wait_event = 'PgSleep'",
        ["\(process)"]
      )
      .count == 1
    }
  }
}
