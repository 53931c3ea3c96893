import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// The cost and the obstacles that plans report, and their refusals.
@Suite(.timeLimit(.minutes(30)))
struct ForecastCommandTests {
  /// Gives a database at the first version to a function, which the server takes to have many books.
  private func withManyBooks(
    _ versions: String...,
    body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, versions[0]) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let first = try await Tool.run(["migrate", "--to", "1"] + call)
        #expect(first.status == 0, "\(first)")
        try await execute(
          "UPDATE pg_class SET reltuples = 50000000 WHERE oid = 'public.book'::regclass",
          at: url
        )
        try await body(call, url)
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a step of DDL that blocks writers for too long is refused`() async throws {
    try await withManyBooks(Version.withLongPages) { call, url in
      // The comment would go with the column if another one were filled in its place.
      try await execute("COMMENT ON COLUMN public.book.pages IS 'of the first edition'", at: url)
      let refused = try await Tool.run(["migrate"] + call)
      let refusedToo = try await Tool.run(
        ["plan", "--strategy", "locked", "--max-block", "2s"] + call
      )
      let patient = try await Tool.run(["plan", "--max-block", "10m", "--format", "json"] + call)
      let given = try await Tool.run(["migrate", "--strategy", "locked"] + call)

      #expect(refused.status == 7, "\(refused)")
      #expect(refused.error.contains("--max-block is 5s"))
      #expect(refused.error.contains("Table \"book\""))
      #expect(refused.error.contains("change type of column \"pages\""))
      #expect(refused.error.contains("--strategy online"))
      #expect(refusedToo.status == 7, "\(refusedToo)")
      #expect(patient.status == 0, "\(patient)")
      #expect(patient["forecast"]?["verdict"] == "blocks")
      #expect(patient["forecast"]?["writers"]?["table"] == "book")
      #expect(given.status == 0, "\(given)")
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a column of a large table is filled in place, and the plan says why`() async throws {
    try await withManyBooks(Version.withLongPages) { call, url in
      let plan = try await Tool.run(["plan"] + call)
      let json = try await Tool.run(["plan", "--format", "json"] + call)
      let page = try await Tool.run(["plan", "--format", "html"] + call)
      let migrated = try await Tool.run(["migrate"] + call)

      #expect(plan.output.contains("chosen since one transaction would block writers for about"))
      #expect(plan.output.contains("filled in place, in transactions of their own"))
      #expect(json["steps"]?[0]?["strategy"] == "filled")
      let reason = "one transaction would block writers for about"
      #expect(json["steps"]?[0]?["strategyReason"]?.text.contains(reason) == true)
      #expect(page.output.contains("Chosen since \(reason)"))
      #expect(migrated.status == 0, "\(migrated)")
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a small table has no hazard of time`() async throws {
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url, "--deny", "rewrites-table"]
        _ = try await Tool.run(["migrate", "--to", "1"] + call)

        let small = try await Tool.run(["plan", "--format", "json"] + call)
        try await execute(
          "UPDATE pg_class SET reltuples = 100000 WHERE oid = 'public.book'::regclass",
          at: url
        )
        let large = try await Tool.run(["plan"] + call)

        #expect(small.status == 0, "\(small)")
        let statement = small["steps"]?[0]?["statements"]?[0]
        #expect(statement?["hazards"] == ["breaks-previous-release"])
        #expect(statement?["rewrites"] == ["book"])
        #expect(large.status == 7, "\(large)")
        #expect(large.error.contains("rewrites-table: change type of column \"pages\""))
      }
    }
  }

  @Test
  func `a hazard is denied for one property`() async throws {
    try await withBundle(Version.first, Version.withoutPages) { folder in
      let call = ["plan", "--from", "1", "--models", folder, "--removals", "drop", "--deny"]

      let denied = try await Tool.run(call + ["deletes-data:Book.pages"])
      let other = try await Tool.run(call + ["deletes-data:Book.title"])
      let unknown = try await Tool.run(call + ["deletes-data:Book.page"])

      #expect(denied.status == 7)
      #expect(denied.error.contains("deletes-data: drop column \"pages\""))
      #expect(denied.error.contains("--removals retain"))
      #expect(other.status == 0, "\(other)")
      #expect(unknown.status == 64)
      #expect(unknown.error.contains("Did you mean \"pages\"?"))
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `who is in the way now is named`() async throws {
    try await withManyBooks(Version.withLongPages) { call, url in
      let session = try await PostgresSession.connect(to: .url(url))
      try await session.run { connection in
        _ = try connection.execute("SET application_name = 'reports'")
        _ = try connection.execute("BEGIN")
        _ = try connection.query("SELECT title, 'secret' FROM public.book")
      }
      try await execute(
        "BEGIN",
        "INSERT INTO public.book (title) VALUES ('a')",
        "PREPARE TRANSACTION 'half'",
        at: url
      )
      try await Task.sleep(for: .seconds(3.5))
      let plan = ["plan", "--max-block", "10m"] + call

      let text = try await Tool.run(plan)
      let json = try await Tool.run(plan + ["--format", "json"])

      try await execute("ROLLBACK PREPARED 'half'", at: url)
      await session.close()
      #expect(text.status == 0, "\(text)")
      #expect(text.output.contains("application \"reports\""))
      #expect(text.output.contains("idle in transaction"))
      #expect(!text.output.contains("secret"))
      #expect(text.output.contains("prepared transaction \"half\""))
      let obstacles = json["activity"]?["obstacles"]?.list ?? []
      #expect(Set(obstacles.compactMap { $0["kind"] }) == ["session", "preparedTransaction"])
      #expect(obstacles.allSatisfy { $0["tables"] == ["book"] })
      #expect(json["activity"]?["seesOthers"] == true)
      let complaints = try JSONSchema(named: "plan").complaints(about: try #require(json.json))
      #expect(complaints.isEmpty)
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a role that may only connect gets a plan`() async throws {
    try await withManyBooks(Version.withAuthor) { call, url in
      let session = try await PostgresSession.connect(to: .url(url))
      try await session.run { connection in
        _ = try connection.execute("BEGIN")
        _ = try connection.query("SELECT FROM public.book")
      }
      let (text, json) = try await withRole("watcher", at: url) { _, login in
        let words = ["plan", "--database", login] + call.prefix(2)
        return (try await Tool.run(words), try await Tool.run(words + ["--format", "json"]))
      }

      await session.close()
      #expect(text.status == 0, "\(text)")
      #expect(text.output.contains("GRANT pg_read_all_stats"))
      #expect(json["activity"]?["seesOthers"] == false)
      #expect(json["tables"]?["book"]?["rows"] == 50_000_000)
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
