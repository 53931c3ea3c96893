import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.timeLimit(.minutes(30)))
struct MarkdownTests {
  @Test
  func `nothing in a name has a meaning`() {
    let name = "<b>@team #1 `x` | [a](http://b.c) *d* _e_ ~f~ $g$ \\ &amp;\n# h\u{202E}"

    let plain: MarkdownText = "\(plain: name)"
    let code: MarkdownText = "\(code: name)"

    for mark in [
      "<b", "@", "`", "|", "[", "]", "*", "_", "~", "$", "\\", "&amp;", "\n", "://", "\u{202E}",
    ] {
      #expect(!plain.text.contains(mark), "\(mark)")
      #expect(!code.text.dropFirst(6).dropLast(7).contains(mark), "\(mark)")
    }
    #expect(plain.text.replacing(/&#[0-9]+;/, with: "").contains("#") == false)
    #expect(code.text.hasPrefix("<code>") && code.text.hasSuffix("</code>"))
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
