import PostgresClient
import SQLSyntax
import TestSupport
import Testing

/// Several statements that the server gets at once.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(10)))
struct RoundTripTests {
  @Test(arguments: [1, 2, 1000])
  func `statements run and are answered in their order`(count: Int) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE TABLE t (n int)")
      var answers: [Int] = []

      let rows = try connection.execute(
        (0..<count).map { "INSERT INTO t SELECT \($0) FROM generate_series(0, \($0))" }
      ) { answers.append($0) }

      #expect(rows == count)
      #expect(answers == Array(1...count))
      let found = try connection.query("SELECT count(*) FROM t").value
      #expect(found == "\(count * (count + 1) / 2)")
    }
  }

  @Test(arguments: [0, 1, 98, 99])
  func `no statement runs after one that fails`(position: Int) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE TABLE t (n int)")
      try connection.execute("BEGIN")
      var answers = 0

      let error = #expect(throws: PostgresError.self) {
        try connection.execute(
          (0..<100).map { $0 == position ? "SELECT 1 / 0" : "INSERT INTO t VALUES (\($0))" }
        ) { answers = $0 }
      }

      #expect(error?.sqlState == "22012")
      #expect(error?.statement == "SELECT 1 / 0")
      #expect(answers == position)
      #expect(connection.transactionStatus == .failed)
      try connection.execute("ROLLBACK")
      #expect(try connection.query("SELECT count(*) FROM t").value == "0")
    }
  }

  @Test(arguments: [0, 1, 98, 99])
  func `an administrator's end of the session is known as one`(position: Int) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let other = try PostgresConnection(to: .url(url))
      let end: SQLFragment = "SELECT pg_terminate_backend(\(connection.backendPID))"
      try connection.execute("BEGIN")

      let error = #expect(throws: PostgresError.self) {
        try connection.execute(
          (0..<100).map { $0 == position ? "SELECT pg_sleep(0.2)" : "SELECT \($0)" }
        ) { answers in if answers == max(position, 1) { _ = try? other.query(end) } }
        // The last answers can be on their way when the session ends.
        try connection.execute(["SELECT 1"]) { _ in }
      }

      #expect(error?.kind == .connectionLost)
      #expect(error?.sqlState == .adminShutdown)
    }
  }

  @Test(arguments: [0, 1, 98, 99])
  func `a session that ends itself ends the statements there`(position: Int) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      var answers = 0

      let error = #expect(throws: PostgresError.self) {
        try connection.execute(
          (0..<100).map {
            $0 == position ? "SELECT pg_terminate_backend(pg_backend_pid())" : "SELECT \($0)"
          }
        ) { answers = $0 }
      }

      #expect(error?.kind == .connectionLost)
      #expect(error?.sqlState == .adminShutdown)
      #expect(answers == position)
      let isBroken = connection.isBroken
      #expect(isBroken)
    }
  }

  @Test
  func `answers of any size keep neither side waiting`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let long = String(repeating: "x", count: 20_000)

      let rows = try connection.execute(
        [SQLFragment](
          repeating: "SELECT length(\(text: long)), repeat('y', 1000000)",
          count: 100
        )
      ) { _ in }

      #expect(rows == 1)
    }
  }

  @Test
  func `a statement that waits for the client's rows ends the statements there`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE TABLE t (n int)")
      var answers = 0

      let error = #expect(throws: PostgresError.self) {
        try connection.execute(["SELECT 1", "COPY t FROM STDIN", "SELECT 2"]) { answers = $0 }
      }

      #expect(error?.sqlState == .featureNotSupported)
      #expect(answers == 1)
      #expect(try connection.query("SELECT 3").value == "3")
    }
  }
}
