import PostgresClient
import Testing

@testable import MigrationExecution

/// What follows from what in a job, without a server.
@Suite
struct CopyJobMachineTests {
  private let limits = CopyJobMachine.Limits(waitForMigrationLock: 10, lockRetryFor: 5)

  private func run(
    isOnline: Bool = true,
    _ outcome: (CopyJobMachine.Action, Int) -> CopyJobMachine.Outcome
  ) -> (actions: [CopyJobMachine.Action], conclusion: CopyJobMachine.Conclusion?) {
    var machine = CopyJobMachine(isOnline: isOnline, limits: limits)
    var actions: [CopyJobMachine.Action] = []
    while actions.count < 200 {
      let action = machine.next()
      if case .finish(let conclusion) = action { return (actions, conclusion) }
      actions.append(action)
      machine.record(outcome(action, actions.count), at: Double(actions.count), jitter: 0.5)
    }
    return (actions, nil)
  }

  private func undisturbed(
    _ action: CopyJobMachine.Action,
    isOnline: Bool = true
  ) -> CopyJobMachine.Outcome {
    switch action {
    case .claim: .found(nil)
    case .prepare: .found(.prepared)
    case .guardSources: .found(.copying)
    case .copy: .found(.indexing)
    case .index: .found(isOnline ? .catchingUp : .verifying)
    case .catchUp: .found(.verifying)
    case .verify: .found(.ready)
    case .takeMigrationLock, .cutOver, .settle, .pause, .reconnect, .findBlockers, .finish:
      .succeeded
    }
  }

  @Test
  func `while writers are turned away nothing has to be caught up with`() {
    let (actions, conclusion) = run(isOnline: false) { action, _ in
      undisturbed(action, isOnline: false)
    }

    #expect(
      actions == [
        .takeMigrationLock, .claim, .prepare, .guardSources, .copy, .index, .verify, .cutOver,
        .settle,
      ]
    )
    #expect(conclusion == .committed)
  }

  @Test
  func `the last transaction of an online job follows a last catching up`() {
    var catchUps = 0
    let (actions, conclusion) = run { action, _ in
      guard action == .catchUp else { return undisturbed(action) }
      catchUps += 1
      return .found(catchUps == 1 ? .verifying : .ready)
    }

    #expect(actions.suffix(5) == [.catchUp, .verify, .catchUp, .cutOver, .settle])
    #expect(conclusion == .committed)
  }

  @Test(arguments: CopyJob.State.allCases)
  func `a job is continued where its row says that it is`(state: CopyJob.State) {
    let (actions, _) = run { action, _ in
      switch action {
      case .takeMigrationLock: .succeeded
      case .claim: .found(state)
      default: .interrupted
      }
    }

    let expected: CopyJobMachine.Action? =
      switch state {
      case .prepared: .guardSources
      case .copying: .copy
      case .indexing: .index
      case .catchingUp, .ready: .catchUp
      case .verifying: .verify
      case .settling: .settle
      case .finished, .aborting, .aborted: nil
      }
    #expect(actions == [.takeMigrationLock, .claim] + [expected].compactMap(\.self))
  }

  @Test
  func `a lost connection is never an end, the row is read again`() {
    var hasLost = false
    let (actions, conclusion) = run { action, _ in
      if action == .copy, !hasLost {
        hasLost = true
        return .connectionLost
      }
      if action == .claim, hasLost { return .found(.copying) }
      if action == .catchUp { return .found(.ready) }
      return undisturbed(action)
    }

    let loss = actions.firstIndex(of: .copy)
    #expect(
      loss.map { Array(actions[$0...].prefix(5)) } == [
        .copy, .reconnect, .takeMigrationLock, .claim, .copy,
      ]
    )
    #expect(conclusion == .committed)
  }

  @Test
  func `connections that are lost again and again end the process, not the job`() {
    let (actions, conclusion) = run { action, _ in
      switch action {
      case .copy: .connectionLost
      case .claim: .found(.copying)
      default: .succeeded
      }
    }

    #expect(actions.filter { $0 == .reconnect }.count == limits.reconnections)
    #expect(conclusion == .connectionLost)
  }

  @Test
  func `the work after the last transaction continues on another connection`() {
    var hasLost = false
    let (actions, conclusion) = run(isOnline: false) { action, _ in
      if action == .settle, !hasLost {
        hasLost = true
        return .connectionLost
      }
      if action == .claim, hasLost { return .found(.settling) }
      return undisturbed(action, isOnline: false)
    }

    #expect(actions.suffix(5) == [.settle, .reconnect, .takeMigrationLock, .claim, .settle])
    #expect(conclusion == .committed)
  }

  @Test(arguments: [CopyJobMachine.Action.cutOver, .settle])
  func `a commit whose answer is lost is one of this process`(place: CopyJobMachine.Action) {
    for found in [CopyJobMachine.Outcome.hasCutOver(.settling), .hasCutOver(.finished)] {
      var hasLost = false
      let (actions, conclusion) = run(isOnline: false) { action, _ in
        if action == place, !hasLost {
          hasLost = true
          return .connectionLost
        }
        return action == .claim && hasLost ? found : undisturbed(action, isOnline: false)
      }

      #expect(actions.last == (found == .hasCutOver(.settling) ? .settle : .claim))
      #expect(conclusion == .committed)
    }
  }

  @Test
  func `who loses the connection at the end of a job finds it at its end`() {
    var hasLost = false
    let (_, conclusion) = run(isOnline: false) { action, _ in
      if action == .settle, !hasLost {
        hasLost = true
        return .connectionLost
      }
      return action == .claim && hasLost ? .superseded : undisturbed(action, isOnline: false)
    }

    #expect(conclusion == .committed)
  }

  @Test
  func `who ends what another process has begun looks again what there is to do`() {
    let (actions, conclusion) = run { action, _ in
      action == .claim ? .found(.settling) : undisturbed(action)
    }

    #expect(actions == [.takeMigrationLock, .claim, .settle])
    #expect(conclusion == .superseded)
  }

  @Test
  func `after the cutover, another session can do the rest`() {
    let (_, conclusion) = run(isOnline: false) { action, _ in
      action == .settle ? .fenced : undisturbed(action, isOnline: false)
    }

    #expect(conclusion == .committed)
  }

  @Test
  func `an owner that is fenced does nothing more`() {
    let (actions, conclusion) = run { action, _ in
      action == .copy ? .fenced : undisturbed(action)
    }

    #expect(actions.last == .copy)
    #expect(conclusion == .fenced)
  }

  @Test
  func `a job that is paused waits and asks again`() {
    var asked = 0
    let (actions, conclusion) = run(isOnline: false) { action, _ in
      if action == .copy {
        asked += 1
        if asked < 4 { return .paused }
      }
      return undisturbed(action, isOnline: false)
    }

    #expect(actions.filter { $0 == .pause(1) }.count == 3)
    #expect(conclusion == .committed)
  }

  @Test
  func `too many changes at the end are caught up with first`() {
    var attempts = 0
    let (actions, conclusion) = run { action, _ in
      switch action {
      case .claim: return .found(.ready)
      case .catchUp: return .found(.ready)
      case .cutOver:
        attempts += 1
        return attempts < 3 ? .deferred : .succeeded
      default: return .succeeded
      }
    }

    let work = actions.filter { if case .pause = $0 { false } else { true } }
    #expect(
      work == [
        .takeMigrationLock, .claim, .catchUp, .cutOver, .catchUp, .cutOver, .catchUp, .cutOver,
        .settle,
      ]
    )
    #expect(conclusion == .committed)
  }

  @Test
  func `unavailable locks are retried for the given time`() {
    let (actions, conclusion) = run { action, _ in
      action == .guardSources ? .failed(.lockNotAvailable) : undisturbed(action)
    }

    #expect(actions.filter { $0 == .guardSources }.count > 1)
    #expect(actions.last == .findBlockers)
    #expect(conclusion == .lockNotAvailable)
  }

  @Test
  func `the migration lock is waited for as long as the limit says`() {
    let (actions, conclusion) = run { action, _ in
      action == .takeMigrationLock ? .declined : .succeeded
    }

    #expect(!actions.contains(.claim))
    #expect(conclusion == .migrationLockNotAvailable)
  }

  @Test
  func `the wait for the migration lock begins with its first refusal`() {
    var losses = 0
    var copies = 0
    var refusals = 0
    // The copy takes longer than the limit for the lock, and then its connection breaks.
    let (_, conclusion) = run { action, count in
      switch action {
      case .copy where copies < 20:
        copies += 1
        return .found(.copying)
      case .copy where losses == 0:
        losses += 1
        return .connectionLost
      case .takeMigrationLock where losses > 0 && refusals < 2:
        refusals += 1
        return .declined
      case .claim where losses > 0: return .found(.copying)
      case .catchUp: return .found(.ready)
      default: return undisturbed(action)
      }
    }

    #expect(refusals == 2)
    #expect(conclusion == .committed)
  }

  // MARK: - Sizes and waits

  @Test
  func `ranges grow to what takes some hundred milliseconds, and shrink at once`() {
    var sizing = ChunkSizing()
    for _ in 0..<40 { sizing.record(count: sizing.count, seconds: Double(sizing.count) * 0.01) }
    let steady = sizing.count

    sizing.record(count: steady, seconds: Double(steady) * 0.1)

    #expect((25...50).contains(steady))
    #expect(sizing.count < steady / 2)
    for _ in 0..<20 { sizing.recordFailure() }
    #expect(sizing.count == 1)
  }

  @Test
  func `catching up ends when little is left three times in a row`() {
    var pace = CatchUpPace(tolerable: 100, hasConstraints: true)
    for left in [40, 30] {
      pace.record(taken: 60, left: left, seconds: 0.1)
      #expect(!pace.isDone)
    }
    pace.record(taken: 60, left: 80, seconds: 0.1)
    #expect(!pace.isDone)
    for left in [40, 50, 45] { pace.record(taken: 60, left: left, seconds: 0.1) }
    #expect(pace.isDone)

    var idle = CatchUpPace(tolerable: 100, hasConstraints: true)
    idle.record(taken: 0, left: 0, seconds: 0.1)
    #expect(idle.isDone)
  }

  @Test
  func `catching up ends where every round takes long, for the server is far away`() {
    var idle = CatchUpPace(tolerable: 100, hasConstraints: true)
    idle.record(taken: 0, left: 0, seconds: 3)
    #expect(idle.isDone)

    var pace = CatchUpPace(tolerable: 100, hasConstraints: true)
    var rounds = 0
    while !pace.isDone, rounds < 20 {
      pace.record(taken: 40, left: 40, seconds: 3)
      rounds += 1
    }
    #expect(rounds == 10)
  }

  @Test
  func `faster writers are reported after one long round`() {
    var pace = CatchUpPace(tolerable: 100, hasConstraints: true)
    pace.record(taken: 50_000, left: 60_000, seconds: 20)
    #expect(pace.shortfall == nil)

    pace.record(taken: 60_000, left: 75_000, seconds: 15)

    #expect(pace.shortfall == CatchUpPace.Shortfall(arriving: 5_000, copied: 4_000))
    pace.record(taken: 75_000, left: 60_000, seconds: 15)
    #expect(pace.shortfall == nil)
  }

  @Test
  func `faster writers are reported once in five rounds`() {
    var pace = CatchUpPace(tolerable: 100, hasConstraints: true)
    var shortfalls: [CatchUpPace.Shortfall?] = []
    for round in 1...10 {
      pace.record(taken: 1000, left: 1000 + 500 * round, seconds: 0.5)
      shortfalls.append(pace.shortfall)
    }
    #expect(shortfalls.compactMap(\.self).count == 2)
    #expect(shortfalls[4] == CatchUpPace.Shortfall(arriving: 3000, copied: 2000))
    #expect(!pace.isDone)
  }

  @Test
  func `before there are indexes, catching up ends where it gains nothing`() {
    var pace = CatchUpPace(tolerable: 100, hasConstraints: false)
    var rounds = 0
    while !pace.isDone, rounds < 20 {
      pace.record(taken: 5000, left: 4900, seconds: 2)
      rounds += 1
    }
    #expect(rounds == 3)
    #expect(pace.limit == 5000)
    pace.record(taken: 5000, left: 80_000, seconds: 2)
    #expect(pace.limit == 80_000)
  }

  @Test
  func `a job waits four times as long as it works while others work`() {
    var surroundings = Surroundings()
    #expect(surroundings.pause(after: 0.3, isOnline: true) == nil)

    surroundings.activeSessions = 4

    let pause = surroundings.pause(after: 0.3, isOnline: true)
    #expect(pause?.seconds == 1.2)
    #expect(pause?.reason == .activity(sessions: 4))
    // Writers that are turned away are helped by haste.
    #expect(surroundings.pause(after: 0.3, isOnline: false) == nil)
    // Catching up does not rest because of those whom it is to catch up with.
    #expect(surroundings.pause(after: 0, isOnline: true) == nil)
  }

  @Test
  func `a standby that is behind, and a query of the user's, are waited for`() {
    var surroundings = Surroundings()
    surroundings.replicaLag = 60
    #expect(surroundings.pause(after: 0, isOnline: false)?.looksAgain == true)
    surroundings = Surroundings()
    surroundings.queryResult = 1
    #expect(surroundings.pause(after: 0, isOnline: true)?.reason == .query(1))
    surroundings.queryResult = 0
    #expect(surroundings.pause(after: 0, isOnline: true) == nil)
  }
}
