import MigrationPlanning
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// Functions with parsed bodies that return rows of a table.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RowFunctionTests {
  private static let functions: SQLFragment = """
    CREATE FUNCTION public.books() RETURNS SETOF public.book LANGUAGE sql
      BEGIN ATOMIC SELECT * FROM public.book; END
    """

  private static let copying = """
    remodelMapping: 1
    source: 1
    destination: 2
    entities:
      - source: Book
        destination: Book
        attributes: { title: title, pages: 'SQL("CAST(${source.Book.pages} AS text)")' }
    """

  private func withBooks(
    _ versions: [String],
    mappings: [String: String] = [:],
    _ statements: SQLFragment...,
    body: (Remodel, String) async throws -> Void
  ) async throws {
    try await withBundle(versions, mappings: mappings) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("INSERT INTO public.book (title, pages) VALUES ('Emma', 7)")
        for statement in statements { try connection.execute(statement) }
        try await body(remodel, url)
      }
    }
  }

  private func titles(_ call: SQLFragment, _ url: String) throws -> [String?] {
    try PostgresConnection(to: .url(url)).query("SELECT title FROM \(call)").map { $0["title"] }
  }

  @Test(arguments: [[:], ["1-2": CopiedBooks.mapping]])
  func `a function that would fail afterwards is refused by name before anything is done`(
    mappings: [String: String]
  ) async throws {
    try await withBooks(
      [CopiedBooks.first, CopiedBooks.second],
      mappings: mappings,
      Self.functions
    ) { (remodel, url) async throws in
      for isDry in [true, false] {
        let error = await #expect(throws: PlanningError.self) {
          if isDry {
            _ = try await remodel.plan(.url(url))
          } else {
            _ = try await remodel.migrate(.url(url))
          }
        }

        let diagnostic = error?.diagnostics.first
        #expect(
          diagnostic?.message == """
            function public.books() is in the way: it depends on the rows of table "book", which get other \
            columns
            """
        )
        #expect(diagnostic?.hint?.contains("Drop it before the migration") == true)
      }
      #expect(try await remodel.status(.url(url)).version?.name == "1")
      #expect(try titles("public.books()", url) == ["Emma"])
      try PostgresConnection(to: .url(url)).execute("DROP FUNCTION public.books()")
      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
    }
  }

  @Test
  func `functions that follow the table are left alone`() async throws {
    try await withBooks(
      [CopiedBooks.first, CopiedBooks.second],
      """
      CREATE FUNCTION public.all_books() RETURNS SETOF public.book LANGUAGE sql
        AS 'SELECT * FROM public.book';
      CREATE FUNCTION public.one_book() RETURNS public.book LANGUAGE sql
        RETURN (SELECT b FROM public.book b LIMIT 1);
      CREATE FUNCTION public.length(b public.book) RETURNS integer LANGUAGE sql
        BEGIN ATOMIC SELECT b.pages; END
      """
    ) { (remodel, url) async throws in
      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
      #expect(try titles("public.all_books()", url) == ["Emma"])
      #expect(try titles("public.one_book()", url) == ["Emma"])
      #expect(try titles("public.book b WHERE public.length(b) = 7", url) == ["Emma"])
    }
  }

  @Test
  func `a function is made again where a copy has the same columns, and refused in another order`()
    async throws
  {
    let versions = ["integer32", "string"].map { type in
      "remodel: 1\nentities:\n  Book: { attributes: { title: string, pages: \(type)? } }\n"
    }
    try await withBooks(versions, mappings: ["1-2": Self.copying], Self.functions) {
      (remodel, url) async throws in
      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
      #expect(try titles("public.books() WHERE pages = '7'", url) == ["Emma"])
    }
    try await withBooks(
      versions,
      mappings: ["1-2": Self.copying],
      """
      ALTER TABLE public.book RENAME COLUMN title TO old;
      ALTER TABLE public.book ADD COLUMN title text;
      UPDATE public.book SET title = old;
      ALTER TABLE public.book ALTER COLUMN title SET NOT NULL, DROP COLUMN old
      """,
      Self.functions
    ) { (remodel, url) async throws in
      await #expect(throws: PlanningError.self) { try await remodel.migrate(.url(url)) }
      #expect(try titles("public.books() WHERE pages = 7", url) == ["Emma"])
    }
  }

  @Test
  func `a function created between the plan and the locks is noticed`() async throws {
    try await withBooks([CopiedBooks.first, CopiedBooks.second]) { (remodel, url) async throws in
      let meanwhile = Remodel(remodel.configuration) { event in
        guard case .stepStarted = event else { return }
        _ = try? PostgresConnection(to: .url(url)).execute(Self.functions)
      }
      await #expect(throws: PlanningError.self) { try await meanwhile.migrate(.url(url)) }
      #expect(try await remodel.status(.url(url)).version?.name == "1")
    }
  }
}
