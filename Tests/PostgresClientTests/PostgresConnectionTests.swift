import Diagnostics
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PostgresConnectionTests {
  @Test
  func `a query gives columns, rows and NULL`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))

      let result = try connection.query(
        "SELECT n, n > 1 AS large, NULL AS nothing, '' AS empty FROM generate_series(1, 2) AS n"
      )

      #expect(result.columns == ["n", "large", "nothing", "empty"])
      #expect(result.rows == [["1", "f", nil, ""], ["2", "t", nil, ""]])
      #expect(result.map { $0.integer("n") } == [1, 2])
      #expect(result.map { $0.boolean("large") } == [false, true])
      #expect(result.affectedRows == 2)
      #expect(result.value == "1")
    }
  }

  @Test
  func `parameters arrive as they are`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let values = ["O'Brien", "a\\b\n\"c\"", "", nil, "日本語 🦆"]

      let result = try connection.query(
        "SELECT $1::text, $2::text, $3::text, $4::text, $5::text",
        values
      )

      #expect(result.rows == [values])
    }
  }

  @Test
  func `execute returns the number of rows that the last statement changed`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))

      let created = try connection.execute("CREATE TABLE t (n int)")
      let inserted = try connection.execute(
        "INSERT INTO t VALUES (1); INSERT INTO t VALUES (2), (3)"
      )

      #expect(created == 0)
      #expect(inserted == 2)
      #expect(try connection.query("SELECT count(*) FROM t").value == "3")
    }
  }

  @Test
  func `a batch is one transaction`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))

      let error = #expect(throws: PostgresError.self) {
        try connection.execute("CREATE TABLE t (n int); SELECT 1 / 0")
      }

      #expect(error?.sqlState == "22012")
      #expect(try connection.query("SELECT to_regclass('t')").value == nil)
    }
  }

  @Test
  func `an identifier is returned unchanged`() async throws {
    let names = [
      "plain", "sp ace", "quo\"te", "a'; DROP TABLE t; --", "Ünï—cödé", "dot.ted", "$1", "%s\\n",
      "\t", "SELECT",
    ]
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      for name in names {
        let table = QualifiedName(schema: SQLIdentifier(name), name: SQLIdentifier(name))
        try connection.execute("CREATE SCHEMA \(table.schema)")
        try connection.execute("CREATE TABLE \(table) (\(SQLIdentifier(name)) text)")
        try connection.execute("INSERT INTO \(table) VALUES (\(SQLLiteral.text(name)))")

        let result = try connection.query("SELECT * FROM \(table)")

        #expect(result.columns == [name])
        #expect(result.rows == [[name]])
      }
    }
  }

  @Test
  func `a null byte is refused and ends no statement early`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))

      #expect(throws: PostgresError.self) {
        try connection.execute("SELECT \(SQLLiteral.text("a\0b"))")
      }
      let error = #expect(throws: PostgresError.self) {
        try connection.query("SELECT $1::text", ["a\0b"])
      }

      #expect(error?.sqlState == .characterNotInRepertoire)
    }
  }

  @Test
  func `an error has all of the server's fields`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE TABLE t (email text CONSTRAINT one UNIQUE)")
      try connection.execute("INSERT INTO t VALUES ('duck@example.org')")

      let error = try #require(
        throws: PostgresError.self,
        performing: { try connection.execute("INSERT INTO t VALUES ('duck@example.org')") }
      )

      #expect(error.kind == .server)
      #expect(error.sqlState == .uniqueViolation)
      #expect(error.message == "duplicate key value violates unique constraint \"one\"")
      #expect(error.detail == "Key (email)=(duck@example.org) already exists.")
      #expect(error.schemaName == "public")
      #expect(error.tableName == "t")
      #expect(error.constraintName == "one")
      #expect(error.statement == "INSERT INTO t VALUES ('duck@example.org')")
      #expect(error.diagnostics.first?.detail == "Key (email)=(…) already exists.")
      #expect(error.diagnostics.first?.sqlState == "23505")
    }
  }

  @Test
  func `an error has the server's hint and context`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))

      let error = try #require(
        throws: PostgresError.self,
        performing: {
          try connection.execute(
            "DO $$ BEGIN RAISE 'no' USING HINT = 'Try yes.', COLUMN = 'c'; END $$"
          )
        }
      )

      #expect(error.hint == "Try yes.")
      #expect(error.columnName == "c")
      #expect(error.serverContext == "PL/pgSQL function inline_code_block line 1 at RAISE")
    }
  }

  @Test
  func `the transaction status follows the transaction`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      #expect(connection.transactionStatus == .idle)

      try connection.execute("BEGIN")
      #expect(connection.transactionStatus == .inTransaction)
      #expect(throws: PostgresError.self) { try connection.execute("nonsense") }
      #expect(connection.transactionStatus == .failed)
      try connection.execute("ROLLBACK")
      #expect(connection.transactionStatus == .idle)
    }
  }

  @Test
  func `a connection describes its server`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))

      #expect(connection.serverVersion >= 150_000)
      #expect(connection.backendPID > 0)
      #expect(connection.userName == "postgres")
      #expect(connection.databaseName.hasPrefix("test_"))
      #expect(connection.serverDescription.hasSuffix("/.s.PGSQL.5432\""))
      #expect(connection.parameterStatus("in_hot_standby") == "off")
      #expect(connection.parameterStatus("application_name") == "remodel")
      #expect(connection.parameterStatus("none") == nil)
    }
  }

  @Test
  func `notices go to their handler`() async throws {
    try await TestServer.withDatabase { url in
      let notices = Notices()
      let connection = try PostgresConnection(to: .url(url)) { notices.list.append($0) }

      try connection.execute("DO $$ BEGIN RAISE WARNING 'careful' USING HINT = 'Look.'; END $$")

      #expect(notices.list.map(\.message) == ["careful"])
      #expect(notices.list.map(\.hint) == ["Look."])
      #expect(notices.list.map(\.severity) == [.warning])
    }
  }

  @Test
  func `a connection that the server ends is lost`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let other = try PostgresConnection(to: .url(url))
      try other.query("SELECT pg_terminate_backend($1::int)", ["\(connection.backendPID)"])

      let error = #expect(throws: PostgresError.self) { try connection.execute("SELECT 1") }
      let second = #expect(throws: PostgresError.self) { try connection.execute("SELECT 1") }

      #expect(error?.kind == .connectionLost)
      #expect(error?.sqlState == .adminShutdown)
      #expect(error?.message == "terminating connection due to administrator command")
      #expect(second?.kind == .connectionLost)
      #expect(connection.isBroken == true)
      #expect(connection.transactionStatus == .unknown)
    }
  }

  @Test
  func `a copy from the client is refused and the connection lives on`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE TABLE t (n int)")

      for sql: SQLFragment in ["COPY t FROM STDIN", "COPY t TO STDOUT"] {
        let error = #expect(throws: PostgresError.self) { try connection.execute(sql) }
        #expect(error?.message == "cannot copy to or from the client")
      }

      #expect(try connection.query("SELECT 1").value == "1")
    }
  }
}

private final class Notices {
  var list: [Diagnostic] = []
}
