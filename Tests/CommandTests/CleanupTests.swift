import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CleanupTests {
  @Test
  func `retained objects are dropped, and the history records it`() async throws {
    try await RetainedLibrary.with { call, url in
      let cleanup = try await Tool.run(["cleanup", "--yes"] + call)
      let status = try await Tool.run(["status"] + call)
      let verify = try await Tool.run(["verify"] + call)
      let history = try await Tool.run(["history"] + call)
      let again = try await Tool.run(["cleanup", "--yes"] + call)

      #expect(cleanup.status == 0, "\(cleanup)")
      try expect(cleanup, toBe: "cleanup")
      #expect(
        RetainedLibrary.outcomes(cleanup) == [
          "book.pages dropped", "book.isbn dropped", "shelf dropped",
          "shelf.note dropped-with-table",
        ]
      )
      #expect(status["retained"] == .array([]))
      #expect(verify.status == 0, "\(verify)")
      #expect(again.status == 0)
      #expect(again["objects"] == .array([]))
      #expect(try await RetainedLibrary.columns(url) == ["book._id", "book.title"])
      try expect(history, toBe: "history")
      let entries = try await rows(
        of: """
          SELECT from_version, to_version, outcome, statements FROM remodel.history \
          WHERE kind = 'cleanup' ORDER BY id
          """,
        at: url
      )
      #expect(
        entries == [
          [
            "3", "3", "succeeded",
            "ALTER TABLE \"public\".\"book\"\n  DROP COLUMN \"pages\",\n  DROP COLUMN \"isbn\"",
          ],
          ["3", "3", "succeeded", "DROP TABLE \"public\".\"shelf\""],
        ]
      )
    }
  }

  @Test
  func `nothing is dropped that was not asked for`() async throws {
    try await RetainedLibrary.with { call, url in
      let before = try await RetainedLibrary.columns(url)

      let text = try await Tool.run(["cleanup"] + call.dropLast(2))
      let shown = try await Tool.run(["cleanup"] + call)
      let both = try await Tool.run(["cleanup", "--yes", "--dry-run"] + call)

      #expect(text.status == 0)
      #expect(text.output.contains("to be dropped"))
      #expect(
        text.output.hasSuffix(
          "nothing was dropped: use --yes, or --older-than with an age such as 7d\n"
        )
      )
      try expectSuccess(shown, toBe: "cleanup")
      #expect(shown["dryRun"] == true)
      #expect(both.status == 64)
      #expect(try await RetainedLibrary.columns(url) == before)
      let asked = try await Tool.run(["cleanup", "--older-than", "0s"] + call)
      #expect(asked["dryRun"] == false)
      #expect(try await RetainedLibrary.columns(url) != before)
      #expect(try await Tool.run(["cleanup"] + call.dropLast(2)).output == "nothing to clean up\n")
    }
  }

  @Test
  func `a dry run shows rows, bytes and SQL to a role without rights, and does nothing`()
    async throws
  {
    try await RetainedLibrary.with { call, url in
      try await execute("REVOKE ALL ON SCHEMA public FROM PUBLIC", "ANALYZE", at: url)
      let before = try await RetainedLibrary.columns(url)
      try await withRole("mere_reader", at: url) { _, login in
        let call = call.map { $0 == url ? login : $0 }

        let shown = try await Tool.run(["cleanup", "--dry-run"] + call)
        let text = try await Tool.run(["cleanup", "--dry-run"] + call.dropLast(2))
        let refused = try await Tool.run(["cleanup", "--yes"] + call)

        #expect(shown.status == 0, "\(shown)")
        try expect(shown, toBe: "cleanup")
        #expect(RetainedLibrary.outcomes(shown).count == 4)
        #expect(shown["dryRun"] == true)
        #expect(text.output.contains("DROP TABLE \"public\".\"shelf\";"), "\(text)")
        #expect(refused.status == 7, "\(refused)")
      }
      #expect(try await RetainedLibrary.columns(url) == before)
      #expect(try await rows(of: "SELECT count(*) FROM remodel.retained", at: url) == [["4"]])

      let owner = try await Tool.run(["cleanup", "--dry-run"] + call)
      let pages = RetainedLibrary.objects(owner).first { $0["column"] == "pages" }
      // Half of the rows have a value, of four bytes.
      #expect(pages?["estimatedRows"] == 50, "\(owner)")
      #expect(pages?["estimatedBytes"] == 200, "\(owner)")
      let shelf = RetainedLibrary.objects(owner).first { $0["column"] == .null }
      #expect(shelf?["estimatedRows"] == 1, "\(owner)")
    }
  }

  @Test
  func `versions and age select`() async throws {
    try await RetainedLibrary.with { call, url in
      let young = try await Tool.run(["cleanup", "--older-than", "7d"] + call)
      let unknown = try await Tool.run(["cleanup", "--version", "9"] + call)
      try await execute(
        """
        UPDATE remodel.retained_object SET retained_at = retained_at - interval '8 days' \
        WHERE column_name = 'isbn'
        """,
        at: url
      )
      let old = try await Tool.run(["cleanup", "--older-than", "7d"] + call)
      let first = try await Tool.run(["cleanup", "--version", "1", "--version", "7"] + call)
      let rest = try await Tool.run(["cleanup", "--version", "2"] + call)

      #expect(RetainedLibrary.outcomes(young) == [])
      #expect(RetainedLibrary.outcomes(unknown) == [])
      #expect(RetainedLibrary.outcomes(old) == ["book.isbn dropped"])
      #expect(RetainedLibrary.outcomes(first) == ["book.pages dropped", "shelf.note dropped"])
      #expect(RetainedLibrary.outcomes(rest) == ["shelf dropped"])
      #expect(try await RetainedLibrary.columns(url) == ["book._id", "book.title"])
    }
  }

  @Test
  func `a missing object is removed from the list, and another one in its place stays`()
    async throws
  {
    try await RetainedLibrary.with { call, url in
      try await execute(
        """
        ALTER TABLE public.book DROP COLUMN pages;
        ALTER TABLE public.book DROP COLUMN isbn;
        ALTER TABLE public.book ADD COLUMN isbn date;
        DROP TABLE public.shelf;
        CREATE VIEW public.shelf AS SELECT 1 AS room;
        """,
        at: url
      )

      let cleanup = try await Tool.run(["cleanup", "--yes"] + call)
      try await execute(
        "DROP VIEW public.shelf; CREATE TABLE public.shelf (room text)",
        at: url
      )
      let table = try await Tool.run(["cleanup", "--yes"] + call)
      try await execute("DROP TABLE public.shelf; ALTER TABLE public.book DROP isbn", at: url)
      let gone = try await Tool.run(["cleanup", "--yes"] + call.dropLast(2))

      #expect(cleanup.status == 7, "\(cleanup)")
      #expect(
        RetainedLibrary.outcomes(cleanup) == [
          "book.pages gone", "book.isbn other-object", "shelf other-object",
        ]
      )
      #expect(table.status == 7, "\(table)")
      #expect(RetainedLibrary.outcomes(table) == ["book.isbn other-object", "shelf other-object"])
      #expect(gone.status == 0, "\(gone)")
      #expect(gone.error.contains("table \"shelf\" was dropped already"), "\(gone)")
      #expect(try await rows(of: "SELECT count(*) FROM remodel.retained", at: url) == [["0"]])
    }
  }

  @Test
  func `of several at once each ends with 0, and each thing is dropped once`() async throws {
    try await RetainedLibrary.with { call, url in
      let outcomes = try await withThrowingTaskGroup { group -> [Tool.Outcome] in
        for _ in 0..<6 { group.addTask { try await Tool.run(["cleanup", "--yes"] + call) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }

      for outcome in outcomes { #expect(outcome.status == 0, "\(outcome)") }
      #expect(try await RetainedLibrary.columns(url) == ["book._id", "book.title"])
      let count = try await rows(
        of: "SELECT count(*) FROM remodel.history WHERE kind = 'cleanup' AND outcome = 'succeeded'",
        at: url
      )
      #expect(count == [["2"]])
    }
  }

  @Test
  func `what gave up its name is found under the one that it has`() async throws {
    try await withBundle(Version.first, Version.withoutPages, Version.datePages) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url, "--format", "json"]
        for version in ["1", "2", "3"] {
          #expect(try await Tool.run(["migrate", "--to", version] + call).status == 0)
        }

        let cleanup = try await Tool.run(["cleanup", "--yes"] + call)

        #expect(
          RetainedLibrary.outcomes(cleanup) == ["book.remodel_retained_1_pages dropped"],
          "\(cleanup)"
        )
        #expect(try await RetainedLibrary.columns(url) == ["book._id", "book.pages", "book.title"])
        #expect(try await Tool.run(["verify"] + call).status == 0)
      }
    }
  }
}
