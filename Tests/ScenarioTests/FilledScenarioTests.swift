import CustomDump
import RemodelKit
import TestSupport
import Testing

@testable import MigrationPlanning

/// Scenarios whose tables are all taken for large ones, with columns that are filled in place.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct FilledScenarioTests {
  /// The scenarios in which something is filled.
  static let filled = Scenario.planned.filter { scenario in
    !scenario.isViolated && ((try? scenario.step(.filled))?.copy?.fills.isEmpty ?? true) == false
  }

  @Test(arguments: RandomCases.one(in: 12, of: Scenario.planned))
  func `what is filled in place equals a fresh database and keeps its rows`(
    scenario: Scenario
  ) async throws {
    try await check(scenario)
  }

  @Test(arguments: RandomCases.one(in: 3, of: filled))
  func `every scenario that can be filled is`(scenario: Scenario) async throws {
    #expect(try await check(scenario))
  }

  @Test(arguments: filled)
  func `the phases of a fill are as expected`(scenario: Scenario) throws {
    let step = try scenario.step(.filled)

    let lines = step.allStatements.map {
      "-- \($0.phase.rawValue): \($0.reason)\n\($0.sql.text);\n"
    }
    scenario.expect(lines.joined(), in: "filled.sql")
    #expect(step.onlineObstacle == nil)
    for statement in step.statements {
      #expect(statement.impact.scans.isEmpty && statement.impact.rewrites.isEmpty)
    }
  }

  @Test(arguments: filled, [15, 18])
  func `what a fill comes to are the tables of the destination`(
    scenario: Scenario,
    serverMajor: Int
  ) throws {
    let step = try scenario.step(.filled, serverMajor: serverMajor)
    var schema = try #require(step.source).projection.schema

    for operation in step.operations { operation.base.apply(to: &schema) }
    for work in step.deferredWork { work.base.apply(to: &schema) }

    #expect(diff(schema.ordered, step.destination.projection.schema.ordered) == nil)
  }

  @Test
  func `there are such scenarios of every kind`() {
    let names = Set(Self.filled.map(\.name))
    #expect(
      names.isSuperset(of: ["widen-numbers", "map-in-hierarchy", "fill-computed-attributes"]),
      "\(names)"
    )
  }

  /// Returns whether the scenario was migrated.
  @discardableResult
  private func check(_ scenario: Scenario) async throws -> Bool {
    try await scenario.withBundle { bundle in
      var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .filled)
      configuration.takesTablesForLarge = true
      let remodel = Remodel(configuration)
      let migrated: (catalog: CatalogSnapshot, rows: [String])? = try await scenario.withDatabase {
        url in
        do {
          #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
        } catch let error as RemodelError {
          guard case .notPhased = error.fact else { throw error }
          return nil
        } catch let error as PlanningError {
          guard case .notFillable = error.fact else { throw error }
          guard scenario.objects == nil else { return nil }
          #expect(throws: PlanningError.self, "\(error)") { try scenario.step(.filled) }
          return nil
        } catch let error as ExecutionError {
          guard case .preconditionsViolated = error.fact else { throw error }
          #expect(scenario.isViolated)
          return nil
        }
        #expect(try await remodel.check(.url(url)).isCurrent)
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        let unfinished = try await remodel.verify(.url(url))
        #expect(unfinished.drift.map(\.object.description) == [])
        _ = try await remodel.finish(.url(url))
        try await expectNoDrift(url, remodel)
        return (try await scenario.snapshot(url, remodel), try scenario.finalRows(url))
      }
      guard let migrated else { return false }
      try await scenario.expectFresh(migrated.catalog)
      try await scenario.withDatabase { url in
        let locked = Remodel(RemodelConfiguration(modelsPath: bundle, strategy: .locked))
        _ = try await locked.migrate(.url(url))
        #expect(try migrated.rows == scenario.finalRows(url))
      }
      return true
    }
  }
}
