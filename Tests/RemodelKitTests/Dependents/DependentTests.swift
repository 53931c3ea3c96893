import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// Objects of users that use what a migration changes.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct DependentTests {
  static let versions = ["integer32", "integer64"].map { type in
    """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: "\(type)?", isbn: string? }
      Author:
        attributes: { name: string }
    """
  }

  @Test(arguments: DependentSample.all)
  func `what the server does not let a column change under is there again afterwards`(
    sample: DependentSample
  ) async throws {
    try await withPreparedDatabase(sample.statements) { remodel, url in
      let before = try DependentSnapshot(url)

      let report = try await remodel.migrate(.url(url))

      #expect(report.outcome == .migrated)
      #expect(try DependentSnapshot(url).difference(to: before) == [])
      #expect(!before.lines.isEmpty)
      #expect(try typeOfPages(url) == "bigint")
      #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
    }
  }

  @Test
  func `a chain of views is created again in order`() async throws {
    try await withPreparedDatabase(
      """
      CREATE VIEW public.v53 AS SELECT pages, title FROM public.book;
      DO $$ BEGIN FOR i IN REVERSE 52..1 LOOP
        EXECUTE format('CREATE VIEW public.v%s AS SELECT a.pages, b.title FROM public.v%s a, public.v%s b',
          i, i + 1, least(53, i + 2));
      END LOOP; END $$;
      """
    ) { remodel, url in
      let before = try DependentSnapshot(url)

      _ = try await remodel.migrate(.url(url))

      #expect(try DependentSnapshot(url).difference(to: before) == [])
      #expect(before.lines.filter { $0.hasPrefix("relation|") }.count == 53)
    }
  }

  @Test
  func `default privileges of the migrating role add nothing`() async throws {
    try await withPreparedDatabase(
      """
      CREATE VIEW public.plain AS SELECT pages FROM public.book;
      CREATE FUNCTION public.most() RETURNS integer LANGUAGE sql
        BEGIN ATOMIC SELECT max(pages) FROM public.book; END;
      ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO dep_reader;
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT INSERT ON TABLES TO dep_owner;
      ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
      """
    ) { remodel, url in
      let before = try DependentSnapshot(url)

      _ = try await remodel.migrate(.url(url))

      #expect(try DependentSnapshot(url).difference(to: before) == [])
    }
  }

  @Test
  func `what uses other columns only is left alone`() async throws {
    try await withPreparedDatabase(
      """
      CREATE VIEW public.title AS SELECT title FROM public.book;
      CREATE VIEW public.name AS SELECT name FROM public.author;
      """
    ) { remodel, url in
      let oids = try await objectIDs(url)

      let statements = try await remodel.plan(.url(url)).plan.steps.flatMap(\.statements)
      _ = try await remodel.migrate(.url(url))

      #expect(statements.count == 1)
      #expect(try await objectIDs(url) == oids)
    }
  }

  @Test
  func `a plan shows and its digest covers what is dropped and created again`() async throws {
    try await withPreparedDatabase("") { remodel, url in
      let bare = try await remodel.plan(.url(url))
      try execute("CREATE VIEW public.v AS SELECT pages FROM public.book", url)
      let plan = try await remodel.plan(.url(url))

      let reasons = plan.plan.steps.flatMap(\.statements).map(\.reason)
      #expect(reasons.first == "drop view public.v")
      #expect(reasons.last == "create view public.v again")
      #expect(reasons.count == 3)
      #expect(plan.plan.digest != bare.plan.digest)
      #expect(try plan.script.contains("DROP VIEW \"public\".\"v\";"))
    }
  }

  @Test
  func `a view created between the plan and the locks is noticed`() async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        let configuration = RemodelConfiguration(modelsPath: bundle)
        _ = try await Remodel(configuration).migrate(.url(url), to: "1")
        let remodel = Remodel(configuration) { event in
          guard case .stepStarted = event else { return }
          // The first plan knows nothing of it, the second one does.
          try? execute("CREATE OR REPLACE VIEW public.late AS SELECT pages FROM public.book", url)
        }

        let report = try await remodel.migrate(.url(url))

        #expect(report.outcome == .migrated)
        #expect(report.steps.map(\.statementCount) == [3])
        #expect(try typeOfPages(url) == "bigint")
        #expect(try await objectIDs(url).count == 1)
      }
    }
  }

  @Test
  func `a migration that is cut off leaves the objects as they were`() async throws {
    let sample = try #require(DependentSample.all.first)
    for position in [1, 2, 5, 8, 11, 14] {
      try await withPreparedDatabase(sample.statements) { remodel, url in
        let before = try DependentSnapshot(url)
        let cutter = SessionCutter(url: url, position: position)
        let cut = Remodel(remodel.configuration) { cutter.note($0) }

        await #expect(throws: (any Error).self) { try await cut.migrate(.url(url)) }

        #expect(try DependentSnapshot(url).difference(to: before) == [], "statement \(position)")
        #expect(try await remodel.status(.url(url)).version?.name == "1")
        _ = try await remodel.migrate(.url(url))
        #expect(try DependentSnapshot(url).difference(to: before) == [], "statement \(position)")
      }
    }
  }

  @Test
  func `every step drops and creates what is in its way`() async throws {
    let versions = ["integer16", "integer32", "integer64"].map { type in
      "remodel: 1\nentities:\n  Book: { attributes: { title: string, pages: \(type)? } }\n"
    }
    try await withBundle(versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        try execute(DependentSample.roles, url)
        try execute(
          """
          CREATE VIEW public.v AS SELECT pages FROM public.book;
          ALTER VIEW public.v OWNER TO dep_owner;
          CREATE VIEW public.w AS SELECT count(pages) AS count FROM public.v
          """,
          url
        )
        let before = try DependentSnapshot(url)

        _ = try await remodel.migrate(.url(url), to: "2")
        _ = try await remodel.migrate(.url(url))

        #expect(try DependentSnapshot(url).difference(to: before) == [])
        #expect(try typeOfPages(url) == "bigint")
      }
    }
  }

  @Test
  func `a later step knows what an earlier one renames`() async throws {
    let versions = [
      "title: string, pages: integer32?",
      "title: string, length: { type: integer32?, renamingIdentifier: pages }",
      "title: string, length: integer64?",
    ].map { "remodel: 1\nentities:\n  Book: { attributes: { \($0) } }\n" }
    try await withBundle(versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        try execute("CREATE VIEW public.v AS SELECT pages FROM public.book", url)

        let error = await #expect(throws: PlanningError.self) {
          try await remodel.migrate(.url(url))
        }

        let message = error?.diagnostics.first?.message ?? ""
        #expect(message.contains("view public.v") && message.contains("\"length\""))
        #expect(try await remodel.status(.url(url)).state == .blocked)
        // One by one, each step reads the current objects.
        _ = try await remodel.migrate(.url(url), to: "2")
        _ = try await remodel.migrate(.url(url))
        #expect(try await remodel.check(.url(url)).isCurrent)
      }
    }
  }

  @Test
  func `an object of a role that one cannot act for is refused by name`() async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        try execute(DependentSample.roles, url)
        try await withRole("dep_migrator", at: url) { role, login in
          let database = SQLIdentifier(try PostgresConnection(to: .url(url)).databaseName)
          try execute(
            """
            CREATE SCHEMA remodel AUTHORIZATION \(role);
            GRANT CREATE ON SCHEMA public TO \(role);
            GRANT CREATE ON DATABASE \(database) TO \(role)
            """,
            url
          )
          let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
          _ = try await remodel.migrate(.url(login), to: "1")
          try execute(
            """
            CREATE VIEW public.theirs AS SELECT pages FROM public.book;
            ALTER VIEW public.theirs OWNER TO dep_owner;
            CREATE VIEW public.mine AS SELECT pages FROM public.book;
            ALTER VIEW public.mine OWNER TO \(role)
            """,
            url
          )

          let error = await #expect(throws: PlanningError.self) {
            try await remodel.migrate(.url(login))
          }

          #expect(error?.diagnostics.count == 1)
          let detail = error?.diagnostics.first?.detail ?? ""
          #expect(detail.contains(role.name) && detail.contains("dep_owner"))
          try execute("DROP VIEW public.theirs", url)
          #expect(try await remodel.migrate(.url(login)).outcome == .migrated)
        }
      }
    }
  }

  // MARK: - Databases

  private func withPreparedDatabase(
    _ statements: SQLFragment,
    _ body: (Remodel, String) async throws -> Void
  ) async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        try execute("INSERT INTO public.book (title, pages) VALUES ('Emma', 7)", url)
        try execute(DependentSample.roles, url)
        try execute(statements, url)
        try await body(remodel, url)
      }
    }
  }

  private func typeOfPages(_ url: String) throws -> String? {
    try PostgresConnection(to: .url(url)).query(
      """
      SELECT format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = 'public.book'::regclass AND attname = 'pages'
      """
    ).value
  }

  private func objectIDs(_ url: String) async throws -> [[String?]] {
    try PostgresConnection(to: .url(url)).query(
      """
      SELECT oid FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm') ORDER BY 1
      """
    ).rows
  }
}

/// Runs statements in a database.
private func execute(_ statements: SQLFragment, _ url: String) throws {
  try PostgresConnection(to: .url(url)).execute(statements)
}
