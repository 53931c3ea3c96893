import RemodelKit
import TestSupport
import Testing

/// The first lines of the library's documentation.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct FrontDoorTests {
  @Test
  func `a database is planned for and migrated`() async throws {
    let models = Repository.path("migrations/Library.remodel")
    try await TestServer.withDatabase { url in
      let remodel = Remodel(models: models)
      let plan = try await remodel.plan(.url(url))

      try await migrateLibrary(at: url, models: models)

      let report = try await remodel.migrate(.url(url))
      #expect(plan.plan.steps.count == 1)
      #expect(report.outcome == .unchanged)
    }
  }
}
