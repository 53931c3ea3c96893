import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// What a plan says of itself first: one answer, in all formats, and never "safe" where it is not.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct VerdictTests {
  /// A change of the model with rows that are there before.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let destination: String
    let rows: SQLFragment
    var options: [String] = []
    let answer: String
    /// The exit code of the migration.
    var status: Int32 = 0
  }

  private static let source = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string? }
    """

  private static func destination(_ attributes: String, unique: String = "") -> String {
    """
    remodel: 1
    entities:
      Book:
        attributes: { \(attributes) }\(unique.isEmpty ? "" : "\n    unique: [[\(unique)]]")
    """
  }

  private static let cases = [
    Case(
      testDescription: "a new attribute",
      destination: destination("title: string, pages: integer32?, isbn: string?, worn: boolean?"),
      rows: "INSERT INTO public.book (title) VALUES ('Emma')",
      answer: "safe"
    ),
    Case(
      testDescription: "rows in the way",
      destination: destination("title: string, pages: integer32?, isbn: string?", unique: "isbn"),
      rows: "INSERT INTO public.book (title, isbn) VALUES ('Emma', '1'), ('Persuasion', '1')",
      answer: "rows",
      status: 9
    ),
    Case(
      testDescription: "values that are dropped",
      destination: destination("title: string, pages: integer32?"),
      rows: "INSERT INTO public.book (title, isbn) VALUES ('Emma', '1')",
      options: ["--removals", "drop", "--allow", "deletes-data"],
      answer: "loss"
    ),
    Case(
      testDescription: "values that are retained",
      destination: destination("title: string, pages: integer32?"),
      rows: "INSERT INTO public.book (title, isbn) VALUES ('Emma', '1')",
      answer: "safe"
    ),
    Case(
      testDescription: "a long wait",
      destination: destination("title: string, pages: integer64?, isbn: string?"),
      rows: "UPDATE pg_class SET reltuples = 50000000 WHERE oid = 'public.book'::regclass",
      options: ["--max-block", "10m"],
      answer: "blocks"
    ),
    Case(
      testDescription: "a refusal",
      destination: destination("title: string, pages: integer32?"),
      rows: "INSERT INTO public.book (title) VALUES ('Emma')",
      options: ["--removals", "drop", "--deny", "deletes-data"],
      answer: "refused",
      status: 7
    ),
  ]

  @Test(arguments: RandomCases.one(in: 2, of: cases))
  func `all formats give the one answer, which is safe only where it is`(
    case sample: Case
  ) async throws {
    try await withBundle(Self.source, sample.destination) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let first = try await Tool.run(["migrate", "--to", "1"] + call)
        #expect(first.status == 0, "\(first)")
        try await execute(sample.rows, at: url)
        var outputs: [String: Tool.Outcome] = [:]
        for format in ["text", "markdown", "json", "html", "sql"] {
          outputs[format] = try await Tool.run(
            ["plan", "--format", format] + call + sample.options
          )
        }
        let before = try await rows(of: "SELECT * FROM public.book ORDER BY 1", at: url)
        let migration = try await Tool.run(["migrate"] + call + sample.options)

        let json = try #require(outputs["json"]?.json)
        guard case .object(let report) = json, case .object(let forecast)? = report["forecast"],
          case .string(let answer)? = forecast["verdict"]
        else {
          Issue.record("\(outputs)")
          return
        }
        #expect(answer == sample.answer)
        #expect(forecast["findings"] != .array([.string("safe")]) || answer == "safe")
        let line = outputs["text"]?.output.split(separator: "\n")
          .first { $0.hasPrefix("verdict") }
          .map { $0.dropFirst("verdict".count).drop(while: \.isWhitespace) }
        let text = String(try #require(line))
        #expect(outputs["markdown"]?.output.contains(text) ?? false)
        #expect(outputs["html"]?.output.contains("<p class=\"answer\">\(text)</p>") ?? false)
        // What is refused has no script.
        if let script = outputs["sql"], script.status == 0 || script.status == 9 {
          #expect(script.output.hasPrefix("-- verdict  \(text)\n"), "\(script)")
        }
        #expect(text.hasPrefix("safe") == (answer == "safe"))
        #expect(migration.status == sample.status, "\(migration)")
        let after = try await rows(of: "SELECT * FROM public.book ORDER BY 1", at: url)
        if migration.status != 0 { #expect(after == before) }
      }
    }
  }
}
