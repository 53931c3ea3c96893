import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Names and SQL that would have a terminal or `psql` do something, or a reader see something else.
@Suite(.timeLimit(.minutes(30)))
struct HostileTextTests {
  @Test(arguments: ["1 \\! touch x\n", "1 /*", "'a", "1\u{202E}2"])
  func `SQL of a model that is none is refused at its place`(expression: String) async throws {
    let escaped = expression.unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "\"": "\\\(scalar)"
      case "\n": "\\n"
      case _: String(scalar)
      }
    }.joined()
    let model = """
      remodel: 1
      entities:
        Book:
          attributes:
            title: string
            pages: { type: integer32, defaultSQL: "\(escaped)" }
      """
    try await withBundle(Version.first, model) { folder in
      let outcome = try await Tool.run("plan", "--from", "1", "--models", folder, "--format", "sql")

      #expect(outcome.status == 65, "\(outcome)")
      #expect(outcome.error.contains("2.yaml:6:"), "\(outcome.error)")
      #expect(outcome.error.contains("defaultSQL of attribute \"pages\""), "\(outcome.error)")
      #expect(outcome.output == "")
    }
  }

  @Test
  func `SQL of a mapping with a command of psql is refused`() async throws {
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - source: Book
          destination: Book
          attributes: { title: 'SQL("title \\\\! touch x")' }
      """
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try mapping.write(toFile: "\(folder)/1-2.mapping.yaml", atomically: true, encoding: .utf8)

      let outcome = try await Tool.run("plan", "--from", "1", "--models", folder)

      #expect(outcome.status == 65, "\(outcome)")
      #expect(outcome.error.contains("1-2.mapping.yaml:"), "\(outcome.error)")
    }
  }

  // MARK: - Names of others

  /// What a terminal would do something with, and what a reader would take for a line of ours.
  private static let hostile = "\u{1B}]0;O\u{7}\u{202E}\u{2028}\u{9B}1m\nFORGED\n\u{7F}"

  private func expectHarmless(
    _ outcome: Tool.Outcome,
    _ words: [String],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    for text in [outcome.output, outcome.error] {
      let odd = text.unicodeScalars.filter { scalar in
        let category = scalar.properties.generalCategory
        return scalar != "\n"
          && [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
      }
      #expect(odd.isEmpty, "\(words): \(odd.map(\.value))", sourceLocation: sourceLocation)
      let forged = text.split(separator: "\n").first {
        $0.drop { $0 == " " }.hasPrefix("FORGED")
      }
      #expect(forged == nil, "\(words): \(text)", sourceLocation: sourceLocation)
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `nothing in a name of a view reaches a person`() async throws {
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        let name = SQLIdentifier("v" + Self.hostile)
        try await execute(
          "CREATE VIEW public.\(name) AS SELECT pages AS \(name) FROM public.book",
          at: url
        )

        for words in [
          ["plan"], ["plan", "--format", "markdown"], ["plan", "--format", "sql"],
          ["plan", "--format", "json"], ["plan", "--format", "html"], ["status"], ["verify"],
          ["migrate", "--log-level", "debug", "--debug-sql"], ["history", "--sql"],
        ] {
          let outcome = try await Tool.run(words + options)
          #expect(outcome.status == 0, "\(outcome)")
          expectHarmless(outcome, words)
        }
      }
    }
  }

  // MARK: - Texts of others

  /// Lines that would pass for the structure of a report or of a script.
  private static let forgery = """
    x
    -- verdict: FORGED
    COMMIT; FORGED
    ```
    ### FORGED
    > **Warning:** FORGED
    </code></pre>FORGED
    step 2 of 2: FORGED
    \t    2. FORGED
    """

  private func expectNoForgery(
    _ text: String,
    _ words: [String],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    #expect(text.contains("FORGED"), "\(words): \(text)", sourceLocation: sourceLocation)
    let forged = Self.forgery.split(separator: "\n").filter { $0.contains("FORGED") }
      .map { $0.drop(while: \.isWhitespace) }
    let lines = text.split(separator: "\n")
    let found = lines.first { line in
      forged.contains { line.drop(while: \.isWhitespace).hasPrefix($0) }
    }
    #expect(found == nil, "\(words): \(text)", sourceLocation: sourceLocation)
    // The fences are ours: as many open as close.
    let fences = lines.count { $0.hasPrefix("```") }
    #expect(fences.isMultiple(of: 2), "\(words): \(text)", sourceLocation: sourceLocation)
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `no literal of others begins a line of a plan`() async throws {
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        let literal = SQLLiteral.text(Self.forgery)
        try await execute(
          """
          CREATE VIEW public.v AS SELECT pages, \(literal) AS text FROM public.book;
          ALTER VIEW public.v ALTER COLUMN text SET DEFAULT \(literal);
          COMMENT ON VIEW public.v IS \(literal);
          CREATE FUNCTION public.f(text text DEFAULT \(literal)) RETURNS bigint LANGUAGE sql
            BEGIN ATOMIC SELECT count(*) FROM public.book WHERE pages::text <> \(literal); END
          """,
          at: url
        )
        let objects: SQLFragment = """
          SELECT pg_get_viewdef('public.v'::regclass), obj_description('public.v'::regclass), \
          pg_get_functiondef('public.f'::regproc)
          """
        let before = try await rows(of: objects, at: url)

        for words in [
          ["plan"], ["plan", "--format", "markdown"], ["plan", "--format", "sql"],
          ["plan", "--format", "html"], ["migrate", "--debug-sql"], ["history", "--sql"],
        ] {
          let outcome = try await Tool.run(words + options)
          #expect(outcome.status == 0, "\(outcome)")
          expectNoForgery(words[0] == "migrate" ? outcome.error : outcome.output, words)
        }
        #expect(try await rows(of: objects, at: url) == before)
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `no body of a function of others begins a line of a plan`() async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        let body = SQLLiteral.text("BEGIN\n/*\(Self.forgery)\n*/ RETURN b.title; END")
        try await execute(
          """
          INSERT INTO public.book (title) VALUES ('a');
          CREATE FUNCTION public.f(b public.book) RETURNS text LANGUAGE plpgsql AS \(body)
          """,
          at: url
        )
        for format in ["text", "markdown", "sql", "html"] {
          let words = ["plan", "--format", format]
          let outcome = try await Tool.run(words + options)
          #expect(outcome.status == 0, "\(outcome)")
          expectNoForgery(outcome.output, words)
        }
        #expect(try await Tool.run(["migrate"] + options).status == 0)
        let titles: SQLFragment = "SELECT public.f(b) FROM public.book b"
        #expect(try await rows(of: titles, at: url) == [["a"]])
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `nothing in a name of a column, a rule, an owner or a version reaches a person`()
    async throws
  {
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try await withRole("r" + Self.hostile) { role, url, _ in
        let options = ["--models", folder, "--database", url]
        let name = SQLIdentifier("n" + Self.hostile)
        let domain = SQLIdentifier("d" + Self.hostile)
        func expect(_ status: Int32, _ words: String...) async throws {
          let outcome = try await Tool.run(words + options)
          #expect(outcome.status == status, "\(outcome)")
          expectHarmless(outcome, words)
        }
        try await execute(
          """
          CREATE TABLE public.book (_id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, \
          pages integer, title text NOT NULL, \(name) text NOT NULL, \
          CONSTRAINT \(name) CHECK (pages > 0));
          CREATE DOMAIN public.\(domain) AS integer;
          CREATE TABLE public.\(name) (a public.\(domain))
          """,
          at: url
        )
        try await expect(7, "adopt", "--to", "1")
        let model = try await Tool.run(
          ["adopt", "--write", "--dry-run", "--models", "\(folder)/written", "--database", url]
        )
        expectHarmless(model, ["adopt", "--write"])
        try await execute("DROP TABLE public.book, public.\(name)", at: url)
        try await expect(0, "migrate", "--to", "1")

        try await execute(
          "ALTER TABLE public.book ADD COLUMN \(name) text, ADD CONSTRAINT \(name) CHECK (pages > 0)",
          "CREATE FUNCTION public.\(name)() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
          "CREATE TRIGGER \(name) BEFORE UPDATE ON public.book EXECUTE FUNCTION public.\(name)()",
          at: url
        )
        try await expect(2, "verify")
        try await execute("ALTER FUNCTION public.\(name)() OWNER TO \(role)", at: url)
        for words in [["plan"], ["migrate"]] {
          let outcome = try await Tool.run(words + options)
          #expect(outcome.status == 7, "\(outcome)")
          #expect(outcome.error.contains("FORGED"), "\(outcome.error)")
          expectHarmless(outcome, words)
        }
        try await execute(
          """
          UPDATE remodel.history_event SET to_version = \(SQLLiteral.text(Self.hostile)), \
          error = \(SQLLiteral.text(Self.hostile)), \
          statements = \(SQLLiteral.text("SELECT 1 AS \"\(Self.hostile)\""));
          UPDATE remodel.store SET version_name = \(SQLLiteral.text(Self.hostile))
          """,
          at: url
        )
        try await expect(0, "history")
        try await expect(0, "history", "--sql")
        for words in [["status"], ["check"], ["plan"], ["verify"]] {
          expectHarmless(try await Tool.run(words + options), words)
        }
      }
    }
  }
}
