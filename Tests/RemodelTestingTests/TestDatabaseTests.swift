import RemodelTesting
import Testing

@Suite(.enabled(if: ThrowawayPostgreSQL.isInstalled), .timeLimit(.minutes(30)))
struct TestDatabaseTests {
  private let models = "migrations/Library.remodel"

  @Test
  func `what is interpolated is a value, whatever is in it`() async throws {
    try await withDatabase(models: models) { database in
      let text = "'); DROP TABLE t; --"
      let nothing: Int? = nil
      try await database.execute("CREATE TABLE public.t (a text, b int, c bool, d numeric)")

      let count = try await database.execute(
        "INSERT INTO t VALUES (\(text), \(-7), \(true), \(1.5)), ('x', \(nothing), NULL, NULL)"
      )

      #expect(count == 2)
      let rows = try await database.rows("SELECT * FROM t ORDER BY b")
      #expect(rows == [[text, "-7", "t", "1.5"], ["x", nil, nil, nil]])
    }
  }

  @Test
  func `a text that was read from a file may have several statements`() async throws {
    try await withDatabase(models: models) { database in
      let script = "CREATE TABLE public.t (a int); INSERT INTO t VALUES (1), (2);"

      let count = try await database.execute(TestStatement(sql: script))

      #expect(count == 2)
      #expect(try await database.rows("SELECT sum(a) FROM t", as: Int.self) == [3])
    }
  }

  @Test
  func `rows are read as values of many kinds`() async throws {
    enum Genre: String, Decodable { case novel, poem }
    struct Book: Decodable, Equatable {
      var fullTitle: String
      var isRead: Bool
      var genre: Genre
      var rating: Double?
      var pages: Int16?
    }
    try await withDatabase(models: models) { database in
      let books = try await database.rows(
        """
        SELECT 'Emma' AS full_title, true AS "isRead", 'novel' AS genre, 4.5 AS rating,
          NULL AS pages
        """,
        as: Book.self
      )
      let names = try await database.rows("VALUES ('a'), (NULL) ORDER BY 1", as: String?.self)

      #expect(
        books == [Book(fullTitle: "Emma", isRead: true, genre: .novel, rating: 4.5, pages: nil)]
      )
      #expect(names == ["a", nil])
    }
  }

  @Test
  func `a value of another type is named`() async throws {
    struct Book: Decodable {
      var pages: Int
      var owner: String?
    }
    struct Loan: Decodable {
      var due: String
    }
    try await withDatabase(models: models) { database in
      let wrong = await #expect(throws: TestingError.self) {
        try await database.rows("SELECT 'many' AS pages", as: Book.self)
      }
      let missing = await #expect(throws: TestingError.self) {
        try await database.rows("SELECT 1 AS pages", as: Loan.self)
      }
      let absent = await #expect(throws: TestingError.self) {
        try await database.rows("SELECT 1 AS pages", as: Book.self)
      }

      #expect(
        wrong?.description == """
          ERROR:  a value of column "pages" is no Int
          DETAIL:  It is "many".
          """
      )
      #expect(
        missing?.description == """
          ERROR:  the rows have no column "due"
          DETAIL:  They have: pages.
          """
      )
      #expect(absent?.description.contains("the rows have no column \"owner\"") == true)
    }
  }

  @Test
  func `what the server complains about reads as in psql`() async throws {
    try await withDatabase(models: models) { database in
      let error = await #expect(throws: PostgresError.self) {
        try await database.rows("SELECT name FROM author")
      }

      #expect(
        error?.description.hasPrefix("ERROR:  relation \"author\" does not exist") == true
      )
    }
  }

  @Test
  func `drift and rows that violate rules are reported`() async throws {
    try await withDatabase(models: models, at: "2") { database in
      try await database.execute("ALTER TABLE book DROP COLUMN pages")

      let error = await #expect(throws: TestingError.self) { try await database.verify() }

      #expect(error?.description.contains("column \"pages\" of table \"book\" is missing") == true)
    }
  }

  @Test
  func `a missing path is reported with the test's file`() async throws {
    let error = await #expect(throws: TestingError.self) {
      try await withDatabase(models: "migrations/Shop.remodel") { _ in }
    }

    #expect(error?.description.contains("there is no model at \"migrations/Shop.remodel\"") == true)
    #expect(error?.description.contains("TestDatabaseTests.swift") == true)
  }

  @Test
  func `versions that fail to reach the target are reported with their reasons`() async throws {
    let error = await #expect(throws: TestingError.self) {
      try await migrateEveryVersion(models: models) { database, version in
        if version == "2" { try await database.execute("CREATE TABLE public.author_2 (a int)") }
        if version == "1" { try await database.execute("DROP TABLE book") }
      }
    }

    let text = error?.description ?? ""
    #expect(text.contains("a database at version \"1\" does not come to version \"3\""))
    #expect(!text.contains("a database at version \"2\""))
  }

  @Test
  func `a migration that fails says why`() async throws {
    try await withDatabase(models: models, at: "1") { database in
      let error = await #expect(throws: RemodelError.self) {
        try await database.migrate(to: "4")
      }

      #expect(error?.description.hasPrefix("ERROR:  there is no version \"4\"") == true)
    }
  }
}
