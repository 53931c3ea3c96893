import FoundationEssentials
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// A plan says that a statement may fail because of rows exactly if there can be such rows.
///
/// `REMODEL_PROBES=table` prints the predictions and the observations.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct PlannedFailureTests {
  @Test(arguments: ReleaseProbeTests.sample)
  func `a migration fails by rows where the plan says so, and nowhere else`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
      var claims: [String] = []
      var certain: [String] = []
      var faults: [String] = []
      for fill in [ReleaseFill.completed, .given, .odd, .random(1), .random(2)] {
        let (claimed, asked, fault) = try await TestServer.withDatabase { url in
          try await attempt(scenario, fill, remodel, url)
        }
        claims = claimed
        certain = asked
        if let fault { faults.append("\(fill): \(fault)") }
      }
      if ProcessInfo.processInfo.environment["REMODEL_PROBES"] == "table" {
        let isSame = faults.isEmpty ? certain.isEmpty : !claims.isEmpty
        print("FAILS \(isSame ? "=" : "!") \(scenario.name): \(claims) | \(faults)")
      }
      #expect(
        faults.isEmpty ? certain.isEmpty : !claims.isEmpty,
        "claimed \(claims), observed \(faults)"
      )
    }
  }

  /// Returns the statements predicted to fail, those of them that fail for some rows, and those
  /// that fail.
  private func attempt(
    _ scenario: Scenario,
    _ fill: ReleaseFill,
    _ remodel: Remodel,
    _ url: String
  ) async throws -> (claimed: [String], certain: [String], fault: String?) {
    _ = try await remodel.migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    try await scenario.fill(url, fill, connection)
    let step = try #require(try await remodel.plan(.url(url)).plan.steps.first)
    let statements = step.allStatements.filter { $0.impact.hazards.contains(.failsOnData) }
    let unsaid = StepElements(of: step).unsaidPreconditions.map(\.requirement)
    let claimed = statements.map(\.reason) + unsaid
    // The values with which an expression or an index in SQL fails are unknown.
    let certain = statements.filter { !$0.isOfExpression }.map(\.reason) + unsaid
    do {
      _ = try await remodel.migrate(.url(url))
      return (claimed, certain, nil)
    } catch let error as ExecutionError {
      return (claimed, certain, error.diagnostics.first?.description ?? "")
    }
  }
}

extension PlannedStatement {
  /// A Boolean value that indicates whether it computes values, or makes an index in SQL.
  fileprivate var isOfExpression: Bool {
    sql.text.contains(" GENERATED ALWAYS AS (") || reason.hasPrefix("compute column")
      || sql.text.hasPrefix("CREATE INDEX") && sql.text.contains(" USING ")
  }
}

/// Where the rows come from.
enum ReleaseFill: Equatable {
  /// Those of the scenario, and more for tables and columns that have none.
  case completed
  /// Those of the scenario.
  case given
  /// Those, and such as are at the ends of what the version allows.
  case odd
  /// Those that a seed gives.
  case random(UInt64)
  /// There are none.
  case none
}

extension Scenario {
  /// Fills the version before.
  func fill(
    _ url: String,
    _ source: ReleaseFill,
    _ connection: borrowing PostgresConnection
  ) async throws {
    let projection = try version("before").projection
    switch source {
    case .completed, .odd:
      try await fill(url)
      var filler = RowFiller(projection)
      try filler.complete(connection)
    case .given: try await fill(url)
    case .random(let seed):
      var filler = RowFiller(projection, seed: seed)
      do {
        try filler.fill(connection)
      } catch {
        // The filler does not know authored SQL.
        try connection.execute("ROLLBACK")
      }
      for table in projection.schema.sortedTables {
        let values = try ReleaseValues(of: table, in: projection, connection)
        for row in values.rows(having: mappingWords) {
          _ = try? connection.execute(values.insertion(row))
        }
      }
    case .none: break
    }
    guard source == .odd else { return }
    // Links are made when all rows are there.
    for table in projection.schema.sortedTables + projection.schema.sortedTables {
      let values = try ReleaseValues(of: table, in: projection, connection)
      // What the version does not allow is left out.
      for row in values.oddRows() { _ = try? connection.execute(values.insertion(row)) }
    }
  }
}
