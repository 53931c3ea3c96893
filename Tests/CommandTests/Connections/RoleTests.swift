import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// A role that sessions take on after their login.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RoleTests {
  @Test
  func `all sessions of a migration work as the role, and so does its script`() async throws {
    try await withCopiedBooks { folder in
      try await withRole("lent") { login, url, loginURL in
        let database = try await databaseName(at: url)
        let owner = SQLIdentifier("owner \"of\" \(database)")
        try await execute(
          """
          CREATE ROLE \(owner); GRANT CREATE ON DATABASE \(database) TO \(owner); \
          GRANT CREATE ON SCHEMA public TO \(owner); ALTER ROLE \(login) NOINHERIT
          """,
          at: url
        )
        let options = ["--models", folder, "--database", loginURL, "--role", owner.name]

        let refused = try await Tool.run(["check"] + options)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("permission denied to set role"))
        let version = try await rows(of: "SHOW server_version_num", at: url)[0][0].flatMap(Int.init)
        let option = version ?? 0 >= 160_000 ? " WITH SET TRUE" : ""
        let grant = "GRANT \(owner.quoted) TO \(login.quoted)\(option);"
        #expect(refused.error.contains(grant), "\(refused)")
        let unknown = try await Tool.run(
          "check",
          "--models",
          folder,
          "--database",
          loginURL,
          environment: ["REMODEL_ROLE": "nobody at all"]
        )
        #expect(unknown.status == 7, "\(unknown)")
        #expect(unknown.error.contains("role \"nobody at all\" does not exist"))

        try await execute(SQLFragment(deparsed: grant), at: url)
        #expect(try await Tool.run(["migrate", "--to", "1"] + options).status == 0)
        try await execute(
          "INSERT INTO public.book (title) SELECT 'a' || i FROM generate_series(1, 50000) i",
          at: url
        )
        let script = try await Tool.run(["plan", "--format", "sql"] + options)
        #expect(script.output.contains("SET ROLE \(owner.quoted);\n"))
        let plan = "\(folder)/plan.json"
        _ = try await Tool.run(["plan", "--output", plan] + options)
        let other = try await Tool.run(
          ["migrate", "--plan", plan, "--models", folder, "--database", url]
        )
        #expect(other.status == 7, "\(other)")
        let difference =
          "It was made for role \"\(owner.name)\", and this is the role of the login."
        #expect(other.error.contains(difference), "\(other)")
        let page = try await Tool.run(["plan", "--format", "html"] + options)
        #expect(page.output.contains("working as"))
        let copy = ["migrate", "--strategy", "online", "--jobs", "3"]
        let migration = try await Tool.run(copy + options)
        #expect(migration.status == 0, "\(migration)")
        #expect(try await Tool.run(["finish"] + options).status == 0)
        // Keys of rows are private to the job, and removed when it has ended.
        let bounds = try await rows(
          of: """
            SELECT count(*) > 0, count(lower_bound) + count(upper_bound), \
            has_column_privilege('public', 'remodel.job_chunk', 'state', 'SELECT'), \
            has_column_privilege('public', 'remodel.job_chunk', 'lower_bound', 'SELECT') \
            FROM remodel.job_chunk
            """,
          at: url
        )
        #expect(bounds == [["t", "0", "t", "f"]])

        // Who works as no role trusts the owner only by name.
        let unnamed = ["plan", "--output", plan, "--models", folder, "--database", url]
        let refusal = try await Tool.run(unnamed)
        #expect(refusal.status == 4, "\(refusal)")
        _ = try await Tool.run(unnamed, environment: ["REMODEL_TRUST_OWNER": owner.name])
        let unsaid = try await Tool.run(["migrate", "--plan", plan] + options)
        #expect(unsaid.status == 0, "\(unsaid)")
        let parts = unsaid.error.split(separator: "and was made without a role")
        #expect(parts.count == 2, "\(unsaid)")

        let owners = try await rows(
          of: """
            SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class c \
            WHERE relnamespace::regnamespace::text IN ('public', 'remodel') AND relkind IN ('r', 'S', 'v')
            """,
          at: url
        )
        #expect(owners == [[owner.name]])
        let history = try await rows(of: "SELECT DISTINCT role FROM remodel.history", at: url)
        #expect(history == [[login.name]])
        try await execute("DROP OWNED BY \(owner) CASCADE", "DROP ROLE \(owner)", at: url)
      }
    }
  }
}
