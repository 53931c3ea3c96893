import RemodelKit
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(30)))
struct GitHubFormatTests {
  private static let library = """
    remodel: 1
    entities:
      Book:
        attributes:
          title: string
          pages: integer32?
          isbn: string?
      Author:
        attributes:
          name: string
    """

  private static let shorter = """
    remodel: 1
    entities:
      Book:
        attributes:
          title: string
          pages: integer32
    """

  private struct Run {
    let outcome: Tool.Outcome
    let commands: [WorkflowRunner.Command]
    let summary: String

    /// The places of the commands with a title.
    func places(_ title: String) -> [String] {
      commands.filter { $0.properties["title"] == title }
        .map { "\($0.name) \($0.properties["file"] ?? "-"):\($0.properties["line"] ?? "-")" }
    }

    /// The message of the first command with a title.
    func message(_ title: String) -> String {
      commands.first { $0.properties["title"] == title }?.message ?? ""
    }
  }

  /// Plans as a step of a workflow does, in the folder of a repository.
  private func plan(
    _ arguments: [String] = [],
    in folder: String,
    environment: [String: String] = [:],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let variables = [
      "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": folder, "REMODEL_MODELS": "Library.remodel",
      "GITHUB_STEP_SUMMARY": "\(folder)/summary.md",
    ]
    let outcome = try await Tool.run(
      ["plan", "--format", "github"] + arguments,
      environment: variables.merging(environment) { $1 },
      in: folder
    )
    let commands = WorkflowRunner.commands(in: outcome.output)
    #expect(
      commands.count == outcome.output.count(where: \.isNewline),
      "\(outcome)",
      sourceLocation: sourceLocation
    )
    #expect(WorkflowRunner.commands(in: outcome.error) == [], sourceLocation: sourceLocation)
    let summary = FileManager.default.contents(atPath: "\(folder)/summary.md")
    return Run(
      outcome: outcome,
      commands: commands,
      summary: summary.map { String(decoding: $0, as: UTF8.self) } ?? ""
    )
  }

  @Test
  func `what a plan does is told at the lines that cause it`() async throws {
    try await withBundle(Self.library, Self.shorter) { folder in
      let run = try await plan(["--from", "1", "--removals", "drop"], in: folder)

      #expect(run.outcome.status == 0, "\(run.outcome)")
      #expect(run.outcome.error == "")
      let losses = run.places("Values are lost for good")
      #expect(losses.contains("warning Library.remodel/2.yaml:3"), "\(run.outcome.output)")
      #expect(losses.contains("warning Library.remodel/2.yaml:1"), "\(run.outcome.output)")
      #expect(run.outcome.output.contains("In the version before: Library.remodel/1.yaml:7"))
      #expect(run.outcome.output.contains("In the version before: Library.remodel/1.yaml:8"))
      #expect(run.places("Row check") == ["notice Library.remodel/2.yaml:6"])
      #expect(run.places("Migration plan") == ["notice Library.remodel/2.yaml:1"])
      #expect(run.summary.hasPrefix("### Migration of schema"))
      let markdown = try await Tool.run(
        "plan",
        "--from",
        "1",
        "--removals",
        "drop",
        "--models",
        "Library.remodel",
        "--format",
        "markdown",
        in: folder
      )
      #expect(run.summary == markdown.output + "\n")
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `what is lost is told as the plan tells it`() async throws {
    try await withBundle(Self.library, Self.shorter) { folder in
      try await TestServer.withDatabase { url in
        try await expect(0, ["migrate", "--to", "1", "--models", folder, "--database", url])
        try await execute(
          "INSERT INTO public.book (title, pages, isbn) VALUES ('a', 1, 'x'), ('b', 2, NULL)",
          "INSERT INTO public.author (name) VALUES ('c')",
          "ANALYZE",
          at: url
        )
        let environment = ["REMODEL_DATABASE_URL": url]
        let run = try await plan(["--removals", "drop"], in: folder, environment: environment)

        let losses = run.commands.filter { $0.properties["title"] == "Values are lost for good" }
          .map(\.message)
        // Other words would count the rows of the whole table.
        #expect(losses.contains { $0.contains("values of Book.isbn in 1 row") }, "\(losses)")
        #expect(losses.contains { $0.contains("rows of Author: 1 row") }, "\(losses)")
        #expect(!run.outcome.output.contains("up to 2 rows"), "\(run.outcome.output)")
      }
    }
  }

  @Test
  func `the Markdown is for a comment, too`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let run = try await plan(["--from", "1", "--output", "plan.md"], in: folder)
      let again = try await plan(["--from", "1"], in: folder)

      let file = FileManager.default.contents(atPath: "\(folder)/plan.md") ?? Data()
      #expect(run.summary == String(decoding: file, as: UTF8.self) + "\n")
      // Each step of a workflow appends.
      #expect(again.summary == run.summary + run.summary)
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `rows and refusals are errors at their lines`() async throws {
    try await withBundle(Self.library, Self.shorter) { folder in
      try await TestServer.withDatabase { url in
        let database = ["REMODEL_DATABASE_URL": url]
        try await expect(0, ["migrate", "--to", "1", "--models", folder, "--database", url])
        try await execute("INSERT INTO public.book (title) VALUES ('a'), ('b')", at: url)

        let rows = try await plan(in: folder, environment: database)
        let refused = try await plan(
          ["--removals", "drop", "--deny", "deletes-data"],
          in: folder,
          environment: database
        )

        #expect(rows.outcome.status == 9, "\(rows.outcome)")
        #expect(rows.places("The rows do not allow it") == ["error Library.remodel/2.yaml:6"])
        #expect(rows.message("The rows do not allow it").contains("2 rows in the way"))
        #expect(refused.outcome.status == 7, "\(refused.outcome)")
        #expect(refused.commands.first?.name == "error")
        #expect(refused.places("Refused") == ["error Library.remodel/2.yaml:1"])
        #expect(
          refused.message("Values are lost for good").contains("values of Book.isbn in 0 rows")
        )
      }
    }
  }

  @Test
  func `a file of Xcode's has lines, too`() async throws {
    try await withBundle(Self.library, Self.shorter) { folder in
      let call = ["model", "convert", "Out/Library.xcdatamodeld", "--models", "Library.remodel"]
      let converted = try await Tool.run(call, in: folder)
      #expect(converted.status == 0, "\(converted)")
      let path = "Out/Library.xcdatamodeld/2.xcdatamodel/contents"
      let text = String(
        decoding: FileManager.default.contents(atPath: "\(folder)/\(path)") ?? Data(),
        as: UTF8.self
      )
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let pages = try #require(lines.firstIndex { $0.contains("name=\"pages\"") }) + 1

      let run = try await plan(["--from", "1", "--models", "Out"], in: folder)

      #expect(run.places("Row check") == ["notice \(path):\(pages)"], "\(run.outcome)")
    }
  }

  @Test
  func `faults of files and of calls are annotations`() async throws {
    let faulty = Self.shorter.replacing("integer32", with: "integer33")
    try await withBundle(Self.library, faulty) { folder in
      let run = try await plan(["--from", "1"], in: folder)
      let call = try await plan(["--from", "7"], in: folder)
      let database = try await plan(in: folder)

      #expect(run.outcome.status == 65)
      #expect(run.places("The file is not valid") == ["error Library.remodel/2.yaml:6"])
      #expect(run.outcome.error == "")
      #expect(call.outcome.status == 64)
      #expect(call.places("The call is faulty") == ["error -:-"], "\(call.outcome)")
      #expect(database.places("The call is faulty") == ["error -:-"], "\(database.outcome)")
    }
  }

  @Test
  func `no more are told than the runner shows`() async throws {
    let entities = (1...30).map { "  E\($0):\n    attributes: { a: string, b: string? }\n" }
      .joined()
    let fewer = entities.replacing(", b: string?", with: "")
    try await withBundle("remodel: 1\nentities:\n" + entities, "remodel: 1\nentities:\n" + fewer) {
      folder in
      let run = try await plan(["--from", "1", "--removals", "drop"], in: folder)

      let warnings = run.commands.filter { $0.name == "warning" }
      #expect(warnings.count == 10)
      #expect(
        warnings.prefix(9).allSatisfy { $0.properties["title"] == "Values are lost for good" }
      )
      // Each lost attribute breaks the previous release, too.
      #expect(warnings.last?.properties["title"] == "51 more", "\(run.outcome.output)")
    }
  }

  // MARK: - Hostile names

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `no name is a command`() async throws {
    let hostile =
      "::add-mask::x ##[set-output name=a]b %0A::stop-commands::y, file=z:1 ]]> <script>"
    func version(_ attributes: String) -> String {
      "remodel: 1\nentities:\n  \"\(hostile)\":\n    table: victim\n"
        + "    attributes: { \(attributes) }\n"
    }
    let (first, second) = (
      version("a: string?, \"\(hostile)\": string?, \"::error::b\": integer32?"),
      version("a: string, \"::error::b\": integer64?")
    )
    try await withBundle(first, second) { folder in
      try await TestServer.withDatabase { url in
        try await expect(0, ["migrate", "--to", "1", "--models", folder, "--database", url])
        let view = SQLIdentifier("v\r::add-mask::q\n  ::set-output name=a::b\u{202E}##[add-path]/x")
        try await execute(
          "CREATE VIEW public.\(view) AS SELECT a AS \(view) FROM public.victim",
          "INSERT INTO public.victim DEFAULT VALUES",
          at: url
        )
        let database = ["REMODEL_DATABASE_URL": url]

        for words in [
          [], ["--removals", "drop"], ["--removals", "drop", "--deny", "deletes-data"],
        ] {
          let run = try await plan(words, in: folder, environment: database)

          #expect([7, 9].contains(run.outcome.status), "\(run.outcome)")
          let names = Set(run.commands.map(\.name))
          #expect(names.isSubset(of: ["error", "warning", "notice"]), "\(run.outcome.output)")
          let files = Set(run.commands.compactMap { $0.properties["file"] })
          #expect(files == ["Library.remodel/2.yaml"], "\(run.outcome.output)")
          #expect(run.commands.allSatisfy { !$0.message.contains("\u{202E}") })
        }
        try await expectNoCommands(database, in: folder)
      }
    }
  }

  /// Expects that no other output has a command, that programs read what they would read elsewhere, and
  /// that a file has every text.
  private func expectNoCommands(_ database: [String: String], in folder: String) async throws {
    let own = database.merging(["REMODEL_MODELS": "\(folder)/Library.remodel"]) { $1 }
    let ofWorkflow = own.merging(["GITHUB_ACTIONS": "true"]) { $1 }
    for words in [
      ["plan"], ["plan", "--format", "json"], ["plan", "--format", "markdown"], ["status"],
      ["status", "--drift", "--format", "json"], ["verify"], ["history"], ["model", "show"],
      ["plan", "--format", "sql"], ["plan", "--format", "html"],
      ["model", "diagram", "--format", "dot"],
    ] {
      let outcome = try await Tool.run(words, environment: ofWorkflow)
      let same = try await Tool.run(words, environment: own)

      #expect(WorkflowRunner.commands(in: outcome.output) == [], "\(words): \(outcome)")
      #expect(WorkflowRunner.commands(in: outcome.error) == [], "\(words): \(outcome)")
      if words.contains("sql") || words.contains("dot") {
        // To the letter, or not at all.
        let isWhole = outcome.output == same.output && outcome.status == same.status
        let isNothing = outcome.output == "" && outcome.status == 1
        #expect(isWhole || isNothing, "\(words): \(outcome)")
        let path = "\(folder)/redirected"
        let command = "\"$0\" \(words.joined(separator: " ")) >'\(path)'"
        _ = try await Tool.run(shell: command, environment: ofWorkflow)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == same.output)
      } else if !words.contains("html") {
        #expect(outcome.status == same.status)
      }
    }
  }

  private static let marks = [
    "::", ":", ",", "=", "%", "%0A", "%250A", "\n", "\r", "##[", "##[error]", "]", ";", " ", "\t",
    "::error::", "::stop-commands::a", "\u{202E}", "\u{2028}", "file=x", "é", "日本", "a", "\0",
  ]

  @Test
  func `a command has the texts that it was given`() {
    var random = SeededGenerator(seed: 11)
    let workspace = Workspace(roots: ["/w"], workingDirectory: "/w")
    for length in Array(repeating: 1...6, count: 300).joined() {
      func text() -> String {
        (0..<length).map { _ in Self.marks.randomElement(using: &random) ?? "" }.joined()
      }
      let (title, message, path) = (text(), text(), "m" + text().replacing("/", with: ""))
      let command = WorkflowCommand(
        kind: .error,
        title: title,
        lines: [message],
        location: SourceLocation(path: path, line: 3)
      )

      let found = WorkflowRunner.commands(in: command.text(in: workspace))

      #expect(found.count == 1, "\(command)")
      #expect(found.first?.properties["line"] == "3")
      #expect(
        found.first?.properties["file"] == path.replacing("##[", with: "## ["),
        "\(command)"
      )
      #expect(found.first?.message == message.shownInLine.replacing("##[", with: "## ["))
      let disarmed = WorkflowCommand.disarmed(title + "\n" + message)
      #expect(WorkflowRunner.commands(in: disarmed) == [], "\(disarmed.debugDescription)")
    }
  }

  @Test(arguments: [
    ("a/b.yaml", "sub/a/b.yaml"), ("./a.yaml", "sub/a.yaml"), ("../a.yaml", "a.yaml"),
    ("/repo/x/../a.yaml", "a.yaml"), ("/repository/a.yaml", "/repository/a.yaml"),
    ("../../a.yaml", "/a.yaml"),
  ])
  func `paths are those of the repository`(path: String, expected: String) {
    let workspace = Workspace(roots: ["/repo/"], workingDirectory: "/repo/sub")

    #expect(workspace.relativePath(of: path) == expected)
  }

  @Test
  func `a summary is no longer than one can be`() {
    let long =
      "### Plan\n\n| a |\n\n<details>" + String(repeating: "x", count: 200) + "</details>\n"

    #expect(WorkflowRun.summary(of: long, limit: 1000) == long + "\n")
    #expect(
      WorkflowRun.summary(of: long, limit: 100).hasPrefix("### Plan\n\n| a |\n\nThe statements")
    )
  }
}
