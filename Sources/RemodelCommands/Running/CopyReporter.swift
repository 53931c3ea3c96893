import Logging
import RemodelKit
import Synchronization

/// Tells how far a copy is: on the terminal's line, or in the log once in a while.
final class CopyReporter: Sendable {
  private struct State {
    var comparedCount = 0
    var throttle: String?
    var logged: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  /// A log needs fewer lines than a terminal.
  private static let pause = Duration.seconds(10)

  /// Tells of an event of a copy.
  func report(_ event: MigrationEvent, _ line: ProgressLine?, _ logger: Logger) {
    switch event {
    case .copied(let progress):
      var metadata: Logger.Metadata = [
        "part": "\(progress.part)",
        "ranges": .stringConvertible(progress.chunksDone),
        "rangesTotal": .stringConvertible(progress.chunksTotal),
        "rows": .stringConvertible(progress.rows),
        "rowsPerSecond": .stringConvertible(Int(progress.rowsPerSecond)),
      ]
      if let remaining = progress.remaining {
        metadata["remaining"] = .stringConvertible(remaining)
      }
      tell(bar(progress), "copying", metadata, line, logger)
    case .caughtUp(let backlog):
      tell(
        "catching up, \(counted(backlog, "change")) left",
        "catching up",
        ["backlog": .stringConvertible(backlog)],
        line,
        logger
      )
    case .fallingBehind(let arriving, let copied):
      line?.clear()
      logger.warning(
        "writers are faster than their changes can be copied again",
        metadata: [
          "event": "falling-behind",
          "changesPerSecond": .stringConvertible(arriving),
          "copiedPerSecond": .stringConvertible(copied),
          "hint": "Have them write less for a while, or migrate in a quieter hour.",
        ]
      )
    case .compared(let table, let ranges):
      let count = state.withLock { state in
        state.comparedCount += ranges
        return state.comparedCount
      }
      let text = "comparing \(table), \(counted(count, "range"))"
      tell(
        text,
        "comparing",
        ["table": "\(table)", "ranges": .stringConvertible(count)],
        line,
        logger
      )
    case .throttled(let reason, let pause):
      let text = reason.description
      let isNew = state.withLock { state in
        defer { state.throttle = reason.kind }
        return state.throttle != reason.kind
      }
      // The same reason is repeated after every range.
      guard isNew else { return }
      line?.clear()
      logger.info(
        "waiting for others",
        metadata: [
          "event": "throttled", "reason": "\(text)", "pause": .stringConvertible(pause),
        ]
      )
    case .warned, .stepPlanned, .stepStarted, .stepEnded, .cleanedUp, .waitingForMigrationLock,
      .retrying,
      .connectionLost, .statement,
      .deferredWorkStarted, .deferredWorkEnded, .waitingForOthers, .jobStarted, .jobMoved:
      break
    }
  }

  private func tell(
    _ text: String,
    _ message: Logger.Message,
    _ metadata: Logger.Metadata,
    _ line: ProgressLine?,
    _ logger: Logger
  ) {
    if let line {
      line.show(text)
      return
    }
    let isDue = state.withLock { state in
      let now = ContinuousClock.now
      if let logged = state.logged, now - logged < Self.pause { return false }
      state.logged = now
      return true
    }
    if isDue { logger.info(message, metadata: metadata) }
  }

  private func bar(_ progress: MigrationEvent.CopyProgress) -> String {
    let width = 20
    let filled = progress.chunksDone * width / max(1, progress.chunksTotal)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    let rest = progress.remaining.map { ", \($0.brief) left" } ?? ""
    return "[\(bar)] \(progress.part), \(Int(progress.rowsPerSecond)) rows/s\(rest)"
  }
}

extension ThrottleReason {
  fileprivate var kind: String {
    switch self {
    case .activity: "activity"
    case .blockedSessions: "blocked"
    case .replicaLag: "lag"
    case .query: "query"
    case .paused: "paused"
    }
  }
}
