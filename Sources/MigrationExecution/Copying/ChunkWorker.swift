internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// Copies the ranges of a part on one connection until none is left.
struct ChunkWorker {
  private let context: CopyContext
  private let part: CopyPart
  private let progress: CopyTally
  private var sizing = ChunkSizing()
  private var throttle: Throttle
  /// Ranges to search one by one for the row that cannot be copied.
  private var suspects: [CopyChunk] = []
  private var claimed: [CopyChunk] = []
  private var refusals = 0

  init(_ context: CopyContext, _ part: CopyPart, _ progress: CopyTally) {
    self.context = context
    self.part = part
    self.progress = progress
    throttle = Throttle(context)
    // Writers wait for the rows that a transaction has filled.
    if case .fill = part.content { sizing = ChunkSizing(target: 0.15) }
  }

  /// Copies until nothing is left, or another worker has failed.
  mutating func run(_ connection: borrowing PostgresConnection) throws {
    let clock = ContinuousClock()
    while !progress.isStopped {
      let begin = clock.now
      var rest: Double?
      do {
        guard let rows = try copyNext(connection) else {
          // Another worker may have taken the suspected range.
          if suspects.isEmpty { return }
          suspects.removeFirst()
          continue
        }
        suspects.removeAll { suspect in claimed.contains { $0.number == suspect.number } }
        let seconds = begin.duration(to: clock.now).inSeconds
        refusals = 0
        sizing.record(count: claimed.count, seconds: seconds)
        progress.add(chunks: claimed.count, rows: rows, seconds: seconds)
        rest = seconds
      } catch let error as PostgresError {
        guard error.kind == .server, !connection.isBroken else { throw error }
        try context.interruption.check()
        try recover(from: error, connection)
      }
      // An error while looking at other sessions is not about the ranges.
      if let rest {
        try throttle.pause(after: rest, connection) { !progress.isStopped }
      }
    }
  }

  /// Copies some ranges in one transaction.
  ///
  /// - Returns: The rows, or none if no range is left.
  private mutating func copyNext(_ connection: borrowing PostgresConnection) throws -> Int? {
    let timeout = Int64(context.settings.chunkTimeout * 1000)
    let style = CopyContext.Style(isLazy: true, statementTimeout: timeout)
    let clock = ContinuousClock()
    let begin = clock.now
    var taken: [CopyChunk] = []
    defer { claimed = taken }
    return try context.transact("chunk", in: .copying, as: style, connection) { connection in
      if case .fill(_, let statements) = part.content {
        try context.run(statements.lock, connection)
      }
      try context.checkSources(connection)
      taken = try claim(connection)
      guard let first = taken.first, let last = taken.last else { return nil }
      let range = CopyChunk(number: first.number, lower: first.lower, upper: last.upper)
      var rows = 0
      for statement in part.statements(
        range,
        context.statements,
        notesChanges: context.isOnline
      ) {
        rows += try context.run(statement, at: "chunk.copied", connection)
      }
      if case .rowPolicy(let rowPolicy) = part.content {
        let policies = context.job.execution.policies
        rows += try RowPolicyRun(rowPolicy, of: context.step, policies, context.runner)
          .run(range, connection)
        try context.settings.failpoints.reach("chunk.passed", connection)
      }
      let completion = context.jobs.chunkCompletion(
        of: context.jobID,
        part: part.number,
        taken,
        rowsOut: rows,
        epoch: context.owner.epoch,
        milliseconds: begin.duration(to: clock.now).inSeconds * 1000
      )
      guard try context.run(completion, connection) == taken.count else {
        throw CopyStop.fenced
      }
      return rows
    }
  }

  private func claim(_ connection: borrowing PostgresConnection) throws -> [CopyChunk] {
    let sql = context.jobs.chunkClaim(
      of: context.jobID,
      part: part.number,
      number: suspects.first?.number,
      limit: sizing.count
    )
    return CopyChunk.adjoining(try connection.query(sql))
  }

  // MARK: - Errors

  private mutating func recover(
    from error: PostgresError,
    _ connection: borrowing PostgresConnection
  ) throws {
    switch error.sqlState {
    case .some(.queryCanceled):
      if claimed.count > 1 { sizing.recordFailure() } else { try divide(error, connection) }
    case .some(let state) where state.isLockConflict:
      refusals += 1
      guard refusals < 20 else { throw error }
      sizing.recordFailure()
      try context.interruption.pause(
        seconds: Backoff.locks.seconds(after: refusals - 1, jitter: Double.random(in: 0...1))
      )
    case .some(let state) where state.isIntegrityViolation || state.isDataException:
      if claimed.count > 1 {
        suspects = claimed
        sizing.isolate()
      } else {
        try divide(error, connection)
      }
    default:
      // A code of the server's, not a case of ours.
      throw error
    }
  }

  /// Divides the range that was taken last; if it is a single row, the error is about that row.
  private mutating func divide(
    _ error: PostgresError,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let chunk = claimed.first else { throw error }
    suspects.removeAll { $0.number == chunk.number }
    let halves = try context.transact("split", in: .copying, connection) {
      connection -> [CopyChunk] in
      let count = try part.keyCount(chunk, connection)
      guard count > 1, let first = try part.key(of: chunk, after: 0, connection),
        var middle = try part.key(of: chunk, after: count / 2, connection)
      else { return [] }
      if middle == first {
        // Half of the rows may be those of one key.
        guard let next = try part.key(of: chunk, beyond: first, connection) else { return [] }
        middle = next
      }
      let known = try connection.query(
        context.jobs.chunkCount(of: context.jobID, part: part.number)
      ).first
      let last = known?.integer("last") ?? 0
      let halves = [
        CopyChunk(number: last + 1, lower: chunk.lower, upper: middle),
        CopyChunk(number: last + 2, lower: middle, upper: chunk.upper),
      ]
      let split = context.jobs.chunkSplit(of: context.jobID, part: part.number, chunk)
      guard try context.run(split, connection) == 1 else { throw CopyStop.fenced }
      try context.run(
        context.jobs.chunkCreation(
          of: context.jobID,
          part: part.number,
          name: part.name,
          halves
        ),
        connection
      )
      return halves
    }
    guard !halves.isEmpty else { throw try refusal(error, chunk, connection) }
    suspects = halves + suspects
  }

  private func refusal(
    _ error: PostgresError,
    _ chunk: CopyChunk,
    _ connection: borrowing PostgresConnection
  ) throws -> any Error {
    // An empty range, or one that is slow for another reason than its rows, does not identify a
    // row.
    guard error.sqlState != .queryCanceled,
      let key = try part.key(of: chunk, after: 0, connection)
    else { return error }
    return ExecutionError(
      .rowNotCopied(error, mapping: part.mappingName, table: part.tableName, key: key)
    )
  }
}
