import PostgresClient
import SQLSyntax
import Synchronization
import TestSupport
import Testing

@testable import MigrationExecution

/// The one place that begins and ends transactions.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct TransactionRunnerTests {
  private func makeTable(_ url: String) throws -> PostgresConnection {
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute("CREATE TABLE t (a integer)")
    return connection
  }

  private func count(_ url: String) throws -> String? {
    try PostgresConnection(to: .url(url)).query("SELECT count(*) FROM t").value
  }

  @Test(arguments: [
    "SELECT 1 -- x\r; COMMIT", "SELECT 1; COMMIT", "COMMIT", "COMMIT AND CHAIN; SELECT 1",
    "ROLLBACK",
    "COPY (SELECT 1) TO STDOUT; COMMIT",
  ])
  func `a statement that would end its transaction fails`(sql: String) async throws {
    try await TestServer.withDatabase { url in
      let connection = try makeTable(url)
      #expect(throws: PostgresError.self) {
        try TransactionRunner().transact(Transaction(), connection) { connection in
          try TransactionRunner().run(SQLFragment(written: sql), connection)
          try TransactionRunner().run("INSERT INTO t VALUES (1)", connection)
        }
      }

      #expect(connection.transactionStatus == .idle)
      #expect(try count(url) == "0")
    }
  }

  @Test
  func `a query to copy cannot end the transaction either`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try makeTable(url)
      let error = #expect(throws: PostgresError.self) {
        try connection.copyOut("COPY (SELECT 1) TO STDOUT; COMMIT") { _ in }
      }

      #expect(error?.sqlState == "42601")
      #expect(try connection.copyOut("COPY (SELECT 1) TO STDOUT") { _ in } == 1)
      #expect(try connection.copyIn("COPY t FROM STDIN") { try $0.write(["7"]) } == 1)
      #expect(try connection.query("SELECT a FROM t").value == "7")
    }
  }

  @Test
  func `a transaction of which a statement has failed is not taken for committed`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try makeTable(url)
      let error = #expect(throws: PostgresError.self) {
        try TransactionRunner().transact(Transaction(), connection) { connection in
          try connection.query("INSERT INTO t VALUES (1)")
          _ = try? connection.query("SELECT 1 / 0")
        }
      }

      #expect(error?.sqlState == .failedTransaction)
      #expect(try count(url) == "0")
      #expect(connection.transactionStatus == .idle)
    }
  }

  @Test
  func `failpoints surround the fence and the commit`() async throws {
    let places = Mutex<[String]>([])
    let failpoints = Failpoints { name, _ in places.withLock { $0.append(name) } }
    let runner = TransactionRunner(failpoints: failpoints)
    try await TestServer.withDatabase { url in
      let connection = try makeTable(url)
      let transaction = Transaction(name: "x", fence: { _ = try $0.query("SELECT") })

      try runner.transact(transaction, connection) { try runner.run("SELECT", at: "inside", $0) }

      #expect(
        places.withLock(\.self)
          == ["x.begin", "x.fenced", "inside", "x.before_commit", "x.after_commit"]
      )
    }
  }

  @Test
  func `a lost answer to a commit is distinguished from a transaction that was not committed`()
    async throws
  {
    try await TestServer.withDatabase { url in
      let connection = try makeTable(url)
      let failpoints = Failpoints { name, connection in
        guard name == "x.before_commit" else { return }
        let other = try PostgresConnection(to: .url(url))
        let pid = SQLLiteral.integer(Int64(connection.backendPID))
        try other.query("SELECT pg_terminate_backend(\(pid), 5000)")
      }

      let error = #expect(throws: PostgresError.self) {
        try TransactionRunner(failpoints: failpoints).transact(Transaction(name: "x"), connection) {
          _ = try $0.query("INSERT INTO t VALUES (1)")
        }
      }

      #expect(error?.kind == .connectionLost && error?.statement == "COMMIT")
      #expect(try count(url) == "0")
    }
  }

  @Test
  func `locks are retried until the time is up, and then their owners are reported`()
    async throws
  {
    let pauses = Mutex(0)
    let runner = TransactionRunner(onEvent: { event in
      if case .retrying = event { pauses.withLock { $0 += 1 } }
    })
    try await TestServer.withDatabase { url in
      let connection = try makeTable(url)
      let holder = try PostgresConnection(to: .url(url))
      try holder.execute("BEGIN; LOCK TABLE t")
      let store = StoreIdentity(schema: "public", modelName: "M", metadataSchema: "remodel")
      let transaction = Transaction(settings: [Transaction.lockTimeout(10)])
      func write(for limit: Duration) throws {
        try runner.retryingLocks(
          for: limit,
          connection,
          blockers: { try BlockerInspection(store: store).holders(of: ["t"], $0) }
        ) { connection in
          try runner.transact(transaction, connection) {
            try runner.run("INSERT INTO t VALUES (1)", $0)
          }
        }
      }

      let error = #expect(throws: ExecutionError.self) { try write(for: .milliseconds(300)) }

      guard case .lockNotAvailable(_, let blockers) = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(blockers.map(\.pid) == [holder.backendPID])
      #expect(pauses.withLock(\.self) > 0)
      try holder.execute("ROLLBACK")
      try write(for: .seconds(10))
      #expect(try count(url) == "1")
    }
  }
}
