import RemodelKit
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Books whose number of pages is Roman in version 1, and a number in version 2: `XLII` is 42.
enum Shelf {
  static let versions = [
    """
    remodel: 1
    entities:
      Author: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: author } } }
      Book:
        attributes: { title: string, pages: string? }
        relationships:
          author: { to: Author?, inverse: books }
          sequels: { toMany: Book, inverse: prequel }
          prequel: { to: Book?, inverse: sequels }
          tags: { toMany: Tag, inverse: books }
      Tag: { attributes: { word: string }, relationships: { books: { toMany: Book, inverse: tags } } }
    """,
    """
    remodel: 1
    entities:
      Author: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: author } } }
      Book:
        attributes: { title: string, pages: integer32?, heading: string }
        relationships:
          author: { to: Author?, inverse: books }
          sequels: { toMany: Book, inverse: prequel }
          prequel: { to: Book?, inverse: sequels }
          tags: { toMany: Tag, inverse: books }
      Tag: { attributes: { word: string }, relationships: { books: { toMany: Book, inverse: tags } } }
    """,
  ]

  static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
        attributes:
          heading: uppercase($source.title)
        policy: BookPolicy
    """

  /// Runs a body with the bundle and an empty database.
  static func withBundle<Result>(
    _ mapping: String? = mapping,
    _ body: (_ bundle: String, _ url: String) async throws -> Result
  ) async throws -> Result {
    try await TestSupport.withBundle(versions, mappings: mapping.map { ["1-2": $0] } ?? [:]) {
      bundle in
      try await TestServer.withDatabase { try await body(bundle, $0) }
    }
  }

  static func remodel(
    _ bundle: String,
    _ policy: (any EntityMigrationPolicy)?,
    strategy: CopyStrategy = .locked,
    workers: Int = 1,
    failpoints: Failpoints = Failpoints()
  ) -> Remodel {
    var configuration = RemodelConfiguration(
      modelsPath: bundle,
      strategy: strategy,
      copySettings: CopySettings(workers: workers),
      policies: policy.map { ["BookPolicy": $0] } ?? [:]
    )
    configuration.copySettings.failpoints = failpoints
    configuration.copySettings.chunkRows = 100
    return Remodel(configuration)
  }

  /// Makes version 1, with books that follow one another, of three authors, with two tags.
  static func fill(_ bundle: String, _ url: String, books: Int) async throws {
    _ = try await remodel(bundle, RomanPages()).migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(
      """
      INSERT INTO public.author (name) VALUES ('Ada'), ('Grace'), ('Jane');
      INSERT INTO public.tag (word) VALUES ('old'), ('new');
      INSERT INTO public.book (title, pages, author)
        SELECT E'Title\\t' || i || E'\\\\', CASE WHEN i % 10 = 0 THEN NULL ELSE
          trim(to_char(i % 3999 + 1, 'RN')) END, i % 3 + 1
        FROM generate_series(1, \(SQLLiteral.integer(Int64(books)))) AS i;
      UPDATE public.book SET prequel = _id - 1 WHERE _id > 1 AND _id % 2 = 1
      """
    )
    let (table, columns) = try joinTable(connection)
    try connection.execute(
      """
      INSERT INTO public.\(table) (\(columns)) SELECT _id, _id % 2 + 1 FROM public.book
        WHERE _id <= 50
      """
    )
  }

  /// The table of the books' tags, with the book's key first.
  private static func joinTable(
    _ connection: borrowing PostgresConnection
  ) throws -> (name: SQLIdentifier, columns: SQLFragment) {
    let join = try connection.query(
      """
      SELECT c.relname AS name, (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attname)
          FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) AS columns
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.relname NOT IN ('author', 'book', 'tag')
          AND c.relname NOT LIKE 'remodel%'
      """
    ).first
    return (SQLIdentifier(join?["name"] ?? ""), SQLFragment(deparsed: join?["columns"] ?? ""))
  }

  /// The tags of the books as text.
  static func tags(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    let table = try joinTable(connection).name
    return try connection.query("SELECT j::text AS row FROM public.\(table) AS j ORDER BY 1")
      .compactMap { $0["row"] }
  }

  /// The books of version 2 as text.
  static func books(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      "SELECT to_jsonb(b)::text AS row FROM public.book AS b ORDER BY _id"
    ).compactMap { $0["row"] }
  }

  static func value(_ sql: SQLFragment, _ url: String) throws -> String? {
    try PostgresConnection(to: .url(url)).query(sql).value
  }
}

/// Reads Roman numbers.
struct RomanPages: EntityMigrationPolicy {
  struct Unreadable: Error, CustomStringConvertible {
    let description = "that is no Roman number"
  }

  var version = "1"
  var count = InstanceCreation.Count.one
  /// The rows for a book.
  var make: @Sendable (SourceInstance) throws -> [DestinationInstance] = { [try Self.read($0)] }

  func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? {
    InstanceCreation(setting: ["pages"], from: ["pages", "title", "author"], count: count)
  }

  func createDestinationInstances(
    forSource instances: [SourceInstance],
    in mapping: EntityMapping
  ) throws -> [DestinationInstance] {
    try instances.flatMap(make)
  }

  static func read(_ source: SourceInstance) throws -> DestinationInstance {
    var book = DestinationInstance(of: source)
    if let pages = try source.string(forKey: "pages") {
      try book.setValue(.integer(try number(pages)), forKey: "pages")
    }
    return book
  }

  private static func number(_ text: String) throws -> Int64 {
    let values: [Character: Int64] = [
      "I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000,
    ]
    var sum: Int64 = 0
    var last: Int64 = 0
    for letter in text.reversed() {
      guard let value = values[letter] else { throw Unreadable() }
      sum += value < last ? -value : value
      last = max(last, value)
    }
    return sum
  }
}
