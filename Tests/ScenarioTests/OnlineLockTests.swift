import RemodelKit
import Synchronization
import TestSupport
import Testing

@testable import MigrationPlanning

/// The locks that the phases of online migrations take are those that the plan says.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct OnlineLockTests {
  private static let scenarios = Scenario.planned.filter { scenario in
    guard !scenario.isMapped, !scenario.isViolated else { return false }
    let step = try? scenario.step(.online, isPhased: true)
    return step.map { $0.hasDeferredWork && $0.onlineObstacle == nil } ?? false
  }

  @Test(arguments: scenarios)
  func `statements in transactions take the locks that the plan says`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      try await TestServer.withDatabase { url in
        let observation = LockObservation()
        var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .online)
        configuration.takesTablesForLarge = true
        configuration.copySettings.failpoints = Failpoints { name, connection in
          try observation.note(name, connection)
        }
        let remodel = Remodel(configuration) { observation.note($0) }
        _ = try await remodel.migrate(.url(url), to: "1")
        try await scenario.fill(url)
        let plan = try await remodel.plan(.url(url)).plan
        _ = try await remodel.migrate(.url(url))
        _ = try await remodel.finish(.url(url))

        let planned = plan.steps.flatMap(\.lateStatements).filter(\.isTransactional)
        #expect(observation.differences(from: planned) == [])
        #expect(observation.count == planned.count)
      }
    }
  }

  @Test(arguments: scenarios)
  func `statements outside transactions take the locks that the plan says`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .online)
        configuration.takesTablesForLarge = true
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")
        try await scenario.fill(url)
        let plan = try await remodel.plan(.url(url)).plan
        // The transaction and the work right after it; deferred work runs here.
        _ = try await remodel.migrate(.url(url))
        let statements = plan.steps.flatMap(\.lateStatements)
          .filter { $0.phase == .deferred && !$0.isTransactional }
        for statement in statements {
          #expect(
            try await locks(of: statement, url) == statement.impact.locks,
            "\(statement.sql.text)"
          )
        }
      }
    }
  }

  /// The locks on tables that a statement holds while it waits for a writer to end.
  private func locks(
    of statement: PlannedStatement,
    _ url: String
  ) async throws -> [SQLIdentifier: LockMode] {
    let writer = try PostgresConnection(to: .url(url))
    try writer.execute("BEGIN")
    for table in statement.impact.locks.keys {
      let name = QualifiedName(schema: "public", name: table)
      try writer.execute("LOCK TABLE \(name) IN ROW EXCLUSIVE MODE")
    }
    let process = Mutex(0)
    async let end: Void = onThread {
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      process.withLock { $0 = connection.backendPID }
      try connection.execute(statement.sql)
    }
    let found = try await onThread {
      let observer = try PostgresConnection(to: .url(url))
      for _ in 0..<500 {
        let pid = SQLLiteral.integer(Int64(process.withLock { $0 }))
        let waits = try observer.query(
          """
          SELECT FROM pg_locks WHERE pid = \(pid) AND NOT granted AND locktype = 'virtualxid'
          """
        )
        if !waits.isEmpty { return try LockObservation.locks(heldBy: "\(pid)", observer) }
        try observer.execute("SELECT pg_sleep(0.01)")
      }
      return [:]
    }
    try writer.execute("ROLLBACK")
    try await end
    return found
  }
}

/// What locks were held after which statements of deferred work.
private final class LockObservation: Sendable {
  private struct State {
    var statements: [String] = []
    var seen: [(statements: [String], locks: [SQLIdentifier: LockMode])] = []
  }

  private let state = Mutex(State())

  var count: Int { state.withLock(\.seen.count) }

  func note(_ event: MigrationEvent) {
    guard case .statement(let sql, _, _) = event else { return }
    state.withLock { $0.statements.append(sql) }
  }

  func note(_ place: String, _ connection: borrowing PostgresConnection) throws {
    switch place {
    case "late.after_statement" where connection.transactionStatus != .idle:
      let locks = try Self.locks(heldBy: "pg_backend_pid()", connection)
      state.withLock { $0.seen.append(($0.statements, locks)) }
    case "late.after_commit", "late.after_statement": state.withLock { $0.statements = [] }
    default: break  // Nothing else is of deferred work.
    }
  }

  func differences(from planned: [PlannedStatement]) -> [String] {
    state.withLock(\.seen).compactMap { statements, locks in
      var expected: [SQLIdentifier: LockMode] = [:]
      for statement in planned where statements.contains(statement.sql.text) {
        expected.merge(statement.impact.locks, uniquingKeysWith: max)
      }
      return expected == locks ? nil : "\(statements): \(locks), not \(expected)"
    }
  }

  /// The strongest lock on each table.
  static func locks(
    heldBy pid: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLIdentifier: LockMode] {
    let rows = try connection.query(
      """
      SELECT c.relname, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
      WHERE l.pid = \(pid) AND l.granted AND c.relkind = 'r'
        AND c.relnamespace = 'public'::regnamespace
      """
    )
    var locks: [SQLIdentifier: LockMode] = [:]
    for row in rows {
      let mode = LockMode.allCases.first { mode in
        let words = mode.name.split(separator: " ").map {
          $0.prefix(1) + $0.dropFirst().lowercased()
        }
        return words.joined() + "Lock" == row["mode"]
      }
      guard let name = row["relname"].map({ SQLIdentifier($0) }), let mode else { continue }
      locks[name] = max(locks[name] ?? mode, mode)
    }
    return locks
  }
}
