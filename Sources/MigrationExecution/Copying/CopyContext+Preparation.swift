internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension CopyContext {
  /// Checks that every change of the sources is noticed, or every writer turned away.
  func checkObstacles(_ connection: borrowing PostgresConnection) throws {
    for source in plan.sources {
      let rows = try connection.query(SourceGuard(of: source, in: plan).captureObstacles)
      let found = rows.compactMap { $0.values.first?.flatMap(CaptureObstacle.init(rawValue:)) }
      // An unlogged table, which a crash empties, is copied correctly as long as nobody writes to
      // it.
      let relevant = isOnline ? found : found.filter { $0 != .isNotLogged }
      guard let obstacle = relevant.first else { continue }
      throw ExecutionError(.sourceNotCopyable(obstacle, table: source.table.name))
    }
  }

  /// Adds triggers that capture or refuse writes to every source, each in a transaction of its own
  /// so that nobody waits for several; then lets the copy begin.
  func guardSources(_ connection: borrowing PostgresConnection) throws -> CopyJob.State {
    for source in plan.sources {
      try transact("guard", in: .prepared, connection) { connection in
        let known = try connection.query(jobs.sources(of: jobID))
        // The work of an earlier owner stays done.
        if known.contains(where: { $0["table_name"] == source.table.name }) { return }
        let guarding = SourceGuard(of: source, in: plan)
        if strategy == .filled {
          try holdFill(of: source.table, connection)
        } else {
          for statement in guarding.installation(isOnline: isOnline) {
            try run(statement, connection)
          }
        }
        guard let print = try connection.query(guarding.fingerprint).value else {
          throw ExecutionError(.sourceChanged(table: source.table.name))
        }
        try run(jobs.source(of: jobID, source.table, print), connection)
      }
    }
    // Transactions that wrote before the last source was watched have ended: from here on, a snapshot has
    // every change that was not captured.
    return try transact("start", in: .prepared, as: Style(isExclusive: true), connection) {
      connection in
      try checkSources(connection)
      for statement in plan.openings { try run(statement.sql, connection) }
      try owner.move(from: .prepared, to: .copying, connection)
      return .copying
    }
  }

  /// Stores the ranges of a part if they are not there yet.
  func divide(_ part: CopyPart, _ connection: borrowing PostgresConnection) throws {
    try transact("divide", in: .copying, as: Style(isExclusive: true), connection) { connection in
      let known = try connection.query(jobs.chunkCount(of: jobID, part: part.number)).first
      guard (known?.integer("total") ?? 0) == 0 else { return }
      var chunks: [CopyChunk] = []
      var lower: String?
      var number = 1
      let size = try rangeSize(part, connection)
      while let upper = try part.upperBound(after: lower, size: size, statements, connection) {
        chunks.append(CopyChunk(number: number, lower: lower, upper: upper))
        number += 1
        lower = upper
        if chunks.count == 500 {
          try store(chunks, part, connection)
          chunks = []
        }
      }
      // The last range is open, so that nothing falls between.
      chunks.append(CopyChunk(number: number, lower: lower, upper: nil))
      try store(chunks, part, connection)
    }
  }

  private func store(
    _ chunks: [CopyChunk],
    _ part: CopyPart,
    _ connection: borrowing PostgresConnection
  ) throws {
    let sql = jobs.chunkCreation(of: jobID, part: part.number, name: part.name, chunks)
    try run(sql, connection)
  }

  /// A table of any size has no more than some ten thousands of ranges.
  private func rangeSize(
    _ part: CopyPart,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    let name = SQLLiteral.text(part.domain.quoted)
    // Of a table that was never analyzed only its size is known; a row has some fifty bytes or more.
    let estimate = try connection.query(
      """
      SELECT CASE WHEN reltuples < 0 THEN pg_relation_size(oid) / 50 ELSE reltuples END::bigint \
      AS rows FROM pg_class WHERE oid = to_regclass(\(name))
      """
    ).first?.integer("rows")
    return max(part.smallest(settings.chunkRows), (estimate ?? 0) / 20_000, 1)
  }
}
