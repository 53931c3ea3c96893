internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The phases of a job that fills columns in place, where they differ from those of a copy.
extension CopyContext {
  /// Checks, under a lock that lets nobody add a trigger, that filling a table is still no change of its
  /// rows for anybody, and that it runs nobody else's code.
  ///
  /// Whatever the table is like here, it has to be until the job ends.
  func holdFill(
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    for fill in plan.fills where fill.name == table {
      try run(FillStatements(of: fill, in: plan).lock, connection)
    }
    // Others wait for the lock by now, and every other table has its own turn.
    let name = QualifiedName(schema: plan.schema, name: table)
    try StoreOwnership(of: [name], in: store, isWriting: true).check(connection)
    let obstacles = try SchemaInspection(store).fillObstacles(of: table, connection)
    guard obstacles.tables[table] == nil else {
      throw ExecutionError(.sourceChanged(table: table.name))
    }
  }

  /// Moves the job on: indexes of filled columns are for the step.
  func endFilling(_ connection: borrowing PostgresConnection) throws -> CopyJob.State {
    try transact("filled", in: .indexing, as: Style(isExclusive: true), connection) { connection in
      try checkSources(connection)
      try owner.move(from: .indexing, to: .verifying, connection)
      return .verifying
    }
  }

  // MARK: - Comparing

  /// Compares the filled columns of every row with the values that follow from it.
  func compareFills(_ connection: borrowing PostgresConnection) throws {
    // Rows that lack a value by now are among those that are compared; later not all of them are.
    try transact("noted", in: .verifying, connection) { connection in
      guard try connection.query(jobs.anyVerified(of: jobID)).isEmpty else { return }
      for fill in plan.fills {
        guard let removal = FillStatements(of: fill, in: plan).unfilledRemoval else { continue }
        try run(removal, connection)
      }
    }
    let clock = ContinuousClock()
    let throttle = Throttle(self)
    for part in CopyPart.parts(of: plan) {
      guard case .fill(let table, let statements) = part.content else { continue }
      var sizing = ChunkSizing(target: 2)
      while true {
        let begin = clock.now
        let sql = jobs.unverified(of: jobID, part: part.number, limit: sizing.count)
        let chunks = CopyChunk.adjoining(try connection.query(sql))
        guard let first = chunks.first, let last = chunks.last else { break }
        try transact("compared", in: .verifying, connection) { connection in
          try checkSources(connection)
          let query = statements.unequal(from: first.lower, to: last.upper)
          try check(query, of: table, connection)
          try run(jobs.verification(of: jobID, part: part.number, chunks), connection)
        }
        onEvent?(.compared(table: table.name.name, ranges: chunks.count))
        let seconds = begin.duration(to: clock.now).inSeconds
        sizing.record(count: chunks.count, seconds: seconds)
        try throttle.pause(after: seconds, connection)
      }
    }
  }

  /// Looks at the rows that had no value since all were compared, while others write.
  func compareUnfilled(
    in state: CopyJob.State,
    _ connection: borrowing PostgresConnection
  ) throws {
    try transact("unfilled", in: state, as: Style(isRepeatable: true), connection) { connection in
      try checkUnfilled(connection)
      for fill in plan.fills {
        guard let removal = FillStatements(of: fill, in: plan).unfilledRemoval else { continue }
        try run(removal, connection)
      }
    }
  }

  /// Checks, in the transaction that runs, that the rows without a value are to have none.
  func checkUnfilled(_ connection: borrowing PostgresConnection) throws {
    for fill in plan.fills {
      guard let query = FillStatements(of: fill, in: plan).unequalUnfilled else { continue }
      try check(query, of: fill, connection)
    }
  }

  private func check(
    _ query: SQLFragment,
    of table: FilledTable,
    _ connection: borrowing PostgresConnection
  ) throws {
    let keys = try connection.query(query).compactMap { $0["key"] }
    guard keys.isEmpty else {
      throw ExecutionError(.copyDiffers(table: table.name.name, units: keys.sorted()))
    }
  }
}
