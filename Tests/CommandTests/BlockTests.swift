import Testing

@testable import RemodelCommands

@Suite
struct BlockTests {
  @Test
  func `rows are aligned with one another, whatever is below each`() {
    let blocks: [Block] = [
      .row("a", "1"), .nested(2, [.line("more")]), .row("long", "2"), .line("end"), .row("b", "3"),
    ]

    #expect(blocks.text(.plain) == "a     1\n  more\nlong  2\nend\nb  3")
  }

  @Test
  func `a report sets itself off, and no name in it does`() {
    let blocks: [Block] = [.title("a\u{1B}[1m", "\nb"), .sql("c\nd")]

    #expect(
      blocks.text(.coloured)
        == "\u{1B}[1ma⟨U+1B⟩[1m\u{1B}[0m⟨U+A⟩b\n\u{1B}[2mc\u{1B}[0m\n\u{1B}[2md\u{1B}[0m"
    )
    #expect(blocks.text(.plain) == "a⟨U+1B⟩[1m⟨U+A⟩b\nc\nd")
  }

  @Test
  func `a form of output is one declaration for every report`() throws {
    let lines = OutputFormat("lines") { report, _ in "\(report.blocks.lines(.plain).count) lines" }
    let report = MappingValidationReport(names: ["1-2", "2-3"], warnings: [])

    #expect(try lines.text(of: report, .plain) == "3 lines\n")
  }
}
