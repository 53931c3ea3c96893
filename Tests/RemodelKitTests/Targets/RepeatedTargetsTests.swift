import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// Stores that are named more than once, and what stores share.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RepeatedTargetsTests {
  private static let book = """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }
    """

  private func configuration(_ bundle: String) -> RemodelConfiguration {
    RemodelConfiguration(modelsPath: bundle)
  }

  private func createTenants(_ url: String) throws {
    try PostgresConnection(to: .url(url)).execute("CREATE SCHEMA tenant_1; CREATE SCHEMA tenant_2")
  }

  @Test
  func `each schema of a database is a store`() async throws {
    try await withBundle([Self.book]) { bundle in
      try await TestServer.withDatabase { url in
        try createTenants(url)
        let configuration = configuration(bundle)

        let tenants = MigrationTargets(
          [MigrationTarget(.url(url))],
          eachSchema: [SchemaPattern("tenant_*")],
          parallel: 4
        )
        let report = try await Remodel(configuration).migrate(tenants)
        for result in report.results {
          if let error = result.error { print("\(result.target.name): \(error)") }
        }

        #expect(report.results.map(\.report?.outcome) == [.created, .created])
        #expect(report.warnings.isEmpty)
      }
    }
  }

  @Test
  func `a store that is named in several ways is worked on once`() async throws {
    try await withBundle([Self.book]) { bundle in
      try await TestServer.withDatabase { url in
        try createTenants(url)
        let other = url + "&application_name=other"
        let targets = MigrationTargets(
          [
            MigrationTarget(.url(url), schema: "tenant_2", name: "line 1"),
            MigrationTarget(.url(url), name: "line 2"),
            MigrationTarget(.url(other), name: "line 3"),
          ],
          eachSchema: [SchemaPattern("tenant_*")]
        )

        let report = try await Remodel(configuration(bundle)).migrate(targets)

        #expect(report.results.map(\.target.name) == ["line 1", "line 2/tenant_1"])
        #expect(report.results.map(\.report?.outcome) == [.created, .created])
        #expect(
          report.warnings.map(\.message) == [
            "target \"line 2\" names the same store as target \"line 1\"",
            "target \"line 3\" names the same store as target \"line 2\"",
            "target \"line 3\" names the same store as target \"line 1\"",
          ]
        )
        #expect(
          report.warnings.map(\.detail) == [
            "Worked on once: schema \"tenant_2\".",
            "Worked on once: schema \"tenant_1\".", "Worked on once: schema \"tenant_2\".",
          ]
        )
      }
    }
  }

  @Test
  func `a database whose schema is the usual one, said or not, is one store`() async throws {
    try await withBundle([Self.book]) { bundle in
      try await TestServer.withTwoDatabases { first, second in
        let targets = MigrationTargets([
          MigrationTarget(.url(first)), MigrationTarget(.url(second)),
          MigrationTarget(.url(first), schema: "public"),
        ])

        let report = try await Remodel(configuration(bundle)).check(targets)

        #expect(report.results.count == 2)
        #expect(report.warnings.count == 1)
      }
    }
  }

  @Test
  func `what cannot be searched stays where it was named`() async throws {
    try await withBundle([Self.book]) { bundle in
      try await TestServer.withDatabase { url in
        try createTenants(url)
        let missing = url.replacing(/\/[^\/?]+\?/, with: "/nowhere?")
        let targets = MigrationTargets(
          [
            MigrationTarget(.url(url), schema: "tenant_1", name: "a"),
            MigrationTarget(.url(missing), name: "b"), MigrationTarget(.url(url), name: "c"),
          ],
          eachSchema: [SchemaPattern("tenant_*")]
        )

        let report = try await Remodel(configuration(bundle)).check(targets)

        #expect(report.results.map(\.target.name) == ["a", "b", "c/tenant_2"])
        #expect(report.results.map { $0.error == nil } == [true, false, true])
      }
    }
  }

  @Test
  func `a plan that was written down is of one store`() async throws {
    try await withBundle([Self.book]) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(configuration(bundle))
        let plan = try await remodel.plan(.url(url))
        let approved = ApprovedPlan(
          digest: plan.plan.digest,
          record: ApprovedPlan.Record(plan)
        )

        let error = await #expect(throws: TargetError.self) {
          try await remodel.migrate(
            MigrationTargets([MigrationTarget(.url(url))]),
            approved: approved
          )
        }

        #expect(error?.fact == .planOfOneStore)
      }
    }
  }

  @Test
  func `stores at the same time share the room for locks`() async throws {
    let entities = (1...12).map { "  E\($0): { attributes: { name: string } }" }
    let model = "remodel: 1\nentities:\n" + entities.joined(separator: "\n") + "\n"
    try await withBundle([model]) { bundle in
      try await TestServer.withDatabase { url in
        try createTenants(url)
        var configuration = configuration(bundle)
        configuration.lockCapacity = 200
        let targets = { parallel in
          MigrationTargets(
            [MigrationTarget(.url(url))],
            eachSchema: [SchemaPattern("tenant_*")],
            parallel: parallel
          )
        }

        let alone = try await Remodel(configuration).plan(targets(1))
        let together = try await Remodel(configuration).plan(targets(8))

        let transactions = [alone, together].map {
          $0.plans.map { $0.report.plan.steps[0].transactions.count }
        }
        #expect(alone.plans.count == 1 && together.plans.count == 1)
        #expect(transactions[0][0] < transactions[1][0], "\(transactions)")
        let digests = [alone, together].map { $0.stores.results.map(\.report?.digest) }
        #expect(digests[0] == digests[1])
        let report = try await Remodel(configuration).migrate(targets(8))
        #expect(report.results.map(\.report?.outcome) == [.created, .created])
      }
    }
  }
}
