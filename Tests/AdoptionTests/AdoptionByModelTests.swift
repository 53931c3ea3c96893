import Diagnostics
import MigrationExecution
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// A database is adopted by a model that there is, if it is what that makes.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct AdoptionByModelTests {
  private static let model = """
    remodel: 1
    entities:
      Author:
        attributes: { name: string }
        relationships: { books: { toMany: Book, inverse: author, delete: cascade } }
      Book:
        attributes:
          title: string
          pages: integer32?
          lowercased: { type: string?, derivation: "lowercase:(title)" }
          authorName: { type: string?, derivation: author.name }
        relationships:
          author: { to: Author?, inverse: books }
          tags: { toMany: Tag, inverse: books }
        unique: [[title]]
        indexes: { byPages: [pages] }
      Novel: { parent: Book, attributes: { genre: string } }
      Tag:
        attributes: { name: string }
        relationships: { books: { toMany: Book, inverse: tags } }
    """

  /// Gives a database with the tables of the model and without metadata.
  private func withUnknownDatabase(
    _ body: (_ bundle: String, _ url: String) async throws -> Void
  ) async throws {
    try await withBundle([Self.model]) { bundle in
      try await TestServer.withDatabase { url in
        _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url))
        try execute("DROP SCHEMA remodel CASCADE", url)
        try await body(bundle, url)
      }
    }
  }

  @Test
  func `what the version makes is recorded as the version`() async throws {
    try await withUnknownDatabase { bundle, url in
      try execute(
        """
        CREATE TABLE public.other (id integer); CREATE VIEW public.titles AS SELECT title FROM book;
        ALTER TABLE book ENABLE ROW LEVEL SECURITY; CREATE POLICY everybody ON book USING (true)
        """,
        url
      )
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))

      let trial = try await remodel.adopt(.url(url), isDryRun: true)
      await #expect(throws: ExecutionError.self) { try await remodel.status(.url(url)) }
      let report = try await remodel.adopt(.url(url))
      let history = try await remodel.history(.url(url))

      #expect(trial.outcome == .matches && report.outcome == .adopted)
      #expect(
        report.unexpressed.map(\.description) == [
          "table \"other\"", "policy \"everybody\" of table \"book\"", "table \"book\"",
          "view public.titles",
        ]
      )
      #expect(history.map(\.kind) == [.adoption])
      #expect(history.map(\.outcome) == ["succeeded"])
      #expect(try await remodel.verify(.url(url), asksRows: true).isClean)
      #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
    }
  }

  @Test(
    arguments: [
      ("ALTER TABLE book ALTER pages TYPE bigint", "column \"pages\" of table \"book\""),
      ("ALTER TABLE book ALTER title DROP NOT NULL", "column \"title\" of table \"book\""),
      ("ALTER TABLE book ADD extra integer", "column \"extra\" of table \"book\""),
      ("CREATE INDEX extra ON book (title)", "index \"extra\" of table \"book\""),
      ("DROP INDEX book_pages_idx", "index \"book_pages_idx\" of table \"book\""),
      ("ALTER INDEX book_pages_idx RENAME TO x", "index \"book_pages_idx\" of table \"book\""),
      ("ALTER TABLE book ADD CONSTRAINT c CHECK (pages > 0)", "constraint \"c\" of table \"book\""),
      ("DROP TABLE book_tags", "table \"book_tags\""),
      (
        "ALTER TABLE book DISABLE TRIGGER ALL",
        "constraint \"book_author_fkey\" of table \"book\""
      ),
      ("ALTER TABLE tag SET UNLOGGED", "table \"tag\""),
    ] as [(SQLFragment, String)]
  )
  func `a difference is reported, and nothing is recorded`(
    change: SQLFragment,
    object: String
  ) async throws {
    try await withUnknownDatabase { bundle, url in
      if object == "table \"tag\"" { try execute("DROP TABLE public.book_tags", url) }
      try execute(change, url)
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))

      let report = try await remodel.adopt(.url(url))

      #expect(report.outcome == .differs)
      #expect(report.differences.map(\.object.description).contains(object))
      await #expect(throws: ExecutionError.self) { try await remodel.status(.url(url)) }
    }
  }

  @Test
  func `what changes between the comparison and the record is seen`() async throws {
    try await withUnknownDatabase { bundle, url in
      var configuration = RemodelConfiguration(modelsPath: bundle)
      configuration.copySettings.failpoints = Failpoints { name, _ in
        guard name == "adoption.after_compareRecord" else { return }
        try? execute("CREATE INDEX extra ON public.book (title)", url)
      }

      let report = try await Remodel(configuration).adopt(.url(url))

      #expect(report.outcome == .differs)
      #expect(report.differences.map(\.object.name) == ["extra"])
      configuration.copySettings.failpoints = Failpoints()
      try execute("DROP INDEX public.extra", url)
      #expect(try await Remodel(configuration).adopt(.url(url)).outcome == .adopted)
    }
  }

  @Test
  func `others cannot change tables while they are recorded`() async throws {
    try await withUnknownDatabase { bundle, url in
      var configuration = RemodelConfiguration(modelsPath: bundle)
      configuration.copySettings.failpoints = Failpoints { name, _ in
        guard name == "adoption.after_lockTables" else { return }
        try execute("INSERT INTO public.author (name) VALUES ('x')", url)
        let change: SQLFragment = "CREATE INDEX extra ON public.book (title)"
        let isChanged = (try? execute("SET lock_timeout = 100; \(change)", url)) != nil
        #expect(!isChanged)
      }

      let report = try await Remodel(configuration).adopt(.url(url))

      #expect(report.outcome == .adopted)
    }
  }

  @Test
  func `rows that break what the catalog cannot say are warned of`() async throws {
    try await withUnknownDatabase { bundle, url in
      try execute(
        """
        ALTER TABLE public.book DROP CONSTRAINT book__entity_check;
        INSERT INTO public.book (title, _entity) VALUES ('x', 'Poem');
        ALTER TABLE public.book ADD CONSTRAINT book__entity_check
        CHECK (_entity IN ('Book', 'Novel')) NOT VALID;
        UPDATE pg_constraint SET convalidated = true WHERE conname = 'book__entity_check'
        """,
        url
      )

      let report = try await Remodel(RemodelConfiguration(modelsPath: bundle)).adopt(.url(url))

      #expect(report.outcome == .adopted)
      #expect(
        report.warnings.map(\.message) == [
          "not so in 1 rows: every row of entity Book is of a concrete entity"
        ]
      )
    }
  }
}
