import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// A migration whose events are read.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct MigrationTests {
  private static let versions = ["", ", isbn: string?"].map { attributes in
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string\(attributes) } }
    """
  }

  @Test
  func `the events come in their order and end with the migration`() async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(models: bundle)
        _ = try await remodel.migrate(.url(url), to: "1")

        let migration = remodel.migration(of: .url(url))
        var lines: [String] = []
        for await event in migration.events {
          switch event {
          case .statement, .statementStarted, .locksHeld, .runPlanned: continue
          case _: break
          }
          lines.append("\(event)".replacing(/[0-9.]+ s$/, with: "TIME"))
        }
        let report = try await migration.report

        #expect(report.outcome == .migrated)
        let count = try #require(report.steps.first).statementCount
        #expect(
          lines == [
            "planned: version \"1\" -> version \"2\", \(count) statements",
            "started: version \"1\" -> version \"2\", \(count) statements",
            "ended: version \"1\" -> version \"2\", TIME",
          ]
        )
      }
    }
  }

  @Test
  func `a migration that nobody listens to is done all the same`() async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(models: bundle)
        let creation = try await remodel.migration(of: .url(url), to: "1").report
        let migration = try await remodel.migration(of: .url(url)).report

        #expect(creation.outcome == .created)
        #expect(migration.outcome == .migrated)
      }
    }
  }

  @Test
  func `a task that ends while it listens ends the migration when it asks for the report`()
    async throws
  {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(models: bundle, wait: .seconds(300))
        _ = try await remodel.migrate(.url(url), to: "1")
        let holder = LockHolder("LOCK TABLE public.book IN ACCESS SHARE MODE", url)
        holder.take()
        defer { holder.release() }
        let task = Task {
          let migration = remodel.migration(of: .url(url))
          for await _ in migration.events {}
          return try await migration.report
        }
        try await Task.sleep(for: .milliseconds(200))

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await remodel.status(.url(url)).version?.name == "1")
      }
    }
  }

  @Test
  func `what ends a migration is what its report throws`() async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        let migration = Remodel(models: bundle).migration(of: .url(url), to: "3")

        let error = await #expect(throws: RemodelError.self) { try await migration.report }
        #expect(error?.fact == .noSuchVersion("3", known: ["1", "2"]))
        for await _ in migration.events { Issue.record("nothing happens") }
      }
    }
  }
}
