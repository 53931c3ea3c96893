import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(30)))
struct PlanPageTests {
  /// Returns the page of a plan between the first two of some versions.
  static func page(_ versions: String..., options: [String] = []) async throws -> String {
    try await withBundle(versions) { bundle in
      let outcome = try await Tool.run(
        ["plan", "--from", "1", "--models", bundle, "--format", "html"] + options
      )
      #expect(outcome.status == 0, "\(outcome.error)")
      return outcome.output
    }
  }

  @Test
  func `a page says what happens, in a form that any reader takes`() async throws {
    let text = try await Self.page(Version.first, Version.withAuthor)

    expectGolden(text, named: "plan.html")
    let page = try MarkupTree(text)
    #expect(page.attributes["lang"] == "en")
    #expect(page.elements(named: "h1").map(\.text) == ["version \"1\" → version \"2\""])
    #expect(
      page.elements(ofClass: "answer").map(\.text) == [
        "safe at any time: blocks nobody for more than about 1 s"
      ]
    )
    #expect(page.elements(named: "main").count == 1)
    #expect(page.elements(named: "svg").count == 2)
  }

  @Test
  func `a page asks for nothing and runs nothing`() async throws {
    let page = try MarkupTree(try await Self.page(Version.first, Version.withAuthor))

    for element in page.all {
      #expect(element.name != "script")
      for (name, value) in element.attributes {
        #expect(!name.hasPrefix("on"))
        guard name == "href" || name == "src" else { continue }
        #expect(value.hasPrefix("#") || value == "data:,")
      }
    }
    let policy = page.elements(named: "meta")
      .first { $0.attributes["http-equiv"] == "Content-Security-Policy" }?.attributes["content"]
    #expect(policy?.hasPrefix("default-src 'none'; style-src 'unsafe-inline'; ") == true)
    let style = page.elements(named: "style").map(\.text).joined()
    #expect(!style.contains("url(") && !style.contains("@import"))
  }

  @Test
  func `names do nothing but stand there`() async throws {
    let hostile = ["<script>alert(1)</script>", "\" onload=\"alert(1)", "</style><b>", "]]>&amp;'"]
    func version(_ more: String) -> String {
      """
      remodel: 1
      entities:
        "<script>alert(1)</script>":
          attributes: { "\\" onload=\\"alert(1)": string, "</style><b>": "integer32?"\(more) }
      """
    }

    let text = try await Self.page(version(""), version(", \"]]>&amp;'\": string?"))

    let page = try MarkupTree(text)
    #expect(page.elements(named: "script").isEmpty)
    #expect(page.elements(named: "style").count == 1)
    #expect(page.all.allSatisfy { !$0.attributes.keys.contains("onload") })
    for name in hostile {
      #expect(page.elements(named: "svg").contains { $0.text.contains(name) }, "\(name)")
    }
    #expect(page.elements(named: "code").contains { $0.text.contains("]]>&amp;'") })
    #expect(!text.contains("<script"))
  }

  @Test
  func `identifiers of a page are there once, and every link leads somewhere`() async throws {
    let page = try MarkupTree(try await Self.page(Version.first, Version.withAuthor))

    let identifiers = page.all.compactMap { $0.attributes["id"] }
    #expect(identifiers.count == Set(identifiers).count)
    for element in page.all {
      if let target = element.attributes["href"], target.hasPrefix("#") {
        #expect(identifiers.contains(String(target.dropFirst())))
      }
      for name in (element.attributes["aria-labelledby"] ?? "").split(separator: " ") {
        #expect(identifiers.contains(String(name)))
      }
    }
  }

  @Test
  func `statements keep their text`() async throws {
    try await withBundle([Version.first, Version.withAuthor]) { bundle in
      let words = ["plan", "--from", "1", "--models", bundle, "--format"]
      let json = try await Tool.run(words + ["json"])
      let page = try MarkupTree(try await Tool.run(words + ["html"]).output)

      guard case .array(let steps) = json["steps"], case .object(let step) = steps.first,
        case .array(let statements) = step["statements"]
      else { throw MarkupFault(description: "no statements") }
      let texts = statements.map { statement -> JSONValue? in
        guard case .object(let keys) = statement else { return nil }
        return keys["sql"]
      }
      let shown = page.elements(ofClass: "statement").flatMap { $0.elements(named: "code") }
      #expect(
        Set(shown.map { JSONValue.string($0.text) }) == Set(texts.compactMap(\.self))
      )
      #expect(shown.count == texts.count)
      #expect(!shown.isEmpty)
    }
  }

  @Test
  func `a plan of thousands of statements is small, and says nothing twice`() async throws {
    let entities = (0..<1_000).map { index in
      """
        Entity\(index):
          attributes: { name: string, note\(index): "string?", made: timestamp }
          relationships: { next: { to: Entity\((index * 7 + 1) % 1_000) } }

      """
    }
    let first = "remodel: 1\nentities:\n  Lonely:\n    attributes: { name: string }\n"

    let text = try await Self.page(first, first + entities.joined())

    #expect(text.utf8.count < 2_000_000, "\(text.utf8.count) bytes")
    let page = try MarkupTree(text)
    #expect(page.all.count < 36_000, "\(page.all.count) nodes")
    let statements = page.elements(ofClass: "statement").flatMap { $0.elements(named: "code") }
    #expect(statements.count >= 2_000)
    #expect(Set(statements.map(\.text)).count == statements.count)
    let folded = page.elements(named: "details").flatMap { $0.elements(ofClass: "statement") }
    #expect(folded.count == page.elements(ofClass: "statement").count)
  }

  @Test
  func `what decides about a plan leads to its statements, and they lead back`() async throws {
    let text = try await Self.page(
      Version.withAuthor,
      Version.withoutPages,
      options: ["--removals", "drop"]
    )
    let page = try MarkupTree(text)

    let lines = page.elements(ofClass: "lines").flatMap { $0.elements(named: "a") }
    #expect(
      lines.map { $0.attributes["href"] } == ["#waits", "#losses", "#breakages", "#rows"]
    )
    let losses = page.all.first { $0.attributes["id"] == "losses" }
    let targets = losses?.elements(named: "a").compactMap { $0.attributes["href"] } ?? []
    #expect(!targets.isEmpty)
    for target in targets {
      let statement = page.all.first { $0.attributes["id"] == String(target.dropFirst()) }
      let back = statement?.elements(named: "a").compactMap { $0.attributes["href"] } ?? []
      #expect(back.contains("#losses"), "\(target)")
    }
  }

  @Test
  func `the extension of the file says that it is a page`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let path = "\(folder)/plan.html"
      let outcome = try await Tool.run("plan", "--from", "1", "--models", folder, "--output", path)

      #expect(outcome.status == 0)
      #expect(outcome.output.isEmpty)
      let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
      #expect(text.hasPrefix("<!DOCTYPE html>"))
    }
  }

  @Test
  func `a diagram is a picture as well`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let outcome = try await Tool.run("model", "diagram", "--models", folder, "--format", "svg")

      #expect(outcome.status == 0)
      expectGolden(outcome.output, named: "model-diagram.svg")
      #expect(try MarkupTree(outcome.output).elements(ofClass: "box").count == 2)
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `rows in the way are counted, and stop it`() async throws {
    try await TestServer.withDatabase { url in
      try await withBundle(Version.first, Version.requiredPages) { folder in
        let words = ["--models", folder, "--database", url]
        #expect(try await Tool.run(["migrate", "--to", "1"] + words).status == 0)
        try await execute("INSERT INTO public.book (title) VALUES ('a'), ('b')", at: url)

        let outcome = try await Tool.run(["plan", "--format", "html"] + words)

        #expect(outcome.status == 9)
        let page = try MarkupTree(outcome.output)
        #expect(
          page.elements(ofClass: "answer").map(\.text) == [
            "cannot run: the rows do not meet 1 condition"
          ]
        )
        #expect(page.elements(ofClass: "badge").contains { $0.text == "2 rows in the way" })
        #expect(page.elements(ofClass: "stop").contains { $0.text.contains("1, 2") })
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a database without a difference has nothing to do`() async throws {
    try await TestServer.withDatabase { url in
      try await withBundle(Version.first) { folder in
        let words = ["--models", folder, "--database", url]
        #expect(try await Tool.run(["migrate"] + words).status == 0)

        let page = try MarkupTree(
          try await Tool.run(["plan", "--format", "html"] + words).output
        )

        #expect(page.elements(ofClass: "answer").map(\.text) == ["nothing to do"])
        #expect(page.elements(named: "article").isEmpty)
        #expect(page.elements(named: "svg").isEmpty)
        let identifiers = page.all.compactMap { $0.attributes["id"] }
        let targets = page.all.compactMap { $0.attributes["href"] }.filter { $0.hasPrefix("#") }
        #expect(!targets.isEmpty)
        #expect(targets.allSatisfy { identifiers.contains(String($0.dropFirst())) })
      }
    }
  }
}
