import PostgresClient
import SQLSyntax
import Synchronization
import TestSupport

/// Writers that change a bookshop at random, each in a session of its own.
final class BookshopLoad: Sendable {
  private let isStopped = Atomic<Bool>(false)
  private let commits = Atomic<Int>(0)

  /// Ends the writers when they have finished their transactions.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
  }

  /// How many transactions have been committed.
  var commitCount: Int { commits.load(ordering: .relaxed) }

  /// Writes until ``stop()``.
  func run(_ url: String, seed: UInt64, truncates: Bool) async throws {
    let session = try await PostgresSession.connect(to: .url(url))
    var writer = BookshopWriter(seed: seed, truncates: truncates)
    while !isStopped.load(ordering: .relaxed) {
      let transaction = writer.transaction()
      do {
        try await session.run { connection in
          for statement in transaction { try connection.execute(statement) }
        }
        if transaction.last == "COMMIT" { commits.add(1, ordering: .relaxed) }
      } catch let error as PostgresError {
        guard BookshopWriter.expectedErrors.contains(error.sqlState) else { throw error }
        try await session.run { connection in _ = try connection.execute("ROLLBACK") }
      }
    }
    await session.close()
  }
}

/// A source of random transactions.
struct BookshopWriter {
  private var random: SeededGenerator
  private let truncates: Bool

  init(seed: UInt64, truncates: Bool) {
    random = SeededGenerator(seed: seed)
    self.truncates = truncates
  }

  /// What writers that meet each other have to expect.
  static let expectedErrors: Set<SQLState?> = [
    .uniqueViolation, .serializationFailure, .deadlockDetected,
  ]

  /// Returns the statements of a transaction.
  mutating func transaction() -> [SQLFragment] {
    var statements: [SQLFragment] = [
      random.once(in: 4) ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : "BEGIN"
    ]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let change = statement()
      guard random.once(in: 6) else {
        statements.append(change)
        continue
      }
      statements += ["SAVEPOINT s", change]
      if random.once(in: 2) { statements.append("ROLLBACK TO SAVEPOINT s") }
    }
    statements.append(random.once(in: 8) ? "ROLLBACK" : "COMMIT")
    return statements
  }

  private mutating func book() -> SQLLiteral { .integer(.random(in: 1...150, using: &random)) }
  private mutating func sale() -> SQLLiteral { .integer(.random(in: 1...600, using: &random)) }
  private mutating func publisher() -> SQLLiteral {
    random.once(in: 8) ? .null : .integer(.random(in: 1...12, using: &random))
  }
  private mutating func author() -> SQLLiteral {
    random.once(in: 6) ? .null : .text("Author \(Int.random(in: 1...25, using: &random))")
  }
  private mutating func number() -> SQLLiteral {
    random.once(in: 9) ? .null : .integer(.random(in: 0...1000, using: &random))
  }

  private mutating func statement() -> SQLFragment {
    if truncates, random.once(in: 150) { return emptying() }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return bookChange()
    case 1: return bookRows()
    case 2: return publisherChange()
    default: return saleChange()
    }
  }

  private mutating func bookChange() -> SQLFragment {
    let id = book()
    let columns: [SQLFragment] = [
      "price = \(number())", "publisher = \(publisher())",
      "title = 'Title ' || \(number())", "views = coalesce(views, 0) + 1",
      "notes = json_build_object('n', \(number())::integer)", "price = price::numeric(12,3)",
      "_id = \(book())",
    ]
    let change = random.pick(columns) ?? "views = 0"
    return random.once(in: 2)
      ? "UPDATE public.book SET \(change) WHERE _id = \(id)"
      : "UPDATE public.book SET \(change), author_name = \(author()) WHERE _id = \(id)"
  }

  private mutating func bookRows() -> SQLFragment {
    let id = book()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "DELETE FROM public.book WHERE _id = \(id)"
    case 1:
      return """
        DELETE FROM public.book WHERE _id = \(id);
        INSERT INTO public.book (_id, title, author_name) VALUES (\(id), 'again', \(author()))
          ON CONFLICT (_id) DO NOTHING
        """
    case 2:
      return """
        INSERT INTO public.book (_id, title, price, author_name, publisher)
          SELECT g, 'Title ' || g, g, \(author()), \(publisher())
          FROM generate_series(\(id)::bigint, \(id)::bigint + 4) AS g
          ON CONFLICT (_id) DO UPDATE SET author_name = excluded.author_name
        """
    case 3:
      return "UPDATE public.book SET price = price + 1 WHERE publisher = \(publisher())"
    default:
      return """
        INSERT INTO public.book (_id, title, price, publisher, author_name, notes)
          VALUES (\(id), 'new', \(number()), \(publisher()), \(author()), '{"a": 1}')
          ON CONFLICT DO NOTHING
        """
    }
  }

  private mutating func publisherChange() -> SQLFragment {
    let id = publisher()
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "DELETE FROM public.publisher WHERE _id = \(id)"
    case 1:
      return """
        INSERT INTO public.publisher VALUES (coalesce(\(id), 1), 'C' || \(number()))
          ON CONFLICT DO NOTHING
        """
    case 2:
      return "UPDATE public.publisher SET _id = coalesce(\(publisher()), 1) WHERE _id = \(id)"
    default: return "UPDATE public.publisher SET country = 'C' || \(number()) WHERE _id = \(id)"
    }
  }

  private mutating func saleChange() -> SQLFragment {
    let id = sale()
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return "DELETE FROM public.sale WHERE _id = \(id)"
    case 1: return "UPDATE public.sale SET book = \(book()) WHERE _id = \(id)"
    case 2: return "UPDATE public.sale SET amount = \(number()) WHERE _id = \(id)"
    case 3: return "UPDATE public.sale SET _id = \(sale()) WHERE _id = \(id)"
    case 4:
      return """
        UPDATE public.sale SET book = CASE book WHEN \(book()) THEN NULL ELSE book % 150 + 1 END
          WHERE _id BETWEEN \(id) AND \(id)::bigint + 5
        """
    default:
      return """
        INSERT INTO public.sale SELECT g, \(book()), \(number())
          FROM generate_series(\(id)::bigint, \(id)::bigint + 2) AS g
          ON CONFLICT (_id) DO UPDATE SET book = excluded.book, amount = excluded.amount
        """
    }
  }

  private mutating func emptying() -> SQLFragment {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: "TRUNCATE public.sale"
    case 1: "TRUNCATE public.publisher"
    default:
      """
      TRUNCATE public.book;
      INSERT INTO public.book (_id, title, author_name)
        SELECT g, 'back', 'Author ' || g % 10 FROM generate_series(1, 60) AS g
      """
    }
  }
}
