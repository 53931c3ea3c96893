public import Diagnostics
public import MigrationPlanning
public import PostgresClient

/// The events of a migration, for reporters and logs.
public enum MigrationEvent: Sendable {
  /// A warning about something that may be unintended, before it is done.
  case warned(Diagnostic)
  /// The work is planned, with its forecast.
  case runPlanned(RunPlan)
  /// A step is planned, and will be taken next or after others.
  case stepPlanned(MigrationStep)
  /// A step begins.
  case stepStarted(source: String?, destination: String, statementCount: Int)
  /// A step is committed.
  case stepEnded(source: String?, destination: String, duration: Duration)
  /// A transaction of a cleanup is committed that has dropped something.
  case cleanedUp([String], duration: Duration)
  /// Another migrator has the migration lock.
  case waitingForMigrationLock
  /// An attempt failed and will be repeated.
  case retrying(sqlState: String, attempt: Int, pause: Duration)
  /// The connection is lost, and another one is waited for while the server may restart.
  case connectionLost(PostgresError)
  /// A statement was run.
  case statement(sql: String, duration: Duration, rows: Int)
  /// A statement of the step begins, by its number among those of the step's own.
  case statementStarted(number: Int, count: Int)
  /// The server tells how far a statement is; the share is that of the activity.
  case statementProgressed(activity: String, share: Double?)
  /// A transaction that needed locks has ended, so long after it first waited for them.
  case locksHeld(Duration)
  /// Pieces of deferred work come next.
  case deferredWorkPlanned([PendingWork])
  /// A piece of deferred work begins.
  case deferredWorkStarted(DeferredWork)
  /// Transactions of others have the locks that are waited for; an empty list once they have ended.
  case waitingForOthers([Blocker])
  /// A piece of deferred work has ended.
  case deferredWorkEnded(DeferredWork, duration: Duration)
  /// A copy job begins or continues.
  case jobStarted(id: String, strategy: CopyStrategy, isContinued: Bool)
  /// A copy job has come to a state.
  case jobMoved(CopyJob.State)
  /// Ranges of a part are copied.
  case copied(CopyProgress)
  /// Changed rows were copied again; this many changes are left.
  case caughtUp(backlog: Int)
  /// Others write faster than their changes are copied again; both a second.
  case fallingBehind(arriving: Int, copied: Int)
  /// Ranges of a table are compared with the expected rows.
  case compared(table: String, ranges: Int)
  /// A copy job waits for the sake of others.
  case throttled(ThrottleReason, pause: Duration)

  /// The progress of a part of a copy.
  public struct CopyProgress: Hashable, Sendable {
    /// The copied part.
    public let part: String
    /// The ranges that are done.
    public let chunksDone: Int
    /// The ranges in all.
    public let chunksTotal: Int
    /// The rows that this process has copied.
    public let rows: Int
    /// The rows in all, as estimated; `nil` if only the ranges tell.
    public internal(set) var rowsTotal: Int?
    /// How long it has taken for them.
    public let duration: Duration

    /// The rows of a second.
    public var rowsPerSecond: Double {
      Double(rows) / max(1e-6, duration.inSeconds)
    }

    /// How long the rest takes at that pace; none as long as nothing is known of it.
    public var remaining: Duration? {
      guard chunksCopied > 0 else { return nil }
      return duration * (chunksTotal - chunksDone) / chunksCopied
    }

    /// The ranges that this process has copied.
    let chunksCopied: Int
  }
}

extension MigrationEvent: CustomStringConvertible {
  /// The event in one line, for logs.
  public var description: String {
    switch self {
    case .warned(let diagnostic): "warning: \(diagnostic.message)"
    case .runPlanned(let plan): "planned: \(plan.steps.count) steps in database \(plan.database)"
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
    case .statementStarted(let number, let count): "statement \(number) of \(count)"
    case .statementProgressed(let activity, let share):
      "\(activity)" + (share.map { ", \(Int($0 * 100)) %" } ?? "")
    case .locksHeld(let duration): "locks held for \(seconds(duration))"
    case .deferredWorkPlanned(let work): "planned: \(work.count) pieces of deferred work"
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
