import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// Plans that are carried out for trial on a throwaway server.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RehearsalTests {
  @Test
  func `what is measured is next to what was said, and the database stays as it is`()
    async throws
  {
    try await RehearsedShop.with { shop in
      let before = try shop.state()

      let report = try #require(try await shop.rehearse(.apart(rows: 1_000)))

      #expect(try shop.state() == before)
      #expect(report.rowCount == 600)
      #expect(report.diagnostics == [])
      let change = try #require(
        report.statements.first { $0.statement.sql.text.contains("TYPE bigint") }
      )
      let comparison = try #require(change.comparison)
      let good = QualifiedName(schema: "public", name: "good")
      #expect(comparison.verdict == .equal)
      #expect(comparison.locks == [good: .accessExclusive])
      #expect(comparison.rewrites == [good])
      #expect(comparison.scans == [good])
      #expect(change.duration > .zero)
      #expect((change.logBytes ?? 0) > 10_000)
      let step = try #require(report.steps.first)
      #expect((step.diskBytes ?? 0) > 0)
      let hold = try #require(step.holds.first { $0.table == good && $0.mode == .accessExclusive })
      #expect(hold.duration >= change.duration)
      #expect(hold.duration <= step.duration)
    }
  }

  @Test
  func `rows bring those along that they refer to`() async throws {
    try await RehearsedShop.with { shop in
      let report = try #require(try await shop.rehearse(.apart(rows: 1)))

      // The last good and its ten successors with a supplier each, and the last supplier.
      #expect(report.rowCount == 11 + 11 + 1)
      #expect(report.diagnostics == [])
    }
  }

  @Test
  func `without rows, locks and rewrites are measured`() async throws {
    try await RehearsedShop.with { shop in
      let report = try #require(try await shop.rehearse(.apart(rows: 0)))

      #expect(report.rowCount == 0)
      #expect(report.diagnostics == [])
      #expect(report.statements.allSatisfy { $0.comparison?.verdict == .equal })
    }
  }

  @Test(arguments: RandomCases.one(in: 3, of: DependentSample.all))
  func `objects of users are there as well, with their owners and grants`(
    sample: DependentSample
  ) async throws {
    try await withBundle(DependentTests.versions) { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: bundle)
        configuration.serverBinaries = TestServer.binaries
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("INSERT INTO public.book (title, pages) VALUES ('Emma', 7)")
        try connection.execute(DependentSample.roles)
        try connection.execute(sample.statements)

        let report = try await remodel.plan(.url(url), rehearsing: .apart(rows: 10))

        let rehearsal = try #require(report.rehearsal)
        // Of tables that are not the store's a plan says nothing.
        let others = ["public.visit", "public.log", "public.leaf"]
        #expect(rehearsal.differences.filter { !others.contains(where: $0.contains) } == [])
        #expect(rehearsal.warnings == [])
        #expect(rehearsal.rowCount == 1)
      }
    }
  }

  @Test
  func `a role with few rights rehearses what it may migrate, extensions included`() async throws {
    let role = SQLIdentifier("rehearsing_\(UInt64.random(in: .min ... .max))")
    try await RehearsedShop.with(
      """
      CREATE EXTENSION hstore;
      CREATE VIEW public.titles AS SELECT title, hstore('a', title) AS pair FROM public.good;
      CREATE ROLE \(role) LOGIN;
      ALTER TABLE public.good OWNER TO \(role);
      ALTER TABLE public.supplier OWNER TO \(role);
      GRANT USAGE, CREATE ON SCHEMA public TO \(role);
      GRANT USAGE ON SCHEMA remodel TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA remodel TO \(role);
      GRANT ALL ON ALL SEQUENCES IN SCHEMA remodel TO \(role)
      """
    ) { shop in
      let url = shop.url.replacing("user=postgres", with: "user=\(role)")

      let report = try await shop.remodel.plan(.url(url), rehearsing: .apart(rows: 5))

      try shop.execute("DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)")
      #expect(report.rehearsal?.diagnostics == [])
      #expect(report.rehearsal?.statements.isEmpty == false)
    }
  }

  @Test(arguments: [Rehearsal.apart(rows: 3), .live])
  func `a rehearsal fails as the migration would, and says at which statement`(
    rehearsal: Rehearsal
  ) async throws {
    try await RehearsedShop.with(
      """
      CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no indexes today' USING ERRCODE = '55000'; END $$;
      CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('CREATE INDEX')
        EXECUTE FUNCTION public.refuse()
      """
    ) { shop in
      let before = try shop.state()

      let error = await #expect(throws: RehearsalFailure.self) {
        try await shop.rehearse(rehearsal)
      }

      let diagnostic = try #require(error?.diagnostics.first)
      #expect(diagnostic.message == "in the rehearsal: no indexes today")
      #expect(diagnostic.context?.contains("create index \"good_title_idx\"") == true)
      #expect(try shop.state() == before)
    }
  }

  @Test
  func `programs of another version are none to rehearse with`() async throws {
    try await RehearsedShop.with { shop in
      var configuration = shop.remodel.configuration
      configuration.serverBinaries = "/nonexistent"

      await #expect(throws: ScratchError.self) {
        try await Remodel(configuration).plan(.url(shop.url), rehearsing: .apart(rows: 0))
      }
    }
  }
}
