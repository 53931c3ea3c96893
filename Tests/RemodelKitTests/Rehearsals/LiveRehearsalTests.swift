import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// Plans that are carried out for trial in the database itself, and undone.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LiveRehearsalTests {
  @Test
  func `all is measured, and nothing is left of it`() async throws {
    try await RehearsedShop.with { shop in
      let before = try shop.state()

      let report = try #require(try await shop.rehearse(.live))

      #expect(try shop.state() == before)
      #expect(report.differences == [])
      let change = try #require(
        report.statements.first { $0.statement.sql.text.contains("TYPE bigint") }
      )
      let good = QualifiedName(schema: "public", name: "good")
      #expect(change.comparison?.rewrites == [good])
      #expect(report.steps.first?.holds.contains { $0.table == good } == true)
      #expect(try await shop.remodel.migrate(.url(shop.url)).outcome == .migrated)
    }
  }

  @Test
  func `a lock that is not to be had ends it in time`() async throws {
    try await RehearsedShop.with { shop in
      let other = try await PostgresSession.connect(to: .url(shop.url))
      try await other.run { connection in
        _ = try connection.execute("BEGIN; LOCK TABLE public.good IN ACCESS SHARE MODE")
      }

      let error = await #expect(throws: RehearsalFailure.self) { try await shop.rehearse(.live) }

      await other.close()
      guard case .lockNotAvailable(_, let blockers) = (error?.error as? ExecutionError)?.fact else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(blockers.first?.table == "good")
    }
  }

  @Test
  func `locks are held for no longer than allowed`() async throws {
    try await RehearsedShop.with(
      // The rewrite waits at each row.
      """
      CREATE FUNCTION public.slow(n integer) RETURNS integer IMMUTABLE LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_catalog.pg_sleep(0.1); RETURN n; END $$;
      CREATE INDEX slowly ON public.good (public.slow(_id::integer)) WHERE _id < 51;
      ALTER TABLE public.good SET (autovacuum_enabled = off)
      """,
      maxBlock: .milliseconds(400)
    ) { shop in
      let before = try shop.state()

      let error = await #expect(throws: RehearsalFailure.self) { try await shop.rehearse(.live) }

      guard case .heldTooLong(let seconds, _) = (error?.error as? ExecutionError)?.fact else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(seconds == 0.4)
      #expect(try shop.state() == before)
    }
  }

  @Test
  func `what is not one transaction is refused`() async throws {
    try await withBundle(DependentTests.versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))

        let error = await #expect(throws: RehearsalError.self) {
          try await remodel.plan(.url(url), rehearsing: .live)
        }

        #expect(error?.fact == .nothingToHold)
      }
    }
  }

  @Test
  func `rows that pass through code are refused`() async throws {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 10)

      let error = await #expect(throws: RehearsalError.self) {
        try await Shelf.remodel(bundle, RomanPages()).plan(.url(url), rehearsing: .live)
      }

      #expect(error?.fact == .policyInCode(step: "2"))
    }
  }
}
