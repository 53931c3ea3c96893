internal import FoundationEssentials
package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// How fast a server works, measured by small pieces of the work that plans estimate.
package struct MeasuredSpeed: Hashable, Sendable, Codable {
  /// The speed.
  package let speed: ServerSpeed
  /// When the server had started that it was measured on: another machine has another time.
  let serverStart: String

  /// What the pieces took on the server on which the rates of work were measured, in milliseconds.
  private static let reference = (reading: 1.25, writing: 2.5, sorting: 6.8)

  /// How often a piece is repeated: the shortest time tells what the server can do besides its other work.
  private static let repetitions = 8

  /// Measures a server in the current transaction, which has to be rolled back; `nil` if it does not tell times.
  ///
  /// - Parameters:
  ///   - table: The name of a table that is created for it.
  ///   - serverStart: When the server started.
  ///   - connection: The database.
  /// - Throws: The server's error.
  fileprivate init?(
    by table: QualifiedName,
    serverStart: String,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.execute("CREATE TABLE \(table) (number bigint, title text)")
    func milliseconds(
      _ work: SQLFragment,
      _ connection: borrowing PostgresConnection
    ) throws -> Double {
      var shortest = Double.infinity
      for _ in 1...Self.repetitions {
        let plan = try connection.query("EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) \(work)")
        shortest = min(shortest, plan.compactMap(\.executionTime).first ?? .infinity)
      }
      return shortest
    }
    let rows: SQLFragment = "SELECT n, repeat('x', 150) FROM generate_series(1, 2000) AS n"
    let writing = try milliseconds("INSERT INTO \(table) \(rows)", connection)
    let reading = try milliseconds("SELECT FROM \(table) WHERE number < 0", connection)
    let sorted: SQLFragment = "SELECT number FROM \(table) ORDER BY number * 7919 % 10007"
    let sorting = try milliseconds("SELECT count(*) FROM (\(sorted) OFFSET 0) s", connection)
    guard max(writing, reading, sorting).isFinite else { return nil }
    speed = ServerSpeed(
      reading: Self.reference.reading / reading,
      writing: Self.reference.writing / writing,
      sorting: Self.reference.sorting / sorting
    )
    self.serverStart = serverStart
  }
}

extension QueryResult.Row {
  /// The milliseconds in the last line of an executed plan.
  fileprivate var executionTime: Double? {
    let words = self["QUERY PLAN"]?.split(separator: " ") ?? []
    guard words.count == 4, words.starts(with: ["Execution", "Time:"]) else { return nil }
    return Double(words[2]).flatMap { $0 > 0 ? $0 : nil }
  }
}

extension MetadataStore {
  /// Measures how fast the server works unless that was done since it started, and notes it for the plans
  /// that follow.
  ///
  /// It takes some tenths of a second, and leaves nothing but the note.
  ///
  /// - Parameters:
  ///   - connection: The database, whose metadata is of the current layout.
  ///   - interruption: Ends the work.
  /// - Throws: The server's error.
  package func measureSpeed(
    _ connection: borrowing PostgresConnection,
    _ interruption: Interruption
  ) throws {
    let start = try ReadinessInspection.serverStart(connection)
    let marks = try marks(layout: layoutVersion(connection), connection)
    guard marks.measuredSpeed?.serverStart != start else { return }
    let runner = TransactionRunner(interruption: interruption)
    let table = QualifiedName(schema: identity.metadataSchema, name: "measured_work")
    let measuring = Transaction(
      settings: ["SET LOCAL statement_timeout = 500"],
      isRolledBack: true
    )
    let measured = try runner.transact(measuring, connection) { connection in
      try MeasuredSpeed(by: table, serverStart: start, connection)
    }
    guard let measured else { return }
    try runner.transact(Transaction(), connection) { connection in
      try runner.run(MetadataStatements(identity).noting(measured), connection)
    }
  }
}
