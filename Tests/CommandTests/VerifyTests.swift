import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// What `verify` ends with and prints, by the state of the database.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct VerifyTests {
  private func verify(
    _ folder: String,
    _ url: String,
    _ options: String...
  ) async throws
    -> Tool.Outcome
  {
    let call = ["verify", "--models", folder, "--database", url, "--format", "json"]
    let outcome = try await Tool.run(call + options)
    if outcome.status == 0 || outcome.status == 2 {
      let document = try #require(outcome.json, "\(outcome)")
      #expect(try JSONSchema(named: "verify").complaints(about: document).isEmpty)
    }
    return outcome
  }

  private func migrate(_ folder: String, _ url: String, to version: String) async throws {
    let call = ["migrate", "--models", folder, "--database", url, "--to", version]
    let outcome = try await Tool.run(call)
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  @Test
  func `empty, tables of others, at the target`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let empty = try await verify(folder, url)
        try await execute("CREATE TABLE public.others (id integer)", at: url)
        let foreign = try await verify(folder, url)
        try await execute("DROP TABLE public.others", at: url)
        try await migrate(folder, url, to: "1")
        let current = try await verify(folder, url, "--rows")

        #expect([empty, foreign, current].map(\.status) == [2, 4, 0])
        #expect(current["drift"] == [])
        #expect(current["version"] == "1")
      }
    }
  }

  @Test
  func `older, older without a way, newer, unknown`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        try await migrate(folder, url, to: "1")
        let older = try await verify(folder, url)
        try await migrate(folder, url, to: "2")
        let newer = try await withBundle(Version.first) { try await verify($0, url) }
        try await execute(
          "UPDATE remodel.store SET checksum = 'v1:0', version_name = '9'",
          at: url
        )
        let unknown = try await verify(folder, url)

        #expect([older, newer, unknown].map(\.status) == [0, 0, 4])
        #expect(older["version"] == "1" && newer["version"] == "2")
      }
    }
    try await withBundle(Version.first, Version.datePages) { folder in
      try await TestServer.withDatabase { url in
        try await migrate(folder, url, to: "1")
        #expect(try await verify(folder, url).status == 0)
      }
    }
  }

  @Test
  func `a drift in both forms`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        try await migrate(folder, url, to: "1")
        try await execute(
          "ALTER TABLE public.book ALTER pages TYPE bigint; CREATE VIEW public.v AS SELECT 1 AS a",
          at: url
        )

        let json = try await verify(folder, url)
        let text = try await Tool.run("verify", "--models", folder, "--database", url)

        #expect(json.status == 2 && text.status == 2)
        guard case .array(let drift) = json["drift"], case .object(let first) = drift.first else {
          Issue.record("\(json)")
          return
        }
        #expect(drift.count == 1)
        #expect(first["object"] == "column \"pages\" of table \"book\"")
        #expect(first["element"] == "attribute Book.pages")
        #expect(first["expected"] == "integer" && first["actual"] == "bigint")
        expectGolden(text.output, named: "verify.txt")
      }
    }
  }

  @Test
  func `no server, and a role that may do nothing`() async throws {
    try await withBundle(Version.first) { folder in
      let none = try await Tool.run(
        "verify",
        "--models",
        folder,
        "--database",
        "postgresql://127.0.0.1:1/d"
      )
      #expect(none.status == 6)
    }
  }
}
