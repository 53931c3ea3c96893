import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Two releases that know one value in different ways, and write it at the same time.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct BridgedVersionTests {
  private static let first = """
    remodel: 1
    entities:
      Person:
        attributes:
          fullName: string
          age: string?
          height: integer32?
          mood: string?
      Animal:
        attributes: { name: string }
      Dog:
        parent: Animal
        attributes: { tricks: integer32? }
    """

  /// One value becomes two, a type changes, a value is required, and an entity of a hierarchy has another name.
  private static let second = """
    remodel: 1
    entities:
      Person:
        attributes:
          firstName: string
          lastName: string
          age: integer32?
          height: double?
          mood: { type: string, default: calm }
      Animal:
        attributes: { name: string }
      Hound:
        renamingIdentifier: Dog
        parent: Animal
        attributes: { tricks: integer32? }
    """

  private static let mappings = [
    "1-2": mapping(
      from: 1,
      to: 2,
      #"firstName: split($source.fullName, " ", 0)"#,
      #"lastName: split($source.fullName, " ", 1)"#,
      #"age: CAST($source.age, "integer32")"#
    ),
    "2-1": mapping(
      from: 2,
      to: 1,
      #"fullName: concat($source.firstName, " ", $source.lastName)"#
    ),
  ]

  private static func mapping(from source: Int, to destination: Int, _ values: String...) -> String
  {
    """
    remodelMapping: 1
    source: "\(source)"
    destination: "\(destination)"
    entities:
      - source: Person
        destination: Person
        attributes:
          \(values.joined(separator: "\n      "))
    """
  }

  @Test
  func `a plan without a database shows the triggers, and what they cost`() async throws {
    try await withServedStage([Self.first, Self.second], mappings: Self.mappings) { stage in
      let call = ["plan", "--from", "1", "--models", "\(stage.folder)/2"]
      let plan = try await Tool.run(call + ["--keep", "previous"])
      #expect(plan.status == 0, "\(plan)")
      // The sizes of tables are not known.
      #expect(
        plan.error.contains("unless tables are small, this is refused: table \"animal\""),
        "\(plan)"
      )
      #expect(plan.output.contains("CREATE TRIGGER \"~remodel_bridge_insert\""), "\(plan)")
      #expect(
        plan.output.contains(
          """
          until version "1" is retired, triggers keep "animal", "person" in step: a statement that writes many \
          rows inserts about 90000 rows a second instead of 280000, and updates about 60000 rows a second \
          instead of 160000
          """
        ),
        "\(plan)"
      )
      let other = try await Tool.run(call)
      #expect(!other.output.contains("CREATE TRIGGER"), "\(other)")
    }
  }

  @Test
  func `rows of a subentity get the default where the previous release writes NULL`() async throws {
    let before = """
      remodel: 1
      entities:
        Work:
          attributes: { title: string }
        Book:
          parent: Work
          attributes: { pages: integer32? }
      """
    // A renamed entity and a new one below it have the attribute too.
    let after =
      before.replacing("integer32?", with: "{ type: integer32, default: 7 }")
      .replacing(
        "Book:\n    parent: Work",
        with: "Volume:\n    renamingIdentifier: Book\n    parent: Work"
      )
        + """

          Audiobook:
            parent: Volume
        """
    let versions = [before, after]
    try await withServedStage(versions) { stage in
      let old = try await stage.url(of: 1)
      let step = try await stage.migrate(2)
      #expect(!step.error.contains("some constraints hold from the retirement"), "\(step)")
      try stage.run(
        "INSERT INTO work (title, _entity, book_pages) VALUES ('a', 'Book', NULL)",
        "INSERT INTO work (title, _entity, book_pages) VALUES ('b', 'Book', 3)",
        "INSERT INTO work (title, _entity) VALUES ('c', 'Work')",
        "UPDATE work SET book_pages = NULL WHERE title = 'b'",
        at: old
      )
      let new = try await stage.url(of: 2)
      try stage.run(
        "INSERT INTO work (title, _entity, volume_pages) VALUES ('d', 'Audiobook', 3)",
        at: new
      )
      try stage.run("UPDATE work SET book_pages = NULL WHERE title = 'd'", at: old)
      #expect(
        try stage.found("SELECT title, volume_pages FROM work ORDER BY 1", at: new)
          == [["a", "7"], ["b", "7"], ["c", nil], ["d", "7"]]
      )
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
    }
  }

  @Test
  func `a default in place of NULL needs no column, and no trigger for other rows`() async throws {
    let before = """
      remodel: 1
      entities:
        Book:
          attributes: { title: string, pages: integer32? }
      """
    let after = before.replacing("integer32?", with: "{ type: integer32, default: 7 }")
    try await withServedStage([before, after]) { stage in
      let old = try await stage.url(of: 1)
      try stage.run("INSERT INTO book (title, pages) VALUES ('a', 3)", at: old)
      try await stage.migrate(2)
      try stage.run(
        "INSERT INTO book (title) VALUES ('b')",
        "UPDATE book SET pages = NULL WHERE title = 'a'",
        at: old
      )

      let columns: SQLFragment = """
        SELECT attname FROM pg_attribute
        WHERE attrelid = 'public.book'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
        """
      #expect(try stage.found(columns, at: old) == [["_id"], ["title"], ["pages"]])
      let triggers: SQLFragment = """
        SELECT tgname, tgqual IS NULL FROM pg_trigger
        WHERE tgrelid = 'public.book'::regclass ORDER BY tgname
        """
      #expect(
        try stage.found(triggers, at: old)
          == [["~remodel_bridge_insert", "f"], ["~remodel_bridge_update", "f"]]
      )
      let new = try await stage.url(of: 2)
      #expect(
        try stage.found("SELECT title, pages FROM book ORDER BY 1", at: new)
          == [["a", "7"], ["b", "7"]]
      )

      try await stage.expectClean(2)
      try stage.run(
        #"DROP TRIGGER "~remodel_bridge_insert" ON public.book"#,
        #"""
        CREATE TRIGGER "~remodel_bridge_insert" BEFORE INSERT ON public.book
          FOR EACH ROW WHEN (NEW.title IS NULL) EXECUTE FUNCTION public_v1.book()
        """#,
        #"ALTER TABLE public.book ENABLE ALWAYS TRIGGER "~remodel_bridge_insert""#,
        at: stage.url
      )
      let drift = try await stage.tool(2, "verify")
      #expect(drift.status == 2, "\(drift)")
      #expect(drift.output.contains("~remodel_bridge_insert"), "\(drift)")
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
    }
  }

  @Test
  func `rows of other entities run no trigger for a default`() async throws {
    let before = """
      remodel: 1
      entities:
        Work:
          attributes: { title: string }
        Book:
          parent: Work
          attributes: { pages: integer32? }
        Film:
          parent: Work
          attributes: { minutes: integer32? }
      """
    let after = before.replacing("integer32?", with: "{ type: integer32, default: 7 }")
    try await withServedStage([before, after]) { stage in
      let old = try await stage.url(of: 1)
      try await stage.migrate(2)

      func triggers(_ statement: SQLFragment) throws -> [String] {
        try stage.found("EXPLAIN (ANALYZE, TIMING off, COSTS off) \(statement)", at: old)
          .compactMap(\.first).compactMap(\.self).filter { $0.contains("remodel_bridge") }
      }
      let film: SQLFragment = """
        INSERT INTO work (title, _entity, film_minutes) VALUES ('a', 'Film', 3)
        """
      #expect(try triggers(film) == [])
      #expect(try triggers("UPDATE work SET title = 'b'") == [])
      #expect(try triggers("INSERT INTO work (title, _entity) VALUES ('c', 'Film')").count == 1)
      #expect(try triggers("UPDATE work SET film_minutes = NULL").count == 1)
      #expect(
        try stage.found("SELECT title, film_minutes, book_pages FROM work ORDER BY 1", at: old)
          == [["b", "7", nil], ["c", "7", nil]]
      )
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
    }
  }

  @Test(arguments: ["locked", "filled"])
  func `each of two migrations in a row keeps the version before it in step`(
    strategy: String
  ) async throws {
    let models = ["integer16", "integer32", "integer64"].enumerated().map { number, type in
      """
      remodel: 1
      entities:
        Book:
          attributes:
            title: string
            pages: \(type)
            price: \(number == 0 ? "integer32?" : "{ type: integer32, default: 7 }")
            copies: \(number < 2 ? "integer32?" : "{ type: integer32, default: 8 }")
      """
    }
    try await withServedStage(models) { stage in
      // The table is not small.
      try stage.run(
        "INSERT INTO book (title, pages) SELECT repeat('a', 300), 3 FROM generate_series(1, 40000)",
        "ANALYZE book",
        at: try await stage.url(of: 1)
      )
      try await stage.migrate(2, "--strategy", strategy)
      let second = try await stage.url(of: 2)
      try await stage.migrate(3, "--strategy", strategy)
      try stage.run("INSERT INTO book (title, pages, price) VALUES ('b', 4, 5)", at: second)
      let third = try await stage.url(of: 3)
      try stage.run("UPDATE book SET pages = 6 WHERE title = 'b'", at: third)
      let books: SQLFragment = """
        SELECT pages, price, copies, count(*) FROM book GROUP BY 1, 2, 3 ORDER BY 1
        """
      let rows = [["3", "7", "8", "40000"], ["6", "5", "8", "1"]]
      #expect(try stage.found(books, at: second) == rows)
      #expect(try stage.found(books, at: third) == rows)
      try await stage.retire("2", 3)
      try await stage.expectClean(3)
    }
  }

  @Test
  func `both releases write a value that each has in its own way`() async throws {
    try await withServedStage([Self.first, Self.second], mappings: Self.mappings) { stage in
      let old = try await stage.url(of: 1)
      try stage.run(
        "INSERT INTO person (full_name, age) VALUES ('Ada Lovelace', '036'), ('Alan Turing', NULL)",
        "INSERT INTO animal (_entity, name) VALUES ('Animal', 'Tom'), ('Dog', 'Rex')",
        at: old
      )
      try await stage.migrate(2)
      let new = try await stage.url(of: 2)
      let people: SQLFragment = "SELECT full_name, age, mood FROM person ORDER BY _id"
      let humans: SQLFragment = "SELECT first_name, last_name, age, mood FROM person ORDER BY _id"
      #expect(
        try stage.found(people, at: old)
          == [["Ada Lovelace", "036", "calm"], ["Alan Turing", nil, "calm"]]
      )
      try stage.run(
        "INSERT INTO person (full_name, age) VALUES ('Grace Hopper', '7')",
        "UPDATE person SET age = '041' WHERE full_name = 'Alan Turing'",
        "UPDATE person SET mood = NULL WHERE full_name = 'Ada Lovelace'",
        "INSERT INTO animal (_entity, name) VALUES ('Dog', 'Ben')",
        at: old
      )
      try stage.run(
        "INSERT INTO person (first_name, last_name, age) VALUES ('Kurt', 'Gödel', 71)",
        "UPDATE person SET last_name = 'King', age = 37 WHERE first_name = 'Ada'",
        "INSERT INTO animal (_entity, name) VALUES ('Hound', 'Ace')",
        """
        INSERT INTO person (_id, first_name, last_name, age) VALUES (3, 'x', 'y', 8)
          ON CONFLICT (_id) DO UPDATE SET age = EXCLUDED.age
        """,
        at: new
      )
      #expect(
        try stage.found(people, at: old) == [
          ["Ada King", "37", "calm"], ["Alan Turing", "041", "calm"],
          ["Grace Hopper", "8", "calm"],
          ["Kurt Gödel", "71", "calm"],
        ]
      )
      #expect(
        try stage.found(humans, at: new) == [
          ["Ada", "King", "37", "calm"], ["Alan", "Turing", "41", "calm"],
          ["Grace", "Hopper", "8", "calm"], ["Kurt", "Gödel", "71", "calm"],
        ]
      )
      let kinds: SQLFragment = "SELECT _entity, name FROM animal ORDER BY _id"
      #expect(
        try stage.found(kinds, at: old)
          == [["Animal", "Tom"], ["Dog", "Rex"], ["Dog", "Ben"], ["Dog", "Ace"]]
      )
      #expect(
        try stage.found(kinds, at: new)
          == [["Animal", "Tom"], ["Hound", "Rex"], ["Hound", "Ben"], ["Hound", "Ace"]]
      )
      // What has no counterpart in the other version is refused where it is written.
      let error = #expect(throws: PostgresError.self) {
        try stage.run("UPDATE person SET height = 99999999999 WHERE first_name = 'Ada'", at: new)
      }
      #expect(error?.sqlState?.rawValue.hasPrefix("22") == true)
      try await stage.expectClean(2)
      try await stage.retire("1", 2)
      try await stage.expectClean(2)
      let columns = try stage.found(
        """
        SELECT attname FROM pg_attribute WHERE attrelid = 'public.person'::regclass AND attnum > 0
          AND NOT attisdropped ORDER BY attname COLLATE "C"
        """,
        at: stage.url
      )
      #expect(
        columns.map { $0[0] } == [
          "_id", "age", "first_name", "full_name", "height", "last_name", "mood",
          "remodel_kept_height", "remodel_retained_1_age",
        ]
      )
      let triggers = try stage.found(
        "SELECT tgname FROM pg_trigger WHERE tgrelid = 'public.person'::regclass",
        at: stage.url
      )
      #expect(triggers.isEmpty)
    }
  }
}
