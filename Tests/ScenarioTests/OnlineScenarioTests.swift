import RemodelKit
import TestSupport
import Testing

/// Scenarios whose tables are all taken for large ones, migrated online.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct OnlineScenarioTests {
  @Test(arguments: RandomCases.one(in: 12, of: Scenario.planned.filter { !$0.isMapped }))
  func `what is migrated online and finished equals a fresh database and keeps its rows`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .online)
      configuration.takesTablesForLarge = true
      let remodel = Remodel(configuration)
      let migrated: (catalog: CatalogSnapshot, rows: [String])? = try await scenario.withDatabase {
        url in
        do {
          #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
        } catch let error as RemodelError {
          guard case .notPhased = error.fact else { throw error }
          #expect(try scenario.step(.online, isPhased: true).onlineObstacle != nil)
          return nil
        } catch let error as ExecutionError {
          guard case .preconditionsViolated = error.fact else { throw error }
          #expect(scenario.isViolated)
          #expect(try await remodel.status(.url(url)).version?.name == "1")
          return nil
        }
        #expect(try await remodel.check(.url(url)).isCurrent)
        #expect(try await remodel.status(.url(url)).pending.allSatisfy { $0.phase == .deferred })
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        let unfinished = try await remodel.verify(.url(url))
        #expect(unfinished.drift.map(\.object.description) == [])
        _ = try await remodel.finish(.url(url))
        #expect(try await remodel.status(.url(url)).pending == [])
        try await expectNoDrift(url, remodel)
        #expect(try await remodel.finish(.url(url)).done == [])
        return (try await scenario.snapshot(url, remodel), try scenario.finalRows(url))
      }
      guard let migrated else { return }
      try await scenario.expectFresh(migrated.catalog)
      try await scenario.withDatabase { url in
        _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url))
        #expect(try migrated.rows == scenario.finalRows(url))
      }
    }
  }

  @Test(arguments: RandomCases.one(in: 12, of: Scenario.planned.filter { !$0.isMapped }))
  func `the script has the same result`(scenario: Scenario) async throws {
    try await scenario.withBundle { bundle in
      var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .online)
      configuration.takesTablesForLarge = true
      let remodel = Remodel(configuration)
      let migrated: CatalogSnapshot? = try await scenario.withDatabase { url in
        let plan: PlanReport
        do {
          plan = try await remodel.plan(.url(url))
        } catch let error as RemodelError {
          guard case .notPhased = error.fact else { throw error }
          return nil
        }
        guard !plan.findings.contains(where: \.isViolated) else { return nil }
        let outcome = try await Psql.run(plan.script, url)
        #expect(outcome.isSuccess, "\(outcome.errors)")
        #expect(try await remodel.status(.url(url)).pending == [])
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        try await expectNoDrift(url, remodel)
        return try await scenario.snapshot(url, remodel)
      }
      if let migrated { try await scenario.expectFresh(migrated) }
    }
  }
}
