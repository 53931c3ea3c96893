import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Constraints of a new version that the release on the version before may violate.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PostponedConstraintTests {
  private static let first = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string?, pages: integer32? }
        relationships:
          author: { to: Person?, inverse: books }
      Person:
        attributes: { name: string }
        relationships:
          books: { toMany: Book, inverse: author }
    """

  /// A relationship is required, values are unique, and others are limited.
  private static let second = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string?, pages: { type: "integer32?", validation: { minimum: 1, enforced: true } } }
        unique: [[title]]
        relationships:
          author: { to: Person, inverse: books }
      Person:
        attributes: { name: string }
        relationships:
          books: { toMany: Book, inverse: author }
    """

  private static let third = second.replacing(
    "title: string?",
    with: "title: string?, year: integer32?"
  )

  /// Migrates to version 2, while version 1 stays served, with rows of its release that violate constraints.
  private func withViolations(
    _ body: (_ stage: ServedStage, _ old: String) async throws -> Void
  ) async throws {
    try await withServedStage([Self.first, Self.second, Self.third]) { stage in
      let old = try await stage.url(of: 1)
      try stage.run(
        "INSERT INTO person (name) VALUES ('Ada')",
        "INSERT INTO book (title, pages, author) VALUES ('x', 10, 1)",
        at: old
      )
      let step = try await stage.migrate(2)
      #expect(
        step.error.contains("some constraints hold from the retirement of version \"1\" on"),
        "\(step)"
      )
      try stage.run(
        "INSERT INTO book (title, pages) VALUES ('y', 0), ('x', 7)",
        "UPDATE book SET author = NULL WHERE title = 'x'",
        "INSERT INTO person (name) VALUES ('Bob')",
        "INSERT INTO book (title, author) VALUES ('w', 2)",
        "DELETE FROM person WHERE name = 'Bob'",
        at: old
      )
      try await stage.expectClean(2)
      let status = try await stage.tool(2, "status")
      #expect(
        status.output.contains("with 4 constraints postponed until it is retired"),
        "\(status)"
      )
      try await body(stage, old)
    }
  }

  private static let mends: [SQLFragment] = [
    "UPDATE book SET author = 1", "UPDATE book SET title = 'z' WHERE pages = 7",
    "UPDATE book SET pages = 1 WHERE pages = 0",
  ]

  @Test
  func `they hold from the retirement on`() async throws {
    try await withViolations { stage, old in
      let refused = try await stage.tool(2, "retire", "1")
      #expect(refused.status != 0, "\(refused)")
      #expect(refused.error.contains("has a value in every row"), "\(refused)")
      try await stage.expectClean(2)
      // Nothing has changed.
      try stage.run("INSERT INTO book (title, pages) VALUES ('v', NULL)", at: old)
      for mend in Self.mends { try stage.run(mend, at: old) }
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
      let new = try await stage.url(of: 2)
      for violation in [
        "INSERT INTO book (author) VALUES (NULL)", "UPDATE book SET title = 'x'",
        "UPDATE book SET pages = 0",
      ] as [SQLFragment] {
        let error = #expect(throws: PostgresError.self) { try stage.run(violation, at: new) }
        #expect(error?.sqlState?.rawValue.hasPrefix("23") == true)
      }
    }
  }

  @Test
  func `the next migration retires the version first`() async throws {
    try await withViolations { stage, old in
      let refused = try await stage.tool(3, "migrate", "--keep", "previous")
      #expect(refused.status != 0, "\(refused)")
      for mend in Self.mends { try stage.run(mend, at: old) }
      try await stage.migrate(3)
      try await stage.expectClean(3)
      let new = try await stage.url(of: 2)
      let error = #expect(throws: PostgresError.self) {
        try stage.run("UPDATE book SET title = 'x'", at: new)
      }
      #expect(error?.sqlState?.rawValue == "23505")
    }
  }

  @Test
  func `values that the release does not know are required from then on`() async throws {
    let added = Self.first
      .replacing("title: string?", with: "title: string?, code: string")
      .replacing(
        "author: { to: Person?, inverse: books }",
        with: "author: { to: Person?, inverse: books }\n      editor: { to: Person }"
      )
    try await withServedStage([Self.first, added]) { stage in
      let old = try await stage.url(of: 1)
      let step = try await stage.migrate(2)
      #expect(step.error.contains("column \"code\" of table \"book\""), "\(step)")
      #expect(step.error.contains("column \"editor\" of table \"book\""), "\(step)")
      try stage.run(
        "INSERT INTO person (name) VALUES ('Ada')",
        "INSERT INTO book (title) VALUES ('x')",
        at: old
      )
      try await stage.expectClean(2)
      let refused = try await stage.tool(2, "retire", "1")
      #expect(refused.status == 9, "\(refused)")
      let new = try await stage.url(of: 2)
      try stage.run("UPDATE book SET code = 'a', editor = 1", at: new)
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
      let error = #expect(throws: PostgresError.self) {
        try stage.run("INSERT INTO book (code) VALUES ('b')", at: new)
      }
      #expect(error?.sqlState?.rawValue == "23502")
    }
  }

  @Test
  func `a new value may have the former name of another one`() async throws {
    func model(_ attributes: String) -> String {
      "remodel: 1\nentities:\n  Person:\n    attributes: { \(attributes) }\n"
    }
    let second = model("b: { type: string, renamingIdentifier: a }, a: string")
    try await withServedStage([model("a: string"), second]) { stage in
      let old = try await stage.url(of: 1)
      let step = try await stage.migrate(2)
      #expect(step.error.contains("hold from the retirement"), "\(step)")
      try stage.run("INSERT INTO person (a) VALUES ('x')", at: old)
      #expect(try stage.found("SELECT b, a FROM public.person", at: stage.url) == [["x", nil]])
      try await stage.expectClean(2)
    }
  }

  @Test
  func `another database gets the rows when none of them violates one`() async throws {
    try await withViolations { stage, old in
      try await TestServer.withDatabase(beside: stage.url) { other in
        let refused = try await stage.tool(2, "migrate", "--into-database", other)
        #expect(refused.status == 9, "\(refused)")
        #expect(refused.error.contains("in the source"), "\(refused)")
        for mend in Self.mends { try stage.run(mend, at: old) }
        let copied = try await stage.tool(2, "migrate", "--into-database", other)
        #expect(copied.status == 0, "\(copied)")
      }
    }
  }

  @Test
  func `the version before is there again, whatever its release has written`() async throws {
    try await withViolations { stage, old in
      let back = try await stage.tool(2, "revert")
      #expect(back.status == 0, "\(back)")
      try await stage.expectClean(1)
      #expect(try stage.found("SELECT count(*) FROM book WHERE author IS NULL", at: old) == [["4"]])
      let again = try await stage.tool(2, "migrate", "--keep", "previous", "--to", "2")
      #expect(again.status != 0, "\(again)")
      for mend in Self.mends { try stage.run(mend, at: old) }
      try await stage.migrate(2, "--to", "2")
      try await stage.expectClean(2)
    }
  }

  @Test
  func `large tables get them while others read and write`() async throws {
    try await withViolations { stage, old in
      for mend in Self.mends { try stage.run(mend, at: old) }
      let retired = try await Tool.run(
        ["retire", "1", "--models", "\(stage.folder)/2", "--database", stage.url],
        environment: ["REMODEL_LARGE_TABLES": "1"]
      )
      #expect(retired.status == 0, "\(retired)")
      for work in [
        #"add constraint "book_title_key" to table "book""#,
        #"validate constraint "book_pages_check" of table "book""#,
      ] {
        #expect(
          retired.error.contains("phase=now  work=\(work)")
            || retired.error.contains("phase=deferred  work=\(work)"),
          "\(retired)"
        )
      }
      try await stage.expectClean(2)
    }
  }

  @Test
  func `what has another form keeps the one before until then`() async throws {
    func model(_ minimum: Int) -> String {
      """
      remodel: 1
      entities:
        Book:
          attributes: { pages: { type: "integer32?", validation: { minimum: \(minimum), enforced: true } } }
      """
    }
    try await withServedStage([model(1), model(10)]) { stage in
      let old = try await stage.url(of: 1)
      let step = try await stage.migrate(2)
      #expect(step.error.contains("the new form of constraint"), "\(step)")
      try stage.run("INSERT INTO book (pages) VALUES (5)", at: old)
      #expect(throws: PostgresError.self) {
        try stage.run("INSERT INTO book (pages) VALUES (0)", at: old)
      }
      try await stage.expectClean(2)
      try stage.run("UPDATE book SET pages = 10", at: old)
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
      #expect(throws: PostgresError.self) {
        try stage.run("INSERT INTO public.book (pages) VALUES (5)", at: stage.url)
      }
    }
  }
}
