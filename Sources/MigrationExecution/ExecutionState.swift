internal import PostgresClient

/// The state of a step's execution: it decides the next action from the results of the earlier
/// ones.
///
/// It is a value without effects: a loop carries out ``next()``, reports the result with
/// ``record(_:at:)``, and repeats until the action is to finish. Times are seconds since the step
/// began.
struct ExecutionState: Hashable {
  /// The limits that a step keeps to, in seconds.
  struct Limits: Hashable {
    var waitForMigrationLock: Double
    var lockRetryFor: Double
  }

  /// Something to do.
  enum Action: Hashable {
    case begin
    case takeMigrationLock
    /// Compare the metadata with the version that the step was planned for.
    case compareRecord
    case askPreconditions
    /// Enter into the audit log that an attempt begins, in a transaction of its own.
    case enterStart
    case lockTables
    /// Update a copy from its sources, which can no longer change.
    case completeCopy
    /// Run statements in one round trip.
    case runStatements(Range<Int>)
    /// Record that so many statements of a creation are done.
    case recordProgress(Int)
    case recordVersion
    case commit
    /// Find out on a new connection whether the transaction was committed.
    case findOutcome
    case rollBack
    case pause(Double)
    /// Find out who holds the locks or the migration lock.
    case findBlockers
    case finish(Conclusion)
  }

  /// The result of an action.
  enum Outcome: Hashable {
    case succeeded
    /// Another process has the migration lock, or the database has another version than the step
    /// was planned for.
    case declined
    case violated
    case failed(SQLState?)
    case connectionLost
    case interrupted
  }

  /// The end of a step.
  enum Conclusion: Hashable {
    case committed
    /// The database has another version than the step was planned for: plan again.
    case superseded
    /// There are more changes than the transaction may copy while others wait.
    case deferred
    /// All went well, and all was undone as it was to be.
    case rehearsed
    case violated
    case failed
    case migrationLockNotAvailable
    case lockNotAvailable
    case connectionLost
    case interrupted
  }

  private let transactions: [[Range<Int>]]
  private var transaction = 0
  private var group = 0
  private let limits: Limits
  private let endsCopy: Bool
  private let isRehearsal: Bool
  private var pending: [Action]
  private var current: Action = .begin
  private var hasEnteredStart: Bool
  private var migrationLockRefusals = 0
  /// The number of transactions that have not got their locks.
  private(set) var attempts = 0
  private var firstLockFailure: Double?

  /// Creates the state of a step that has not begun.
  ///
  /// - Parameters:
  ///   - transactions: The statements of each transaction, in the groups that are sent together.
  ///   - limits: The limits that the step keeps to.
  ///   - endsCopy: Whether the step is the end of a copy, which has its entry of the audit log.
  ///   - isRehearsal: Whether nothing of it is to remain, the audit log included.
  init(
    transactions: [[Range<Int>]],
    limits: Limits,
    endsCopy: Bool = false,
    isRehearsal: Bool = false
  ) {
    self.transactions = transactions
    self.limits = limits
    self.endsCopy = endsCopy
    self.isRehearsal = isRehearsal
    hasEnteredStart = endsCopy || isRehearsal
    pending = [.begin]
  }

  mutating func next() -> Action {
    current = pending.isEmpty ? .finish(.failed) : pending.removeFirst()
    return current
  }

  /// Records the result of the last action.
  ///
  /// - Parameters:
  ///   - outcome: The result.
  ///   - time: The seconds since the step began.
  ///   - jitter: A number from 0 to 1 that keeps several migrators out of step.
  mutating func record(_ outcome: Outcome, at time: Double, jitter: Double) {
    switch current {
    case .rollBack where outcome != .succeeded:
      // The server rolls back itself; the reason for the end does not change.
      if case .finish = pending.first { return }
      pending = [.finish(.connectionLost)]
      return
    case .enterStart where outcome != .interrupted:
      // A missing entry is no reason to leave a migration undone.
      pending = [.lockTables]
      return
    case .begin, .takeMigrationLock, .compareRecord, .askPreconditions, .enterStart, .lockTables,
      .completeCopy, .runStatements, .recordProgress, .recordVersion, .commit, .findOutcome,
      .rollBack, .pause, .findBlockers, .finish:
      break
    }
    switch outcome {
    case .succeeded: pending = pending.isEmpty ? following(current) : pending
    case .declined: decline(at: time, jitter: jitter)
    case .violated: pending = [.rollBack, .finish(.violated)]
    case .interrupted: pending = [.rollBack, .finish(.interrupted)]
    case .connectionLost:
      // Only the last commit is uncertain: the record shows a rerun whether earlier ones succeeded.
      pending =
        current == .commit && isLastTransaction ? [.findOutcome] : [.finish(.connectionLost)]
    case .failed(let sqlState): fail(sqlState, at: time, jitter: jitter)
    }
  }

  /// The statements of the transaction that runs.
  private var groups: [Range<Int>] {
    transactions.indices.contains(transaction) ? transactions[transaction] : []
  }

  private var isLastTransaction: Bool { transaction + 1 >= transactions.count }

  /// Returns the action for the next statements, or after the last ones of the transaction.
  private mutating func nextStatements() -> Action {
    if group < groups.count {
      defer { group += 1 }
      return .runStatements(groups[group])
    }
    // Recording would take numbers from sequences, which a rollback does not return.
    if isRehearsal { return .rollBack }
    return isLastTransaction ? .recordVersion : .recordProgress(groups.last?.upperBound ?? 0)
  }

  private mutating func following(_ action: Action) -> [Action] {
    switch action {
    case .begin: return [.takeMigrationLock]
    case .takeMigrationLock: return [.compareRecord]
    // At the end of a copy the preconditions precede the transaction: one that has read a table and
    // then waits for a stronger lock can deadlock with a writer.
    case .compareRecord: return endsCopy ? [.lockTables] : [.askPreconditions]
    case .askPreconditions: return hasEnteredStart ? [.lockTables] : [.enterStart]
    case .enterStart: return [.lockTables]
    case .lockTables where endsCopy: return [.completeCopy]
    case .lockTables, .completeCopy:
      group = 0
      return [nextStatements()]
    case .runStatements: return [nextStatements()]
    case .recordProgress, .recordVersion: return [.commit]
    case .commit where !isLastTransaction:
      transaction += 1
      // How long locks may be waited for is a limit of each transaction.
      firstLockFailure = nil
      attempts = 0
      return [.begin]
    case .commit, .findOutcome: return [.finish(.committed)]
    case .rollBack where isRehearsal: return [.finish(.rehearsed)]
    case .rollBack, .pause, .findBlockers: return [.begin]
    case .finish(let conclusion): return [.finish(conclusion)]
    }
  }

  private mutating func decline(at time: Double, jitter: Double) {
    switch current {
    case .takeMigrationLock:
      if time >= limits.waitForMigrationLock {
        pending = [.rollBack, .findBlockers, .finish(.migrationLockNotAvailable)]
      } else {
        // From 50 ms to a second, so that many replicas neither crowd nor sleep too long.
        let pause = Backoff.migrationLock.seconds(after: migrationLockRefusals, jitter: jitter)
        migrationLockRefusals += 1
        pending = [
          .rollBack, .pause(min(pause, max(0.01, limits.waitForMigrationLock - time))), .begin,
        ]
      }
    case .compareRecord, .lockTables: pending = [.rollBack, .finish(.superseded)]
    case .completeCopy: pending = [.rollBack, .finish(.deferred)]
    case .findOutcome: pending = [.finish(.connectionLost)]
    case .begin, .askPreconditions, .enterStart, .runStatements, .recordProgress, .recordVersion,
      .commit, .rollBack,
      .pause, .findBlockers, .finish:
      pending = [.rollBack, .finish(.failed)]
    }
  }

  private mutating func fail(_ sqlState: SQLState?, at time: Double, jitter: Double) {
    guard sqlState?.isLockConflict == true else {
      pending = [.rollBack, .finish(.failed)]
      return
    }
    let first = firstLockFailure ?? time
    firstLockFailure = first
    attempts += 1
    if time - first >= limits.lockRetryFor {
      pending = [.rollBack, .findBlockers, .finish(.lockNotAvailable)]
    } else {
      let pause = Backoff.locks.seconds(after: attempts - 1, jitter: jitter)
      let left = max(0.01, limits.lockRetryFor - (time - first))
      pending = [.rollBack, .pause(min(pause, left)), .begin]
    }
  }

  /// Records that the audit log has its entry, so that later attempts add no other.
  mutating func noteStartEntered() { hasEnteredStart = true }
}
