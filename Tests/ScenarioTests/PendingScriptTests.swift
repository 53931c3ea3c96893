import RemodelKit
import TestSupport
import Testing

/// A script to the next version, and what the last one has left to do.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PendingScriptTests {
  @Test
  func `a script does not pass over what is left to do`() async throws {
    try await withMigratedDatabase { remodel, url in
      let script = try await remodel.plan(.url(url), to: "3").script

      let early = try await Psql.run(script, url)

      #expect(!early.isSuccess)
      #expect(early.errors.contains("an online migration of this store is not finished"))
      #expect(early.errors.contains("remodel finish"))
      #expect(try await remodel.status(.url(url)).version?.name == "2")
      #expect(try await !remodel.status(.url(url)).pending.isEmpty)
      _ = try await remodel.finish(.url(url))
      let late = try await Psql.run(script, url)
      #expect(late.isSuccess, "\(late.errors)")
      #expect(try await remodel.status(.url(url)).version?.name == "3")
      #expect(try await remodel.status(.url(url)).pending == [])
    }
  }

  @Test
  func `work for what the version does not have any more keeps nothing from going on`() async throws
  {
    try await withMigratedDatabase { remodel, url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        """
        INSERT INTO remodel.late_work (schema_name, model_name, version_name, phase, kind, \
        table_name, object_name, statements)
        SELECT s.schema_name, s.model_name, '1', 'now', kind, 'book', 'gone', ''
        FROM remodel.store s, unnest(ARRAY['validate-constraint', 'build-index', \
        'add-unique-constraint', 'set-not-null']) AS k(kind)
        """
      )

      #expect(try await remodel.check(.url(url)).isCurrent == false)
      _ = try await remodel.migrate(.url(url), to: "3")
      let report = try await remodel.finish(.url(url))

      #expect(!report.done.contains { $0.work.object.name == "gone" })
      #expect(try await remodel.status(.url(url)).pending == [])
      #expect(try await remodel.check(.url(url)).isCurrent)
    }
  }

  private func withMigratedDatabase(
    _ body: (Remodel, String) async throws -> Void
  ) async throws {
    let versions = [
      ["title: string", ""], ["title: string", "indexes: { byTitle: [title] }"],
      ["title: string, note: string?", "indexes: { byNote: [note] }"],
    ].map { parts in
      """
      remodel: 1
      entities:
        Book:
          attributes: { \(parts[0]) }
          \(parts[1])
      """
    }
    try await withBundle(versions) { bundle in
      var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .online)
      configuration.takesTablesForLarge = true
      try await TestServer.withDatabase { url in
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")
        _ = try await remodel.migrate(.url(url), to: "2")
        try await body(remodel, url)
      }
    }
  }
}
