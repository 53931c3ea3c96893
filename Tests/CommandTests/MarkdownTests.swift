import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.timeLimit(.minutes(30)))
struct MarkdownTests {
  /// What begins or ends something in GitHub's Markdown, and what stands beside it.
  private static let marks =
    [
      "<b>", "</code>", "<!--", "-->", "@team", "a@b.c", "#1", "GH#2", "`", "``", "|", "[a](b)",
      "![", "]",
    ]
    + [
      "*", "**", "_", "__", "a_b", "~~", "$", "\\", "&amp;", "&#35;", "&", "\n", "\r\n# h",
      "\u{202E}",
    ]
    + [
      "http://b.c", "www.b.c", "WWW.", "mailto:a@b.c", ":tada:", "- ", "+ ", "> ", "1. ", "2) ",
      "===",
    ]
    + ["---", "- [ ] ", "    ", "\t", "a", "0.2 s", "\"book\"", "->", "é", "日本", "x", " "]

  @Test
  func `nothing in a name has a meaning`() throws {
    var random = SeededGenerator(seed: 7)
    for length in Array(repeating: 1...6, count: 400).joined() {
      let name = (0..<length).map { _ in Self.marks.randomElement(using: &random) ?? "" }.joined()

      let plain: MarkdownText = "\(plain: name)"
      let code: MarkdownText = "\(code: name)"

      for text in [plain.text, code.text] { #expect(!text.contains { $0.isNewline }) }
      #expect(unescaped(plain.text) == shown(name), "\(name.debugDescription): \(plain.text)")
      #expect(try faults(of: plain.text) == [], "\(name.debugDescription): \(plain.text)")
      if code.text.hasPrefix("<code>") {
        let inner = String(code.text.dropFirst(6).dropLast(7))
        #expect(try faults(of: inner) == [])
        #expect(unescaped(inner) == shown(name))
      } else {
        #expect(contents(ofSpan: code.text) == shown(name), "\(code.text)")
        #expect(!code.text.contains("|"))
      }
    }
  }

  @Test(arguments: [
    "0.2 s", "column \"a_b\" of table \"book\"", "not known: the size (of a table) is not known",
    "1 blocks-reads, 1 scans-table", "version \"1\" -> version \"2\"", "numeric(12,2)", "a & b",
    "50 %",
  ])
  func `a text without marks is written as it is`(text: String) {
    let plain: MarkdownText = "\(plain: text)"
    let code: MarkdownText = "\(code: text)"

    #expect(plain.text == text)
    #expect(code.text == "`\(text)`")
  }

  /// Returns what of a text would not be read as letters.
  private func faults(of text: String) throws -> [String] {
    let rest = text.replacing("<!-- -->", with: "\u{1}").replacing(
      /&(#[0-9]+|lt|amp);/,
      with: "\u{1}"
    )
    let patterns = [
      #"[\\`*\[|~$<]"#, #"@(?!\x{01})"#, #"#(?=[\p{L}0-9])"#, "://", #"(?i)www\."#, ":(?=[^ ])",
      "^[-+>=#]", "^[0-9]+[.)]( |$)", #"&(?=[\p{L}0-9#])"#, #"(^|[^\p{L}0-9])_"#,
      #"_([^\p{L}0-9]|$)"#,
    ]
    return try patterns.compactMap { pattern in
      rest.firstRange(of: try Regex(pattern)).map { String(rest[$0]) }
    }
  }

  private func unescaped(_ text: String) -> String {
    text.replacing("<!-- -->", with: "").replacing("&lt;", with: "<")
      .replacing(/&#([0-9]+);/) { match in
        UInt32(match.output.1).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
      }
      .replacing("&amp;", with: "&")
  }

  /// Returns the name as it is shown: in one line, without characters that cannot be seen.
  private func shown(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { "\n\r\t\u{202E}".unicodeScalars.contains($0) ? " " : $0 }
      )
    )
  }

  /// Returns what a span of code shows, by the rules of CommonMark.
  private func contents(ofSpan text: String) -> String? {
    let ticks = text.prefix { $0 == "`" }
    let inner = text.dropFirst(ticks.count).dropLast(ticks.count)
    let runs = inner.split { $0 != "`" }
    guard text.hasSuffix(ticks), inner.first != "`", inner.last != "`",
      !runs.contains(where: { $0.count == ticks.count })
    else { return nil }
    let isPadded = inner.hasPrefix(" ") && inner.hasSuffix(" ") && inner.contains { $0 != " " }
    return String(isPadded ? inner.dropFirst().dropLast() : inner)
  }

  @Test
  func `code cannot leave its block`() {
    let block = MarkdownText.block("SELECT 1\n````\n<script>", language: "sql")

    #expect(block.text == "`````sql\nSELECT 1\n````\n<script>\n`````")
  }

  @Test
  func `a plan reads as Markdown`() async throws {
    try await withBundle(Version.first, Version.requiredPages) { folder in
      let outcome = try await Tool.run(
        "plan",
        "--from",
        "1",
        "--models",
        folder,
        "--format",
        "markdown"
      )

      #expect(outcome.status == 0)
      expectGolden(outcome.output, named: "plan.md")
    }
  }

  @Test
  func `names of tables do not leave their place`() async throws {
    let second = """
      remodel: 1
      entities:
        Book:
          attributes: { title: string, pages: integer32? }
        Author:
          table: "```</code></details><img src=x onerror=y>|@all"
          attributes: { name: string }
      """
    try await withBundle(Version.first, second) { folder in
      let outcome = try await Tool.run(
        "plan",
        "--from",
        "1",
        "--models",
        folder,
        "--format",
        "markdown"
      )

      #expect(outcome.status == 0, "\(outcome)")
      // It occurs only in blocks of code, whose fences are longer than its own.
      var fence: Substring?
      for line in outcome.output.split(separator: "\n") {
        if let open = fence {
          if line == open { fence = nil }
        } else if line.hasPrefix("```") {
          fence = line.prefix { $0 == "`" }
          #expect(line.drop { $0 == "`" } == "sql" || line.drop { $0 == "`" } == "mermaid")
        } else {
          #expect(!line.contains("<img") && !line.contains("@all"), "\(line)")
        }
      }
      #expect(fence == nil)
    }
  }
}
