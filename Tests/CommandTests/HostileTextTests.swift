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

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `nothing in a name of others reaches the terminal`() async throws {
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        let name = SQLIdentifier(
          "v\u{1B}]0;OWNED\u{7}\u{202E}\u{2028}\u{9B}31m\nsafe at any time\n\u{7F}"
        )
        try await execute(
          "CREATE VIEW public.\(name) AS SELECT pages AS \(name) FROM public.book",
          at: url
        )

        for words in [
          ["plan"], ["plan", "--format", "markdown"], ["plan", "--format", "sql"],
          ["plan", "--format", "json"], ["plan", "--format", "html"], ["status"], ["verify"],
          ["migrate", "--log-level", "debug", "--debug-sql"],
        ] {
          let outcome = try await Tool.run(words + options)

          for text in [outcome.output, outcome.error] {
            let odd = text.unicodeScalars.filter { scalar in
              let category = scalar.properties.generalCategory
              return scalar != "\n"
                && [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
            }
            #expect(odd.isEmpty, "\(words): \(odd.map(\.value))")
            #expect(
              !text.split(separator: "\n").contains { $0.hasPrefix("safe at any time\\n") },
              "\(words)"
            )
          }
        }
      }
    }
  }
}
