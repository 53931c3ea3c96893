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

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ApprovalTests {
  /// A database at version 1 of three, with a plan file for the way to the last one.
  private func withPlan(
    _ body: (_ call: [String], _ plan: String, _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, Version.withAuthor, Version.withBlurb) { folder in
      try await withPlan(folder, body)
    }
  }

  /// A database at version 1 of two, with a plan file for the way to the one that changes a type.
  private func withPlanOfRewrite(
    _ body: (_ call: [String], _ plan: String, _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try await withPlan(folder, body)
    }
  }

  private func withPlan(
    _ folder: String,
    _ body: (_ call: [String], _ plan: String, _ url: String) async throws -> Void
  ) async throws {
    try await TestServer.withDatabase { url in
      let call = ["--models", folder, "--database", url]
      try await expect(0, ["migrate", "--to", "1"] + call)
      let plan = "\(folder)/plan.json"
      try await expect(0, ["plan", "--output", plan] + call)
      try await body(call, plan, url)
    }
  }

  private func digest(of plan: String) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: plan))
    let document = try JSONDecoder().decode(JSONValue.self, from: data)
    guard case .object(let keys) = document, case .string(let digest)? = keys["digest"] else {
      throw CancellationError()
    }
    return digest
  }

  @Test
  func `what was approved runs, and is in the history with who approved it`() async throws {
    try await withPlan { call, plan, url in
      let migrate = ["migrate", "--plan", plan, "--approved-by", "Ada"] + call

      try await expect(0, migrate, environment: ["PGAPPNAME": "shop deploy"])
      let again = try await expect(0, migrate + ["--format", "json"])
      let history = try await Tool.run(["history", "--format", "json"] + call)

      #expect(try await version(call) == "3")
      #expect(again["outcome"] == "unchanged")
      guard case .array(let entries)? = history["entries"], case .object(let last)? = entries.last
      else {
        Issue.record("no entries: \(history)")
        return
      }
      #expect(last["approvedBy"] == "Ada")
      #expect(last["approvedDigest"] == .string(try digest(of: plan)))
      #expect(last["application"] == "shop deploy")
      guard case .string(let sql)? = last["sql"] else {
        Issue.record("no SQL: \(last)")
        return
      }
      #expect(sql.contains("ALTER TABLE"))
      let byView = try await rows(
        of:
          "SELECT approved_by, application, duration > '0' AS lasted FROM remodel.history WHERE id = (SELECT max(id) FROM remodel.history)",
        at: url
      )
      #expect(byView == [["Ada", "shop deploy", "t"]])
    }
  }

  @Test
  func `no byte of a plan file can be changed`() async throws {
    try await withPlan { call, plan, url in
      let original = try Data(contentsOf: URL(fileURLWithPath: plan))
      var generator = SystemRandomNumberGenerator()
      var places = (0..<12).map { _ in Int.random(in: 0..<original.count - 1, using: &generator) }
      let text = String(decoding: original, as: UTF8.self)
      for word in ["ALTER TABLE", "\"seal\": \"sha256:", "\"digest\": \"sha256:", "\"rows\": "] {
        let range = try #require(text.utf8.firstRange(of: word.utf8))
        places.append(text.utf8.distance(from: text.startIndex, to: range.upperBound) + 1)
      }
      for place in places {
        var bytes = original
        bytes[place] = bytes[place] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
        try bytes.write(to: URL(fileURLWithPath: plan))

        let outcome = try await Tool.run(["migrate", "--plan", plan] + call)

        #expect([7, 65].contains(outcome.status), "byte \(place): \(outcome)")
      }
      #expect(try await version(call) == "1")
      let entries = try await rows(of: "SELECT count(*) FROM remodel.history", at: url)
      #expect(entries == [["1"]])
    }
  }

  @Test
  func `who makes the seal anew still gets nothing else to run`() async throws {
    try await withPlan { call, plan, _ in
      let text = try String(contentsOfFile: plan, encoding: .utf8)
      let seal = try #require(text.firstRange(of: "\"seal\": \"sha256:"))
      let end = text.index(seal.upperBound, offsetBy: 64)
      let blank = text[..<seal.upperBound] + String(repeating: "0", count: 64) + text[end...]
      let forged = String(blank).replacing("ADD COLUMN", with: "DROP COLUMN").dropLast()
      try PlanSeal.sealed(String(forged)).write(toFile: plan, atomically: true, encoding: .utf8)

      let outcome = try await expect(7, ["migrate", "--plan", plan] + call)

      #expect(outcome.error.contains("no longer runs: ALTER TABLE"), "\(outcome.error)")
      #expect(try await version(call) == "1")
    }
  }

  @Test
  func `a plan that is old is refused`() async throws {
    try await withPlan { call, plan, _ in
      // Another process has continued without it.
      try await expect(0, ["migrate", "--to", "2"] + call)
      let late = try await expect(7, ["migrate", "--plan", plan] + call)

      #expect(late.error.contains("begins at version \"1\""), "\(late.error)")
      #expect(try await version(call) == "2")
      try await expect(0, ["migrate"] + call)
      try await expect(7, ["migrate", "--plan", plan] + call)
    }
  }

  @Test
  func `what has come to depend on the tables since makes it another plan`() async throws {
    try await withPlanOfRewrite { call, plan, url in
      try await execute("CREATE VIEW public.counts AS SELECT pages FROM public.book", at: url)

      let outcome = try await expect(7, ["migrate", "--plan", plan] + call)

      #expect(outcome.error.contains("now runs: DROP VIEW"), "\(outcome.error)")
      #expect(try await version(call) == "1")
    }
  }

  @Test
  func `a plan for another server, database or schema is refused`() async throws {
    try await withPlan { call, plan, _ in
      let folder = try #require(call.dropFirst().first)
      try await expect(7, ["migrate", "--plan", plan, "--models", folder, "--scratch"])
      let schema = try await expect(7, ["migrate", "--plan", plan, "--schema", "tenant"] + call)

      #expect(schema.error.contains("schema \"public\""), "\(schema.error)")
      #expect(try await version(call) == "1")
    }
  }

  @Test
  func `what is left of the last migration is in no plan that was approved`() async throws {
    try await withBundle(Version.first, Version.withAuthor, Version.withBlurb) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let plan = "\(folder)/plan.json"
        try await expect(0, ["migrate", "--to", "2"] + call)
        try await execute(
          """
          INSERT INTO remodel.late_work (schema_name, model_name, version_name, phase, kind,
            table_name, object_name, statements)
          VALUES ('public', 'Library', '2', 'deferred', 'drop-index', 'book', 'old_idx', '')
          """,
          at: url
        )
        try await expect(0, ["plan", "--output", plan] + call)

        let refused = try await expect(7, ["migrate", "--plan", plan] + call)
        #expect(refused.error.contains("drop index \"old_idx\""), "\(refused.error)")
        #expect(try await version(call) == "2")
        try await expect(0, ["finish"] + call)
        try await expect(0, ["migrate", "--plan", plan] + call)
      }
    }
  }

  @Test
  func `what has grown since is held to the limits that there are now`() async throws {
    try await withPlanOfRewrite { call, plan, url in
      try await execute(
        """
        INSERT INTO public.book (title, pages) SELECT 'a', n FROM generate_series(1, 400000) AS n
        """,
        at: url
      )

      try await expect(
        7,
        ["migrate", "--plan", plan] + call,
        environment: ["REMODEL_REMOVALS": "refuse"]
      )
      let denial = ["REMODEL_DENY": "rewrites-table"]
      let outcome = try await expect(7, ["migrate", "--plan", plan] + call, environment: denial)

      #expect(outcome.error.contains("rewrites-table"), "\(outcome.error)")
      #expect(try await version(call) == "1")
      try await expect(0, ["migrate", "--plan", plan] + call)
    }
  }

  @Test
  func `a digest is that of one model, one metadata schema and one role`() async throws {
    try await withPlan { call, plan, url in
      let digest = try digest(of: plan)
      try await execute("CREATE ROLE digest_role SUPERUSER", at: url)
      let same = try await expect(0, ["plan", "--format", "json"] + call)
      let asRole = try await expect(
        0,
        ["plan", "--format", "json", "--role", "digest_role"] + call
      )
      try await execute("DROP ROLE digest_role", at: url)

      #expect(same["digest"] == .string(digest))
      #expect(asRole["digest"] != .string(digest))
      try await expect(7, ["migrate", "--require-digest", "\(digest.dropLast())0"] + call)
    }
    let steps: [MigrationStep] = []
    let place = MigrationPlan.Place(schema: "public", metadataSchema: "remodel", modelName: "A")
    let others = [
      MigrationPlan.Place(schema: "other", metadataSchema: "remodel", modelName: "A"),
      MigrationPlan.Place(schema: "public", metadataSchema: "other", modelName: "A"),
      MigrationPlan.Place(schema: "public", metadataSchema: "remodel", modelName: "B"),
      MigrationPlan.Place(
        schema: "public",
        metadataSchema: "remodel",
        modelName: "A",
        configurationName: "C"
      ),
    ]
    let digests = ([place] + others).map { MigrationPlan(steps: steps, in: $0).digest }
    #expect(Set(digests).count == digests.count)
  }

  @Test
  func `a digest is enough for a pipeline`() async throws {
    try await withPlan { call, plan, url in
      let digest = try digest(of: plan)
      let other = "sha256:" + String(repeating: "a", count: 64)

      let refused = try await expect(7, ["migrate", "--require-digest", other] + call)
      #expect(refused.error.contains(digest))
      #expect(try await version(call) == "1")
      try await expect(64, ["migrate", "--require-digest", "abc"] + call)
      try await expect(64, ["migrate", "--plan", plan, "--to", "2"] + call)
      try await expect(64, ["migrate", "--approved-by", "Ada"] + call)
      try await expect(64, ["migrate", "--plan", "\(plan).none"] + call)
      try await expect(
        0,
        ["migrate"] + call,
        environment: ["REMODEL_REQUIRE_DIGEST": digest, "REMODEL_APPROVED_BY": "Ada"]
      )
      try await expect(0, ["migrate", "--require-digest", digest] + call)
      #expect(try await version(call) == "3")
      let names = try await rows(
        of: "SELECT coalesce(approved_by, '-') FROM remodel.history ORDER BY id",
        at: url
      )
      #expect(names.first == ["-"])
      #expect(names.dropFirst().allSatisfy { $0 == ["Ada"] })
    }
  }

  @Test
  func `the rest of a plan runs after one of its steps`() async throws {
    try await withBundle(Version.first, Version.withAuthor, Version.requiredISBN) { folder in
      // A step that a mapping model has something to say about is one of its own.
      try write(Version.trimming, to: "\(folder)/Library.remodel/1-2.mapping.yaml")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let plan = "\(folder)/plan.json"
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute("INSERT INTO public.book (title) VALUES ('a')", at: url)
        try await expect(0, ["plan", "--output", plan] + call)

        // A value for every row is what the second step lacks.
        try await expect(9, ["migrate", "--plan", plan] + call)
        #expect(try await version(call) == "2")
        try await execute(
          """
          DELETE FROM public.book;
          INSERT INTO remodel.late_work (schema_name, model_name, version_name, phase, kind,
            table_name, object_name, statements)
          VALUES ('public', 'Library', '2', 'deferred', 'drop-index', 'book', 'old_idx', '')
          """,
          at: url
        )
        // What the first step has left to do is of the plan as well.
        try await expect(0, ["migrate", "--plan", plan] + call)
        #expect(try await version(call) == "3")
        try await expect(0, ["migrate", "--plan", plan] + call)
      }
    }
  }
}
