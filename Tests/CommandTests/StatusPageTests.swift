import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands
@testable import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.serialized, .timeLimit(.minutes(30)))
struct StatusPageTests {
  private static let hostile = "tenant_<script>document.title=1</script>]]>\" onload=\"\n\u{202E}"

  /// Gives a database with stores in all kinds of states to a function.
  private func withFleet(
    _ body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, Version.withAuthor, Version.withoutPages) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(5, at: url)
        let odd = SQLIdentifier(Self.hostile)
        let call = ["--models", folder, "--database", url]
        try await execute("CREATE SCHEMA \(odd)", at: url)
        try await expect(0, ["migrate", "--to", "2", "--each-schema", "tenant_*"] + call)
        for schema in ["tenant_1", "tenant_4", Self.hostile] {
          try await expect(0, ["migrate", "--schema", schema] + call)
        }
        try await execute(
          "ALTER TABLE tenant_4.book ADD COLUMN \(odd) integer",
          "CREATE SCHEMA tenant_9",
          "CREATE TABLE tenant_9.other ()",
          at: url
        )
        try await body(call + ["--each-schema", "tenant_*"], url)
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `what needs attention is first`() async throws {
    try await withFleet { call, _ in
      let html = try await Tool.run(["status", "--drift", "--format", "html"] + call)
      let page = try soundPage(html.output)

      let rows = page.elements(named: "tbody").flatMap { $0.elements(named: "tr") }
      let names = rows.map { $0.elements(named: "th").map(\.text).joined() }
      #expect(html.status == 4, "\(html.error)")
      #expect(names.prefix(2) == ["tenant_9", "tenant_4"])
      #expect(Set(names[2..<5]) == ["tenant_2", "tenant_3", "tenant_5"])
      #expect(names.count == 7)
      #expect(rows[0].attributes["class"] == "part failed")
      #expect(rows[1].attributes["class"] == "part drifted retained")
      #expect(rows[1].text.contains(" --schema tenant_4"))
      #expect(rows[2].attributes["class"] == "part older")
      #expect(rows[2].text.contains(" --schema tenant_"))
      #expect(rows[5].attributes["class"] == "part current retained")
      #expect(rows[5].text.contains(", since 20"))
      #expect(
        page.elements(ofClass: "answer").map(\.text) == ["5 of 7 stores need attention"]
      )
      #expect(page.elements(named: "nav").first?.text.contains("Drifted (1)") == true)
      #expect(!html.output.contains("<script"))
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `the document has the same facts`() async throws {
    try await withFleet { call, url in
      let report = try TargetsDocument(
        await Tool.run(["status", "--drift", "--format", "json"] + call).json,
        of: "status"
      )
      let plain = try TargetsDocument(
        await Tool.run(["status", "--format", "json"] + call).json,
        of: "status"
      )
      let text = try await Tool.run(["status", "--drift"] + call)
      let different = try await Tool.run(
        ["status", "--exit-code", "--drift", "--schema", "tenant_4"] + call.dropLast(2)
      )
      let same = try await Tool.run(
        ["status", "--exit-code", "--schema", "tenant_4"] + call.dropLast(2)
      )

      func value(_ document: TargetsDocument, _ name: String, _ key: String) -> JSONValue? {
        let target = document.targets.first { $0["name"] == .string(name) }
        guard case .object(let keys)? = target?["report"] else { return nil }
        return keys[key]
      }
      #expect(value(report, "tenant_1", "drift") == .array([]))
      guard case .array(let drift)? = value(report, "tenant_4", "drift") else {
        Issue.record("no drift: \(text.output)")
        return
      }
      #expect(drift.count == 1)
      #expect(value(plain, "tenant_4", "drift") == .null)
      #expect(value(plain, "tenant_4", "schema") == "tenant_4")
      guard case .object(let last)? = value(plain, "tenant_4", "lastMigration") else {
        Issue.record("no last migration")
        return
      }
      #expect(last["to"] == "3" && last["from"] == "2" && last["outcome"] == "succeeded")
      #expect(last["role"] == "postgres")
      #expect(text.output.contains("tenant_4"), "\(text.output)")
      #expect(text.output.contains("1 object drifted"))
      #expect(different.status == 2)
      #expect(different.output.contains("1 object drifted"))
      #expect(same.status == 0)
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `one store has the same page`() async throws {
    try await withFleet { call, _ in
      let one = Array(call.dropLast(2))
      let path = "\(call[1])/status.html"
      try await expect(0, ["status", "--schema", Self.hostile, "--output", path] + one)
      let empty = try await expect(0, ["status", "--format", "html"] + one)
      let drifted = try await expect(
        0,
        ["status", "--format", "html", "--drift", "--schema", "tenant_4"] + one
      )

      let page = try soundPage(try String(contentsOfFile: path, encoding: .utf8))
      #expect(page.elements(ofClass: "answer").map(\.text) == ["current"])
      #expect(page.elements(named: "nav").isEmpty)
      #expect(page.elements(named: "details").contains { $0.text.contains("\"pages\"") })
      #expect(
        try soundPage(empty.output).elements(ofClass: "answer").map(\.text) == [
          "the schema is empty"
        ]
      )
      let answers = try soundPage(drifted.output).elements(ofClass: "answer").map(\.text)
      #expect(answers == ["1 object drifted; current"])
    }
  }

  // MARK: - Many

  /// Returns the page of many stores with all that a row can have.
  private static func page(of count: Int) async throws -> String {
    let entry = try await Self.entry()
    let version = VersionReference(name: "2026-11-25", checksum: VersionHash(text: "v1:00"))
    let next = VersionReference(name: "2026-11-26 <b>", checksum: VersionHash(text: "v1:01"))
    let retained = (0..<4).map { number in
      RetainedEntry(
        RetainedObject(table: SQLIdentifier("table_\(number)"), version: "1"),
        retainedAt: "2026-10-01T10:10:42.120Z",
        age: .seconds(3600)
      )
    }
    let stores = (0..<count).map { number in
      let isOlder = number.isMultiple(of: 7)
      return StoreStatus(
        TargetResult(
          target: MigrationTarget(
            .url("postgresql://localhost/fleet"),
            schema: SQLIdentifier("tenant_\(number)_of_a_long_name"),
            name: "db.example.com:5432/fleet/tenant_\(number)_of_a_long_name"
          ),
          outcome: number.isMultiple(of: 50)
            ? .failed(UsageError(.noDatabase))
            : .done(
              StatusReport(
                at: isOlder ? version : next,
                to: next,
                isOlder ? .older : .current,
                retained: retained,
                entry
              )
            ),
          duration: .zero
        ),
        outcome: ""
      )
    }
    return StatusPage(stores: stores).document.text
  }

  /// Returns the entry of a migration.
  private static func entry() async throws -> HistoryEntry {
    try await withOwner(hostile) { _, _, login in
      try await withBundle(Version.first) { folder in
        try await expect(0, ["migrate", "--models", folder, "--database", login])
        let remodel = Remodel(RemodelConfiguration(modelsPath: folder))
        return try #require(try await remodel.history(.url(login)).last)
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a page of a thousand stores is small`() async throws {
    let text = try await Self.page(of: 1000)

    #expect(text.utf8.count < 1_000_000, "\(text.utf8.count)")
    let page = try soundPage(text)
    #expect(page.elements(named: "tr").count == 1001)
    #expect(page.elements(named: "nav").first?.text.contains("Not read (20)") == true)
  }

  @Test(
    .tags(.server),
    .enabled(if: TestServer.isAvailable),
    .enabled(if: Browser.name != nil, "no Chromium is on the PATH"),
    arguments: RandomCases.pairs([1, 20], [false, true])
  )
  func `nothing of it overflows or pales`(count: Int, isDark: Bool) async throws {
    let page = try await Self.page(of: count)

    let complaints = try await Browser.complaints(about: page, isDark: isDark)

    #expect(complaints == [])
  }
}

extension StatusReport {
  /// Creates a status for a page.
  fileprivate init(
    at version: VersionReference,
    to target: VersionReference,
    _ state: State,
    retained: [RetainedEntry],
    _ entry: HistoryEntry
  ) {
    self.init(
      state: state,
      version: version,
      creation: nil,
      isDevelopment: false,
      isDraft: false,
      target: target,
      steps: [],
      retainedEntries: retained,
      job: nil,
      pending: [],
      obstacles: [],
      warnings: [],
      nodes: [],
      database: "fleet",
      schema: "tenant",
      time: "2026-11-25T10:10:42Z",
      lastEntry: entry,
      drift: [],
      unmapped: nil,
      isEditedDraft: false
    )
  }
}
