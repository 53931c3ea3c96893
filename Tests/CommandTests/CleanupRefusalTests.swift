import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// What keeps something that is retained from being dropped.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CleanupRefusalTests {
  @Test
  func `objects with dependents stay, and the rest is dropped`() async throws {
    try await RetainedLibrary.with { call, url in
      try await execute(
        """
        CREATE VIEW public.paged AS SELECT pages FROM public.book;
        CREATE TABLE public.label (shelf bigint REFERENCES public.shelf);
        """,
        at: url
      )

      let cleanup = try await Tool.run(["cleanup", "--yes"] + call)
      let text = try await Tool.run(["cleanup", "--yes"] + call.dropLast(2))

      #expect(cleanup.status == 7, "\(cleanup)")
      #expect(
        RetainedLibrary.outcomes(cleanup) == [
          "book.pages dependents", "book.isbn dropped", "shelf dependents",
        ]
      )
      let names = RetainedLibrary.objects(cleanup).map { $0["dependents"] }
      #expect(names.first == ["view public.paged"])
      #expect(names.last.flatMap(\.self)?.text.contains("label_shelf_fkey") == true, "\(names)")
      #expect(text.error.contains("column \"pages\" of table \"book\" stays"), "\(text)")
      #expect(text.error.contains("view public.paged"), "\(text)")
      #expect(try await rows(of: "SELECT count(*) FROM public.paged", at: url) == [["100"]])

      try await execute("DROP VIEW public.paged", "DROP TABLE public.label", at: url)
      #expect(try await Tool.run(["cleanup", "--yes"] + call).status == 0)
      #expect(try await RetainedLibrary.columns(url) == ["book._id", "book.title"])
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
    try await RetainedLibrary.with { call, url in
      try await execute(statement, at: url)

      let cleanup = try await Tool.run(["cleanup", "--yes"] + call)

      #expect(cleanup.status == 7, "\(cleanup)")
      #expect(RetainedLibrary.outcomes(cleanup).first == "book.pages dependents", "\(cleanup)")
      #expect(try await RetainedLibrary.columns(url).contains("book.pages"))
    }
  }

  @Test
  func `a hazard that is denied refuses it`() async throws {
    try await RetainedLibrary.with { call, url in
      let before = try await RetainedLibrary.columns(url)
      let denied = try await Tool.run(["cleanup", "--yes", "--deny", "deletes-data"] + call)
      let set = ["REMODEL_DENY": "deletes-data"]
      let deniedByVariable = try await Tool.run(["cleanup", "--dry-run"] + call, environment: set)
      let isSame = try await RetainedLibrary.columns(url) == before
      let allowed = try await Tool.run(
        ["cleanup", "--yes", "--allow", "deletes-data"] + call,
        environment: set
      )

      #expect(denied.status == 7, "\(denied)")
      try expect(denied, toBe: "error")
      #expect(deniedByVariable.status == 7, "\(deniedByVariable)")
      #expect(RetainedLibrary.outcomes(deniedByVariable).count == 4)
      #expect(isSame)
      #expect(allowed.status == 0, "\(allowed)")
    }
  }

  @Test
  func `the owner of a lock is named, and another attempt continues`() async throws {
    try await RetainedLibrary.with { call, url in
      let locked = try await withLock(on: "shelf", at: url) {
        try await Tool.run(
          ["cleanup", "--yes", "--lock-timeout", "50ms", "--lock-retry-for", "300ms"]
            + call.dropLast(2)
        )
      }
      let isHalfDone = try await RetainedLibrary.columns(url)
      let failures = try await rows(
        of: "SELECT sqlstate FROM remodel.history WHERE outcome = 'failed'",
        at: url
      )
      let rerun = try await Tool.run(["cleanup", "--yes"] + call)

      #expect(locked.status == 5, "\(locked)")
      #expect(locked.error.contains("shelf"))
      #expect(failures.count == 1)
      #expect(isHalfDone == ["book._id", "book.title", "shelf._id", "shelf.note", "shelf.room"])
      #expect(rerun.status == 0, "\(rerun)")
      #expect(
        RetainedLibrary.outcomes(rerun) == ["shelf dropped", "shelf.note dropped-with-table"]
      )
    }
  }

  @Test
  func `no database, no tables of ours, and a copy job that is unfinished`() async throws {
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let empty = try await Tool.run(["cleanup", "--yes"] + call)
        try await execute("CREATE TABLE public.other (a int)", at: url)
        let foreign = try await Tool.run(["cleanup", "--yes"] + call)
        try await execute("DROP TABLE public.other", at: url)
        _ = try await Tool.run(["migrate", "--to", "1"] + call)
        let nothing = try await Tool.run(["cleanup", "--yes"] + call)
        try write(Version.trimming, to: "\(folder)/a.mapping.yaml")
        try await execute("INSERT INTO public.book (title) VALUES (' a ')", at: url)
        _ = try await Tool.run(
          ["migrate", "--strategy", "gated"] + call,
          environment: ["REMODEL_FAILPOINT": "chunk.after_commit:1:kill9"]
        )
        let unfinished = try await Tool.run(["cleanup", "--yes"] + call)
        let shown = try await Tool.run(["cleanup", "--dry-run"] + call)

        #expect(empty.status == 0, "\(empty)")
        #expect(foreign.status == 4, "\(foreign)")
        #expect(nothing.status == 0, "\(nothing)")
        #expect(unfinished.status == 8, "\(unfinished)")
        #expect(shown.status == 8, "\(shown)")
        #expect(try await Tool.run(["migrate"] + call).status == 0)
        let after = try await Tool.run(["cleanup", "--yes"] + call)
        #expect(after.status == 0, "\(after)")
        #expect(try await RetainedLibrary.columns(url) == ["book._id", "book.pages", "book.title"])
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

        let cleanup = try await Tool.run(["cleanup", "--yes"] + call)

        #expect(cleanup.status == 4, "\(cleanup)")
        #expect(cleanup.error.contains("version \"1\" is being created"), "\(cleanup)")
      }
    }
  }
}
