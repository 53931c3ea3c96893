internal import Diagnostics
internal import MigrationPlanning
internal import PostgresClient

extension MigrationEvent: CustomStringConvertible {
  /// The event in one line, for logs.
  public var description: String {
    switch self {
    case .warned(let diagnostic): "warning: \(diagnostic.message)"
    case .stepPlanned(let step):
      "planned: \(way(step.source?.name, step.destination.name)), "
        + "\(step.statements.count) statements"
    case .stepStarted(let source, let destination, let statementCount):
      "started: \(way(source, destination)), \(statementCount) statements"
    case .stepEnded(let source, let destination, let duration):
      "ended: \(way(source, destination)), \(seconds(duration))"
    case .cleanedUp(let reasons, let duration):
      "cleaned up: \(reasons.joined(separator: "; ")), \(seconds(duration))"
    case .waitingForMigrationLock: "waiting for another migrator of this store"
    case .connectionLost(let error):
      "connection lost, waiting for the server: \(error.diagnostics.first?.message ?? "")"
    case .retrying(let sqlState, let attempt, let pause):
      "attempt \(attempt) given up (\(sqlState)), again in \(seconds(pause))"
    case .statement(let sql, let duration, let rows):
      "statement: \(rows) rows, \(seconds(duration)): \(sql)"
    case .deferredWorkStarted(let work): "started: \(work.summary)"
    case .waitingForOthers(let blockers):
      "waiting for transactions of others: "
        + blockers.map(\.description).joined(separator: "; ")
    case .deferredWorkEnded(let work, let duration): "ended: \(work.summary), \(seconds(duration))"
    case .jobStarted(let id, let strategy, let isContinued):
      "copy job \(id) \(isContinued ? "continued" : "started"), \(strategy.rawValue)"
    case .jobMoved(let state): "copy job is \(state.rawValue)"
    case .copied(let progress):
      "copied: \(progress.part), \(progress.chunksDone) of \(progress.chunksTotal) ranges"
    case .caughtUp(let backlog): "catching up: \(backlog) changes left"
    case .fallingBehind(let arriving, let copied):
      "falling behind: \(arriving) changes a second, \(copied) copied again"
    case .compared(let table, let ranges): "compared: \(table), \(ranges) ranges"
    case .throttled(let reason, let pause): "waiting for others: \(reason), \(seconds(pause))"
    }
  }

  private func way(_ source: String?, _ destination: String) -> String {
    "\(source.map { "version \"\($0)\"" } ?? "empty") -> version \"\(destination)\""
  }

  private func seconds(_ duration: Duration) -> String {
    "\((duration.inSeconds * 1_000).rounded() / 1_000) s"
  }
}

extension ThrottleReason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .activity(let count): "\(sessions(count)) at work"
    case .blockedSessions(let count): "\(sessions(count)) blocked"
    case .replicaLag(let seconds): "a standby is \(Int(seconds)) s behind"
    case .query(let value): "the query returned \(value)"
    case .paused: "paused"
    }
  }

  private func sessions(_ count: Int) -> String { "\(count) session\(count == 1 ? "" : "s")" }
}
