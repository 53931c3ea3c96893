import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.serialized, .tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct HistoryPageTests {
  /// A name that would do something on a page, and one that a reader would take for another.
  static let hostile = "<script>document.title=1</script>]]>\" onload=\"x\n\u{202E}"

  /// Gives the page of a store with hostile names to a function: a failure, and two migrations.
  static func withPage<Result>(
    _ body: (_ page: String, _ call: [String]) async throws -> Result
  ) async throws -> Result {
    try await withOwner(hostile) { role, url, login in
      try await withBundle(Version.first) { folder in
        let second = "2" + hostile.replacing("/", with: "")
        try write(Version.requiredPages, to: "\(folder)/Library.remodel/\(second).yaml")
        let call = [
          "--models", folder, "--database", login + "&application_name=a%3Cscript%3E",
          "--schema", hostile,
        ]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute(
          "INSERT INTO \(SQLIdentifier(hostile)).book (title) VALUES ('a')",
          at: url
        )
        try await expect(9, ["migrate"] + call)
        try await execute(
          "UPDATE \(SQLIdentifier(hostile)).book SET pages = 1",
          """
          CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS \
          'BEGIN RAISE EXCEPTION $$not <script>now$$; END'
          """,
          """
          CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('ALTER TABLE') \
          EXECUTE FUNCTION public.refuse()
          """,
          at: url
        )
        try await expect(1, ["migrate"] + call)
        try await execute("DROP EVENT TRIGGER refuse", at: url)
        try await expect(0, ["migrate", "--approved-by", hostile] + digest(call))
        let page = try await expect(0, ["history", "--format", "html"] + call)
        return try await body(page.output, call)
      }
    }
  }

  /// Returns the call that has its plan approved.
  private static func digest(_ call: [String]) async throws -> [String] {
    let plan = try await Tool.run(["plan", "--format", "json"] + call)
    guard case .string(let digest)? = plan["digest"] else { return call }
    return call + ["--require-digest", digest]
  }

  @Test
  func `each entry is there with its plan`() async throws {
    try await Self.withPage { text, call in
      let page = try soundPage(text)
      let entries = page.elements(named: "article")
      let rows = page.elements(named: "tbody").flatMap { $0.elements(named: "tr") }
      let json = try await expect(0, ["history", "--format", "json"] + call)
      guard case .array(let all)? = json["entries"] else { return }

      #expect(entries.count == all.count)
      #expect(rows.count == all.count)
      let heads = page.elements(named: "thead").flatMap { $0.elements(named: "th") }.map(\.text)
      let first = rows.last.map { $0.children.map(\.text) } ?? []
      let cells = Dictionary(uniqueKeysWithValues: zip(heads, first))
      #expect(cells["What"] == "migration" && cells["Outcome"] == "succeeded", "\(cells)")
      #expect(cells["From"] == "–" && cells["To"] == "1")
      #expect(cells["Started"]?.hasSuffix(" UTC") == true && cells["Took"]?.hasSuffix("ms") == true)
      #expect(cells["By"]?.hasPrefix("<script>") == true && cells["Approved by"] == "–")
      // The latest first.
      let numbers = entries.compactMap { $0.attributes["id"]?.split(separator: "-").last }
      #expect(numbers.compactMap { Int($0) } == numbers.compactMap { Int($0) }.sorted(by: >))
      #expect(page.elements(ofClass: "answer").first?.text.hasPrefix("last: migration") == true)
      #expect(page.elements(named: "details").contains { $0.text.contains("CREATE TABLE") })
      let failed = page.elements(named: "article").filter {
        $0.attributes["class"]?.contains("failed") == true
      }
      #expect(failed.count == 1)
      #expect(failed.first?.elements(ofClass: "note").isEmpty == false)
      #expect(!text.contains("<script"))
      #expect(page.elements(named: "dd").contains { $0.text.contains("<script>document.title=1") })
      #expect(page.elements(named: "dd").contains { $0.text == "a<script>" })
    }
  }

  @Test
  func `a store without a migration has a page`() async throws {
    try await TestServer.withDatabase { url in
      try await withBundle(Version.first) { folder in
        let call = ["--models", folder, "--database", url]
        let path = "\(folder)/history.html"
        try await expect(0, ["history", "--output", path] + call)

        let page = try soundPage(try String(contentsOfFile: path, encoding: .utf8))

        #expect(page.elements(ofClass: "answer").map(\.text) == ["no migration has been run"])
      }
    }
  }

  @Test
  func `plans are shown as long as the page is short, and referred to where they are shown`()
    async throws
  {
    try await TestServer.withDatabase { url in
      try await withBundle(Version.first, Version.withAuthor) { folder in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await expect(0, ["migrate"] + call)
        let cases: [(SQLFragment, Bool)] = [
          ("repeat('x', 5000000)", false), ("'SELECT 1'", true),
        ]
        for (text, isShown) in cases {
          try await execute("UPDATE remodel.history_event SET statements = \(text)", at: url)
          let path = "\(folder)/history.html"
          try await expect(0, ["history", "--output", path] + call)

          let page = try String(contentsOfFile: path, encoding: .utf8)

          #expect(page.utf8.count < HistoryPage.sqlLimit)
          #expect(page.contains("The plan is that of") == isShown)
          #expect(page.contains(" --sql</code> shows it.") == !isShown)
        }
      }
    }
  }

  @Test(
    .enabled(if: Browser.name != nil, "no Chromium is on the PATH"),
    arguments: RandomCases.one(in: 2, of: [false, true])
  )
  func `nothing of it overflows or pales`(isDark: Bool) async throws {
    let page = try await Self.withPage { page, _ in page }

    let complaints = try await Browser.complaints(about: page, isDark: isDark)

    #expect(complaints == [])
  }
}
