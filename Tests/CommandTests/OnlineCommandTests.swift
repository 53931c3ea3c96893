import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Online migrations as users see them: processes that are killed, several at once, and `finish`.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct OnlineCommandTests {
  private static let second = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32 }
        unique: [[title]]
        indexes: { byPages: [pages] }
    """

  private func withRows(
    second: String = Self.second,
    _ body: (_ options: [String], _ url: String) async throws -> Void
  )
    async throws
  {
    try await withBundle(Version.first, second) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url, "--format", "json"]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        try await execute(
          """
          INSERT INTO public.book (title, pages) SELECT 't' || i, i FROM generate_series(1, 500) AS i
          """,
          at: url
        )
        try await body(options, url)
      }
    }
  }

  private func migrate(
    _ options: [String],
    _ variables: [String: String] = [:]
  ) async throws -> Tool.Outcome {
    try await Tool.run(
      ["migrate", "--strategy", "online"] + options,
      environment: variables.merging(["REMODEL_LARGE_TABLES": "1"], uniquingKeysWith: { $1 })
    )
  }

  private func expectFinished(_ options: [String], _ url: String) async throws {
    let finish = try await Tool.run(["finish"] + options)
    #expect(finish.status == 0, "\(finish)")
    let found = try await rows(
      of: """
        SELECT relname, indisvalid FROM pg_index JOIN pg_class ON oid = indexrelid \
        WHERE indrelid = 'public.book'::regclass ORDER BY 1
        """,
      at: url
    )
    #expect(
      found == [["book_pages_idx", "t"], ["book_pkey", "t"], ["book_title_key", "t"]]
    )
    let required = try await rows(
      of: """
        SELECT attnotnull FROM pg_attribute WHERE attrelid = 'public.book'::regclass \
        AND attname = 'pages'
        """,
      at: url
    )
    #expect(required == [["t"]])
  }

  @Test(
    arguments: RandomCases.one(
      in: 3,
      of: [
        "switch.before_commit:1", "switch.after_commit:1", "late.before_statement:1",
        "late.after_statement:1", "late.before_commit:1", "late.after_commit:1",
        "late.before_commit:2", "late.after_commit:2", "late.after_statement:4",
        "late.before_commit:3", "late.after_commit:3",
      ]
    )
  )
  func `another process continues after one that is killed`(place: String) async throws {
    try await withRows { options, url in
      let killed = try await migrate(options, ["REMODEL_FAILPOINT": "\(place):kill9"])
      // From version 18 on there are fewer places.
      #expect(killed.output.isEmpty || killed.status == 0, "\(killed)")
      let isLeft = try await rows(
        of: """
          SELECT NOT EXISTS (SELECT FROM remodel.store WHERE version_name = '2') \
          OR EXISTS (SELECT FROM remodel.pending WHERE phase = 'now')
          """,
        at: url
      )
      let check = try await Tool.run(["check"] + options)
      #expect(check.status == (isLeft == [["t"]] ? 2 : 0), "\(check)")

      let rerun = try await migrate(options)

      #expect(rerun.status == 0, "\(rerun)")
      let current = try await Tool.run(["check"] + options)
      #expect(current.status == 0, "\(current)")
      try await expectFinished(options, url)
    }
  }

  @Test(arguments: ["late.after_statement:1:kill9", "late.before_statement:1:terminate"])
  func `finish continues where it was interrupted`(fault: String) async throws {
    try await withRows { options, url in
      _ = try await migrate(options)
      let first = try await Tool.run(
        ["finish"] + options,
        environment: ["REMODEL_FAILPOINT": fault]
      )
      // A lost connection is no end; that of the process is.
      #expect((first.status == 0) == fault.hasSuffix("terminate"), "\(first)")
      try await expectFinished(options, url)
    }
  }

  @Test
  func `of several at once each ends well, and one migrates`() async throws {
    try await withRows { options, url in
      let statuses = try await withThrowingTaskGroup(of: Tool.Outcome.self) { group in
        for _ in 0..<3 { group.addTask { try await migrate(options) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.allSatisfy { $0.status == 0 }, "\(statuses)")
      let finishes = try await withThrowingTaskGroup(of: Tool.Outcome.self) { group in
        for _ in 0..<3 { group.addTask { try await Tool.run(["finish"] + options) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(finishes.allSatisfy { $0.status == 0 }, "\(finishes)")
      try await expectFinished(options, url)
      let history = try await rows(
        of: "SELECT count(*) FROM remodel.history WHERE outcome = 'succeeded'",
        at: url
      )
      #expect(history == [["2"]])
      let late = try await rows(
        of: "SELECT count(*), count(done_at), count(DISTINCT object_name) FROM remodel.late_work",
        at: url
      )
      #expect(late == [["3", "3", "3"]])
    }
  }

  @Test
  func `deferred work is reported, and reports satisfy their schemas`() async throws {
    try await withRows { options, url in
      let plan = try await Tool.run(
        ["plan", "--strategy", "online"] + options,
        environment: ["REMODEL_LARGE_TABLES": "1"]
      )
      try expectSuccess(plan, toBe: "plan")
      #expect("\(plan)".contains("deferred"))
      let migration = try await migrate(options)
      try expectSuccess(migration, toBe: "migrate")
      let status = try await Tool.run(["status"] + options)
      try expectSuccess(status, toBe: "status")
      #expect(status["pending"] == migration["pending"])
      let finish = try await Tool.run(["finish"] + options)
      try expectSuccess(finish, toBe: "finish")
      let again = try await Tool.run(["finish"] + options)
      try expectSuccess(again, toBe: "finish")
      #expect(again["done"] == [])
    }
  }

  @Test
  func `finish does one piece after the other, and says what is left`() async throws {
    let second = """
      remodel: 1
      entities:
        Book:
          attributes: { title: string, pages: integer32? }
          indexes: { byPages: [pages], byTitle: [title], byBoth: [title, pages] }
      """
    try await withRows(second: second) { options, url in
      _ = try await migrate(options)
      let pending = try await pendingCount(url)
      try #require(pending > 1)
      for left in (0..<pending).reversed() {
        let one = try await Tool.run(["finish", "--one"] + options)

        #expect(one.status == (left == 0 ? 0 : 8), "\(one)")
        try expect(one, toBe: "finish")
        #expect(try await pendingCount(url) == left)
        let status = try await Tool.run(["status"] + options)
        let next = status["nextCommand"]?.text ?? ""
        #expect(next.contains("remodel finish --") == (left > 0), "\(next)")
      }
      try expectSuccess(await Tool.run(["finish", "--one"] + options), toBe: "finish")
    }
  }

  @Test
  func `finish begins nothing after its time`() async throws {
    try await withRows { options, url in
      _ = try await migrate(options)
      let pending = try await pendingCount(url)

      let none = try await Tool.run(["finish", "--for", "0s"] + options)
      let text = try await Tool.run(["finish", "--for", "0s"] + options.dropLast(2))
      #expect(none.status == 8)
      #expect(none["done"] == [])
      #expect(text.output.hasPrefix("left for another finish:\n  "))
      #expect(try await pendingCount(url) == pending)

      let all = try await Tool.run(["finish", "--for", "1h"] + options)
      #expect(all.status == 0, "\(all)")
      #expect(all["left"] == [])
      try await expectFinished(options, url)
    }
  }

  private func pendingCount(_ url: String) async throws -> Int {
    let found = try await rows(of: "SELECT count(*) FROM remodel.pending", at: url)
    return found.first?.first?.flatMap { Int($0) } ?? 0
  }
}
