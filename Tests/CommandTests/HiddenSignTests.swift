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

/// What is written for others, with signs before combining marks: they read code points.
@Suite
struct HiddenSignTests {
  @Test(arguments: HiddenSigns.texts("\"", "\\", "{", "}", ","))
  func `a label of a metric ends at its quote`(text: String) throws {
    var family = MetricFamily("remodel_x", .gauge, "Help: \(text)")
    family.add(1, [.init(name: "a", value: text)])

    let lines = family.text.unicodeScalars.split(separator: "\n")
    try #require(lines.count == 3)
    var rest = lines[2].dropFirst("remodel_x{a=\"".unicodeScalars.count)
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      guard scalar == "\\" else {
        value.append(scalar)
        continue
      }
      let next = rest.popFirst()
      let escaped = try #require(next)
      value.append(escaped == "n" ? "\n" : escaped)
    }
    #expect(Array(value) == Array(text.unicodeScalars))
    #expect(String(rest) == "} 1")
  }

  @Test(arguments: HiddenSigns.texts("`", "``", "|", " ", "<", "*", "\\"))
  func `code in Markdown ends at its backticks`(text: String) {
    let code: MarkdownText = "\(code: text)"
    let block = MarkdownText.block(text, language: "sql")

    let scalars = Array(code.text.unicodeScalars)
    #expect(!scalars.contains("\n") && !scalars.contains("\r") && !scalars.contains("|"))
    let ticks = scalars.prefix { $0 == "`" }.count
    if ticks == 0 {
      #expect(scalars.starts(with: "<code>".unicodeScalars))
      #expect(scalars.reversed().starts(with: "</code>".unicodeScalars.reversed()))
    } else {
      let runs = scalars.split(omittingEmptySubsequences: true) { $0 != "`" }.map(\.count)
      #expect(runs.count { $0 == ticks } == 2)
      #expect(scalars.reversed().prefix { $0 == "`" }.count == ticks)
    }
    let fence = block.text.unicodeScalars.prefix { $0 == "`" }.count
    let longest = text.unicodeScalars.split { $0 != "`" }.map(\.count).max() ?? 0
    #expect(fence > longest)
  }

  private static let commands = HiddenSigns.texts("##[", ":", "::", ",", "%", "::error::", "]")

  @Test(arguments: commands)
  func `a command to the runner has one message and its own properties`(text: String) {
    let command = WorkflowCommand(
      kind: .error,
      title: text,
      lines: [text, text],
      location: SourceLocation(path: "a/\(text).yaml", line: 3)
    )

    let written = command.text(in: Workspace(.process))

    let scalars = Array(written.unicodeScalars)
    #expect(!scalars.contains("\n") && !scalars.contains("\r"))
    #expect(!written.hasScalars("##["))
    let found = written.unicodeScalars.dropFirst(2).firstRange(of: "::".unicodeScalars)
    let head = found.map { String(written.unicodeScalars[..<$0.lowerBound]) } ?? ""
    #expect(head.unicodeScalars.count { $0 == "," } == 2)
    #expect(head.unicodeScalars.count { $0 == ":" } == 2)
  }

  @Test(arguments: commands)
  func `a text for people has no command for the runner`(text: String) {
    for text in [
      text, "a\n\(text)", "a\r\(text)", " \(text)", "::error::\(text)", "\r\n::a::\(text)",
    ] {
      let disarmed = WorkflowCommand.disarmed(text)

      #expect(!disarmed.hasScalars("##["))
      for line in disarmed.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" }) {
        let words = line.drop { $0.properties.isWhitespace }
        #expect(!words.starts(with: "::".unicodeScalars), "\(disarmed.debugDescription)")
      }
    }
  }

  @Test(arguments: HiddenSigns.texts("\"", "\\", "/", "\n", "\0"))
  func `JSON reads back`(text: String) throws {
    let value: JSONValue = .object([text: .string(text)])
    for json in [value.text, value.line] {
      let read = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
      let entry = try #require(read.first)
      #expect(Array(entry.key.unicodeScalars) == Array(text.unicodeScalars))
      #expect(Array(entry.value.unicodeScalars) == Array(text.unicodeScalars))
    }
  }

  @Test(arguments: HiddenSigns.texts("\"", "\\", "'", "-", "."))
  func `an argument of a manual page stays in its quotes`(text: String) {
    // The help is in lines, and has no line within one.
    guard !text.hasScalars("\n") else { return }
    var page = Roff()
    page.macro("SH", text)
    page.paragraph(text)

    let first = page.text.unicodeScalars.prefix { $0 != "\n" }
    #expect(first.count { $0 == "\"" } == 2)
    let rest = page.text.unicodeScalars.dropFirst(first.count + 1)
    #expect(rest.first != "." && rest.first != "'")
  }

  @Test(arguments: ["p", "\u{301}p", "\u{200D}p", "p@\u{301}", "p:\u{301}"])
  func `an error has no password, whatever it begins with`(password: String) {
    let error = Diagnostic("no file postgresql://u:\(password)hunter2@h/d")

    #expect(error.withoutPasswords.message.hasSuffix("h/d"))
    #expect(!error.withoutPasswords.message.hasScalars("hunter2"))
  }
}
