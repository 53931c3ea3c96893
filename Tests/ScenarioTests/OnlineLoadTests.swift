import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Online migrations while others write to all tables.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .serialized, .timeLimit(.minutes(30)))
struct OnlineLoadTests {
  /// Scenarios that no rows can violate, so that they succeed whatever is written.
  private static let scenarios = Scenario.planned.filter { scenario in
    guard !scenario.isMapped, !scenario.isViolated, scenario.rows != nil else { return false }
    guard let step = try? scenario.step(.online, isPhased: true) else { return false }
    // The writers know no ranges.
    let columns = step.source?.projection.schema.tables.values.flatMap(\.columns) ?? []
    guard !columns.contains(where: { $0.type.family == .range }) else { return false }
    return step.onlineObstacle == nil && (step.hasDeferredWork || step.copy != nil)
      && step.preconditions.isEmpty
      // Objects stay of the entity that they are of, which these writers do not know.
      && !(step.copy?.tables.contains { $0.feeds.count > 1 } ?? false)
      && !step.lateStatements.contains { $0.impact.hazards.contains(.breaksPreviousRelease) }
  }

  @Test(arguments: RandomCases.one(in: 3, of: scenarios))
  func `nobody is turned away, and the end is that of a fresh database`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .online)
      configuration.takesTablesForLarge = true
      configuration.copySettings.chunkRows = 20
      let remodel = Remodel(configuration)
      let migrated = try await scenario.withDatabase { url in
        let connection = try PostgresConnection(to: .url(url))
        let database = SQLIdentifier(connection.databaseName)
        try connection.execute("ALTER DATABASE \(database) SET deadlock_timeout = '600ms'")
        let load = WriterLoad(url, try WritableTable.all(connection))
        try load.grow(100, seed: 1)
        let remaining = try scenario.version("after").projection.schema.tables.keys.map(\.name)
        load.noteReplacement(leaving: Set(remaining))
        load.start(3, seed: 1)
        load.wait(forCommits: 10)
        do {
          _ = try await remodel.migrate(.url(url))
          load.wait(forCommits: 10)
          _ = try await remodel.finish(.url(url))
        } catch {
          load.stop()
          throw error
        }
        load.stop()
        #expect(load.surprises == [])
        #expect(load.commits > 20)
        #expect(try await remodel.status(.url(url)).pending == [])
        return try await scenario.snapshot(url, remodel)
      }
      try await scenario.expectFresh(migrated)
    }
  }

  @Test
  func `there are scenarios of every kind`() throws {
    let kinds = try Self.scenarios.flatMap { try $0.step(.online, isPhased: true).deferredWork }
      .map(\.kind)
    #expect(Set(kinds).isSuperset(of: [.buildIndex, .validateConstraint]))
    #expect(try Self.scenarios.contains { try $0.step(.online, isPhased: true).copy != nil })
  }
}
