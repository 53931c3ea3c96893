import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// What the role or the server does not allow is said before anything starts, with what to do.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RightsTests {
  @Test
  func `all that is missing for an empty database is granted by the hint`() async throws {
    try await withBundle(Version.first) { folder in
      try await withRole("we\"ird ñame") { role, url, login in
        try await execute("REVOKE ALL ON SCHEMA public FROM PUBLIC", at: url)
        let call = ["migrate", "--models", folder, "--format", "json", "--database"]

        let refused = try await Tool.run(call + [login])

        #expect(refused.status == 7, "\(refused)")
        #expect(refused["sqlstate"] == "42501")
        let database = try await databaseName(at: url)
        #expect(
          hint(refused) == """
            GRANT CREATE ON DATABASE "\(database)" TO \(role.quoted);
            GRANT USAGE ON SCHEMA "public" TO \(role.quoted);
            GRANT CREATE ON SCHEMA "public" TO \(role.quoted);
            """
        )
        #expect(try await !hasMetadata(at: url))
        try await execute(SQLFragment(deparsed: hint(refused)), at: url)
        let granted = try await Tool.run(call + [login])
        #expect(granted.status == 0, "\(granted)")
      }
    }
  }

  @Test
  func `all that is missing for the tables of others is granted by the hint`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await withRole("other_role") { role, url, login in
        let call = ["migrate", "--models", folder, "--format", "json", "--database"]
        #expect(try await Tool.run(call + [url, "--to", "1"]).status == 0)
        let entries: SQLFragment = "SELECT count(*) FROM remodel.history_event"
        let before = try await rows(of: entries, at: url)

        let refused = try await Tool.run(call + [login])

        #expect(refused.status == 7, "\(refused)")
        #expect(
          hint(refused) == """
            GRANT CREATE ON SCHEMA "public" TO "\(role)";
            ALTER TABLE "public"."book" OWNER TO "\(role)";
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "remodel" TO "\(role)";
            -- from then on every other role that uses the metadata has to name "\(role)" with --trust-owner
            -- in place of what "postgres" would cede: GRANT "postgres" TO "\(role)";
            """
        )
        #expect(try await rows(of: entries, at: url) == before)
        try await execute(SQLFragment(deparsed: hint(refused)), at: url)
        let granted = try await Tool.run(call + [login])
        #expect(granted.status == 0, "\(granted)")
        let looks = ["status", "--models", folder, "--database", url]
        #expect(try await Tool.run(looks).status == 4)
        let trusting = try await Tool.run(looks + ["--trust-owner", role.name])
        #expect(trusting.status == 0, "\(trusting)")
      }
    }
  }

  @Test
  func `the hint for the tables and the metadata of another role leaves both to that role`()
    async throws
  {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await withOwner("owning_role") { owner, url, ownerLogin in
        try await withRole("joining_role", at: url) { role, login in
          let call = ["migrate", "--models", folder, "--format", "json", "--database"]
          #expect(try await Tool.run(call + [ownerLogin, "--to", "1"]).status == 0)

          let refused = try await Tool.run(call + [login])

          #expect(refused.status == 7, "\(refused)")
          #expect(
            hint(refused) == """
              GRANT CREATE ON SCHEMA "public" TO "\(role)";
              GRANT "\(owner)" TO "\(role)";
              """
          )
          try await execute(SQLFragment(deparsed: hint(refused)), at: url)
          let granted = try await Tool.run(call + [login, "--role", owner.name])
          #expect(granted.status == 0, "\(granted)")
          for place in [login, ownerLogin] {
            let status = try await Tool.run("status", "--models", folder, "--database", place)
            #expect(status.status == 0, "\(status)")
          }
        }
      }
    }
  }

  @Test
  func `a copy that needs a schema of its own says so`() async throws {
    try await withCopiedBooks { folder in
      try await withOwner("copying_role") { role, url, login in
        let database = try await databaseName(at: url)
        let call = ["migrate", "--models", folder, "--format", "json", "--database", login]
        #expect(try await Tool.run(call + ["--to", "1"]).status == 0)
        try await execute("REVOKE CREATE ON DATABASE \(database) FROM \(role)", at: url)

        for strategy in ["online", "locked"] {
          let refused = try await Tool.run(call + ["--strategy", strategy])
          #expect(refused.status == 7, "\(refused)")
          #expect(hint(refused) == "GRANT CREATE ON DATABASE \(database.quoted) TO \"\(role)\";")
        }
        try await execute(
          "GRANT CREATE ON DATABASE \(database) TO \(role); REVOKE CREATE ON SCHEMA public FROM \(role)",
          at: url
        )
        let refused = try await Tool.run(call)
        #expect(refused.status == 7, "\(refused)")
        #expect(hint(refused) == "GRANT CREATE ON SCHEMA \"public\" TO \"\(role)\";")
      }
    }
  }

  @Test(arguments: ["online", "locked"])
  func `what a copy carries over and looks through is granted by the hint`(
    strategy: String
  ) async throws {
    try await withCopiedBooks { folder in
      try await withOwner("carrying_role") { role, url, login in
        let call = ["migrate", "--models", folder, "--format", "json", "--database", login]
        #expect(try await Tool.run(call + ["--to", "1"]).status == 0)
        try await execute(
          """
          INSERT INTO public.book (title) VALUES ('a');
          CREATE SCHEMA app;
          CREATE FUNCTION app.noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
          REVOKE ALL ON FUNCTION app.noted() FROM PUBLIC;
          CREATE TRIGGER noted BEFORE INSERT ON public.book FOR EACH ROW EXECUTE FUNCTION app.noted();
          ALTER TABLE public.book ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
          CREATE POLICY nobody ON public.book USING (false);
          REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC
          """,
          at: url
        )
        let entries: SQLFragment = "SELECT count(*) FROM remodel.history_event"
        let before = try await rows(of: entries, at: url)

        let refused = try await Tool.run(call + ["--strategy", strategy])

        #expect(refused.status == 7, "\(refused)")
        let language = "GRANT USAGE ON LANGUAGE \"plpgsql\" TO \"\(role)\";\n"
        #expect(
          hint(refused) == (strategy == "online" ? language : "") + """
            GRANT USAGE ON SCHEMA "app" TO "\(role)";
            GRANT EXECUTE ON FUNCTION "app"."noted"() TO "\(role)";
            ALTER TABLE "public"."book" NO FORCE ROW LEVEL SECURITY;
            -- when the migration has ended: ALTER TABLE "public"."book" FORCE ROW LEVEL SECURITY;
            -- in place of that, for a role that only migrates: ALTER ROLE "\(role)" BYPASSRLS;
            """
        )
        #expect(try await rows(of: entries, at: url) == before)
        try await execute(SQLFragment(deparsed: hint(refused)), at: url)
        let granted = try await Tool.run(call + ["--strategy", strategy])
        #expect(granted.status == 0, "\(granted)")
        let table = try await rows(
          of: """
            SELECT relforcerowsecurity, (SELECT count(*) FROM pg_trigger WHERE tgrelid = c.oid \
            AND tgname = 'noted'), (SELECT string_agg(shout, '') FROM public.book) \
            FROM pg_class c WHERE oid = 'public.book'::regclass
            """,
          at: url
        )
        #expect(table == [["f", "1", "A"]])
      }
    }
  }

  @Test
  func `forced policies are no obstacle where no rows are looked at`() async throws {
    try await withBundle(
      Version.first,
      Version.first.replacing("title: string", with: "title: string, shout: string?")
    ) { folder in
      try await withOwner("forced_role") { _, url, login in
        let call = ["migrate", "--models", folder, "--database", login]
        #expect(try await Tool.run(call + ["--to", "1"]).status == 0)
        try await execute(
          "ALTER TABLE public.book ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
          at: url
        )
        let outcome = try await Tool.run(call)
        #expect(outcome.status == 0, "\(outcome)")
      }
    }
  }

  @Test
  func `metadata that the role may not use is granted by the hint`() async throws {
    try await withBundle(Version.first) { folder in
      try await withRole("looking_role") { role, url, login in
        let options = ["--models", folder, "--format", "json", "--database"]
        #expect(try await Tool.run(["migrate"] + options + [url]).status == 0)
        try await execute(
          """
          REVOKE ALL ON SCHEMA remodel FROM PUBLIC; REVOKE ALL ON ALL TABLES IN SCHEMA remodel FROM PUBLIC
          """,
          at: url
        )
        let usage = "GRANT USAGE ON SCHEMA \"remodel\" TO \"\(role)\";\n"

        let writer = try await Tool.run(["migrate"] + options + [login])
        let reader = try await Tool.run(["check"] + options + [login])

        #expect(writer.status == 7 && reader.status == 7, "\(writer) \(reader)")
        #expect(
          hint(writer) == usage
            + "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"remodel\" TO \"\(role)\";\n"
            + "-- from then on every other role that uses the metadata has to name \"\(role)\" "
            + "with --trust-owner"
        )
        #expect(
          hint(reader) == usage
            + "GRANT SELECT ON ALL TABLES IN SCHEMA \"remodel\" TO \"\(role)\";"
        )
        try await execute(SQLFragment(deparsed: hint(reader)), at: url)
        #expect(try await Tool.run(["check"] + options + [login]).status == 0)
      }
    }
  }

  @Test
  func `a table that is only referred to need not be owned`() async throws {
    let first = """
      remodel: 1
      entities:
        Book: { attributes: { title: string } }
        Author: { attributes: { name: string } }
      """
    let second = """
      remodel: 1
      entities:
        Book:
          attributes: { title: string }
          relationships: { author: { to: Author?, inverse: books } }
        Author:
          attributes: { name: string }
          relationships: { books: { toMany: Book, inverse: author } }
      """
    try await withBundle(first, second) { folder in
      try await withOwner("referring_role") { role, url, login in
        let call = ["migrate", "--models", folder, "--format", "json", "--database", login]
        #expect(try await Tool.run(call + ["--to", "1"]).status == 0)
        try await execute("ALTER TABLE public.author OWNER TO postgres", at: url)

        let refused = try await Tool.run(call)

        #expect(refused.status == 7, "\(refused)")
        #expect(
          hint(refused)
            == "GRANT REFERENCES, UPDATE ON TABLE \"public\".\"author\" TO \"\(role)\";"
        )
        try await execute(SQLFragment(deparsed: hint(refused)), at: url)
        let granted = try await Tool.run(call)
        #expect(granted.status == 0, "\(granted)")
      }
    }
  }

  @Test(arguments: ["database", "role"])
  func `a read-only database is refused before anything starts`(level: String) async throws {
    try await withBundle(Version.first) { folder in
      try await withRole("read_only_role") { role, url, login in
        let database = try await databaseName(at: url)
        let subject: SQLFragment = level == "database" ? "DATABASE \(database)" : "ROLE \(role)"
        try await execute("ALTER \(subject) SET default_transaction_read_only = on", at: url)

        let refused = try await Tool.run("migrate", "--models", folder, "--database", login)
        let check = try await Tool.run("check", "--models", folder, "--database", login)

        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("the database is read-only"))
        #expect(refused.error.contains("default_transaction_read_only"))
        #expect(check.status == 2, "\(check)")
        #expect(try await !hasMetadata(at: url))
      }
    }
  }

  private func hint(_ outcome: Tool.Outcome) -> String {
    guard case .string(let text)? = outcome["hint"] else { return "" }
    return text
  }
}
