import PostgresClient
import Testing

@testable import MigrationExecution

/// What follows from what, without a server.
@Suite
struct ExecutionStateTests {
  private let limits = ExecutionState.Limits(waitForMigrationLock: 10, lockRetryFor: 5)

  /// Carries actions out as a script says, a second each, until the state is to finish.
  private func run(
    statements: Int = 2,
    transactions: [[Range<Int>]]? = nil,
    _ outcome: (ExecutionState.Action, Int) -> ExecutionState.Outcome
  ) -> (actions: [ExecutionState.Action], conclusion: ExecutionState.Conclusion) {
    var state = ExecutionState(
      transactions: transactions ?? [(0..<statements).map { $0..<$0 + 1 }],
      limits: limits
    )
    var actions: [ExecutionState.Action] = []
    while actions.count < 200 {
      let action = state.next()
      if case .finish(let conclusion) = action { return (actions, conclusion) }
      actions.append(action)
      let result = outcome(action, actions.count)
      if action == .enterStart { state.noteStartEntered() }
      state.record(result, at: Double(actions.count), jitter: 0.5)
    }
    return (actions, .failed)
  }

  @Test
  func `a creation in parts commits and records each of them, and begins once`() {
    let (actions, conclusion) = run(transactions: [[3..<4, 4..<5], [5..<6]]) { _, _ in .succeeded }

    #expect(
      actions == [
        .begin, .takeMigrationLock, .compareRecord, .askPreconditions, .enterStart, .lockTables,
        .runStatements(3..<4), .runStatements(4..<5), .recordProgress(5), .commit,
        .begin, .takeMigrationLock, .compareRecord, .askPreconditions, .lockTables,
        .runStatements(5..<6), .recordVersion, .commit,
      ]
    )
    #expect(conclusion == .committed)
  }

  @Test
  func `statements that are sent together are one action, which is repeated as a whole`() {
    var hasFailed = false
    let (actions, conclusion) = run(transactions: [[0..<7, 7..<8]]) { action, _ in
      guard action == .runStatements(7..<8), !hasFailed else { return .succeeded }
      hasFailed = true
      return .failed(.deadlockDetected)
    }

    let statements = actions.filter { if case .runStatements = $0 { true } else { false } }
    #expect(
      statements == [
        .runStatements(0..<7), .runStatements(7..<8), .runStatements(0..<7), .runStatements(7..<8),
      ]
    )
    #expect(conclusion == .committed)
  }

  @Test
  func `a part that does not get its locks is tried again by itself`() {
    var hasFailed = false
    let (actions, conclusion) = run(transactions: [[0..<1], [1..<2]]) { action, _ in
      guard action == .runStatements(1..<2), !hasFailed else { return .succeeded }
      hasFailed = true
      return .failed(.lockNotAvailable)
    }

    #expect(actions.filter { $0 == .runStatements(0..<1) }.count == 1)
    #expect(actions.filter { $0 == .runStatements(1..<2) }.count == 2)
    #expect(conclusion == .committed)
  }

  @Test
  func `each part has the whole time to get its locks`() {
    var failures: [Int: Int] = [:]
    var part = 0
    let (actions, conclusion) = run(transactions: [[0..<1], [1..<2]]) { action, _ in
      if action == .commit { part += 1 }
      guard action == .lockTables, failures[part, default: 0] < 1 else { return .succeeded }
      failures[part, default: 0] += 1
      return .failed(.lockNotAvailable)
    }

    #expect(failures == [0: 1, 1: 1])
    // The second part neither runs out of the first one's time nor pauses for longer.
    let pauses = actions.filter { if case .pause = $0 { true } else { false } }
    #expect(pauses == [.pause(0.1), .pause(0.1)])
    #expect(conclusion == .committed)
  }

  @Test
  func `a step without obstacles commits at once`() {
    let (actions, conclusion) = run { _, _ in .succeeded }

    #expect(
      actions == [
        .begin, .takeMigrationLock, .compareRecord, .askPreconditions, .enterStart, .lockTables,
        .runStatements(0..<1), .runStatements(1..<2), .recordVersion, .commit,
      ]
    )
    #expect(conclusion == .committed)
  }

  @Test
  func `a step without statements only records its version`() {
    let (actions, conclusion) = run(statements: 0) { _, _ in .succeeded }

    #expect(!actions.contains(.runStatements(0..<1)))
    #expect(conclusion == .committed)
  }

  @Test
  func `no transaction is open while another session has the migration lock`() {
    let (actions, conclusion) = run { action, _ in
      action == .takeMigrationLock ? .declined : .succeeded
    }

    for (index, action) in actions.enumerated() where action == .takeMigrationLock {
      #expect(actions[index + 1] == .rollBack)
    }
    #expect(actions.last == .findBlockers)
    #expect(conclusion == .migrationLockNotAvailable)
  }

  @Test
  func `a step that another migrator has taken is superseded`() {
    let (actions, conclusion) = run { action, _ in
      action == .compareRecord ? .declined : .succeeded
    }

    #expect(actions == [.begin, .takeMigrationLock, .compareRecord, .rollBack])
    #expect(conclusion == .superseded)
  }

  @Test(arguments: [SQLState.lockNotAvailable, .deadlockDetected, .serializationFailure])
  func `a lock that cannot be had is tried again for so long`(state: SQLState) {
    let (actions, conclusion) = run { action, _ in
      action == .runStatements(1..<2) ? .failed(state) : .succeeded
    }

    #expect(actions.filter { $0 == .runStatements(1..<2) }.count > 1)
    #expect(actions.filter { $0 == .enterStart }.count == 1)
    #expect(actions.suffix(2) == [.rollBack, .findBlockers])
    #expect(conclusion == .lockNotAvailable)
  }

  @Test
  func `a lock that can be had later is had`() {
    let (_, conclusion) = run { action, count in
      action == .lockTables && count < 10 ? .failed(.lockNotAvailable) : .succeeded
    }

    #expect(conclusion == .committed)
  }

  @Test
  func `any other error rolls back and fails`() {
    let (actions, conclusion) = run { action, _ in
      action == .runStatements(0..<1) ? .failed(.undefinedTable) : .succeeded
    }

    #expect(actions.suffix(2) == [.runStatements(0..<1), .rollBack])
    #expect(conclusion == .failed)
  }

  @Test(arguments: [(ExecutionState.Outcome.succeeded, ExecutionState.Conclusion.committed)])
  func `a commit whose connection is lost is looked up on another one`(
    found: ExecutionState.Outcome,
    expected: ExecutionState.Conclusion
  ) {
    let (actions, conclusion) = run { action, _ in
      action == .commit ? .connectionLost : found
    }

    #expect(actions.last == .findOutcome)
    #expect(conclusion == expected)
  }

  @Test
  func `a commit that did not happen is a lost connection`() {
    let (_, conclusion) = run { action, _ in
      switch action {
      case .commit: .connectionLost
      case .findOutcome: .declined
      default: .succeeded
      }
    }

    #expect(conclusion == .connectionLost)
  }

  @Test
  func `an audit log that cannot be written does not stop a migration`() {
    let (_, conclusion) = run { action, _ in
      action == .enterStart ? .failed(nil) : .succeeded
    }

    #expect(conclusion == .committed)
  }

  @Test
  func `an interruption rolls back`() {
    let (actions, conclusion) = run { action, _ in
      action == .runStatements(1..<2) ? .interrupted : .succeeded
    }

    #expect(actions.suffix(2) == [.runStatements(1..<2), .rollBack])
    #expect(conclusion == .interrupted)
  }

  @Test
  func `rows that do not allow it end before anything is locked`() {
    let (actions, conclusion) = run { action, _ in
      action == .askPreconditions ? .violated : .succeeded
    }

    #expect(!actions.contains(.lockTables) && !actions.contains(.enterStart))
    #expect(conclusion == .violated)
  }

  @Test
  func `a rollback that fails does not hide why it came`() {
    let (_, conclusion) = run { action, _ in
      switch action {
      case .askPreconditions: .violated
      case .rollBack: .connectionLost
      default: .succeeded
      }
    }

    #expect(conclusion == .violated)
  }

  @Test
  func `a connection for the audit log that is lost does not stop a migration`() {
    let (_, conclusion) = run { action, _ in
      action == .enterStart ? .connectionLost : .succeeded
    }

    #expect(conclusion == .committed)
  }

  @Test
  func `rows that came between the questions and the locks end the step`() {
    let (actions, conclusion) = run { action, _ in
      action == .lockTables ? .violated : .succeeded
    }

    #expect(actions.last == .rollBack)
    #expect(conclusion == .violated)
  }
}
