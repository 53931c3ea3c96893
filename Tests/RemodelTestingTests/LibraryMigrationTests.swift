import RemodelTesting
import Testing

@Suite(.enabled(if: ThrowawayPostgreSQL.isInstalled), .timeLimit(.minutes(30)))
struct LibraryMigrationTests {
  private let models = "migrations/Library.remodel"

  @Test
  func `there is an author for each name that books have`() async throws {
    try await withDatabase(models: models, at: "1") { database in
      try await database.execute(
        """
        INSERT INTO "user" (name) VALUES ('Jane Doe');
        INSERT INTO book (title, author_name, owner)
          VALUES ('Emma', 'Jane Austen', 1), ('Persuasion', 'Jane Austen', 1);
        """
      )

      try await database.migrate(to: "2")

      #expect(try await database.rows("SELECT name FROM author") == [["Jane Austen"]])
    }
  }

  @Test
  func `a book without a price costs nothing`() async throws {
    struct Book: Decodable, Equatable {
      var title: String
      var price: Double
      var pages: Int?
    }
    try await withDatabase(models: models, at: "1") { database in
      try await database.addBook("Emma", by: "Jane Austen")

      try await database.migrate()

      let books = try await database.rows("SELECT title, price, pages FROM book", as: Book.self)
      #expect(books == [Book(title: "Emma", price: 0, pages: nil)])
    }
  }

  @Test
  func `going back brings the names of the authors back`() async throws {
    try await withDatabase(models: models, at: "1") { database in
      try await database.addBook("Emma", by: "Jane Austen")
      try await database.migrate()

      try await database.revert(to: "1")

      #expect(try await database.rows("SELECT author_name FROM book") == [["Jane Austen"]])
    }
  }

  @Test
  func `databases at every version come to the current one`() async throws {
    try await migrateEveryVersion(models: models) { database, version in
      if version == "1" { try await database.addBook("Emma", by: "Jane Austen") }
    }
  }
}

extension TestDatabase {
  /// Adds a book, and a user who owns it, to the tables of version 1.
  fileprivate func addBook(_ title: String, by author: String) async throws {
    try await execute(
      """
      WITH owner AS (INSERT INTO "user" (name) VALUES ('Jane Doe') RETURNING _id)
        INSERT INTO book (title, author_name, owner) SELECT \(title), \(author), _id FROM owner
      """
    )
  }
}
