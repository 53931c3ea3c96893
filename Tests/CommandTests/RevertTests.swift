import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Migrations are taken back: with what was written meanwhile, or not at all.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RevertTests {
  private static let shelved = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string? }
        relationships: { shelf: { to: Shelf?, inverse: books } }
      Shelf:
        attributes: { room: string }
        relationships: { books: { toMany: Book, inverse: shelf } }
    """

  private static let authored = """
    remodel: 1
    entities:
      Book:
        attributes:
          name: { type: string, renamingIdentifier: title }
          pages: integer64?
          language: { type: string, default: en }
      Author:
        attributes: { name: string }
    """

  private static let priced = """
    remodel: 1
    entities:
      Book:
        attributes: { name: string, pages: integer64?, language: { type: string, default: en }, price: "numeric(8,2)?" }
      Author:
        attributes: { name: string }
    """

  /// A book has a length in words, by a mapping model, in place of pages.
  private static let counted = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, words: integer64? }
    """

  private static let counting = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
        attributes: { words: $source.pages * 300 }
    """

  // MARK: - Inferred migrations

  @Test
  func `what a migration dropped is there again, and what was written meanwhile as well`()
    async throws
  {
    try await withBundle(Self.shelved, Self.authored) { folder in
      try await TestServer.withTwoDatabases { url, fresh in
        let call = ["--models", folder, "--database", url]
        try await run(0, ["migrate", "--to", "1"] + call)
        try await execute(
          """
          INSERT INTO public.shelf (room) VALUES ('north'), ('south');
          INSERT INTO public.book (title, pages, isbn, shelf) VALUES
            ('Emma', 474, 'a', 1), ('Persuasion', 249, 'b', 2), ('Middlemarch', 880, 'c', 2)
          """,
          at: url
        )
        try await run(0, ["migrate"] + call)
        try await execute(
          """
          UPDATE public.book SET name = 'Emma II', pages = 500 WHERE name = 'Emma';
          DELETE FROM public.book WHERE name = 'Persuasion';
          INSERT INTO public.book (name, language) VALUES ('Sanditon', 'de');
          INSERT INTO public.author (name) VALUES ('Jane Austen');
          DELETE FROM public.shelf WHERE room = 'south'
          """,
          at: url
        )

        let shown = try await run(0, ["revert", "--dry-run", "--format", "json"] + call)
        try expect(shown, toBe: "plan")
        #expect(try await version(call) == "2")
        let reverted = try await run(0, ["revert", "--format", "json"] + call)

        try expect(reverted, toBe: "migrate")
        #expect(reverted["outcome"] == "reverted")
        #expect(try await version(call) == "1")
        try await run(0, ["verify"] + call)
        #expect(
          try await rows(
            of: "SELECT title, pages, isbn, shelf FROM public.book ORDER BY _id",
            at: url
          ) == [
            ["Emma II", "500", "a", "1"], ["Middlemarch", "880", "c", nil],
            ["Sanditon", nil, nil, nil],
          ]
        )
        // The new release started late does not undo it.
        try await run(4, ["migrate"] + call)
        try await run(0, ["migrate", "--to", "2"] + call)
        #expect(
          try await rows(of: "SELECT name, language FROM public.book ORDER BY _id", at: url) == [
            ["Emma II", "en"], ["Middlemarch", "en"], ["Sanditon", "de"],
          ]
        )
        #expect(try await rows(of: "SELECT name FROM public.author", at: url) == [["Jane Austen"]])

        try await run(0, ["revert"] + call)
        try await run(0, ["cleanup"] + call)
        try await run(0, ["migrate", "--to", "1", "--models", folder, "--database", fresh])
        try expectSameCatalog(url, fresh)
      }
    }
  }

  @Test
  func `several migrations are taken back one after the other, or as far as is asked for`()
    async throws
  {
    try await withBundle(Self.shelved, Self.authored, Self.priced) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await run(0, ["migrate", "--to", "1"] + call)
        try await run(0, ["migrate", "--to", "2"] + call)
        try await run(0, ["migrate"] + call)
        try await run(64, ["revert", "--to", "9"] + call)
        try await run(0, ["revert"] + call)
        #expect(try await version(call) == "2")
        try await run(0, ["revert"] + call)
        #expect(try await version(call) == "1")
        let ended = try await run(7, ["revert"] + call)
        #expect(ended.error.contains("no migration that could be taken back"), "\(ended)")

        try await run(0, ["migrate", "--to", "3"] + call)
        try await run(0, ["revert", "--to", "1"] + call)
        #expect(try await version(call) == "1")
        let kinds = try await rows(
          of: "SELECT kind, from_version, to_version FROM remodel.history ORDER BY id",
          at: url
        )
        #expect(kinds.filter { $0[0] == "revert" }.count == 4, "\(kinds)")
      }
    }
  }

  @Test
  func `what has been cleaned up is told, and taken for lost only when that is allowed`()
    async throws
  {
    try await withBundle(Self.shelved, Self.authored) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await run(0, ["migrate", "--to", "1"] + call)
        try await execute("INSERT INTO public.book (title, isbn) VALUES ('Emma', 'a')", at: url)
        try await run(0, ["migrate"] + call)
        try await run(0, ["cleanup"] + call)

        let shown = try await run(7, ["revert", "--dry-run"] + call)
        let refused = try await run(7, ["revert"] + call)
        #expect(shown.error.contains("column \"isbn\" of table \"book\""), "\(shown)")
        #expect(
          refused.error.contains(
            "column \"isbn\" of table \"book\": its values are gone, for 1 row"
          ),
          "\(refused)"
        )
        #expect(refused.error.contains("table \"shelf\": its rows are gone"), "\(refused)")
        #expect(try await version(call) == "2")
        try await run(0, ["revert", "--allow", "deletes-data"] + call)
        #expect(try await version(call) == "1")
        try await run(0, ["verify"] + call)
      }
    }
  }

  @Test
  func `files of versions are not needed to go back`() async throws {
    try await withBundle(Self.shelved, Self.authored) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await run(0, ["migrate", "--to", "1"] + call)
        try await run(0, ["migrate"] + call)
        try FileManager.default.removeItem(atPath: "\(folder)/Library.remodel/1.yaml")
        try await run(0, ["revert"] + call)
        #expect(try await rows(of: "SELECT count(*) FROM public.shelf", at: url) == [["0"]])
      }
    }
  }

  @Test
  func `one of several at once takes one migration back`() async throws {
    try await withBundle(Self.shelved, Self.authored, Self.priced) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        for version in ["1", "2", "3"] { try await run(0, ["migrate", "--to", version] + call) }
        let statuses = try await withThrowingTaskGroup(of: Int32?.self) { group in
          for _ in 0..<3 {
            group.addTask { try await Tool.run(["revert", "--to", "2"] + call).status }
          }
          return try await group.reduce(into: [Int32?]()) { $0.append($1) }
        }
        #expect(statuses == [0, 0, 0])
        #expect(try await version(call) == "2")
      }
    }
  }

  // MARK: - Migrations by mapping models

  @Test
  func `a migration by a mapping model is taken back by the tables that it replaced`() async throws
  {
    try await withMapped { call, url in
      try await run(0, ["revert"] + call)

      #expect(try await version(call) == "1")
      try await run(0, ["verify"] + call)
      #expect(
        try await rows(of: "SELECT title, pages FROM public.book ORDER BY _id", at: url)
          == [["Emma", "474"], ["Persuasion", "249"]]
      )
    }
  }

  @Test(
    arguments: [
      ("UPDATE public.book SET words = 1 WHERE title = 'Emma'", "1 row written"),
      ("INSERT INTO public.book (title) VALUES ('Sanditon')", "1 row written"),
      ("DELETE FROM public.book WHERE title = 'Emma'", "1 row deleted"),
      ("TRUNCATE public.book", "2 rows deleted"),
    ] as [(statement: SQLFragment, told: String)]
  )
  func `what was written to the tables of a mapping model is not given up without a word`(
    statement: SQLFragment,
    told: String
  ) async throws {
    try await withMapped { call, url in
      try await execute(statement, at: url)

      let refused = try await run(7, ["revert"] + call)
      #expect(refused.error.contains("table \"book\": "), "\(refused)")
      #expect(refused.error.contains(told), "\(refused)")
      #expect(try await version(call) == "2")
      try await run(0, ["revert", "--allow", "deletes-data"] + call)
      #expect(
        try await rows(of: "SELECT title, pages FROM public.book ORDER BY _id", at: url)
          == [["Emma", "474"], ["Persuasion", "249"]]
      )
      // Even so it is not gone.
      let kept = try await rows(
        of: "SELECT table_name FROM remodel.retained WHERE version = '2'",
        at: url
      )
      #expect(kept == [["remodel_retained_2_book"]])
    }
  }

  @Test
  func `what others have hung on a table goes back with it`() async throws {
    try await withBundle(Version.first, Self.counted) { folder in
      try write(Self.counting, to: "\(folder)/Library.remodel/1-2.mapping.yaml")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await run(0, ["migrate", "--to", "1"] + call)
        try await execute(
          """
          INSERT INTO public.book (title, pages) VALUES ('Emma', 474);
          CREATE VIEW public.titles AS SELECT title FROM public.book;
          CREATE TABLE public.label (book bigint REFERENCES public.book (_id));
          CREATE INDEX lower_title ON public.book (lower(title));
          CREATE TRIGGER quiet BEFORE UPDATE ON public.book
            FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
          ALTER TABLE public.book ENABLE ROW LEVEL SECURITY;
          CREATE POLICY everybody ON public.book USING (true);
          COMMENT ON TABLE public.book IS 'What there is to read';
          GRANT SELECT ON public.book TO pg_monitor
          """,
          at: url
        )
        let before = try await attachments(url)
        try await run(0, ["migrate"] + call)
        try await run(0, ["revert"] + call)

        let after = try await attachments(url)
        #expect(after == before)
        try await run(0, ["cleanup"] + call)
      }
    }
  }

  private func attachments(_ url: String) async throws -> [[String?]] {
    try await rows(
      of: """
        SELECT pg_get_viewdef('public.titles'::regclass),
          (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'label_book_fkey'),
          pg_get_indexdef('public.lower_title'::regclass),
          (SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = 'quiet'),
          (SELECT polrelid::regclass::text FROM pg_policy),
          obj_description('public.book'::regclass), relrowsecurity::text,
          has_table_privilege('pg_monitor', 'public.book', 'SELECT')::text
        FROM pg_class WHERE oid = 'public.book'::regclass
        """,
      at: url
    )
  }

  @Test
  func `what a transaction writes that had begun before is seen`() async throws {
    try await withBundle(Version.first, Self.counted) { folder in
      try write(Self.counting, to: "\(folder)/Library.remodel/1-2.mapping.yaml")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await run(0, ["migrate", "--to", "1"] + call)
        try await execute("INSERT INTO public.book (title, pages) VALUES ('Emma', 474)", at: url)
        let session = try await PostgresSession.connect(to: .url(url))
        try await session.run { connection in
          _ = try connection.execute("BEGIN")
          _ = try connection.query("SELECT pg_current_xact_id()")
        }
        try await run(0, ["migrate"] + call)
        try await session.run { connection in
          _ = try connection.execute("UPDATE public.book SET words = 1")
          _ = try connection.execute("COMMIT")
        }
        await session.close()

        let refused = try await run(7, ["revert"] + call)
        #expect(refused.error.contains("1 row written"), "\(refused)")
      }
    }
  }

  @Test
  func `a mapping model for the way back is carried out`() async throws {
    try await withMapped { call, url in
      try write(
        """
        remodelMapping: 1
        source: "2"
        destination: "1"
        entities:
          - source: Book
            destination: Book
            attributes: { pages: $source.words / 300 }
        """,
        to: "\(call[1])/Library.remodel/2-1.mapping.yaml"
      )
      try await execute("UPDATE public.book SET words = 3000 WHERE title = 'Emma'", at: url)

      try await run(0, ["revert"] + call)

      try await run(0, ["verify"] + call)
      #expect(
        try await rows(of: "SELECT title, pages FROM public.book ORDER BY _id", at: url)
          == [["Emma", "10"], ["Persuasion", "249"]]
      )
    }
  }

  // MARK: - Parts

  private func withMapped(
    _ body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, Self.counted) { folder in
      try write(Self.counting, to: "\(folder)/Library.remodel/1-2.mapping.yaml")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await run(0, ["migrate", "--to", "1"] + call)
        try await execute(
          "INSERT INTO public.book (title, pages) VALUES ('Emma', 474), ('Persuasion', 249)",
          at: url
        )
        try await run(0, ["migrate"] + call)
        try await body(call, url)
      }
    }
  }

  @discardableResult
  private func run(
    _ status: Int32,
    _ arguments: [String],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> Tool.Outcome {
    let outcome = try await Tool.run(arguments)
    #expect(outcome.status == status, "\(arguments): \(outcome)", sourceLocation: sourceLocation)
    return outcome
  }

  private func version(_ call: [String]) async throws -> String? {
    let version = try await Tool.run(["status", "--format", "json"] + call)["version"]
    guard case .string(let name)? = version else { return nil }
    return name
  }

  private func expect(_ outcome: Tool.Outcome, toBe name: String) throws {
    let document = try #require(outcome.json, "\(outcome)")
    #expect(try JSONSchema(named: name).complaints(about: document).isEmpty, "\(outcome)")
  }

  private func expectSameCatalog(_ url: String, _ other: String) throws {
    func snapshot(_ url: String) throws -> CatalogSnapshot {
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      return try CatalogSnapshot(of: "public", on: connection)
    }
    #expect(try snapshot(url).difference(to: snapshot(other)) == [])
  }
}
