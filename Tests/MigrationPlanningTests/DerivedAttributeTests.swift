import Diagnostics
import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Derived values follow from the rows, no matter which session writes them.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct DerivedAttributeTests {
  @Test
  func `derived values follow every change of the rows`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try Self.library(url)
      for seed in UInt64(1)...3 {
        var writer = RandomWriter(seed: seed)
        for _ in 0..<120 {
          let statement = writer.statement()
          try connection.execute(statement)
          let stale = try Self.stale(connection)
          #expect(stale == [], "seed \(seed), after \(statement)")
          guard stale.isEmpty else { return }
        }
        try connection.execute("TRUNCATE s.chapter, s.book_tags")
        #expect(try Self.stale(connection) == [])
      }
      let sums = try connection.query(
        "SELECT count(*) AS n FROM s.book WHERE chapter_count IS NULL OR chapter_count <> 0"
      )
      #expect(sums.first?.integer("n") == 0)
    }
  }

  @Test(.sampled(oneIn: 3))
  func `derived values hold under concurrent writers`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try Self.library(url)

      let failures = try await withThrowingTaskGroup(of: Int.self) { group in
        for seed in UInt64(11)...14 {
          group.addTask { try await Self.write(seed, url) }
        }
        return try await group.reduce(0, +)
      }

      #expect(try Self.stale(connection) == [])
      // Most attempts succeeded.
      #expect(failures < 200, "\(failures) deadlocks")
    }
  }

  @Test
  func `a writer that waits sees what the other has done`() async throws {
    try await TestServer.withDatabase { url in
      let first = try Self.library(url)
      try first.execute("INSERT INTO s.chapter (book, pages) VALUES (1, 10)")
      try first.execute("BEGIN; UPDATE s.author SET name = 'before' WHERE _id = 1")

      // The second one reads the name that the first is changing, so it has to wait for it.
      async let second: Void = onThread {
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          "INSERT INTO s.book (_id, _entity, author) VALUES (100, 'Book', 1)"
        )
      }
      try await wait(for: .sessionsThatWait, at: url)
      try first.execute("COMMIT")
      try await second

      #expect(try Self.stale(first) == [])
      let name = try first.query("SELECT author_name FROM s.book WHERE _id = 100")
      #expect(name.first?["author_name"] == "before")
    }
  }

  @Test
  func `a derived value cannot be written, and a timestamp has the last write`() async throws {
    let model = Samples.model(
      "Note",
      AttributeDescription(name: "text", type: .string),
      AttributeDescription(name: "changed", type: .date, derivationExpression: "now()")
    )
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try Self.create(PlannedVersion(model), connection)

      try connection.execute("INSERT INTO s.note (text, changed) VALUES ('a', '2001-01-01')")
      let inserted = try connection.query("SELECT changed::text AS c FROM s.note")
      try connection.execute("UPDATE s.note SET text = 'b'")
      let updated = try connection.query(
        "SELECT changed::text AS c, changed > now() - interval '1 hour' AS fresh FROM s.note"
      )

      #expect(updated.first?["fresh"] == "t")
      #expect(inserted.first?["c"] != updated.first?["c"])
    }
  }

  // MARK: - Parts

  static func create(
    _ version: PlannedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.prepareSession()
    try connection.execute("DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s")
    for statement in try MigrationPlanner().step(creating: version).statements {
      try connection.execute(statement.sql)
    }
  }

  private static func library(_ url: String) throws -> PostgresConnection {
    let connection = try PostgresConnection(to: .url(url))
    try create(PlannedVersion(DerivedModel().model), connection)
    try connection.execute(
      """
      INSERT INTO s.publisher (city) SELECT 'city ' || n FROM generate_series(1, 3) AS n;
      INSERT INTO s.author (name, publisher) SELECT 'name ' || n, n FROM generate_series(1, 3) AS n;
      INSERT INTO s.tag (weight) SELECT n FROM generate_series(1, 3) AS n;
      INSERT INTO s.book (_entity, title, price, author)
        SELECT CASE n % 2 WHEN 0 THEN 'Book' ELSE 'Novel' END, 'Título ' || n, n, n % 3 + 1
        FROM generate_series(1, 6) AS n
      """
    )
    return connection
  }

  /// The books and authors whose derived values are not what this says, independently of the model.
  private static func stale(_ connection: borrowing PostgresConnection) throws -> [String] {
    let result = try connection.query(
      """
      SELECT 'book ' || b._id || ': ' || to_jsonb(b)::text AS place FROM s.book AS b
      LEFT JOIN s.author AS a ON a._id = b.author LEFT JOIN s.publisher AS p ON p._id = a.publisher
      LEFT JOIN LATERAL (SELECT count(*) AS n, sum(pages) AS s, max(pages) AS m FROM s.chapter
        WHERE book = b._id) AS c ON true
      LEFT JOIN LATERAL (SELECT sum(weight) AS w FROM s.book_tags AS l JOIN s.tag AS t
        ON t._id = l.tags WHERE l.books = b._id) AS t ON true
      WHERE (b.author_name, b.publisher_city, b.chapter_count, b.page_sum, b.tag_weight,
        b.title_length, b.novel_longest, b.novel_loud_title) IS DISTINCT FROM (a.name,
        upper(p.city), c.n, coalesce(c.s, 0), coalesce(t.w, 0), length(b.title) + b.price,
        CASE b._entity WHEN 'Novel' THEN c.m END, CASE b._entity WHEN 'Novel' THEN upper(b.title) END)
      UNION ALL
      SELECT 'author ' || a._id FROM s.author AS a WHERE a.pupil_count <> (SELECT count(*)
        FROM s.author WHERE teacher = a._id) OR a.friend_count <> (SELECT count(DISTINCT
        CASE WHEN source = a._id THEN target ELSE source END) FROM s.author_friends
        WHERE a._id IN (source, target))
      """
    )
    return result.compactMap { $0["place"] }
  }

  /// Returns the number of statements that failed because of other sessions.
  private static func write(_ seed: UInt64, _ url: String) async throws -> Int {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    var writer = RandomWriter(seed: seed)
    var failures = 0
    for _ in 0..<100 {
      do {
        let statements = [writer.statement(), writer.statement()].joined(separator: "; ")
        try connection.execute("BEGIN; \(statements); COMMIT")
      } catch {
        // Deadlocks, and references to what another one has just deleted.
        failures += 1
        try connection.execute("ROLLBACK")
      }
      await Task.yield()
    }
    return failures
  }
}

/// Makes statements that change whatever derived values depend on.
private struct RandomWriter {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func statement() -> SQLFragment {
    let book = key(6)
    let other = key(6)
    let small = key(3)
    let another = key(3)
    switch Int.random(in: 0...18, using: &random) {
    case 0...3:
      return "INSERT INTO s.chapter (book, pages) VALUES (\(book), \(small)), (\(other), 1)"
    case 4: return "UPDATE s.chapter SET book = \(book) WHERE book = \(other)"
    case 5: return "UPDATE s.chapter SET book = NULL, pages = NULL WHERE book = \(other)"
    case 6: return "UPDATE s.chapter SET pages = pages + \(small) WHERE _id % 3 = \(small) - 1"
    case 7: return "DELETE FROM s.chapter WHERE book = \(book) AND pages > \(small)"
    case 8:
      return """
        INSERT INTO s.book_tags (books, tags) VALUES (\(book), \(small)) ON CONFLICT DO NOTHING
        """
    case 9: return "DELETE FROM s.book_tags WHERE books = \(book)"
    case 10: return "UPDATE s.tag SET weight = weight + 1 WHERE _id = \(small)"
    case 11: return "UPDATE s.author SET name = name || 'x' WHERE _id = \(small)"
    case 12: return "UPDATE s.author SET publisher = \(small) WHERE _id = \(another)"
    case 13: return "UPDATE s.publisher SET city = city || 'ä' WHERE _id = \(small)"
    case 14: return "UPDATE s.book SET author = \(small), chapter_count = 99 WHERE _id = \(book)"
    case 15: return "UPDATE s.book SET title = 'É' || title, _entity = 'Book' WHERE _id = \(book)"
    case 16:
      return """
        WITH gone AS (DELETE FROM s.book WHERE _id = \(book) RETURNING _id, title, price)
        INSERT INTO s.tag (weight) SELECT price FROM gone;
        INSERT INTO s.book (_id, _entity, title, price, author) VALUES (\(book), 'Novel', 't', 1,
        \(small)) ON CONFLICT DO NOTHING
        """
    case 17: return "UPDATE s.author SET teacher = \(small) WHERE _id = \(another)"
    default:
      return """
        INSERT INTO s.author_friends (source, target) VALUES (\(small), \(another)) \
        ON CONFLICT DO NOTHING
        """
    }
  }

  private mutating func key(_ count: Int64) -> SQLFragment {
    "\(SQLLiteral.integer(.random(in: 1...count, using: &random)))"
  }
}
