internal import Dispatch
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension CopyContext {
  /// Copies all parts, one after the other.
  func copy(_ connection: borrowing PostgresConnection) throws -> CopyJob.State {
    let parts = CopyPart.parts(of: plan)
    for part in parts {
      try divide(part, connection)
      let count = try connection.query(jobs.chunkCount(of: jobID, part: part.number)).first
      let total = count?.integer("total") ?? 0
      let todo = count?.integer("todo") ?? 0
      guard todo > 0 else { continue }
      let tally = CopyTally(name: part.name, done: total - todo, total: total, onEvent)
      if settings.workers < 2 || todo == 1 {
        var worker = ChunkWorker(self, part, tally)
        try worker.run(connection)
      } else {
        try copy(part, tally, connection)
      }
      guard let table = part.sideTable else { continue }
      try transact("keys", in: .copying, connection) { connection in
        try run("ANALYZE \(table)", connection)
      }
    }
    if !plan.closings.isEmpty { try compare(in: .copying, connection) }
    return try transact("copied", in: .copying, as: Style(isExclusive: true), connection) {
      connection in
      try checkSources(connection)
      for part in parts {
        let count = try connection.query(jobs.chunkCount(of: jobID, part: part.number)).first
        // Only the metadata decides when copying has ended.
        guard let count, count.integer("todo") == 0, (count.integer("total") ?? 0) > 0 else {
          throw CopyStop.fenced
        }
      }
      for statement in plan.closings { try run(statement.sql, connection) }
      try owner.move(from: .copying, to: .indexing, connection)
      return .indexing
    }
  }

  /// Copies a part by several workers, each with a connection and a thread of its own.
  private func copy(
    _ part: CopyPart,
    _ tally: CopyTally,
    _ connection: borrowing PostgresConnection
  ) throws {
    let group = DispatchGroup()
    let isPooled = connection.isPooled
    for number in 1...settings.workers {
      DispatchQueue(label: "remodel.copy-\(number)").async(group: group) {
        do {
          let found = try PostgresConnection.companion(
            to: job.execution.source,
            isPooled: isPooled,
            within: .seconds(1)
          )
          guard let connection = found else { return }
          try connection.prepareForJob(silence: settings.silence)
          let watch = interruption.alsoWatch(connection.canceller)
          defer { interruption.stopWatching(watch) }
          var worker = ChunkWorker(self, part, tally)
          try worker.run(connection)
        } catch {
          tally.stop(error)
        }
      }
    }
    // The connection that has the migration lock shows that it is alive, and finds out whether it is.
    while group.wait(timeout: .now() + 1) == .timedOut {
      do {
        try connection.query("SELECT")
      } catch {
        tally.stop(error)
        group.wait()
      }
    }
    if let error = tally.error { throw error }
    guard isPooled else { return }
    // A pooler with fewer sessions than workers leaves something to do, at worst all of it.
    var worker = ChunkWorker(self, part, tally)
    try worker.run(connection)
  }
}
