import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A database that serves two releases at once: each by a schema of views.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ServedVersionTests {
  private static let first = """
    remodel: 1
    entities:
      Person:
        attributes: { firstName: string, mood: { type: string, default: calm }, city: string?, code: string? }
        relationships: { books: { toMany: Book, inverse: owner } }
        unique: [[firstName]]
      Book:
        attributes: { title: string, pages: integer32? }
        relationships:
          owner: { to: Person?, inverse: books }
          readers: { toMany: Reader, inverse: books }
      Reader:
        attributes: { name: string }
        relationships: { books: { toMany: Book, inverse: readers } }
      Stamp:
        attributes: { text: string }
    """

  /// Other names of entities, attributes and relationships; removed and added ones; other defaults.
  private static let second = """
    remodel: 1
    entities:
      Human:
        renamingIdentifier: Person
        attributes:
          givenName: { type: string, renamingIdentifier: firstName }
          mood: { type: string, default: merry }
          city: { type: string?, default: Bern }
          age: { type: integer32, default: 7 }
        relationships: { volumes: { toMany: Book, inverse: keeper, renamingIdentifier: books } }
        unique: [[givenName]]
      Book:
        attributes: { title: string, pages: integer32?, isbn: string? }
        relationships:
          keeper: { to: Human?, inverse: volumes, renamingIdentifier: owner }
          readers: { toMany: Reader, inverse: books }
      Reader:
        attributes: { name: string }
        relationships: { books: { toMany: Book, inverse: readers } }
    """

  @Test
  func `both releases read and write what the other does, by their own names`() async throws {
    try await withServedStage([Self.first, Self.second]) { stage in
      let old = try await stage.url(of: 1)
      try stage.run(
        "INSERT INTO person (first_name, city) SELECT 'p' || i, 'Rome' FROM generate_series(1, 5) AS i",
        "INSERT INTO book (title, owner) SELECT 'b' || i, i FROM generate_series(1, 5) AS i",
        "INSERT INTO reader (name) VALUES ('r')",
        "INSERT INTO book_readers (books, readers) SELECT _id, 1 FROM book",
        "INSERT INTO stamp (text) VALUES ('kept')",
        at: old
      )
      try await stage.migrate(2)
      let new = try await stage.url(of: 2)

      try stage.run(
        """
        INSERT INTO person (first_name, code) VALUES ('old', 'x') ON CONFLICT (first_name) DO NOTHING
        """,
        "INSERT INTO person (first_name) VALUES ('p1') ON CONFLICT (first_name) DO UPDATE SET city = 'Oslo'",
        "UPDATE book SET owner = 2 WHERE title = 'b1'",
        "DELETE FROM book_readers WHERE books = 2",
        "INSERT INTO stamp (text) VALUES ('still')",
        at: old
      )
      try stage.run(
        "INSERT INTO human (given_name) VALUES ('new')",
        "UPDATE human SET mood = 'wild' WHERE given_name = 'p2'",
        "INSERT INTO book (title, keeper, isbn) VALUES ('b6', 3, 'i')",
        at: new
      )

      let people = try stage.found(
        "SELECT first_name, mood, city, code FROM person WHERE first_name IN ('old', 'new', 'p1', 'p2') ORDER BY 1",
        at: old
      )
      #expect(
        people == [
          ["new", "merry", "Bern", nil], ["old", "calm", nil, "x"], ["p1", "calm", "Oslo", nil],
          ["p2", "wild", "Rome", nil],
        ]
      )
      let humans = try stage.found(
        "SELECT given_name, mood, age FROM human WHERE given_name IN ('old', 'new') ORDER BY 1",
        at: new
      )
      #expect(humans == [["new", "merry", "7"], ["old", "calm", "7"]])
      let books = try stage.found(
        "SELECT title, keeper, isbn FROM book WHERE title IN ('b1', 'b6') ORDER BY 1",
        at: new
      )
      #expect(books == [["b1", "2", nil], ["b6", "3", "i"]])
      #expect(try stage.found("SELECT owner FROM book WHERE title = 'b6'", at: old) == [["3"]])
      let returned = try stage.found(
        "INSERT INTO person (first_name) VALUES ('back') RETURNING first_name, mood, _id > 0",
        at: old
      )
      #expect(returned == [["back", "calm", "t"]])
      #expect(try stage.found("SELECT count(*) FROM stamp", at: old) == [["2"]])
      try await stage.expectClean(2)
    }
  }

  @Test
  func `a release on the previous version can start, and is told to be served`() async throws {
    try await withServedStage([Self.first, Self.second]) { stage in
      _ = try await stage.tool(2, "migrate", "--keep", "previous")

      let check = try await stage.tool(1, "check")
      #expect(check.status == 0, "\(check)")
      #expect(
        check.output
          == "served: the database is at version \"2\" and serves version \"1\"\n"
      )
      let start = try await stage.tool(1, "migrate")
      #expect(start.status == 0, "\(start)")
      #expect(
        start.output
          == "nothing to do: the database is at version \"2\" and serves version \"1\"\n"
      )
      let status = try await stage.tool(2, "status")
      #expect(status.output.contains("1, by schema \"public_v1\": no session"), "\(status)")
      #expect(
        status.output.contains("2, current, by schema \"public_v2\": no session"),
        "\(status)"
      )
      let current = try await stage.tool(2, "check")
      #expect(current.status == 0, "\(current)")
    }
  }

  @Test
  func `a version is retired when no session uses it, or by force`() async throws {
    try await withServedStage([Self.first, Self.second]) { stage in
      _ = try await stage.tool(2, "migrate", "--keep", "previous")
      let old = try await stage.url(of: 1)
      let release = try await PostgresSession.unprepared(to: .url(old), wait: .zero)

      let refused = try await stage.tool(2, "retire", "1")
      #expect(refused.status == 5, "\(refused)")
      #expect(refused.error.contains("application \"public_v1\""), "\(refused)")
      await release.close()
      try await wait(until: "the session is gone") {
        try await stage.tool(2, "retire", "1").status == 0
      }

      let check = try await stage.tool(1, "check")
      #expect(check.status == 2, "\(check)")
      #expect(
        try await rows(of: "SELECT FROM pg_namespace WHERE nspname = 'public_v1'", at: stage.url)
          .isEmpty
      )
      try await stage.expectClean(2)
      let again = try await stage.tool(2, "retire", "1")
      #expect(again.status == 64, "\(again)")
    }
  }

  @Test
  func `the version before the previous one is retired by the next migration`() async throws {
    let third = Self.second.replacing("isbn: string?", with: "isbn: string?, edition: integer32?")
    try await withServedStage([Self.first, Self.second, third]) { stage in
      _ = try await stage.tool(2, "migrate", "--keep", "previous")
      // The store serves versions from then on.
      let step = try await stage.tool(3, "migrate")
      #expect(step.status == 0, "\(step)")

      let schemas = try await rows(
        of: "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'public_v%' ORDER BY 1",
        at: stage.url
      )
      #expect(schemas == [["public_v2"], ["public_v3"]])
      try stage.run(
        "INSERT INTO human (given_name) VALUES ('two')",
        at: await stage.url(of: 2)
      )
      try await stage.expectClean(3)
    }
  }

  @Test
  func `what cannot be served is refused before, or left out as allowed`() async throws {
    let attributes = "attributes: { title: string, pages: integer32? }"
    let first = Self.first.replacing(attributes, with: "\(attributes)\n    unique: [[title]]")
    try await withServedStage([first, Self.first]) { stage in
      let refused = try await stage.tool(2, "migrate")
      #expect(refused.status == 7, "\(refused)")
      #expect(refused.error.contains("version \"1\" cannot stay served"), "\(refused)")
      #expect(refused.error.contains("entity \"Book\""), "\(refused)")
      let planned = try await Tool.run(
        ["plan", "--from", "1", "--keep", "previous", "--models", "\(stage.folder)/2"]
      )
      #expect(planned.status == 7, "\(planned)")
      #expect(planned.error.contains("version \"1\" cannot stay served"), "\(planned)")

      let unknown = try await stage.tool(2, "migrate", "--allow", "unserved:Bok")
      #expect(unknown.status == 64, "\(unknown)")
      let step = try await stage.tool(2, "migrate", "--allow", "unserved:Book")
      #expect(step.status == 0, "\(step)")
      let old = try await stage.url(of: 1)
      #expect { try stage.found("SELECT * FROM book", at: old) } throws: {
        "\($0)".contains("invalid input syntax for type boolean")
      }
      #expect(try stage.found("SELECT count(*) FROM person", at: old) == [["0"]])
      try await stage.expectClean(2)
    }
  }

  @Test
  func `a revert makes the previous interface the current one again`() async throws {
    try await withServedStage([Self.first, Self.second]) { stage in
      _ = try await stage.tool(2, "migrate", "--keep", "previous")
      let old = try await stage.url(of: 1)
      try stage.run("INSERT INTO person (first_name) VALUES ('before')", at: old)

      let back = try await stage.tool(2, "revert")
      #expect(back.status == 0, "\(back)")
      try stage.run("INSERT INTO person (first_name) VALUES ('after')", at: old)

      let people = try await rows(
        of: "SELECT first_name FROM public.person ORDER BY 1",
        at: stage.url
      )
      #expect(people == [["after"], ["before"]])
      let schemas = try await rows(
        of: "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'public_v%'",
        at: stage.url
      )
      #expect(schemas == [["public_v1"]])
      try await stage.expectClean(1)
    }
  }

  @Test
  func `a release that uses the tables is not taken for one that is served`() async throws {
    try await withBundle(Self.first, Self.second) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)

        let refused = try await Tool.run(["migrate", "--keep", "previous"] + options)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("migrate --to 1 --keep previous"), "\(refused)")
        let none = try await Tool.run(["interface"] + options)
        #expect(none.output == "" && none.status == 0, "\(none)")

        let serving = try await Tool.run(["migrate", "--to", "1", "--keep", "previous"] + options)
        #expect(serving.status == 0, "\(serving)")
        #expect(serving.output.contains("served: the database is at version \"1\""), "\(serving)")
        let step = try await Tool.run(["migrate", "--keep", "previous"] + options)
        #expect(step.status == 0, "\(step)")
      }
    }
  }

  @Test
  func `a changed or a missing view is drift, and the remedy creates it again`() async throws {
    try await withServedStage([Self.first, Self.second]) { stage in
      _ = try await stage.tool(2, "migrate", "--keep", "previous")
      try await execute(
        "DROP VIEW public_v1.stamp",
        "ALTER VIEW public_v1.person RESET (security_invoker)",
        at: stage.url
      )

      let verified = try await stage.tool(2, "verify")
      #expect(verified.status == 2, "\(verified)")
      #expect(verified.output.contains(#"view "public_v1"."stamp""#), "\(verified)")
      #expect(verified.output.contains("with the rights of its owner"), "\(verified)")

      try await execute("DROP SCHEMA public_v1 CASCADE", at: stage.url)
      // What a served version is to show is not cleaned up because its view is gone.
      let kept = try await stage.tool(2, "cleanup", "--yes")
      #expect(kept.status == 7, "\(kept)")
      #expect(kept.error.contains("version \"1\", which is served"), "\(kept)")
      let found = try await stage.tool(2, "verify", "--format", "json")
      guard case .array(let drift)? = found["drift"] else {
        Issue.record("no drift: \(found)")
        return
      }
      for case .object(let change) in drift {
        guard case .array(let remedy)? = change["remedy"] else { continue }
        for case .string(let statement) in remedy {
          try await execute(SQLFragment(deparsed: statement), at: stage.url)
        }
      }
      try await stage.expectClean(2)
      #expect(
        try stage.found("SELECT count(*) FROM stamp", at: await stage.url(of: 1)) == [["0"]]
      )
    }
  }

  @Test
  func `rights stay with the tables`() async throws {
    try await withServedStage([Self.first, Self.second]) { stage in
      _ = try await stage.tool(2, "migrate", "--keep", "previous")
      let old = try await stage.url(of: 1)
      try await withRole("reader", at: stage.url) { role, _ in
        try await execute("GRANT SELECT ON public.human TO \(role)", at: stage.url)

        let connection = try PostgresConnection(to: .url(old))
        try connection.execute("SET ROLE \(role)")
        #expect(try connection.query("SELECT count(*) FROM person").value == "0")
        #expect {
          try connection.execute("DELETE FROM person")
        } throws: {
          "\($0)".contains("permission denied")
        }
        #expect {
          _ = try connection.query("SELECT * FROM book")
        } throws: {
          "\($0)".contains("permission denied for table book")
        }
      }
    }
  }

  @Test
  func `what a served version still reads is not cleaned up`() async throws {
    try await withServedStage([Self.first, Self.second]) { stage in
      _ = try await stage.tool(2, "migrate", "--keep", "previous")

      let kept = try await stage.tool(2, "cleanup", "--yes")
      #expect(kept.status == 7, "\(kept)")
      #expect(kept.error.contains("version \"1\", which is served"), "\(kept)")
      #expect(try stage.found("SELECT count(*) FROM stamp", at: await stage.url(of: 1)) == [["0"]])

      _ = try await stage.tool(2, "retire", "1", "--force")
      let cleaned = try await stage.tool(2, "cleanup", "--yes")
      #expect(cleaned.status == 0, "\(cleaned)")
      #expect(try await rows(of: "SELECT FROM remodel.retained", at: stage.url).isEmpty)
      try await stage.expectClean(2)
    }
  }

  private static func pair(_ attributes: String, _ more: String = "") -> String {
    "remodel: 1\nentities:\n  Pair:\n    attributes: { \(attributes) }\n\(more)"
  }

  @Test
  func `versions that have the same hash are served each by its own names`() async throws {
    let first = Self.pair("x: string, y: string")
    let second = Self.pair(
      "x: { type: string, renamingIdentifier: y }, y: { type: string, renamingIdentifier: x }"
    )
    try await withServedStage([first, second]) { stage in
      let old = try await stage.url(of: 1)
      try stage.run("INSERT INTO pair (x, y) VALUES ('X', 'Y')", at: old)
      let step = try await stage.tool(2, "migrate")
      #expect(step.status == 0, "\(step)")

      #expect(try stage.found("SELECT x, y FROM pair", at: old) == [["X", "Y"]])
      #expect(
        try stage.found("SELECT x, y FROM pair", at: await stage.url(of: 2)) == [["Y", "X"]]
      )
      let start = try await stage.tool(1, "migrate")
      #expect(start.output.contains("serves version \"1\""), "\(start)")
      try await stage.expectClean(2)
    }
  }

  @Test
  func `what the server computes is not served once it is removed`() async throws {
    let first = Self.pair("x: string, loud: { type: string?, generatedSQL: upper(x) }")
    try await withServedStage([first, Self.pair("x: string")]) { stage in
      let refused = try await stage.tool(2, "migrate")

      #expect(refused.status == 7, "\(refused)")
      #expect(refused.error.contains("finds other values in column \"loud\""), "\(refused)")
    }
  }

  @Test
  func `what the previous release will find that it does not know is said before`() async throws {
    let first = Self.pair(
      "x: string",
      "    relationships: { other: { to: Other?, inverse: pairs } }\n"
        + "  Other: { relationships: { pairs: { toMany: Pair, inverse: other } } }\n"
        + "  Base: { attributes: { a: string } }\n  Sub: { parent: Base, attributes: { b: string? } }\n"
    )
    let second = Self.pair(
      "x: string",
      "  Other: { attributes: { z: string? } }\n"
        + "  Base: { attributes: { a: string } }\n  Sub: { parent: Base, attributes: { b: string? } }\n"
        + "  Next: { parent: Base }\n"
    )
    try await withServedStage([first, second]) { stage in
      let plan = try await stage.tool(2, "plan")

      #expect(plan.status == 0, "\(plan)")
      let text = plan.output + plan.error
      #expect(text.contains("Table \"base\" can have rows of entity \"Next\"."), "\(plan)")
      #expect(
        text.contains("Column \"other\" of table \"pair\" can refer to rows that are gone."),
        "\(plan)"
      )
    }
  }

  @Test
  func `a release whose version is retired does not find the tables of another one`() async throws {
    try await withServedStage([Self.first, Self.second]) { stage in
      let old = try await stage.url(of: 1)
      _ = try await stage.tool(2, "migrate")
      _ = try await stage.tool(2, "retire", "1", "--force")

      #expect {
        try stage.found("SELECT * FROM book", at: old)
      } throws: {
        "\($0)".contains("relation \"book\" does not exist")
      }
    }
  }

  @Test
  func `a schema that is there already is found before anything runs`() async throws {
    try await withServedStage([Self.first, Self.second]) { stage in
      try await execute("CREATE SCHEMA public_v2", at: stage.url)

      let refused = try await stage.tool(2, "migrate")
      #expect(refused.status == 7, "\(refused)")
      #expect(refused.error.contains("--interface-prefix"), "\(refused)")
      let step = try await stage.tool(2, "migrate", "--interface-prefix", "shop_")
      #expect(step.status == 0, "\(step)")
      #expect(try stage.found("SELECT count(*) FROM human", at: await stage.url(of: 2)) == [["0"]])
    }
  }

  @Test
  func `the schemas of views are no stores of their own`() async throws {
    try await withBundle(Self.first) { folder in
      try await TestServer.withDatabase { url in
        try await execute("CREATE SCHEMA tenant_a", "CREATE SCHEMA tenant_b", at: url)
        let arguments = [
          "migrate", "--each-schema", "tenant_*", "--keep", "previous", "--models", folder,
          "--database", url,
        ]
        for _ in 0..<2 {
          let outcome = try await Tool.run(arguments)
          #expect(outcome.status == 0, "\(outcome)")
        }
        try await execute("DROP SCHEMA tenant_b CASCADE", at: url)
        let outcome = try await Tool.run(arguments)
        #expect(outcome.status == 0, "\(outcome)")
        let stores = try await rows(of: "SELECT schema_name FROM remodel.store ORDER BY 1", at: url)
        #expect(stores == [["tenant_a"], ["tenant_b"]])
      }
    }
  }
}
