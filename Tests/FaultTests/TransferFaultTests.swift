import RemodelKit
import Synchronization
import TestSupport
import Testing

/// A migration into another database that loses either connection, or is killed at any place, is
/// continued by a rerun.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct TransferFaultTests {
  /// The database that ends the sessions.
  enum Side: String, CaseIterable, Sendable { case source, destination }

  @Test(arguments: RandomCases.one(in: 2, of: Side.allCases), [1, 3])
  func `a migration that is cut off at any statement is continued`(
    side: Side,
    workers: Int
  ) async throws {
    try await withBundle(Self.versions) { bundle in
      var configuration = RemodelConfiguration(modelsPath: bundle)
      configuration.copySettings.workers = workers
      let source = try await TestServer.makeTemplate { try await prepare(bundle, $0) }
      func withDatabases<Result>(
        _ body: (_ url: String, _ other: String) async throws -> Result
      ) async throws -> Result {
        try await TestServer.withDatabase(copying: source) { url in
          try await TestServer.withDatabase(beside: url) { try await body(url, $0) }
        }
      }
      let expected = try await withDatabases { url, other in
        _ = try await Remodel(configuration).migrate(.url(url), into: .url(other))
        return try rows(other)
      }
      #expect(expected.count == 62)
      var position = 1
      var wasCutOff = true
      while wasCutOff {
        wasCutOff = try await withDatabases { url, other in
          let cutter = SessionCutter(url: side == .source ? url : other, position: position)
          let remodel = Remodel(configuration) { cutter.note($0) }
          var failure: (any Error)?
          do {
            _ = try await remodel.migrate(.url(url), into: .url(other))
          } catch {
            failure = error
          }
          if let failure {
            let known = failure as? TransferFailure
            #expect(known?.side.rawValue == side.rawValue, "statement \(position): \(failure)")
          }
          _ = try await Remodel(configuration).migrate(.url(url), into: .url(other))
          #expect(try rows(other) == expected, "statement \(position)")
          #expect(try leftovers(other) == 0, "statement \(position)")
          return failure != nil
        }
        position += RandomCases.distance(6...11, after: position)
        // The source is not needed any more when the steps run.
        if side == .source, position < 60 { wasCutOff = true }
      }
      #expect(position > 20, "there are more statements than this")
    }
  }

  @Test
  func `tables that changed at the source are filled again, and others are kept`() async throws {
    // Of transactions of other tests nobody can tell whether they have written these rows.
    let server = try await RestartingServer()
    defer { withExtendedLifetime(server) {} }
    try await withBundle(Self.versions) { bundle in
      let places = ["transfer.truncated", "transfer.copied", "transfer.before_commit"]
      for (number, place) in places.enumerated() {
        let url = try await server.makeDatabase("source_\(number)")
        let other = try await server.makeDatabase("destination_\(number)")
        try await prepare(bundle, url)
        try await killed(bundle, url, other, at: place, reached: 3)
        let source = try PostgresConnection(to: .url(url))
        try source.execute("UPDATE public.book SET title = 'new' WHERE _id = 1")

        let report = try await Remodel(RemodelConfiguration(modelsPath: bundle))
          .migrate(.url(url), into: .url(other))

        #expect(report.transfer?.tables.filter(\.wasFilled).map(\.name) == ["reader"])
        #expect(try rows(other).contains { $0.contains("new") })
        #expect(try rows(other).count == 62)
      }
    }
  }

  @Test
  func `rows of a transaction that was open at the snapshot are not left out`() async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withTwoDatabases { url, other in
        try await prepare(bundle, url)
        let writer = try PostgresConnection(to: .url(url))
        try writer.execute(
          "BEGIN; SAVEPOINT s; UPDATE public.shelf SET room = 'late' WHERE _id = 1"
        )
        try await killed(bundle, url, other, at: "transfer.before_commit", reached: 3)
        try writer.execute("COMMIT")

        let report = try await Remodel(RemodelConfiguration(modelsPath: bundle))
          .migrate(.url(url), into: .url(other))

        #expect(try rows(other).contains { $0.contains("late") })
        #expect(report.warnings.contains { $0.message.contains("after") })
      }
    }
  }

  @Test
  func `neither a plain migration nor another source touches half of a store`() async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withTwoDatabases { url, other in
        try await prepare(bundle, url)
        try await killed(bundle, url, other, at: "transfer.copied", reached: 2)
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))

        await #expect(throws: RemodelError.self) { try await remodel.migrate(.url(other)) }
        #expect(try await remodel.status(.url(other)).state == .creating)
        #expect(try await remodel.check(.url(other)).isCurrent == false)
        try await TestServer.withDatabase(beside: url, "3") { third in
          try await prepare(bundle, third)
          await #expect(throws: RemodelError.self) {
            try await remodel.migrate(.url(third), into: .url(other))
          }
        }
        #expect(try await remodel.migrate(.url(url), into: .url(other)).outcome == .transferred)
      }
    }
  }

  // MARK: - The databases

  /// Counts how often a place is reached.
  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  private func killed(
    _ bundle: String,
    _ url: String,
    _ other: String,
    at place: String,
    reached: Int
  ) async throws {
    let counter = Counter()
    var configuration = RemodelConfiguration(modelsPath: bundle)
    configuration.copySettings.failpoints = Failpoints { name, _ in
      if name == place, counter.next() == reached { SessionCutter.cut(other) }
    }
    let remodel = Remodel(configuration)
    await #expect(throws: (any Error).self) {
      try await remodel.migrate(.url(url), into: .url(other))
    }
  }

  private func prepare(_ bundle: String, _ url: String) async throws {
    _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(
      """
      INSERT INTO public.reader (name) SELECT 'reader ' || n FROM generate_series(1, 20) AS n;
      INSERT INTO public.book (title, pages, owner)
        SELECT 'title ' || n, n, n FROM generate_series(1, 20) AS n;
      INSERT INTO public.shelf (room) SELECT 'room ' || n FROM generate_series(1, 25) AS n;
      DELETE FROM public.shelf WHERE _id > 22
      """
    )
  }

  private func rows(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT 'book ' || to_jsonb(b)::text AS row FROM public.book b
      UNION ALL SELECT 'reader ' || to_jsonb(r)::text FROM public.reader r
      UNION ALL SELECT 'shelf ' || to_jsonb(s)::text FROM public.shelf s ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }

  private func leftovers(_ url: String) throws -> Int {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT 1 FROM pg_class WHERE relnamespace = 'remodel'::regnamespace
      AND relname LIKE 'transfer%' AND relkind = 'r'
      """
    ).count
  }

  private static let versions = [
    """
    remodel: 1
    entities:
      Reader: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: owner } } }
      Book:
        attributes: { title: string, pages: integer16? }
        relationships: { owner: { to: Reader?, inverse: books } }
      Shelf: { attributes: { room: string } }
    """,
    """
    remodel: 1
    entities:
      Reader: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: owner } } }
      Book:
        attributes: { title: string, pages: { type: integer32, default: 1 } }
        relationships: { owner: { to: Reader?, inverse: books } }
        indexes: { byTitle: [title] }
      Shelf: { attributes: { room: string } }
    """,
  ]
}
