import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// What the verbs besides migrate, plan, check and status do to many stores, and which stores those are.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct TargetVerbsTests {
  private static let first = """
    remodel: 1
    entities:
      Book: { attributes: { title: string, pages: integer32? } }

    """
  private static let second = """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }

    """

  private func withTenants(
    _ count: Int,
    _ body: (_ options: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Self.first, Self.second) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(count, at: url)
        try await body(
          ["--models", folder, "--database", url, "--each-schema", "tenant_*", "--format", "json"],
          url
        )
      }
    }
  }

  /// Runs a verb, and expects its exit code and how many stores came to what.
  private func expect(
    _ words: [String],
    _ status: Int32,
    _ counts: [String: Int],
    of verb: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = try await Tool.run(words)
    #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
    let document = try TargetsDocument(outcome.json, of: verb, sourceLocation: sourceLocation)
    let found = Dictionary(grouping: document.outcomes.values, by: \.self).mapValues(\.count)
    #expect(found == counts, "\(words)", sourceLocation: sourceLocation)
  }

  @Test
  func `stores are verified, reverted, finished and cleaned up as one is`() async throws {
    try await withTenants(3) { call, url in
      try await expect(["verify"] + call, 2, ["not-verified": 3], of: "verify")
      _ = try await Tool.run(["migrate"] + call)

      try await expect(["verify"] + call, 0, ["clean": 3], of: "verify")
      try await execute("ALTER TABLE tenant_2.book ADD COLUMN isbn text", at: url)
      try await expect(
        ["verify", "--rows", "--parallel", "2"] + call,
        2,
        ["clean": 2, "drifted": 1],
        of: "verify"
      )
      try await execute("ALTER TABLE tenant_2.book DROP COLUMN isbn", at: url)

      _ = try await Tool.run(["migrate", "--to", "1"] + call)
      #expect(try await Tool.run(["revert"] + call).status == 64)
      #expect(try await Tool.run(["revert", "--to", "1", "--dry-run"] + call).status == 64)
      try await expect(["job", "list"] + call, 0, ["none": 3], of: "job-list")
      try await expect(["finish"] + call, 0, ["unchanged": 3], of: "finish")
    }
  }

  @Test
  func `stores are reverted to a version, and a rerun leaves those that are there`() async throws {
    try await withTenants(3) { call, url in
      _ = try await Tool.run(["migrate", "--to", "1"] + call)
      for number in 1...3 { try await Tenants.addBook(pages: 7, to: number, at: url) }
      _ = try await Tool.run(["migrate"] + call)

      try await expect(
        ["revert", "--to", "1", "--first", "1"] + call,
        0,
        ["reverted": 1, "left-out": 2],
        of: "migrate"
      )
      try await expect(
        ["revert", "--to", "1"] + call,
        0,
        ["reverted": 2, "unchanged": 1],
        of: "migrate"
      )
      let pages = try await rows(
        of: """
          SELECT pages FROM tenant_1.book UNION ALL SELECT pages FROM tenant_2.book \
          UNION ALL SELECT pages FROM tenant_3.book
          """,
        at: url
      )
      #expect(pages == [["7"], ["7"], ["7"]])
    }
  }

  @Test
  func `what stores retain is shown, and dropped when that is asked`() async throws {
    try await withTenants(3) { call, url in
      _ = try await Tool.run(["migrate", "--to", "1"] + call)
      _ = try await Tool.run(["migrate"] + call)

      try await expect(["cleanup"] + call, 0, ["to-be-dropped": 3], of: "cleanup")
      try await expect(
        ["cleanup", "--yes", "--first", "2"] + call,
        0,
        ["dropped": 2, "left-out": 1],
        of: "cleanup"
      )
      try await expect(
        ["cleanup", "--yes"] + call,
        0,
        ["dropped": 1, "unchanged": 2],
        of: "cleanup"
      )
      let columns = try await rows(
        of: "SELECT count(*) FROM information_schema.columns WHERE column_name = 'pages'",
        at: url
      )
      #expect(columns == [["0"]])
    }
  }

  @Test
  func `the jobs of many stores are paused, resumed and cancelled`() async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(3, at: url)
        let call = ["--models", folder, "--database", url, "--format", "json"]
        let all = call + ["--each-schema", "tenant_*"]
        _ = try await Tool.run(["migrate", "--to", "1"] + all)
        for number in 1...2 {
          try await Tenants.addBook(pages: 7, to: number, at: url)
          let stopped = try await Tool.run(
            ["migrate", "--strategy", "gated", "--schema", "tenant_\(number)"] + call,
            environment: ["REMODEL_FAILPOINT": "chunk.after_commit:1:kill9"]
          )
          #expect(stopped.output.isEmpty, "\(stopped)")
        }

        let named = try await Tool.run(["job", "pause", "a"] + all)
        #expect(named.status == 64, "\(named)")
        #expect(
          (named.output + named.error).contains("<job> cannot be combined with --each-schema"),
          "\(named)"
        )

        let found = ["none": 1]
        try await expect(
          ["job", "pause"] + all,
          0,
          found.merging(["paused": 2]) { $1 },
          of: "job-list"
        )
        try await expect(["migrate"] + all, 8, ["failed": 2, "migrated": 1], of: "migrate")
        try await expect(
          ["job", "resume", "--first", "1"] + all,
          0,
          ["resumed": 1, "left-out": 2],
          of: "job-list"
        )
        try await expect(
          ["job", "cancel", "--parallel", "2"] + all,
          0,
          found.merging(["cancelled": 2]) { $1 },
          of: "job-list"
        )
        let left = try await rows(
          of: "SELECT nspname FROM pg_namespace WHERE nspname ~ '^remodel_'",
          at: url
        )
        #expect(left.isEmpty, "\(left)")
        try await expect(["job", "cancel"] + all, 0, ["none": 3], of: "job-list")
        try await expect(["migrate"] + all, 0, ["migrated": 2, "unchanged": 1], of: "migrate")
      }
    }
  }

  @Test
  func `a canary comes first, and failures keep others from beginning`() async throws {
    try await withTenants(5) { call, url in
      try await execute("CREATE TABLE tenant_2.book (id integer)", at: url)

      try await expect(
        ["migrate", "--first", "1"] + call,
        0,
        ["created": 1, "left-out": 4],
        of: "migrate"
      )
      try await expect(
        ["migrate", "--stop-after", "1"] + call,
        4,
        ["unchanged": 1, "failed": 1, "left-out": 3],
        of: "migrate"
      )
      let text = try await Tool.run(["migrate", "--stop-after", "1"] + call.dropLast(2))
      #expect(
        text.output.hasSuffix(
          "5 stores: 1 unchanged, 1 failed, 3 left out\nleft out: tenant_3, tenant_4, tenant_5\n"
        ),
        "\(text.output)"
      )
      try await expect(
        ["migrate", "--stop-after", "2", "--parallel", "3"] + call,
        4,
        ["unchanged": 1, "created": 3, "failed": 1],
        of: "migrate"
      )
    }
  }

  @Test
  func `the first stores are counted over several databases`() async throws {
    try await withBundle(Self.first) { folder in
      try await TestServer.withTwoDatabases { first, second in
        try write("\(first)\n\(second)\n", to: "\(folder)/targets.txt")
        for url in [first, second] { try await Tenants.create(2, at: url) }
        let call = [
          "--models", folder, "--targets", "\(folder)/targets.txt", "--each-schema", "tenant_*",
          "--format", "json",
        ]

        try await expect(
          ["migrate", "--first", "3", "--parallel", "4"] + call,
          0,
          ["created": 3, "left-out": 1],
          of: "migrate"
        )

        let versions = try await [Tenants.versions(at: first), Tenants.versions(at: second)]
        #expect(versions[0].map { $0[0] } == ["tenant_1", "tenant_2"])
        #expect(versions[1].map { $0[0] } == ["tenant_1"])
        // The databases that no store is taken of are not looked at.
        try await expect(
          ["migrate", "--first", "1"] + call,
          0,
          ["unchanged": 1, "left-out": 2],
          of: "migrate"
        )
      }
    }
  }

  @Test(arguments: [["--first", "0"], ["--stop-after", "none"]])
  func `a number that is none is refused`(options: [String]) async throws {
    try await withTenants(1) { call, _ in
      let outcome = try await Tool.run(["migrate"] + call + options)
      #expect(outcome.status == 64)
    }
  }

  @Test(arguments: ["--first", "--stop-after"])
  func `one store alone has no first one`(option: String) async throws {
    let outcome = try await Tool.run("migrate", option, "1", "--database", "postgresql:///none")
    #expect(outcome.status == 64)
    #expect(outcome.error.contains("the list of stores for \(option)"), "\(outcome.error)")
  }
}
