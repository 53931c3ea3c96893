import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(10)))
struct PipelineTests {
  @Test(arguments: [1, 2, 63, 64, 65, 1000])
  func `statements are answered in their order`(count: Int) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE TABLE t (n int)")
      try connection.execute("BEGIN")
      var answers: [Int] = []

      try connection.run(
        inOrder: (0..<count).map { number in
          "INSERT INTO t SELECT generate_series(0, \(number % 3))" as SQLFragment
        }
      ) { position, _, rows in
        #expect(position == answers.count)
        answers.append(rows)
      }

      #expect(answers == (0..<count).map { $0 % 3 + 1 })
      #expect(connection.transactionStatus == .inTransaction)
      try connection.execute("COMMIT")
      let found = try connection.query("SELECT count(*) FROM t").value
      #expect(found == "\(answers.reduce(0, +))")
    }
  }

  @Test(arguments: [0, 1, 50, 150, 199])
  func `no statement runs after one that fails`(position: Int) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE TABLE t (n int)")
      try connection.execute("BEGIN")
      var last: Int?

      let error = #expect(throws: PostgresError.self) {
        try connection.run(
          inOrder: (0..<200).map { number in
            number == position ? "SELECT 1 / 0" : "INSERT INTO t VALUES (\(number))"
          }
        ) { position, _, _ in last = position }
      }

      #expect(error?.sqlState == "22012")
      #expect(last == (position == 0 ? nil : position - 1))
      #expect(connection.transactionStatus == .failed)
      try connection.execute("ROLLBACK")
      #expect(try connection.query("SELECT count(*) FROM t").value == "0")
    }
  }

  @Test
  func `an error of the caller ends the run`() async throws {
    struct Enough: Error {}
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("BEGIN")

      #expect(throws: Enough.self) {
        let statements = [SQLFragment](repeating: "SELECT 1", count: 500)
        try connection.run(inOrder: statements) { position, _, _ in
          if position == 3 { throw Enough() }
        }
      }

      #expect(connection.transactionStatus == .inTransaction)
      try connection.execute("ROLLBACK")
      #expect(try connection.query("SELECT 2").value == "2")
    }
  }

  @Test
  func `a server that says much keeps neither side waiting`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("BEGIN")
      let long = String(repeating: "x", count: 20_000)
      var count = 0

      try connection.run(
        inOrder: [SQLFragment](
          repeating: "SELECT length(\(text: long)), repeat('y', 1000000)",
          count: 100
        )
      ) { _, _, rows in count += rows }

      #expect(count == 100)
    }
  }

  @Test
  func `a session that ends is an error`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("BEGIN")

      let error = #expect(throws: PostgresError.self) {
        try connection.run(
          inOrder: [
            "SELECT 1", "SELECT pg_terminate_backend(pg_backend_pid())", "SELECT 2", "SELECT 3",
          ]
        ) { _, _, _ in }
      }

      #expect(error?.kind == .connectionLost)
      let isBroken = connection.isBroken
      #expect(isBroken)
    }
  }
}
