import Logging
import RemodelKit
import Synchronization

/// Logs what a run waits for; the same once, though it is repeated.
final class WaitReporter: Sendable {
  private struct State {
    var hasToldOfMigrationLock = false
    var throttleReason: String?
    var blockers: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Tells of an event that is about waiting.
  func report(_ event: MigrationEvent, _ logger: Logger) {
    switch event {
    case .waitingForMigrationLock:
      // The migration lock is polled.
      guard isNew(\.hasToldOfMigrationLock, true) else { return }
      logger.notice(
        "waiting for another migrator of this store",
        metadata: ["event": "waiting-for-turn"]
      )
    case .retrying(let sqlState, let attempt, let pause):
      var metadata: Logger.Metadata = [
        "event": "retrying", "sqlstate": "\(sqlState)", "attempt": .stringConvertible(attempt),
      ]
      if pause > .zero { metadata["pause"] = .stringConvertible(pause) }
      logger.notice("attempt given up, trying again", metadata: metadata)
    case .connectionLost(let error):
      let reason = error.diagnostics.first?.message ?? ""
      logger.notice(
        "connection lost, waiting for the server",
        metadata: ["event": "connection-lost", "reason": "\(reason)"]
      )
    case .waitingForOthers(let blockers):
      guard isNew(\.blockers, Set(blockers.map(\.pid))), !blockers.isEmpty else { return }
      logger.notice(
        "waiting for transactions of others to end",
        metadata: [
          "event": "waiting-for-others",
          "blockers": "\(blockers.map(\.description).joined(separator: "; "))",
        ]
      )
    case .fallingBehind(let arriving, let copied):
      logger.warning(
        "writers are faster than their changes can be copied again",
        metadata: [
          "event": "falling-behind",
          "changesPerSecond": .stringConvertible(arriving),
          "copiedPerSecond": .stringConvertible(copied),
          "hint": "Have them write less for a while, or migrate in a quieter hour.",
        ]
      )
    case .throttled(let reason, let pause):
      // The same reason is repeated after every range.
      guard isNew(\.throttleReason, reason.kind) else { return }
      logger.info(
        "waiting for others",
        metadata: [
          "event": "throttled", "reason": "\(reason)", "pause": .stringConvertible(pause),
        ]
      )
    case _: break
    }
  }

  private func isNew<Value: Equatable>(
    _ fact: WritableKeyPath<State, Value>,
    _ value: Value
  ) -> Bool {
    state.withLock { state in
      guard state[keyPath: fact] != value else { return false }
      state[keyPath: fact] = value
      return true
    }
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
