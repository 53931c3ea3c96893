package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// How fast a server works, measured by small pieces of the work that plans estimate.
package struct MeasuredSpeed: Hashable, Sendable, Codable {
  /// The speed.
  package let speed: ServerSpeed
  /// When the server had started: it may have another machine at its next start.
  let serverStart: String
}

/// A measurement in the current transaction, which has to be rolled back.
private struct SpeedMeasurement: ~Copyable {
  /// What the pieces take on the server on which the rates of work were measured, in milliseconds.
  private static let reference = (reading: 1.0, writing: 2.0, sorting: 5.4)

  /// How often a piece is repeated: the shortest time tells what the server can do besides its other work.
  private static let repetitions = 8

  /// How long all of it may take.
  private static let limit = Duration.seconds(1)

  /// A table that is created for it.
  let table: QualifiedName
  let interruption: Interruption
  private let begin = ContinuousClock.now

  init(_ table: QualifiedName, _ interruption: Interruption) {
    (self.table, self.interruption) = (table, interruption)
  }

  /// Returns the speed; `nil` if the server does not tell times, or is too busy.
  func speed(_ connection: borrowing PostgresConnection) throws -> ServerSpeed? {
    try connection.execute("CREATE TABLE \(table) (number bigint, title text)")
    let rows: SQLFragment = "SELECT n, repeat('x', 150) FROM generate_series(1, 2000) AS n"
    let sorted: SQLFragment = "SELECT number FROM \(table) ORDER BY number * 7919 % 10007"
    guard let writing = try milliseconds("INSERT INTO \(table) \(rows)", connection),
      let reading = try milliseconds("SELECT FROM \(table) WHERE number < 0", connection),
      let sorting = try milliseconds("SELECT count(*) FROM (\(sorted) OFFSET 0) s", connection)
    else { return nil }
    return ServerSpeed(
      reading: Self.reference.reading / reading,
      writing: Self.reference.writing / writing,
      sorting: Self.reference.sorting / sorting
    )?.rounded
  }

  private func milliseconds(
    _ work: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> Double? {
    var shortest: Double?
    for _ in 1...Self.repetitions where begin.duration(to: .now) < Self.limit {
      try interruption.check()
      let plan = try connection.query("EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) \(work)")
      guard let time = plan.compactMap(\.executionTime).first else { return nil }
      shortest = min(shortest ?? time, time)
    }
    return shortest
  }
}

extension QueryResult.Row {
  /// The milliseconds in the last line of an executed plan.
  fileprivate var executionTime: Double? {
    let words = self["QUERY PLAN"]?.split(separator: " ") ?? []
    guard words.count == 4, words.starts(with: ["Execution", "Time:"]) else { return nil }
    return Double(words[2])
  }
}

extension MetadataStore {
  /// Measures how fast the server works unless that was done since it started, and notes it for the plans
  /// that follow.
  ///
  /// It takes some tenths of a second, and leaves nothing but the note. It does nothing where the role may not
  /// create the table for it, or where others are in the way.
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
    let statements = MetadataStatements(identity)
    let table = QualifiedName(schema: identity.metadataSchema, name: "measured_work")
    guard marks.measuredSpeed?.serverStart != start,
      try connection.query(statements.mayMeasureSpeed(by: table)).value == "t"
    else { return }
    let runner = TransactionRunner(interruption: interruption)
    let measuring = Transaction(
      settings: ["SET LOCAL statement_timeout = 500", Transaction.lockTimeout(100)],
      isRolledBack: true
    )
    let speed = try runner.transact(measuring, connection) { connection in
      try SpeedMeasurement(table, interruption).speed(connection)
    }
    guard let speed else { return }
    let measured = MeasuredSpeed(speed: speed, serverStart: start)
    try runner.transact(Transaction(settings: [Transaction.lockTimeout(100)]), connection) {
      connection in
      try runner.run(statements.noting(measured), connection)
    }
  }
}
