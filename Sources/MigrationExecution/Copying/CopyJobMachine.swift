internal import PostgresClient

/// The state of a copy job's execution: it decides the next action from the results of the earlier
/// ones.
///
/// Like ``ExecutionState`` it is a value without effects. After every new connection, it reads the
/// state of the job from the metadata, and never infers it from the end of the last connection.
struct CopyJobMachine: Hashable {
  /// The limits that a job keeps to, in seconds.
  struct Limits: Hashable {
    var waitForMigrationLock: Double
    var lockRetryFor: Double
    /// The number of consecutive lost connections that are allowed.
    var reconnections = 3
  }

  /// Something to do.
  enum Action: Hashable {
    case takeMigrationLock
    /// Read whether there is a job, and become its owner.
    case claim
    /// Record a job and create its schema.
    case prepare
    /// Add triggers to the sources that capture or refuse writes.
    case guardSources
    case copy
    case index
    case catchUp
    case verify
    case cutOver
    /// Validate the foreign keys that wait for it.
    case settle
    case pause(Double)
    case reconnect
    /// Find the owner of the migration lock or of the locks.
    case findBlockers
    case finish(Conclusion)
  }

  /// The result of an action.
  enum Outcome: Hashable {
    case succeeded
    /// The job is at a state; there is none where this is none.
    case found(CopyJob.State?)
    /// Another process has the migration lock.
    case declined
    /// The database has another version than the step was planned for.
    case superseded
    /// The step's own transaction was committed by this process, as a lost connection had kept from it;
    /// the job is at a state.
    case hasCutOver(CopyJob.State)
    /// The last transaction found more changes than it may copy while others wait.
    case deferred
    /// The job is paused.
    case paused
    /// The job has another owner now.
    case fenced
    case failed(SQLState?)
    case connectionLost
    case interrupted
  }

  /// The end of a job for this process.
  enum Conclusion: Hashable {
    case committed
    case superseded
    case failed
    case fenced
    case migrationLockNotAvailable
    case lockNotAvailable
    case connectionLost
    case interrupted
  }

  private let isOnline: Bool
  private let limits: Limits
  private var pending: [Action] = [.takeMigrationLock]
  private var current = Action.takeMigrationLock
  private var migrationLockRefusals = 0
  private var firstMigrationLockRefusal: Double?
  private var firstLockFailure: Double?
  private(set) var attempts = 0
  private var losses = 0
  private var deferrals = 0
  /// Whether the step's own transaction was committed by this process.
  private var isCutOver = false

  /// Creates the machine of a job that this process has not read yet.
  init(isOnline: Bool, limits: Limits) {
    self.isOnline = isOnline
    self.limits = limits
  }

  mutating func next() -> Action {
    current = pending.isEmpty ? .finish(.failed) : pending.removeFirst()
    return current
  }

  /// Notes how the last action went, so many seconds after the step began.
  mutating func record(_ outcome: Outcome, at time: Double, jitter: Double) {
    switch outcome {
    case .succeeded:
      if current == .cutOver {
        isCutOver = true
        noteProgress()
      }
      if pending.isEmpty { pending = following(current) }
    case .found(let state):
      if isPhase(current) { noteProgress() }
      pending = [
        state == .ready && current == .catchUp ? .cutOver : action(at: state)
      ]
    case .declined:
      waitForMigrationLock(at: time, jitter: jitter)
    // Who loses the connection after the tables are at their places finds them there.
    case .superseded: pending = [.finish(isCutOver ? .committed : .superseded)]
    case .hasCutOver(let state):
      isCutOver = true
      noteProgress()
      pending = [state == .settling ? .settle : .finish(.committed)]
    case .deferred:
      // Wait a little longer each time, so that a burst of writes can end.
      deferrals += 1
      pending = [.pause(Backoff.deferral.seconds(after: deferrals - 1, jitter: jitter)), .catchUp]
    case .paused: pending = [.pause(1), current]
    // Who has brought the tables to their places may leave the rest to others.
    case .fenced: pending = [.finish(isCutOver ? .committed : .fenced)]
    case .interrupted: pending = [.finish(.interrupted)]
    case .connectionLost:
      losses += 1
      pending = losses > limits.reconnections ? [.finish(.connectionLost)] : [.reconnect]
    case .failed(let sqlState):
      fail(sqlState, at: time, jitter: jitter)
    }
  }

  private mutating func noteProgress() {
    losses = 0
    attempts = 0
    firstLockFailure = nil
    firstMigrationLockRefusal = nil
  }

  private func isPhase(_ action: Action) -> Bool {
    switch action {
    case .prepare, .guardSources, .copy, .index, .catchUp, .verify, .cutOver, .settle: true
    case .takeMigrationLock, .claim, .pause, .reconnect, .findBlockers, .finish: false
    }
  }

  private func action(at state: CopyJob.State?) -> Action {
    switch state {
    case nil: .prepare
    case .prepared: .guardSources
    case .copying: .copy
    case .indexing: .index
    case .catchingUp: .catchUp
    case .verifying: .verify
    case .ready: isOnline ? .catchUp : .cutOver
    case .settling: .settle
    // A job that is being removed does not continue.
    case .finished, .aborting, .aborted: .finish(.fenced)
    }
  }

  /// Returns the actions after one without pending ones; the phases determine the state that they
  /// reach.
  private func following(_ action: Action) -> [Action] {
    switch action {
    case .takeMigrationLock: [.claim]
    // The migration lock ended with the connection that had it.
    case .reconnect: [.takeMigrationLock]
    case .claim, .prepare, .guardSources, .copy, .index, .catchUp, .verify: [.finish(.failed)]
    case .cutOver: [.settle]
    // A process that has only ended the job of another plans again.
    case .settle: [.finish(isCutOver ? .committed : .superseded)]
    case .pause: [.claim]
    case .findBlockers: [.finish(.failed)]
    case .finish(let conclusion): [.finish(conclusion)]
    }
  }

  private mutating func waitForMigrationLock(at time: Double, jitter: Double) {
    let first = firstMigrationLockRefusal ?? time
    firstMigrationLockRefusal = first
    let rest = limits.waitForMigrationLock - (time - first)
    guard rest > 0 else {
      pending = [.findBlockers, .finish(.migrationLockNotAvailable)]
      return
    }
    let pause = Backoff.migrationLock.seconds(after: migrationLockRefusals, jitter: jitter)
    migrationLockRefusals += 1
    pending = [.pause(min(pause, max(0.01, rest))), .takeMigrationLock]
  }

  private mutating func fail(_ sqlState: SQLState?, at time: Double, jitter: Double) {
    guard sqlState?.isLockConflict == true else {
      pending = [.finish(.failed)]
      return
    }
    let first = firstLockFailure ?? time
    firstLockFailure = first
    attempts += 1
    guard time - first < limits.lockRetryFor else {
      pending = [.findBlockers, .finish(.lockNotAvailable)]
      return
    }
    let pause = Backoff.locks.seconds(after: attempts - 1, jitter: jitter)
    pending = [.pause(pause), current]
  }
}
