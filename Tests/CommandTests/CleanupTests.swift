import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CleanupTests {
  @Test
  func `what is retained is dropped, and the history tells of it`() async throws {
    try await withRetained { call, url in
      let cleanup = try await Tool.run(["cleanup"] + call)
      let status = try await Tool.run(["status"] + call)
      let verify = try await Tool.run(["verify"] + call)
      let history = try await Tool.run(["history"] + call)
      let again = try await Tool.run(["cleanup"] + call)

      #expect(cleanup.status == 0, "\(cleanup)")
      try expect(cleanup, toBe: "cleanup")
      #expect(
        outcomes(cleanup) == [
          "book.pages dropped", "book.isbn dropped", "shelf dropped",
          "shelf.note dropped-with-table",
        ]
      )
      #expect(status["retained"] == .array([]))
      #expect(verify.status == 0, "\(verify)")
      #expect(again.status == 0)
      #expect(again["objects"] == .array([]))
      #expect(try await columns(url) == ["book._id", "book.title"])
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
  func `a dry run shows rows, bytes and SQL to a role without rights, and does nothing`()
    async throws
  {
    try await withRetained { call, url in
      try await execute(
        """
        DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mere_reader') THEN
          CREATE ROLE mere_reader LOGIN; END IF; END $$;
        REVOKE ALL ON SCHEMA public FROM PUBLIC;
        """,
        "ANALYZE",
        at: url
      )
      let before = try await columns(url)
      let reader = url.replacing("user=postgres", with: "user=mere_reader")
      let call = call.map { $0 == url ? reader : $0 }

      let shown = try await Tool.run(["cleanup", "--dry-run"] + call)
      let text = try await Tool.run(["cleanup", "--dry-run"] + call.dropLast(2))
      let refused = try await Tool.run(["cleanup"] + call)

      #expect(shown.status == 0, "\(shown)")
      try expect(shown, toBe: "cleanup")
      #expect(outcomes(shown).count == 4)
      #expect(shown["dryRun"] == true)
      #expect(text.output.contains("DROP TABLE \"public\".\"shelf\";"), "\(text)")
      #expect(refused.status == 7, "\(refused)")
      #expect(try await columns(url) == before)
      #expect(try await rows(of: "SELECT count(*) FROM remodel.retained", at: url) == [["4"]])

      let owner = try await Tool.run(
        ["cleanup", "--dry-run"] + call.map { $0 == reader ? url : $0 }
      )
      let pages = objects(owner).first { $0["column"] == "pages" }
      // Half of the rows have a value, of four bytes.
      #expect(pages?["estimatedRows"] == 50, "\(owner)")
      #expect(pages?["estimatedBytes"] == 200, "\(owner)")
      let shelf = objects(owner).first { $0["column"] == .null }
      #expect(shelf?["estimatedRows"] == 1, "\(owner)")
    }
  }

  @Test
  func `versions and age select`() async throws {
    try await withRetained { call, url in
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

      #expect(outcomes(young) == [])
      #expect(outcomes(unknown) == [])
      #expect(outcomes(old) == ["book.isbn dropped"])
      #expect(outcomes(first) == ["book.pages dropped", "shelf.note dropped"])
      #expect(outcomes(rest) == ["shelf dropped"])
      #expect(try await columns(url) == ["book._id", "book.title"])
    }
  }

  @Test
  func `what something else depends on stays, and the rest goes`() async throws {
    try await withRetained { call, url in
      try await execute(
        """
        CREATE VIEW public.paged AS SELECT pages FROM public.book;
        CREATE TABLE public.label (shelf bigint REFERENCES public.shelf);
        """,
        at: url
      )

      let cleanup = try await Tool.run(["cleanup"] + call)
      let text = try await Tool.run(["cleanup"] + call.dropLast(2))

      #expect(cleanup.status == 7, "\(cleanup)")
      #expect(
        outcomes(cleanup) == [
          "book.pages dependents", "book.isbn dropped", "shelf dependents",
        ]
      )
      let names = objects(cleanup).map { $0["dependents"] }
      #expect(names.first == ["view public.paged"])
      #expect(names.last.flatMap(\.self)?.text.contains("label_shelf_fkey") == true, "\(names)")
      #expect(text.error.contains("column \"pages\" of table \"book\" stays"), "\(text)")
      #expect(text.error.contains("view public.paged"), "\(text)")
      #expect(try await rows(of: "SELECT count(*) FROM public.paged", at: url) == [["100"]])

      try await execute("DROP VIEW public.paged", "DROP TABLE public.label", at: url)
      #expect(try await Tool.run(["cleanup"] + call).status == 0)
      #expect(try await columns(url) == ["book._id", "book.title"])
    }
  }

  @Test(
    arguments: [
      "CREATE INDEX mine ON public.book (title, pages)",
      "ALTER TABLE public.book ADD CONSTRAINT mine UNIQUE (title, pages)",
      "ALTER TABLE public.book ADD CONSTRAINT mine CHECK (pages > 0 OR title <> '')",
      "CREATE STATISTICS public.mine ON title, pages FROM public.book",
    ] as [SQLFragment]
  )
  func `what DROP would take along silently is not taken along`(
    statement: SQLFragment
  ) async throws {
    try await withRetained { call, url in
      try await execute(statement, at: url)

      let cleanup = try await Tool.run(["cleanup"] + call)

      #expect(cleanup.status == 7, "\(cleanup)")
      #expect(outcomes(cleanup).first == "book.pages dependents", "\(cleanup)")
      #expect(try await columns(url).contains("book.pages"))
    }
  }

  @Test
  func `what is gone is taken off the list, and what is something else stays`() async throws {
    try await withRetained { call, url in
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

      let cleanup = try await Tool.run(["cleanup"] + call)
      try await execute(
        "DROP VIEW public.shelf; CREATE TABLE public.shelf (room text)",
        at: url
      )
      let table = try await Tool.run(["cleanup"] + call)
      try await execute("DROP TABLE public.shelf; ALTER TABLE public.book DROP isbn", at: url)
      let gone = try await Tool.run(["cleanup"] + call.dropLast(2))

      #expect(cleanup.status == 7, "\(cleanup)")
      #expect(
        outcomes(cleanup) == ["book.pages gone", "book.isbn other-object", "shelf other-object"]
      )
      #expect(table.status == 7, "\(table)")
      #expect(outcomes(table) == ["book.isbn other-object", "shelf other-object"])
      #expect(gone.status == 0, "\(gone)")
      #expect(gone.error.contains("table \"shelf\" was gone already"), "\(gone)")
      #expect(try await rows(of: "SELECT count(*) FROM remodel.retained", at: url) == [["0"]])
    }
  }

  @Test
  func `a hazard that is denied refuses it`() async throws {
    try await withRetained { call, url in
      let before = try await columns(url)
      let denied = try await Tool.run(["cleanup", "--deny", "deletes-data"] + call)
      let set = ["REMODEL_DENY": "deletes-data"]
      let deniedByVariable = try await Tool.run(["cleanup", "--dry-run"] + call, environment: set)
      let isSame = try await columns(url) == before
      let allowed = try await Tool.run(
        ["cleanup", "--allow", "deletes-data"] + call,
        environment: set
      )

      #expect(denied.status == 7, "\(denied)")
      try expect(denied, toBe: "error")
      #expect(deniedByVariable.status == 7, "\(deniedByVariable)")
      #expect(outcomes(deniedByVariable).count == 4)
      #expect(isSame)
      #expect(allowed.status == 0, "\(allowed)")
    }
  }

  @Test
  func `a lock of somebody else is named, and another attempt goes on`() async throws {
    try await withRetained { call, url in
      let locked = try await withLock(on: "shelf", at: url) {
        try await Tool.run(
          ["cleanup", "--lock-timeout", "50ms", "--lock-retry-for", "300ms"] + call.dropLast(2)
        )
      }
      let isHalfDone = try await columns(url)
      let failures = try await rows(
        of: "SELECT sqlstate FROM remodel.history WHERE outcome = 'failed'",
        at: url
      )
      let rerun = try await Tool.run(["cleanup"] + call)

      #expect(locked.status == 5, "\(locked)")
      #expect(locked.error.contains("shelf"))
      #expect(failures.count == 1)
      #expect(isHalfDone == ["book._id", "book.title", "shelf._id", "shelf.note", "shelf.room"])
      #expect(rerun.status == 0, "\(rerun)")
      #expect(outcomes(rerun) == ["shelf dropped", "shelf.note dropped-with-table"])
    }
  }

  @Test
  func `no database, no tables of ours, and a copy job that is unfinished`() async throws {
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let empty = try await Tool.run(["cleanup"] + call)
        try await execute("CREATE TABLE public.other (a int)", at: url)
        let foreign = try await Tool.run(["cleanup"] + call)
        try await execute("DROP TABLE public.other", at: url)
        _ = try await Tool.run(["migrate", "--to", "1"] + call)
        let nothing = try await Tool.run(["cleanup"] + call)
        try write(Version.trimming, to: "\(folder)/a.mapping.yaml")
        try await execute("INSERT INTO public.book (title) VALUES (' a ')", at: url)
        _ = try await Tool.run(
          ["migrate", "--strategy", "gated"] + call,
          environment: ["REMODEL_FAILPOINT": "chunk.after_commit:1:kill9"]
        )
        let unfinished = try await Tool.run(["cleanup"] + call)
        let shown = try await Tool.run(["cleanup", "--dry-run"] + call)

        #expect(empty.status == 0, "\(empty)")
        #expect(foreign.status == 4, "\(foreign)")
        #expect(nothing.status == 0, "\(nothing)")
        #expect(unfinished.status == 8, "\(unfinished)")
        #expect(shown.status == 8, "\(shown)")
        #expect(try await Tool.run(["migrate"] + call).status == 0)
        let after = try await Tool.run(["cleanup"] + call)
        #expect(after.status == 0, "\(after)")
        #expect(try await columns(url) == ["book._id", "book.pages", "book.title"])
      }
    }
  }

  @Test
  func `a store that is being created has nothing to clean up yet`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--schema", "other"] + call)
        try await execute(
          """
          INSERT INTO remodel.store_creation (schema_name, model_name, version_name, checksum, \
          layout_digest, layout_rules, model, plan_digest, done, total, tool_version) \
          SELECT 'public', s.model_name, s.version_name, s.checksum, s.layout_digest, \
          s.layout_rules, m.model, '', 1, 2, '' FROM remodel.store s \
          JOIN remodel.model_version m ON m.store = s.id
          """,
          at: url
        )

        let cleanup = try await Tool.run(["cleanup"] + call)

        #expect(cleanup.status == 4, "\(cleanup)")
        #expect(cleanup.error.contains("version \"1\" is being created"), "\(cleanup)")
      }
    }
  }

  @Test
  func `of several at once each ends with 0, and each thing is dropped once`() async throws {
    try await withRetained { call, url in
      let outcomes = try await withThrowingTaskGroup { group -> [Tool.Outcome] in
        for _ in 0..<6 { group.addTask { try await Tool.run(["cleanup"] + call) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }

      for outcome in outcomes { #expect(outcome.status == 0, "\(outcome)") }
      #expect(try await columns(url) == ["book._id", "book.title"])
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

        let cleanup = try await Tool.run(["cleanup"] + call)

        #expect(outcomes(cleanup) == ["book.remodel_retained_1_pages dropped"], "\(cleanup)")
        #expect(try await columns(url) == ["book._id", "book.pages", "book.title"])
        #expect(try await Tool.run(["verify"] + call).status == 0)
      }
    }
  }

  // MARK: - The database

  private static let versions = [
    """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string? }
        indexes: { byPages: [pages] }
      Shelf:
        attributes: { room: string, note: string? }
    """,
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }
      Shelf: { attributes: { room: string } }
    """,
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }
    """,
  ]

  /// Gives the options of a call that has JSON and a database that retains columns and a table.
  private func withRetained(
    _ body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Self.versions[0], Self.versions[1], Self.versions[2]) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url, "--format", "json"]
        _ = try await Tool.run(["migrate", "--to", "1"] + call)
        try await execute(
          """
          INSERT INTO public.book (title, pages) \
          SELECT 'a', CASE WHEN n % 2 = 0 THEN n END FROM generate_series(1, 100) n;
          INSERT INTO public.shelf (room) VALUES ('b');
          """,
          at: url
        )
        for version in ["2", "3"] {
          let migration = try await Tool.run(["migrate", "--to", version] + call)
          #expect(migration.status == 0, "\(migration)")
        }
        try await execute("ANALYZE", at: url)
        try await body(call, url)
      }
    }
  }

  private func columns(_ url: String) async throws -> [String] {
    try await rows(
      of: """
        SELECT table_name || '.' || column_name FROM information_schema.columns \
        WHERE table_schema = 'public' ORDER BY 1
        """,
      at: url
    ).compactMap { $0[0] }
  }

  private func objects(_ outcome: Tool.Outcome) -> [[String: JSONValue]] {
    guard case .array(let objects) = outcome["objects"] else { return [] }
    return objects.compactMap { object in
      if case .object(let keys) = object { keys } else { nil }
    }
  }

  private func outcomes(_ outcome: Tool.Outcome) -> [String] {
    objects(outcome).map { object in
      let names = [object["table"], object["column"]].compactMap { value -> String? in
        if case .string(let name) = value { name } else { nil }
      }
      guard case .string(let word) = object["outcome"] else { return "" }
      return "\(names.joined(separator: ".")) \(word)"
    }
  }

  private func expect(
    _ outcome: Tool.Outcome,
    toBe name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let document = try #require(outcome.json, "\(outcome)", sourceLocation: sourceLocation)
    let complaints = try JSONSchema(named: name).complaints(about: document)
    #expect(complaints.isEmpty, sourceLocation: sourceLocation)
  }
}
