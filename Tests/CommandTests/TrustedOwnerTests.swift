import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Whose objects may run, and whose may not.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct TrustedOwnerTests {
  @Test
  func `a role that a superuser takes on is trusted, and nobody whom it trusts`() async throws {
    try await withNeighbour { folder, url, neighbour in
      let database = try await databaseName(at: url)
      let owner = SQLIdentifier("owner of \(database)")
      try await execute(
        "CREATE ROLE \(owner)",
        "GRANT CREATE ON DATABASE \(database) TO \(owner)",
        "GRANT CREATE ON SCHEMA public TO \(owner)",
        at: url
      )
      let call = ["--models", folder, "--database", url, "--role", owner.name]
      _ = try await Tool.run(["migrate", "--to", "1"] + call)
      try await execute(
        """
        CREATE FUNCTION neighbour.note() RETURNS trigger LANGUAGE plpgsql \
        AS 'BEGIN RETURN NEW; END'
        """,
        "ALTER FUNCTION neighbour.note() OWNER TO \(neighbour)",
        "CREATE TRIGGER note BEFORE UPDATE ON public.book EXECUTE FUNCTION neighbour.note()",
        at: url
      )

      for trusting in [
        "ALTER DATABASE \(database) OWNER TO \(neighbour)", "GRANT \(neighbour) TO \(owner)",
      ] as [SQLFragment] {
        try await execute(trusting, at: url)
        let refused = try await Tool.run(["migrate"] + call)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("neighbour.note()"), "\(refused)")
        #expect(!refused.error.contains("--role"), "\(refused)")
      }
      let trusted = try await Tool.run(["migrate", "--trust-owner", neighbour.name] + call)
      #expect(trusted.status == 0, "\(trusted)")
      #expect(trusted.error.contains("the session is a superuser's"), "\(trusted)")
      try await execute(
        "ALTER DATABASE \(database) OWNER TO CURRENT_USER",
        "DROP OWNED BY \(owner) CASCADE",
        "DROP ROLE \(owner)",
        at: url
      )
    }
  }

  /// The server does not record what its own roles own as it does for others.
  @Test(arguments: ["a function", "a domain", "an operator", "a table"])
  func `what belongs to one of the server's own roles is not trusted`(kind: String) async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        try await execute(
          """
          CREATE SCHEMA neighbour;
          CREATE FUNCTION neighbour.isFine(integer) RETURNS boolean LANGUAGE plpgsql \
          AS 'BEGIN RETURN true; END';
          CREATE OPERATOR neighbour.!! (RIGHTARG = integer, FUNCTION = neighbour.isFine);
          CREATE DOMAIN neighbour.amount AS integer CHECK (VALUE > 0)
          """,
          at: url
        )
        let owned: SQLFragment =
          switch kind {
          case "a function": "FUNCTION neighbour.isFine(integer)"
          case "a domain": "DOMAIN neighbour.amount"
          case "a table": "TABLE public.book"
          case _: "OPERATOR neighbour.!! (NONE, integer)"
          }
        try await execute(
          """
          ALTER TABLE public.book ADD CHECK (neighbour.isFine(1)), \
          ADD CHECK (OPERATOR(neighbour.!!) 1), ADD CHECK (1::neighbour.amount > 0);
          ALTER \(owned) OWNER TO pg_monitor
          """,
          at: url
        )

        let refused = try await Tool.run(["migrate"] + options)

        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains(#"Role "pg_monitor" owns"#), "\(refused)")
      }
    }
  }

  @Test
  func `a named owner is trusted in a migration, in a revert and afterwards`() async throws {
    try await withNeighbour { folder, url, neighbour in
      let options = ["--models", folder, "--database", url]
      let trusting = ["--trust-owner", neighbour.name] + options
      _ = try await Tool.run(["migrate", "--to", "1"] + options)
      try await execute(
        """
        CREATE FUNCTION neighbour.note() RETURNS trigger LANGUAGE plpgsql \
        AS 'BEGIN RETURN NEW; END'
        """,
        "ALTER FUNCTION neighbour.note() OWNER TO \(neighbour)",
        "CREATE TRIGGER note BEFORE UPDATE ON public.book EXECUTE FUNCTION neighbour.note()",
        at: url
      )

      for words in [["plan"], ["migrate"]] {
        let refused = try await Tool.run(words + options)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("neighbour.note()"), "\(refused)")
      }
      for (words, status) in [
        (["plan"], Int32(0)), (["migrate"], 0), (["verify"], 2), (["revert"], 0), (["status"], 0),
        (["verify"], 2), (["migrate", "--to", "2"], 0),
      ] {
        let outcome = try await Tool.run(words + trusting)
        #expect(outcome.status == status, "\(words): \(outcome)")
        if words == ["status"] {
          #expect(outcome.output.contains("reverted from the target"), "\(outcome)")
        }
      }
      let named = try await Tool.run(
        ["revert"] + options,
        environment: ["REMODEL_TRUST_OWNER": "nobody,\(neighbour.name)"]
      )
      #expect(named.status == 0, "\(named)")
    }
  }

  @Test
  func `what others have made of a table is in the way of those steps alone that make it again`()
    async throws
  {
    try await withBundle(
      """
      remodel: 1
      entities:
        Book: { attributes: { title: string, pages: integer32? } }
        Author: { attributes: { name: string, born: integer32? } }
      """,
      """
      remodel: 1
      entities:
        Book: { attributes: { title: string, pages: integer64? } }
        Author: { attributes: { name: string, born: integer32? } }
      """,
      """
      remodel: 1
      entities:
        Book: { attributes: { title: string, pages: integer64? } }
        Author: { attributes: { name: string, born: integer64? } }
      """
    ) { folder in
      try await withRole("neighbour") { neighbour, url, _ in
        let options = ["--models", folder, "--database", url]
        #expect(try await Tool.run(["migrate", "--to", "1"] + options).status == 0)
        try await execute(
          """
          CREATE SCHEMA neighbour AUTHORIZATION \(neighbour);
          CREATE VIEW public.pages AS SELECT pages FROM public.book;
          GRANT SELECT ON public.author TO \(neighbour);
          SET ROLE \(neighbour);
          CREATE FUNCTION neighbour.f(integer) RETURNS boolean LANGUAGE sql AS 'SELECT true';
          CREATE DOMAIN neighbour.number AS integer CHECK (neighbour.f(VALUE));
          CREATE VIEW neighbour.born AS SELECT born, '{1}'::neighbour.number[] AS n FROM public.author;
          RESET ROLE
          """,
          at: url
        )
        let passed = try await Tool.run(["migrate", "--to", "2"] + options)
        #expect(passed.status == 0, "\(passed)")
        let refused = try await Tool.run(["migrate"] + options)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("neighbour.f(integer)"), "\(refused)")
      }
    }
  }

  @Test
  func `superusers are trusted in a rehearsal, too, where they are none`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await withOwner("rehearsing") { _, url, login in
        let options = ["--models", folder, "--database", login]
        #expect(try await Tool.run(["migrate", "--to", "1"] + options).status == 0)
        try await execute(
          """
          GRANT ALL ON ALL TABLES IN SCHEMA remodel TO CURRENT_USER;
          CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
          CREATE TRIGGER note BEFORE UPDATE ON public.book EXECUTE FUNCTION public.note()
          """,
          at: url
        )

        let rehearsal = try await Tool.run(["plan", "--rehearse"] + options)

        #expect(rehearsal.status == 0, "\(rehearsal)")
        #expect(!rehearsal.error.contains("is not the same"), "\(rehearsal)")
      }
    }
  }
}
