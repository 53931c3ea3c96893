import MigrationPlanning
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// Dependent objects of a rebuilt table.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CarryTests {
  static let versions = [
    "title: string, pages: integer32?, isbn: string?, worn: boolean?",
    "title: string, pages: integer32?, isbn: string?, initial: string",
  ].map { attributes in
    """
    remodel: 1
    entities:
      Book:
        attributes: { \(attributes) }
        unique: [[isbn]]
      Author:
        attributes: { name: string }
    """
  }

  static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
        attributes:
          initial: uppercase(substring($source.title, 0, 1))
      - source: Author
        destination: Author
    """

  @Test(arguments: RandomCases.pairs(CarriedSample.all, CopyStrategy.allCases))
  func `what is set on a table and hangs on it is carried over`(
    sample: CarriedSample,
    strategy: CopyStrategy
  ) async throws {
    try await expectCarried(sample.statements, strategy)
  }

  @Test(
    arguments: RandomCases.pairs(
      DependentSample.all.filter { !$0.testDescription.contains("publications") },
      CopyStrategy.allCases
    )
  )
  func `what uses a table uses the one that takes its place`(
    sample: DependentSample,
    strategy: CopyStrategy
  ) async throws {
    try await expectCarried(sample.statements, strategy)
  }

  @Test(arguments: CopyStrategy.allCases)
  func `a table stays in its publications`(strategy: CopyStrategy) async throws {
    try await expectCarried(
      """
      CREATE PUBLICATION selected FOR TABLE public.book (_id, pages) WHERE (pages > 3);
      CREATE PUBLICATION whole FOR TABLE public.book, public.author;
      CREATE PUBLICATION here FOR TABLES IN SCHEMA public;
      """,
      strategy
    )
  }

  @Test
  func `subscribers of a rebuilt table are considered`() async throws {
    try await withPreparedDatabase(
      "CREATE PUBLICATION selected FOR TABLE public.book"
    ) { remodel, url in
      let plan = try await remodel.plan(.url(url))

      let warnings = plan.plan.steps.flatMap(\.warnings)
      #expect(
        warnings.map(\.message) == [
          "table public.book in publication selected is made again"
        ]
      )
      #expect(warnings.first?.hint?.contains("REFRESH PUBLICATION") ?? false)
    }
  }

  @Test
  func `a retained table has nothing left of what was carried over`() async throws {
    try await withPreparedDatabase(
      """
      CREATE INDEX mine ON public.book (pages);
      CREATE VIEW public.v AS SELECT title FROM public.book;
      ALTER TABLE public.book OWNER TO dep_owner;
      GRANT SELECT ON public.book TO dep_reader;
      """,
      removals: .retain
    ) { remodel, url in
      let before = try await SchemaDump(url)

      _ = try await remodel.migrate(.url(url))

      #expect(Self.unplanned(try await SchemaDump(url).difference(to: before)) == [])
      try expectEmptyPlan(try await remodel.migrate(.url(url)))
      try execute("DROP TABLE public.remodel_retained_1_book", url)
    }
  }

  @Test
  func `triggers do not fire for rows that are carried over`() async throws {
    try await withPreparedDatabase(
      """
      CREATE TABLE public.log (title text);
      CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN INSERT INTO public.log VALUES (new.title); RETURN new; END';
      CREATE TRIGGER note AFTER INSERT OR UPDATE ON public.book
        FOR EACH ROW EXECUTE FUNCTION public.note();
      """
    ) { remodel, url in
      _ = try await remodel.migrate(.url(url))
      try execute("INSERT INTO public.book (title, initial) VALUES ('Ulysses', 'U')", url)

      let titles = try PostgresConnection(to: .url(url)).query("SELECT title FROM public.log")
      #expect(titles.rows == [["Ulysses"]])
    }
  }

  @Test(arguments: CarriedSample.refused.indices)
  func `what cannot be carried over is refused by name before anything runs`(
    index: Int
  ) async throws {
    let (sample, names) = CarriedSample.refused[index]
    try await withPreparedDatabase(sample.statements) { remodel, url in
      let before = try await SchemaDump(url)

      let error = await #expect(throws: PlanningError.self, "\(sample.testDescription)") {
        try await remodel.migrate(.url(url))
      }

      let messages = error?.diagnostics.map(\.message) ?? []
      #expect(messages.count == names.count, "\(messages)")
      for name in names {
        #expect(messages.contains { $0.hasPrefix("\(name) is in the way") }, "\(messages)")
      }
      #expect(try await SchemaDump(url).difference(to: before) == [])
    }
  }

  @Test
  func `what changes between the plan and the locks is noticed`() async throws {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping]) { bundle in
      try await TestServer.withDatabase { url in
        let configuration = RemodelConfiguration(modelsPath: bundle)
        _ = try await Remodel(configuration).migrate(.url(url), to: "1")
        try execute(DependentSample.roles, url)
        let remodel = Remodel(configuration) { event in
          guard case .stepStarted = event else { return }
          try? execute("GRANT SELECT ON public.book TO dep_reader", url)
          try? execute("ALTER TABLE public.book SET (fillfactor = 77)", url)
        }

        #expect(try await remodel.migrate(.url(url)).outcome == .migrated)

        let options = try PostgresConnection(to: .url(url)).query(
          """
          SELECT reloptions, has_table_privilege('dep_reader', oid, 'SELECT') FROM pg_class
          WHERE oid = 'public.book'::regclass
          """
        )
        #expect(options.rows == [["{fillfactor=77}", "t"]])
        try execute("DROP TABLE public.remodel_retained_1_book", url)
      }
    }
  }

  // MARK: - Databases

  private func expectCarried(_ statements: SQLFragment, _ strategy: CopyStrategy) async throws {
    try await withPreparedDatabase(statements, strategy: strategy) { remodel, url in
      let objects = try DependentSnapshot(url)
      let before = try await SchemaDump(url)
      if strategy == .online, statements.text.contains("UNLOGGED") {
        // What a crash empties has no changes that could be caught up with.
        await #expect(throws: ExecutionError.self) { try await remodel.migrate(.url(url)) }
        return
      }
      if strategy == .filled, Self.isInTheWayOfFilling(statements.text) {
        await #expect(throws: PlanningError.self) { try await remodel.migrate(.url(url)) }
        #expect(try await SchemaDump(url).difference(to: before) == [])
        return
      }

      let report = try await remodel.migrate(.url(url))

      #expect(report.outcome == .migrated)
      #expect(Self.unplanned(try await SchemaDump(url).difference(to: before)) == [])
      #expect(try DependentSnapshot(url).difference(to: objects) == [])
      #expect(try oldTables(url) == 0)
      try expectEmptyPlan(try await remodel.migrate(.url(url)))
    }
  }

  /// Returns whether an UPDATE of a table with these objects does more than to change its rows.
  private static func isInTheWayOfFilling(_ statements: String) -> Bool {
    ["FORCE ROW LEVEL SECURITY", "ON UPDATE TO public.book", "CREATE PUBLICATION"].contains {
      statements.contains($0)
    }
  }

  /// The lines of a difference that the models do not ask for.
  private static func unplanned(_ difference: [String]) -> [String] {
    difference.filter { !$0.contains(" initial ") && !$0.contains(" worn ") }
  }

  private func expectEmptyPlan(_ report: MigrationReport) throws {
    #expect(report.outcome == .unchanged)
  }

  private func oldTables(_ url: String) throws -> Int? {
    try PostgresConnection(to: .url(url)).query(
      "SELECT count(*) AS count FROM pg_class WHERE relname LIKE 'remodel_retained%'"
    ).first?.integer("count")
  }

  private func withPreparedDatabase(
    _ statements: SQLFragment,
    removals: RemovalPolicy = .drop,
    strategy: CopyStrategy = .locked,
    _ body: (Remodel, String) async throws -> Void
  ) async throws {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping]) { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: bundle)
        configuration.removals = removals
        configuration.strategy = strategy
        configuration.trustedOwners = ["dep_owner"]
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")
        try execute("INSERT INTO public.book (title, pages) VALUES ('Emma', 7)", url)
        try execute(DependentSample.roles, url)
        try execute(statements, url)
        try await body(remodel, url)
      }
    }
  }
}

/// Runs statements in a database.
private func execute(_ statements: SQLFragment, _ url: String) throws {
  try PostgresConnection(to: .url(url)).execute(statements)
}
