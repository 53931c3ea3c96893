import PostgresClient
import SQLSyntax
import TestSupport
import Testing

/// What a session has of the work before.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(10)))
struct RenewalTests {
  @Test
  func `nothing of earlier work is left in a renewed session`() async throws {
    try await TestServer.withDatabase { url in
      let session = try await PostgresSession.connect(to: .url(url))
      let other = try PostgresConnection(to: .url(url))
      let pid = try await session.run { connection in
        try connection.execute(
          """
          SET lock_timeout = 7; SET work_mem = '1MB'; CREATE TEMPORARY TABLE t (n integer);
          PREPARE p AS SELECT 1; SELECT pg_advisory_lock(42)
          """
        )
        return connection.backendPID
      }

      #expect(await session.renew())

      try await session.run { connection in
        #expect(connection.backendPID == pid)
        let settings = try connection.query(
          """
          SELECT current_setting('lock_timeout'), current_setting('search_path'), \
          to_regclass('pg_temp.t') IS NULL, (SELECT count(*) FROM pg_prepared_statements)
          """
        )
        #expect(settings.rows == [["0", "pg_catalog, pg_temp", "t", "0"]])
      }
      #expect(try other.query("SELECT pg_try_advisory_lock(42)").value == "t")
      await session.close()
    }
  }

  @Test
  func `a session with an open transaction, or none any more, is not used again`() async throws {
    try await TestServer.withDatabase { url in
      let open = try await PostgresSession.connect(to: .url(url))
      try await open.run { try $0.execute("BEGIN") }
      #expect(await !open.renew())

      let ended = try await PostgresSession.connect(to: .url(url))
      let pid = try await ended.run { $0.backendPID }
      try PostgresConnection(to: .url(url)).query("SELECT pg_terminate_backend(\(pid), 5000)")
      #expect(await !ended.renew())

      await open.close()
      #expect(await !open.renew())
    }
  }
}
