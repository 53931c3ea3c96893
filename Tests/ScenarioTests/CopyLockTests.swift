import RemodelKit
import TestSupport
import Testing

@testable import MigrationExecution
@testable import MigrationPlanning

/// The locks that the statements of a copy take are those that the plan says.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CopyLockTests {
  private static let scenarios = Scenario.planned.filter { scenario in
    guard scenario.isMapped, !scenario.isViolated else { return false }
    let step = try? scenario.step(.online)
    return step.map { $0.copy != nil && $0.onlineObstacle == nil } ?? false
  }

  @Test(arguments: RandomCases.one(in: 3, of: scenarios))
  func `statements of a copy take the locks that the plan says`(scenario: Scenario) async throws {
    for strategy in [CopyStrategy.online, .gated] {
      try await scenario.withBundle { bundle in
        try await TestServer.withDatabase { url in
          let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
          _ = try await remodel.migrate(.url(url), to: "1")
          try await scenario.fill(url)
          let step = try scenario.step(strategy)
          try await onThread {
            let connection = try PostgresConnection(to: .url(url))
            try connection.prepareSession()
            try Self.compare(step, connection)
          }
        }
      }
    }
  }

  /// Runs the statements up to the watching of the sources, each in a transaction of its own.
  private static func compare(
    _ step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws {
    let known = Set(try TableObservation(leavingOut: "remodel", connection).tables.keys)
    let filled = step.copy?.fillStatements.map(\.sql) ?? []
    let watching = step.copyStatements.prefix { !filled.contains($0.sql) }
    #expect(watching.contains { $0.sql.text.contains("queue_") } == (step.strategy == .online))
    for statement in watching {
      try connection.execute("BEGIN")
      let before = try TableObservation(leavingOut: "remodel", connection)
      try connection.execute(statement.sql)
      let after = try TableObservation(leavingOut: "remodel", connection)
      let measured = after.impact(since: before, on: known).locks
      try connection.execute("COMMIT")
      let planned = statement.impact.locks.map {
        (QualifiedName(schema: "public", name: $0.key), $0.value)
      }
      #expect(
        measured == Dictionary(planned, uniquingKeysWith: max),
        "\(step.strategy): \(statement.sql.text)"
      )
    }
  }
}
