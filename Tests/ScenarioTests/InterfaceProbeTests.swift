import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// A release on the previous version works through its views as it did before the migration, unless the plan
/// says that it loses a table.
///
/// `REMODEL_SCENARIOS` names the scenarios.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct InterfaceProbeTests {
  @Test(arguments: ReleaseProbeTests.sample)
  func `a release on the previous version works through its views`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      // Rows that do not allow the migration are left out.
      for fill in ReleaseProbeTests.fills {
        let isDone = try await TestServer.withDatabase { url in
          try await probe(scenario, fill, bundle, url)
        }
        if isDone { return }
      }
      Issue.record("no rows allow it")
    }
  }

  /// Returns whether the rows allowed the migration.
  private func probe(
    _ scenario: Scenario,
    _ fill: ReleaseFill,
    _ bundle: String,
    _ url: String
  ) async throws -> Bool {
    let before = try scenario.version("before").projection
    var configuration = RemodelConfiguration(modelsPath: bundle)
    configuration.keep = .previous
    configuration.unservedEntities = Set(before.model.entities.map(\.name))
    let remodel = Remodel(configuration)
    _ = try await remodel.migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    try await scenario.fill(url, fill, connection)
    let plan: PlanReport
    do {
      plan = try await remodel.plan(.url(url))
    } catch is PlanningError {
      // What is read when it has been dropped cannot be migrated.
      return true
    }
    let probes = try ReleaseProbes(
      ModelProjection(before.model, schema: "public_v1", isInterpreted: true),
      before: scenario.version("after").projection,
      keepsValues: !scenario.isMapped,
      connection
    )
    let working = try probes.probes.filter { try $0.fault(connection) == nil }
    do {
      _ = try await remodel.migrate(.url(url))
    } catch is ExecutionError {
      return false
    }
    let unserved = Set(plan.plan.steps.flatMap(\.unservedTables).map(\.name))
    // Places among others are the same, with other numbers.
    let numbered = plan.plan.steps.flatMap(\.links).flatMap { link in
      link.numberedPositions.compactMap(link.former.column)
    }
    for probe in working where !unserved.contains(probe.table) {
      let fault = try probe.fault(connection)
      // A value without a counterpart in the new version is refused where it is written.
      if fault?.contains(" out of range") == true { continue }
      if fault != nil, numbered.contains(where: { probe.name == "find by \($0)" }) { continue }
      #expect(fault == nil, "\(scenario.name), \(fill), \(probe.table), \(probe.name)")
    }
    let report = try await remodel.verify(.url(url))
    #expect(report.isClean, "\(scenario.name)")
    return true
  }
}
