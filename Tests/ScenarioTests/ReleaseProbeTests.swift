import FoundationEssentials
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// A plan's predictions about a release on the previous version are true for its statements.
///
/// `REMODEL_PROBES=table` prints the predictions and the observations, `REMODEL_SCENARIOS` names
/// the scenarios.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct ReleaseProbeTests {
  static let sample: [Scenario] = {
    if let names = ProcessInfo.processInfo.environment["REMODEL_SCENARIOS"]?.split(separator: ",") {
      return Scenario.planned.filter { names.contains(Substring($0.name)) }
    }
    return RandomCases.one(in: 24, of: Scenario.planned)
  }()

  /// The first that allow the migration are taken.
  static let fills: [ReleaseFill] =
    [.completed, .given] + (1...12).map { .random($0) } + [.none]

  @Test(arguments: sample, [RemovalPolicy.retain, .drop])
  func `a release on the previous version fails where the plan says so, and nowhere else`(
    scenario: Scenario,
    removals: RemovalPolicy
  ) async throws {
    try await scenario.withBundle { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, removals: removals))
      // Rows that do not allow the migration are left out.
      for fill in Self.fills {
        let isDone = try await TestServer.withDatabase { url in
          try await probe(scenario, fill, remodel, url, removals)
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
    _ remodel: Remodel,
    _ url: String,
    _ removals: RemovalPolicy
  ) async throws -> Bool {
    _ = try await remodel.migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let projection = try scenario.version("before").projection
    try await scenario.fill(url, fill, connection)
    let plan: PlanReport
    do {
      plan = try await remodel.plan(.url(url))
    } catch is PlanningError {
      // What is read when it has been dropped cannot be migrated.
      return true
    }
    let probes = try ReleaseProbes(
      projection,
      before: scenario.version("after").projection,
      keepsValues: !scenario.isMapped,
      connection
    )
    var working: [ReleaseProbe] = []
    for probe in probes.probes where try probe.fault(connection) == nil { working.append(probe) }
    do {
      _ = try await remodel.migrate(.url(url))
    } catch is ExecutionError {
      return false
    }
    var observed: [String: [String]] = [:]
    for probe in working {
      guard let fault = try probe.fault(connection) else { continue }
      observed[probe.table.name, default: []].append("\(probe.name): \(fault)")
    }
    // Which values cannot be computed with is up to the expression; PlannedHazardTests has such ones.
    let breakages = plan.plan.steps.flatMap(\.allStatements).flatMap(\.breakages).filter {
      breakage in
      if case .computationRequired = breakage { false } else { true }
    }
    let claimed = Dictionary(grouping: breakages, by: \.table.name)
    if ProcessInfo.processInfo.environment["REMODEL_PROBES"] == "table" {
      for table in projection.schema.sortedTables.map(\.name.name) {
        let count = working.count { $0.table.name == table }
        let words = claimed[table]?.map(\.description) ?? []
        let faults = observed[table] ?? []
        let isSame = words.isEmpty == faults.isEmpty
        print(
          "PROBE \(isSame ? "=" : "!") \(scenario.name) \(removals.rawValue) \(fill) \(table) "
            + "(\(count)): \(words) | \(faults.count) \(faults.prefix(3))"
        )
      }
    }
    for table in projection.schema.sortedTables.map(\.name.name) {
      #expect(
        (claimed[table] == nil) == (observed[table] == nil),
        """
        \(scenario.name), \(table): claimed \(claimed[table]?.map(\.description) ?? []), \
        observed \(observed[table]?.prefix(3).joined(separator: "; ") ?? "nothing")
        """
      )
    }
    return true
  }
}
