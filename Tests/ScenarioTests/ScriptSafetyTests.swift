import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What `psql` must not take for a command or a variable of its own.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ScriptSafetyTests {
  /// Expressions that hold a command where a reader who knows less than psql sees a string or a comment,
  /// or the other way round.
  private static let attacks: [String] = [
    "1 \\! touch CANARY\n", "1 -- x\r\\! touch CANARY\n", "'a' \\! touch CANARY\n",
    "'\\' \\! touch CANARY\n", "'\\'' \\! touch CANARY\n'", "E'\\' \\! touch CANARY\n'",
    "E'a'\n'\\' \\! touch CANARY\n'", "e'a' -- b\n '\\' \\! touch CANARY\n --'",
    "E'a' '\\' \\! touch CANARY\n'", "fe'a\\' \\! touch CANARY\n --'",
    "$a$ $b$ \\! touch CANARY\n$a$",
    "$a$ $a$ \\! touch CANARY\n$a$", "$1$ \\! touch CANARY\n$1$", "a$b$ \\! touch CANARY\n$b$",
    "/* /* */ \\! touch CANARY\n*/ 1", "/* */ \\! touch CANARY\n", "/*/ \\! touch CANARY\n*/ 1",
    "/* unended", "'unended", "\"unended", "$a$ unended", "E'unended\\'", "1 -- unended",
    "\"\\\" \\! touch CANARY\n", "\"a\"\"\\\" \\! touch CANARY\n\"", "U&'\\' \\! touch CANARY\n'",
    "U&\"\\\" \\! touch CANARY\n\"", "b'\\' \\! touch CANARY\n'",
    "1\u{B}'\n'\\' \\! touch CANARY\n'",
    "1; COPY pg_class FROM STDIN;\n\\! touch CANARY\n", "1 \\; SELECT 1", "1 \\gexec\n",
    "1\u{85}\\! touch CANARY\n", "1\u{2028}\\! touch CANARY\n", "':' || ':DBNAME'",
    "(ARRAY[1])[1:HOST]",
    "'a' :'DBNAME'", "'x'::text || :\"USER\"", "'\n\\.\n\\! touch CANARY\n'",
    "$$\n\\.\n\\! touch CANARY\n$$",
    "1 /* \\! touch CANARY */", "1 -- \\! touch CANARY\n", "'\\! touch CANARY'",
    "'a'\n\\! touch CANARY\n'b'",
  ]

  private static let views: SQLFragment = """
    SELECT pg_get_viewdef(oid) FROM pg_class WHERE relkind = 'v' \
    AND relnamespace = 'public'::regnamespace
    """

  @Test(arguments: attacks)
  func `psql runs no command out of what is written`(attack: String) async throws {
    let canary = "/tmp/remodel-script-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: canary) }
    let sql = ReadableSQL("SELECT (\(attack.replacing("CANARY", with: canary)))")
    guard sql.fault == nil else { return }
    // What psql still looks for at the end of the statement would be in the next one.
    let script = """
      \\set 1 '; \\\\! touch \(canary)'
      \(sql.text)\(sql.endsInComment ? "\n" : "");
      SELECT '\n\\! touch \(canary)\n';

      """
    try await TestServer.withDatabase { url in
      let outcome = try await Psql.run(script, url)

      #expect(!FileManager.default.fileExists(atPath: canary), "\(outcome.errors)")
    }
  }

  @Test
  func `commands are faults, and what only looks like one is not`() {
    let isFaulty = Self.attacks.map { ReadableSQL("SELECT (\($0))").fault != nil }

    #expect(isFaulty.contains(true) && isFaulty.contains(false))
    #expect(ReadableSQL("1 \\! x").fault == .stray("\\"))
    #expect(ReadableSQL("'a' 'b").fault == .unterminated)
    #expect(ReadableSQL("1; copy t from stdin").fault == .copy)
    for harmless in ["'\\! x'", "E'\\'\\! x'", "$$ \\! $$", "/* \\! */ 1", "\"\\!\"", "a::text"] {
      #expect(ReadableSQL(harmless).fault == nil, "\(harmless)")
      #expect(ReadableSQL(harmless).text == harmless)
    }
    #expect(ReadableSQL("a[1:b]::text").text == "a[1: b]::text")
    #expect(ReadableSQL("1 -- a").endsInComment)
    #expect(!ReadableSQL("1 -- a\n").endsInComment)
  }

  @Test
  func `what hides or turns text has an escape that means the same`() async throws {
    let invisible = "\u{200B}\u{3164}\u{2800}\u{FE0F}\u{E0041}"
    let odd = "a\u{1B}]0;x\u{7}\u{9B}1m\u{202E}\u{2028}\(invisible)\r'\"\\ 🐘"
    let name = SQLIdentifier(odd.replacing("\u{E0041}", with: ""))
    let statement: SQLFragment = """
      SELECT \(SQLLiteral.text(odd)) AS \(name), \
      \(("\(SQLLiteral.text("DO ' \\"))" as SQLFragment).dollarQuoted) AS body
      """
    let raw = statement.text + ", E'\\t\u{202E}\\\u{202E}', $x$'\\\u{202E}$x$"
    let sql = ReadableSQL(raw)

    #expect(sql.fault == nil)
    #expect(!sql.text.unicodeScalars.contains { $0.properties.generalCategory == .format })
    #expect(!sql.text.unicodeScalars.contains { [0x3164, 0x2800, 0xFE0F].contains($0.value) })
    #expect(!sql.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let expected = try connection.query(SQLFragment(written: raw))
      let found = try connection.query(SQLFragment(written: sql.text))
      #expect(found.rows == expected.rows)
      #expect(found.first?[name.name] != nil)
      // In sessions with other settings, too.
      try connection.execute("SET standard_conforming_strings = off")
      #expect(ReadableSQL(SQLLiteral.text("\u{202E}").quoted).text == "E'\\u202E'")
    }
  }

  @Test(arguments: [
    "'a\nb'", "'\\\n\tb'", "E'a\\\nb'", "E'a\\\\\nb\\'c'", "'a\n'\n'b'", "E'a\n' -- c\n'b'",
    "N'a\nb'",
    "U&'a\nb'",
  ])
  func `a string over several lines stands in one`(literal: String) async throws {
    let sql = ReadableSQL("SELECT \(literal)")

    #expect(sql.fault == nil)
    let hasPrefix = literal.hasPrefix("N") || literal.hasPrefix("U")
    #expect(sql.text.contains("\n") == hasPrefix, "\(sql.text)")
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let expected = try connection.query(SQLFragment(written: "SELECT \(literal)")).value
      #expect(expected?.contains("\n") == true)
      #expect(try connection.query(SQLFragment(written: sql.text)).value == expected)
      #expect(try await Psql.run("\(sql.text);\n", url).isSuccess)
    }
  }

  @Test
  func `a body that the server has quoted stands in one line, and one of ours does not`() {
    let body = "\nBEGIN\n  RETURN '\\';\nEND\n"
    let line = #"E'\nBEGIN\n  RETURN ''\\'';\nEND\n'"#
    #expect(ReadableSQL("AS $functionx$\(body)$functionx$").text == "AS \(line)")
    #expect(ReadableSQL("AS $procedure$\(body)$procedure$").text == "AS \(line)")
    #expect(ReadableSQL("AS $remodel$\(body)$remodel$").text == "AS $remodel$\(body)$remodel$")
  }

  @Test
  func `a view of others cannot show another script, and its script runs`() async throws {
    let models = ["integer32", "integer64"].map {
      "remodel: 1\nentities:\n  Book:\n    attributes: { title: string, pages: \"\($0)?\" }\n"
    }
    let canary = "/tmp/remodel-view-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: canary) }
    try await withBundle(models) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        let name = SQLIdentifier(
          "v\u{1B}]0;OWNED\u{7}\u{202E}\n\\! touch \(canary)\n\u{2028}\u{9B}31m"
        )
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          CREATE VIEW public.\(name) AS
            SELECT pages, \(SQLLiteral.text("\u{202E}\\\n\\! touch \(canary)\n")) AS \(name)
            FROM public.book;
          COMMENT ON VIEW public.\(name) IS \(SQLLiteral.text("\u{9B}\n\\! touch \(canary)\n"))
          """
        )
        let before = try connection.query(Self.views).rows

        let script = try await remodel.plan(.url(url)).script

        for scalar in script.unicodeScalars where scalar != "\n" {
          #expect(
            ![.control, .format, .lineSeparator, .paragraphSeparator]
              .contains(scalar.properties.generalCategory)
          )
        }
        #expect(!script.split(separator: "\n").contains { $0.hasPrefix("\\! touch") })
        let outcome = try await Psql.run(script, url)
        #expect(outcome.isSuccess, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: canary))
        let after = try connection.query(Self.views).rows
        #expect(after == before)
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
      }
    }
  }
}
