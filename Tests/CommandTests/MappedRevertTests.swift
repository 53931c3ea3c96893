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

/// Migrations by mapping models are taken back by the tables that they replaced.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct MappedRevertTests {
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

  @Test
  func `a migration by a mapping model is taken back by the tables that it replaced`() async throws
  {
    try await withMapped { call, url in
      try await expect(0, ["revert"] + call)

      #expect(try await version(call) == "1")
      try await expect(0, ["verify"] + call)
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

      let refused = try await expect(7, ["revert"] + call)
      #expect(refused.error.contains("table \"book\": "), "\(refused)")
      #expect(refused.error.contains(told), "\(refused)")
      #expect(try await version(call) == "2")
      try await expect(0, ["revert", "--allow", "deletes-data"] + call)
      #expect(
        try await rows(of: "SELECT title, pages FROM public.book ORDER BY _id", at: url)
          == [["Emma", "474"], ["Persuasion", "249"]]
      )
      // Even so its value is kept.
      let kept = try await rows(
        of: "SELECT table_name FROM remodel.retained WHERE version = '2'",
        at: url
      )
      #expect(kept == [["remodel_retained_2_book"]])
    }
  }

  /// Nothing is inferred from texts to numbers: only the table that was replaced leads back.
  private static let spelled = ["integer64?", "string?"].map { type in
    "remodel: 1\nentities:\n  Item: { attributes: { number: \(type) } }"
  }

  private static let spelling = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Item
        destination: Item
        attributes: { number: 'CAST($source.number, "NSString")' }
    """

  @Test(
    arguments: [
      (nil, nil),
      ("UPDATE public.item SET number = 'x' WHERE number = '2'", "1 row written"),
      ("INSERT INTO public.item (number) VALUES ('4'), ('5')", "2 rows written"),
      ("DELETE FROM public.item WHERE number IS NOT NULL", "2 rows deleted"),
      ("TRUNCATE public.item", "3 rows deleted"),
    ] as [(statement: SQLFragment?, told: String?)]
  )
  func `a table that was replaced and not written to needs no mapping back`(
    statement: SQLFragment?,
    told: String?
  ) async throws {
    try await withBundle(Self.spelled, mappings: ["1-2": Self.spelling]) { bundle in
      try await TestServer.withTwoDatabases { url, fresh in
        let call = ["--models", bundle, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute("INSERT INTO public.item (number) VALUES (1), (2), (NULL)", at: url)
        try await expect(0, ["migrate"] + call)
        if let statement, let told {
          try await execute(statement, at: url)
          for option in [[], ["--dry-run"]] {
            let refused = try await expect(7, ["revert"] + option + call)
            #expect((refused.error + refused.output).contains(told), "\(refused)")
          }
          #expect(try await version(call) == "2")
        }

        try await expect(0, ["revert"] + (told == nil ? [] : ["--allow", "deletes-data"]) + call)

        #expect(
          try await rows(of: "SELECT number FROM public.item ORDER BY _id", at: url)
            == [["1"], ["2"], [nil]]
        )
        try await expect(0, ["verify"] + call)
        try await expect(0, ["cleanup", "--yes"] + call)
        try await expect(
          0,
          ["migrate", "--to", "1", "--models", bundle, "--database", fresh]
        )
        let columns: SQLFragment = """
          SELECT table_name, column_name, data_type FROM information_schema.columns
          WHERE table_schema = 'public' ORDER BY 1, ordinal_position
          """
        #expect(try await rows(of: columns, at: url) == rows(of: columns, at: fresh))
      }
    }
  }

  @Test
  func `dependent objects of a table are reverted with it`() async throws {
    try await withBundle(Version.first, Self.counted) { folder in
      try write(Self.counting, to: "\(folder)/Library.remodel/1-2.mapping.yaml")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
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
        try await expect(0, ["migrate"] + call)
        try await expect(0, ["revert"] + call)

        let after = try await attachments(url)
        #expect(after == before)
        try await expect(0, ["cleanup", "--yes"] + call)
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
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute("INSERT INTO public.book (title, pages) VALUES ('Emma', 474)", at: url)
        let session = try await PostgresSession.connect(to: .url(url))
        try await session.run { connection in
          _ = try connection.execute("BEGIN")
          _ = try connection.query("SELECT pg_current_xact_id()")
        }
        try await expect(0, ["migrate"] + call)
        try await session.run { connection in
          _ = try connection.execute("UPDATE public.book SET words = 1")
          _ = try connection.execute("COMMIT")
        }
        await session.close()

        let refused = try await expect(7, ["revert"] + call)
        #expect(refused.error.contains("1 row written"), "\(refused)")
      }
    }
  }

  @Test
  func `a reverting mapping model is carried out`() async throws {
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

      try await expect(0, ["revert"] + call)

      try await expect(0, ["verify"] + call)
      #expect(
        try await rows(of: "SELECT title, pages FROM public.book ORDER BY _id", at: url)
          == [["Emma", "10"], ["Persuasion", "249"]]
      )
    }
  }

  private func withMapped(
    _ body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, Self.counted) { folder in
      try write(Self.counting, to: "\(folder)/Library.remodel/1-2.mapping.yaml")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute(
          "INSERT INTO public.book (title, pages) VALUES ('Emma', 474), ('Persuasion', 249)",
          at: url
        )
        try await expect(0, ["migrate"] + call)
        try await body(call, url)
      }
    }
  }
}
