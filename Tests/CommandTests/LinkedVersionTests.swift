import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Two releases that have the same links in different places, and write them at the same time.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LinkedVersionTests {
  /// Returns a model with a relationship of books to people, and its inverse.
  private static func model(
    _ books: String,
    _ people: String
  ) -> String {
    """
    remodel: 1
    entities:
      Book:
        attributes: { title: string }
        relationships:
          \(books)
      Person:
        attributes: { name: string }
        relationships:
          \(people)
    """
  }

  private static let oneAuthor = model(
    "author: { to: Person?, inverse: books }",
    "books: { toMany: Book, inverse: author }"
  )
  private static let manyAuthors = model(
    "authors: { renamingIdentifier: author, toMany: Person, inverse: books }",
    "books: { toMany: Book, inverse: authors }"
  )
  private static let books: SQLFragment = """
    SELECT b.title, p.name FROM book AS b LEFT JOIN person AS p ON p._id = b.author ORDER BY 1, 2
    """
  private static let authors: SQLFragment = """
    SELECT b.title, p.name FROM book AS b LEFT JOIN (book_authors AS l \
    JOIN person AS p ON p._id = l.authors) ON l.books = b._id ORDER BY 1, 2
    """

  @Test
  func `a link to one becomes links to many while both are written`() async throws {
    try await withServedStage([Self.oneAuthor, Self.manyAuthors]) { stage in
      let old = try await stage.url(of: 1)
      try stage.run(
        "INSERT INTO person (name) VALUES ('Ada'), ('Bob'), ('Cy')",
        "INSERT INTO book (title, author) VALUES ('x', 1), ('y', 2), ('z', NULL)",
        at: old
      )
      try await stage.migrate(2)
      let new = try await stage.url(of: 2)
      #expect(
        try stage.found(Self.authors, at: new) == [["x", "Ada"], ["y", "Bob"], ["z", nil]]
      )
      // Each sees what the other writes.
      try stage.run(
        "UPDATE book SET author = 3 WHERE title = 'z'",
        "INSERT INTO book (title, author) VALUES ('v', 1)",
        at: old
      )
      #expect(
        try stage.found(Self.authors, at: new)
          == [["v", "Ada"], ["x", "Ada"], ["y", "Bob"], ["z", "Cy"]]
      )
      try stage.run(
        "INSERT INTO book_authors (books, authors) VALUES (1, 2)",
        "DELETE FROM book_authors WHERE books = 2",
        at: new
      )
      #expect(
        try stage.found(Self.books, at: old)
          == [["v", "Ada"], ["x", "Ada"], ["y", nil], ["z", "Cy"]]
      )
      // Of several links the old release sees one; when it is removed, the next.
      try stage.run("DELETE FROM book_authors WHERE books = 1 AND authors = 1", at: new)
      #expect(
        try stage.found(Self.books, at: old)
          == [["v", "Ada"], ["x", "Bob"], ["y", nil], ["z", "Cy"]]
      )
      try stage.run("DELETE FROM person WHERE name = 'Cy'", at: new)
      try stage.run("DELETE FROM book WHERE title = 'v'", at: old)
      #expect(try stage.found(Self.books, at: old) == [["x", "Bob"], ["y", nil], ["z", nil]])
      #expect(try stage.found(Self.authors, at: new) == [["x", "Bob"], ["y", nil], ["z", nil]])
      try await stage.expectClean(2)
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
      try stage.run("INSERT INTO book_authors (books, authors) VALUES (2, 1)", at: new)
    }
  }

  @Test
  func `links to many become a link to one while both are written`() async throws {
    try await withServedStage([Self.manyAuthors, Self.oneAuthor]) { stage in
      let old = try await stage.url(of: 1)
      try stage.run(
        "INSERT INTO person (name) VALUES ('Ada'), ('Bob'), ('Cy')",
        "INSERT INTO book (title) VALUES ('x'), ('y'), ('z')",
        "INSERT INTO book_authors (books, authors) VALUES (1, 1), (2, 2)",
        at: old
      )
      try await stage.migrate(2)
      let new = try await stage.url(of: 2)
      try stage.run(
        "INSERT INTO book_authors (books, authors) VALUES (3, 3), (1, 2) ON CONFLICT DO NOTHING",
        at: old
      )
      #expect(try stage.found(Self.books, at: new) == [["x", "Ada"], ["y", "Bob"], ["z", "Cy"]])
      try stage.run("UPDATE book SET author = 3 WHERE title = 'x'", at: new)
      #expect(
        try stage.found(Self.authors, at: old)
          == [["x", "Bob"], ["x", "Cy"], ["y", "Bob"], ["z", "Cy"]]
      )
      try stage.run("DELETE FROM book_authors WHERE books = 1 AND authors = 3", at: old)
      #expect(try stage.found(Self.books, at: new) == [["x", "Bob"], ["y", "Bob"], ["z", "Cy"]])
      // Deleted rows take their links along, whichever release knows them.
      try stage.run("DELETE FROM person WHERE name = 'Bob'", at: new)
      #expect(try stage.found(Self.authors, at: old) == [["x", nil], ["y", nil], ["z", "Cy"]])
      try await stage.expectClean(2)
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
    }
  }

  @Test
  func `a role without rights to the new place writes links of the old one`() async throws {
    try await withServedStage([Self.oneAuthor, Self.manyAuthors]) { stage in
      let old = try await stage.url(of: 1)
      try stage.run(
        "INSERT INTO person (name) VALUES ('Ada')",
        "INSERT INTO book (title) VALUES ('x')",
        at: old
      )
      try await withRole("librarian", at: stage.url) { role, _ in
        try stage.run("GRANT SELECT, UPDATE ON public.book TO \(role)", at: old)
        try await stage.migrate(2)
        try stage.run(
          "SET ROLE \(role)",
          "UPDATE book SET author = 1",
          at: old
        )
      }
      let new = try await stage.url(of: 2)
      #expect(try stage.found(Self.authors, at: new) == [["x", "Ada"]])
    }
  }

  @Test
  func `a foreign key goes to the other side while both are written`() async throws {
    let first = Self.model(
      "owner: { to: Person?, inverse: things }",
      "things: { toMany: Book, inverse: owner }"
    )
    let second = Self.model(
      "owner: { toMany: Person, inverse: things }",
      "things: { to: Book?, inverse: owner }"
    )
    try await withServedStage([first, second]) { stage in
      let old = try await stage.url(of: 1)
      try stage.run(
        "INSERT INTO person (name) VALUES ('Ada'), ('Bob'), ('Cy')",
        "INSERT INTO book (title, owner) VALUES ('x', 1), ('y', 2), ('z', NULL)",
        at: old
      )
      try await stage.migrate(2)
      let new = try await stage.url(of: 2)
      let people: SQLFragment = """
        SELECT p.name, b.title FROM person AS p LEFT JOIN book AS b ON b._id = p.things ORDER BY 1
        """
      let things: SQLFragment = """
        SELECT b.title, p.name FROM book AS b LEFT JOIN person AS p ON p._id = b.owner ORDER BY 1
        """
      #expect(try stage.found(people, at: new) == [["Ada", "x"], ["Bob", "y"], ["Cy", nil]])
      // Two change places in one statement.
      try stage.run("UPDATE book SET owner = 3 - owner WHERE owner IS NOT NULL", at: old)
      #expect(try stage.found(people, at: new) == [["Ada", "y"], ["Bob", "x"], ["Cy", nil]])
      // Of two where only one fits there is the first, then the next.
      try stage.run("UPDATE book SET owner = 1 WHERE title = 'z'", at: old)
      #expect(try stage.found(people, at: new) == [["Ada", "y"], ["Bob", "x"], ["Cy", nil]])
      try stage.run("UPDATE book SET owner = NULL WHERE title = 'y'", at: old)
      #expect(try stage.found(people, at: new) == [["Ada", "z"], ["Bob", "x"], ["Cy", nil]])
      try stage.run("UPDATE person SET things = 2 WHERE name = 'Cy'", at: new)
      #expect(try stage.found(things, at: old) == [["x", "Bob"], ["y", "Cy"], ["z", "Ada"]])
      try stage.run("DELETE FROM person WHERE name = 'Cy'", at: new)
      try stage.run("DELETE FROM book WHERE title = 'x'", at: old)
      #expect(try stage.found(things, at: old) == [["y", nil], ["z", "Ada"]])
      #expect(try stage.found(people, at: new) == [["Ada", "z"], ["Bob", nil]])
      try await stage.expectClean(2)
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
    }
  }

  @Test
  func `what two add and remove at once is not lost`() async throws {
    try await withServedStage([Self.manyAuthors, Self.oneAuthor]) { stage in
      let old = try await stage.url(of: 1)
      try stage.run(
        "INSERT INTO person (name) VALUES ('Ada'), ('Bob')",
        "INSERT INTO book (title) VALUES ('x')",
        "INSERT INTO book_authors (books, authors) VALUES (1, 1)",
        at: old
      )
      try await stage.migrate(2)
      let adding = try PostgresConnection(to: .url(old))
      try adding.execute("BEGIN; INSERT INTO book_authors (books, authors) VALUES (1, 2)")
      async let removal: Void = Task.detached {
        try PostgresConnection(to: .url(old)).execute("DELETE FROM book_authors WHERE authors = 1")
      }.value
      try await wait(for: .sessionsThatWait, at: stage.url)
      try adding.execute("COMMIT")
      try await removal
      let new = try await stage.url(of: 2)
      #expect(try stage.found(Self.books, at: new) == [["x", "Bob"]])
    }
  }

  @Test(arguments: [true, false])
  func `another effect of deleted rows is told`(isLostCascade: Bool) async throws {
    let rule = ", delete: cascade }"
    let first = Self.model(
      "author: { to: Person?, inverse: books }",
      "books: { toMany: Book, inverse: author\(isLostCascade ? rule : " }")"
    )
    let second =
      isLostCascade
      ? Self.manyAuthors
      : Self.manyAuthors.replacing("inverse: authors }", with: "inverse: authors\(rule)")
    try await withServedStage([first, second]) { stage in
      let step = try await stage.migrate(2)
      let words = #"DELETE of a row of table "person" has another effect on rows of table "book""#
      #expect(step.error.contains(words), "\(step)")
    }
  }
}
