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

/// The facts that a plan of a real database shows to those who decide on it.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct DecisionTests {
  private static func books(_ attributes: String, _ rest: String = "") -> String {
    """
    remodel: 1
    entities:
      Book:
        key: { type: string, column: code, generated: none }
        attributes: { \(attributes) }
    """ + (rest.isEmpty ? "" : "\n    \(rest)")
  }

  private static let source = books("title: string, isbn: string?")

  /// A database at version 1 of two.
  private func withStore(
    _ destination: String,
    rows: SQLFragment,
    _ body: (_ call: [String], _ folder: String, _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Self.source, destination) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let first = try await Tool.run(["migrate", "--to", "1"] + call)
        #expect(first.status == 0, "\(first)")
        try await execute(rows, at: url)
        try await body(call, folder, url)
      }
    }
  }

  @Test
  func `rows in the way are counted, with keys that cannot do anything and a query for all`()
    async throws
  {
    // Keys with the separator, quotes, an escape sequence, a mark that turns text around, a line break.
    let keys = [
      "a, b", "it's", "\"", "\u{1B}]0;O\u{7}", "\u{202E}x", "one\nFORGED  line", "</code>",
    ]
    let values = keys.map { "(\(text: $0), 't', '1')" as SQLFragment }
    try await withStore(
      Self.books("title: string, isbn: string?", "unique: [[isbn]]"),
      rows: "INSERT INTO public.book (code, title, isbn) VALUES \(values.joined(separator: ", "))"
    ) { call, folder, url in
      let text = try await Tool.run(["plan"] + call)
      let markdown = try await Tool.run(["plan", "--format", "markdown"] + call)
      let file = "\(folder)/plan.json"
      let json = try await Tool.run(["plan", "--format", "json", "--output", file] + call)

      #expect(text.status == 9, "\(text)")
      #expect(
        text.output.contains("\nrows      7 rows in the way, counting every row that shares"),
        "\(text.output)"
      )
      #expect(!text.output.contains("\nFORGED"))
      for output in [text.output, markdown.output] {
        let odd = output.unicodeScalars.filter {
          $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
        }
        #expect(odd.isEmpty, "\(odd)")
        #expect(output.contains("'a, b'") || output.contains("'it''s'"), "\(output)")
      }

      let html = try await Tool.run(["plan", "--format", "html"] + call)
      #expect(html.output.contains("Would run for") && !html.output.contains(">Runs for"))
      #expect(html.output.contains("not only the surplus ones"))

      // A plan file is kept, so it has no values of rows.
      #expect(json.status == 9)
      let stored = try String(contentsOfFile: file, encoding: .utf8)
      for part in ["a, b", "it's", "FORGED"] { #expect(!stored.contains(part), "\(part)") }
      let report = try JSONDecoder().decode(JSONValue.self, from: Data(stored.utf8))
      #expect(try JSONSchema(named: "plan").complaints(about: report).isEmpty)
      let check = report["decision"]?["rowChecks"]?.list.first { $0["state"] == "violated" }
      #expect(check?["count"] == 7)
      #expect(check?["statements"]?.list.isEmpty == false)
      guard case .string(let query)? = check?["query"] else {
        Issue.record("no query: \(String(describing: check))")
        return
      }
      let found = try await rows(of: SQLFragment(deparsed: query), at: url).map { $0[0] ?? "" }
      #expect(Set(found) == Set(keys))
      #expect(report["decision"]?["next"]?["run"] == .null)
      #expect(report["decision"]?["severity"] == "stop")
    }
  }

  @Test
  func `a role that may not read rows has neither counts nor keys`() async throws {
    try await withStore(
      Self.books("title: string, isbn: string?", "unique: [[isbn]]"),
      rows:
        "INSERT INTO public.book (code, title, isbn) VALUES ('a secret key', 't', '1'), ('another', 't', '1')"
    ) { call, folder, url in
      try await withRole("deciding_role", at: url) { _, login in
        let call = ["plan", "--models", folder, "--database", login]

        let text = try await Tool.run(call)
        let json = try await Tool.run(call + ["--format", "json"])

        #expect(text.output.contains("not checked"), "\(text)")
        #expect(!text.output.contains("a secret key"), "\(text)")
        let checks = json["decision"]?["rowChecks"]?.list ?? []
        #expect(!checks.isEmpty)
        #expect(checks.allSatisfy { $0["state"] == "not-checked" && $0["count"] == .null })
      }
    }
  }

  @Test
  func `what is lost is counted, and the next call runs`() async throws {
    try await withStore(
      Self.books("title: string"),
      rows: """
        INSERT INTO public.book (code, title, isbn)
        VALUES ('1', 't', '1'), ('2', 't', NULL), ('3', 't', '3')
        """
    ) { call, folder, url in
      let file = "\(folder)/the plan.json"
      let options = ["--removals", "drop", "--lock-timeout", "300ms"]

      let text = try await Tool.run(["plan"] + options + call)
      let json = try await Tool.run(
        ["plan", "--format", "json", "--output", file] + options + call
      )

      #expect(text.status == 0, "\(text)")
      #expect(
        text.output.contains("\nlost      values of Book.isbn in 2 rows (statement 1)"),
        "\(text.output)"
      )
      #expect(
        text.output.contains(#"breaks    SELECT "isbn" FROM "book"  fails (statement 1)"#),
        "\(text.output)"
      )
      #expect(text.output.contains(" --database '"), "\(text.output)")
      #expect(
        text.output.contains("with --removals retain, the database keeps these values"),
        "\(text.output)"
      )
      #expect(json.status == 0, "\(json)")
      let report = try JSONDecoder().decode(
        JSONValue.self,
        from: Data(contentsOf: URL(fileURLWithPath: file))
      )
      #expect(try JSONSchema(named: "plan").complaints(about: report).isEmpty)
      let loss = report["decision"]?["losses"]?[0]
      #expect(loss?["rows"] == 2)
      #expect(loss?["isCounted"] == true)
      #expect(loss?["property"] == "isbn")
      #expect(report["decision"]?["wayBack"]?["revert"] == "restores-some")
      #expect(report["origin"]?["server"]?["port"] != nil)
      guard case .string(let command)? = report["decision"]?["next"]?["approve"] else {
        Issue.record("no call: \(report)")
        return
      }
      #expect(command.contains("--plan '\(file)'"), "\(command)")
      #expect(command.contains("--lock-timeout 300ms"), "\(command)")
      let done = try await shell(command, url)
      #expect(done.status == 0, "\(done)")
      let names = try await rows(
        of: "SELECT approved_by FROM remodel.history ORDER BY id DESC LIMIT 1",
        at: url
      )
      #expect(names == [["NAME"]])
    }
  }

  @Test
  func `an online copy tells what a stopped run leaves`() async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        let text = try await Tool.run(["plan", "--strategy", "online"] + call)

        #expect(text.output.contains("remodel job cancel --database '"), "\(text)")
        let words = "Until the switch at its end, the application uses the tables as they were"
        #expect(text.output.contains(words), "\(text)")
      }
    }
  }

  @Test
  func `a digest is required where no file is written, and revert leads back`() async throws {
    try await withStore(
      Self.books("title: string"),
      rows: "INSERT INTO public.book (code, title, isbn) VALUES ('1', 't', '1')"
    ) { call, _, url in
      let json = try await Tool.run(["plan", "--format", "json"] + call)
      guard case .string(let run)? = json["decision"]?["next"]?["run"],
        case .string(let revert)? = json["decision"]?["next"]?["revert"]
      else {
        Issue.record("no calls: \(json)")
        return
      }

      let migrated = try await shell(run, url)
      let reverted = try await shell(revert, url)

      #expect(run.contains("--require-digest"))
      #expect(migrated.status == 0, "\(run): \(migrated)")
      #expect(reverted.status == 0, "\(revert): \(reverted)")
      #expect(try await rows(of: "SELECT isbn FROM public.book", at: url) == [["1"]])
    }
  }

  /// Runs a call as a shell reads it.
  private func shell(_ command: String, _ url: String) async throws -> Tool.Outcome {
    try await Tool.run(
      shell: "\"$0\" \(command.dropFirst("remodel ".count))",
      environment: ["DATABASE_URL": "postgresql://nowhere/other"]
    )
  }

  @Test
  func `columns that are filled in place are said to be computed, and why they are filled`()
    async throws
  {
    let versions = [0, 1].map { (number: Int) -> String in
      """
      remodel: 1
      entities:
        Party: { abstract: true, attributes: { note: string?\(number == 0 ? "" : ", label: string") } }
        Person: { parent: Party, attributes: { first: string } }
        Company: { parent: Party, attributes: { title: string } }
      """
    }
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - { source: Person, destination: Person, attributes: { label: lowercase($source.first) } }
        - { source: Company, destination: Company, attributes: { label: uppercase($source.title) } }
      """
    try await withBundle(versions, mappings: ["1-2": mapping]) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let first = try await Tool.run(["migrate", "--to", "1"] + call)
        #expect(first.status == 0, "\(first)")
        try await execute(
          """
          INSERT INTO public.party (_entity, person_first) \
          SELECT 'Person', 'A' || n FROM generate_series(1, 200000) AS s (n)
          """,
          at: url
        )
        try await execute("ANALYZE public.party", at: url)
        let options = ["plan", "--max-block", "20ms"] + call

        let text = try await Tool.run(options)
        let page = try await Tool.run(options + ["--format", "html"])
        let json = try await Tool.run(options + ["--format", "json"])

        guard case .string(let reason)? = json["steps"]?[0]?["strategyReason"] else {
          Issue.record("no reason in \(json)")
          return
        }
        #expect(text.output.contains("chosen since \(reason)"), "\(text)")
        #expect(
          text.output.contains(
            "Party is filled in place: 200,000 rows, Person.label is computed from first, "
              + "Company.label is computed from title\n"
          ),
          "\(text)"
        )
        let shown = try MarkupTree(page.output)
        #expect(shown.text.contains("Chosen since \(reason)."))
        #expect(
          shown.elements(named: "h3").contains { $0.text.hasPrefix("Party is filled in place") }
        )
        #expect(shown.text.contains("Company.label is computed from title"))
      }
    }
  }
}

extension JSONValue {
  fileprivate subscript(key: String) -> JSONValue? {
    guard case .object(let values) = self else { return nil }
    return values[key]
  }

  fileprivate subscript(index: Int) -> JSONValue? {
    list.indices.contains(index) ? list[index] : nil
  }

  fileprivate var list: [JSONValue] {
    guard case .array(let values) = self else { return [] }
    return values
  }
}
