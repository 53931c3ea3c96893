import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// `migrate` and `plan` with `--into-database`.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct IntoDatabaseTests {
  /// Calls a function with a database at version 1 with books, and an empty one.
  private func withBooks(
    _ body: (_ call: [String], _ source: String, _ destination: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, Version.requiredPages) { folder in
      try await TestServer.withTwoDatabases { source, destination in
        let first = try await Tool.run([
          "migrate", "--to", "1", "--models", folder, "--database", source,
        ])
        #expect(first.status == 0, "\(first)")
        try await execute(
          "INSERT INTO public.book (title, pages) SELECT 'secret ' || n, n FROM generate_series(1, 9) n",
          at: source
        )
        let call = ["--models", folder, "--database", source, "--into-database", destination]
        try await body(call, source, destination)
      }
    }
  }

  @Test
  func `the plan shows what the migration does, and the report what it did`() async throws {
    try await withBooks { call, _, destination in
      let plan = try await Tool.run(["plan", "--format", "json"] + call)
      let text = try await Tool.run(["plan"] + call)
      let sql = try await Tool.run(["plan", "--format", "sql"] + call)
      let untouched = try await Tool.run(
        ["status", "--format", "json"] + call.prefix(2) + ["--database", destination]
      )
      let report = try await Tool.run(["migrate", "--format", "json"] + call)
      let again = try await Tool.run(["migrate"] + call)
      let status = try await Tool.run(
        ["status", "--format", "json"] + call.prefix(2) + ["--database", destination]
      )

      #expect(plan.status == 0, "\(plan)")
      #expect(try JSONSchema(named: "plan").complaints(about: try #require(plan.json)) == [])
      #expect(text.output.contains("CREATE TABLE") && text.error.contains("after statement"))
      #expect(sql.status == 7, "\(sql)")
      #expect(untouched["state"] == "empty")
      #expect(report.status == 0, "\(report)")
      #expect(try JSONSchema(named: "migrate").complaints(about: try #require(report.json)) == [])
      #expect(report["outcome"] == "transferred")
      #expect(report.output.contains("\"rows\": 9"), "\(report.output)")
      #expect(report.error.contains("are not in the destination"))
      #expect(again.output.contains("nothing to do"), "\(again)")
      #expect(again.error.contains("an earlier run has copied the rows"))
      #expect(status["state"] == "current")
    }
  }

  @Test
  func `a destination with a store or tables of others is refused`() async throws {
    try await withBooks { call, source, destination in
      let itself = try await Tool.run(
        ["migrate"] + call.prefix(4) + ["--into-database", source]
      )
      try await execute("CREATE TABLE public.other (id integer)", at: destination)
      let foreign = try await Tool.run(["migrate"] + call)
      let planned = try await Tool.run(["plan"] + call)
      try await execute("DROP TABLE public.other", at: destination)
      let done = try await Tool.run(["migrate", "--to", "1"] + call)
      try await execute("UPDATE remodel.history_event SET plan_digest = 'other'", at: destination)
      let occupied = try await Tool.run(["migrate"] + call)

      #expect(itself.status == 4, "\(itself)")
      #expect(foreign.status == 4, "\(foreign)")
      #expect(foreign.error.contains("in the destination ("))
      #expect(planned.status == 4, "\(planned)")
      #expect(done.status == 0, "\(done)")
      #expect(occupied.status == 4, "\(occupied)")
      #expect(occupied.error.contains("is at version \"1\" already"))
    }
  }

  @Test
  func `roles without rights are told which, and where`() async throws {
    try await withBooks { call, source, destination in
      try await withRole("transfer", at: source) { role, login in
        try await execute("GRANT USAGE ON SCHEMA remodel TO \(role)", at: source)
        let name = try PostgresConnection(to: .url(source)).databaseName
        let there = login.replacing("/\(name)?", with: "/\(name)_2?")
        let reading = try await Tool.run(
          ["migrate"] + call.prefix(2) + ["--database", login, "--into-database", destination]
        )
        let writing = try await Tool.run(
          ["migrate"] + call.prefix(4) + ["--into-database", there]
        )

        #expect(reading.status == 7, "\(reading)")
        #expect(reading.error.contains("in the source ("))
        #expect(reading.error.contains("SELECT"))
        #expect(writing.status == 7, "\(writing)")
        #expect(writing.error.contains("in the destination ("))
      }
    }
  }

  @Test
  func `errors show no password and no value of a row`() async throws {
    try await withBooks { call, source, destination in
      try await execute("UPDATE public.book SET pages = NULL WHERE _id = 3", at: source)
      let violated = try await Tool.run(["migrate"] + call)
      let separator = destination.contains("?") ? "&" : "?"
      let unreachable = try await Tool.run(
        ["migrate"] + call.prefix(4)
          + ["--into-database", "postgresql://me:hunter2@127.0.0.1:1/x?connect_timeout=2"]
      )
      let wrong = try await Tool.run(
        ["migrate"] + call.prefix(4)
          + ["--into-database", destination + separator + "password=hunter2&options=-c%20a"]
      )

      #expect(violated.status == 9, "\(violated)")
      #expect(!violated.error.contains("secret"))
      #expect(unreachable.status == 6, "\(unreachable)")
      for outcome in [unreachable, wrong] {
        #expect(!outcome.error.contains("hunter2") && !outcome.output.contains("hunter2"))
      }
    }
  }

  @Test
  func `objects of others in the destination do not run with our rights`() async throws {
    try await withBooks { call, _, destination in
      try await withRole("hostile", at: destination) { role, _ in
        try await execute(
          """
          CREATE TABLE public.stolen (who text);
          GRANT CREATE, USAGE ON SCHEMA public TO \(role); GRANT INSERT ON public.stolen TO PUBLIC;
          CREATE FUNCTION public.count(text) RETURNS bigint LANGUAGE sql AS
            'INSERT INTO public.stolen VALUES (current_user); SELECT 1::bigint';
          ALTER FUNCTION public.count(text) OWNER TO \(role);
          CREATE SCHEMA next
          """,
          at: destination
        )

        let report = try await Tool.run(["migrate", "--into-schema", "next"] + call)

        #expect(report.status == 0, "\(report)")
        let connection = try PostgresConnection(to: .url(destination))
        #expect(try connection.query("SELECT FROM public.stolen").isEmpty)
        #expect(try connection.query("SELECT count(*) FROM next.book").value == "9")
      }
    }
  }

  @Test(arguments: [
    ["--require-digest", String(repeating: "a", count: 64)], ["--targets", "targets.txt"],
    ["--plan", "plan.json"], ["--approved-by", "me"],
  ])
  func `options of one database or of many are refused`(options: [String]) async throws {
    try await withBundle(Version.first) { folder in
      try write("postgresql://localhost/y\n", to: "\(folder)/targets.txt")
      let outcome = try await Tool.run(
        ["migrate", "--models", folder, "--into-database", "postgresql://localhost/x"] + options
          + (options.contains("--targets") ? [] : ["--database", "postgresql://localhost/y"]),
        in: folder
      )

      #expect(outcome.status == 64, "\(outcome)")
    }
  }

  @Test
  func `an approval in a variable is refused`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.run(
        [
          "migrate", "--models", folder, "--database", "postgresql://localhost/y",
          "--into-database", "postgresql://localhost/x",
        ],
        environment: ["REMODEL_REQUIRE_DIGEST": String(repeating: "a", count: 64)]
      )

      #expect(outcome.status == 64, "\(outcome)")
      #expect(outcome.error.contains("REMODEL_REQUIRE_DIGEST"))
    }
  }

  @Test(arguments: ["migrate", "plan"])
  func `a draft stays where it is`(verb: String) async throws {
    try await withBooks { call, _, destination in
      let database = try await Tool.run([verb, "--draft"] + call)
      let schema = try await Tool.run([verb, "--draft", "--into-schema", "x"] + call.prefix(4))
      let untouched = try await Tool.run(
        ["status", "--format", "json"] + call.prefix(2) + ["--database", destination]
      )

      #expect(database.status == 7 && schema.status == 7, "\(database) \(schema)")
      #expect(schema.error.contains("a draft cannot be migrated to in another"))
      #expect(untouched["state"] == "empty")
    }
  }
}
