import Dispatch
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport

/// A library with rebuilt books: they refer to remaining authors, remaining loans refer to them,
/// and so do reviews, which are rebuilt as well.
struct LibraryCopy: Sendable {
  private let strategy: CopyStrategy
  /// Whether there are magazines among the books, which the second version has none of.
  private let hasMagazines: Bool
  private var bundle = ""

  init(_ strategy: CopyStrategy, hasMagazines: Bool = false) {
    self.strategy = strategy
    self.hasMagazines = hasMagazines
  }

  private var versions: [String] {
    let magazine = "\n  Magazine: { parent: Book, attributes: { issue: integer32? } }"
    return [version("") + (hasMagazines ? magazine : ""), version(", initial: string")]
  }

  private func version(_ attributes: String) -> String {
    """
    remodel: 1
    entities:
      Author:
        attributes: { name: string }
        relationships: { books: { toMany: Book, inverse: author } }
      Book:
        attributes: { title: string, isbn: string?\(attributes) }
        relationships:
          author: { to: Author?, inverse: books }
          loans: { toMany: Loan, inverse: book }
          reviews: { toMany: Review, inverse: book }
        unique: [[isbn]]
      Loan:
        attributes: { reader: string }
        relationships: { book: { to: Book?, inverse: loans } }
      Review:
        attributes: { text: string\(attributes) }
        relationships: { book: { to: Book?, inverse: reviews } }
    """
  }

  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Author
        destination: Author
      - source: Book
        destination: Book
        attributes: { initial: "uppercase(substring($source.title, 0, 1))" }
      - source: Loan
        destination: Loan
      - source: Review
        destination: Review
        attributes: { initial: "uppercase(substring($source.text, 0, 1))" }
    """

  /// Gives a database of the first version with rows.
  func withDatabase(_ body: (LibraryCopy, String) async throws -> Void) async throws {
    try await withBundle(versions, mappings: ["1-2": Self.mapping]) { bundle in
      var library = self
      library.bundle = bundle
      try await TestServer.withDatabase { [library] url in
        _ = try await library.remodel().migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        if hasMagazines {
          try connection.execute("ALTER TABLE public.book ALTER _entity SET DEFAULT 'Book'")
        }
        try connection.execute(
          """
          INSERT INTO public.author (name) VALUES ('Jane');
          INSERT INTO public.book (title, isbn, author)
            VALUES ('Emma', '1', 1), ('Persuasion', '2', 1), ('Catharine', NULL, NULL);
          INSERT INTO public.loan (reader, book) VALUES ('Ann', 1), ('Bob', 2), ('Cy', NULL);
          INSERT INTO public.review (text, book) VALUES ('good', 1)
          """
        )
        if hasMagazines {
          try connection.execute("UPDATE public.book SET _entity = 'Magazine' WHERE _id = 2")
        }
        try await body(library, url)
      }
    }
  }

  func remodel(
    _ failpoints: Failpoints = Failpoints(),
    lockRetryFor: Duration = .seconds(20)
  ) -> Remodel {
    var settings = CopySettings()
    settings.failpoints = failpoints
    var configuration = RemodelConfiguration(
      modelsPath: bundle,
      lockRetryFor: lockRetryFor,
      strategy: strategy,
      copySettings: settings
    )
    configuration.trustedOwners = ["dep_owner"]
    return Remodel(configuration)
  }

  /// A front door whose copy does nothing more from a place on.
  func remodel(killedAt place: String) -> Remodel {
    let isKilled = Flag()
    return remodel(
      Failpoints { name, _ in
        if name == place { isKilled.set() }
        if isKilled.isSet { throw Killed() }
      }
    )
  }

  private struct Killed: Error {}

  /// The foreign keys of the version's tables, and whether they are validated.
  func keys(_ url: String) throws -> [[String?]] {
    try PostgresConnection(to: .url(url)).query(
      """
      SELECT k.conname, k.convalidated FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace
      AND c.relname IN ('author', 'book', 'loan', 'review') ORDER BY 1
      """
    ).rows
  }
}

/// Somebody who holds a lock for a while, on a session of its own.
final class LockHolder: Sendable {
  private let lock: SQLFragment
  private let url: String
  private let end = DispatchSemaphore(value: 0)
  private let group = DispatchGroup()

  init(_ lock: SQLFragment, _ url: String) {
    self.lock = lock
    self.url = url
  }

  func take() {
    let begin = DispatchSemaphore(value: 0)
    DispatchQueue(label: "holder").async(group: group) { [self] in
      let connection = try? PostgresConnection(to: .url(url))
      _ = try? connection?.execute("BEGIN; \(lock)")
      begin.signal()
      end.wait()
      _ = try? connection?.execute("ROLLBACK")
    }
    begin.wait()
  }

  func release() {
    end.signal()
    group.wait()
  }
}
