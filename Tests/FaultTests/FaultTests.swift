import RemodelKit
import TestSupport
import Testing

/// A migration that loses its connection at any statement leaves the database at a version, and a
/// rerun has the same result as an uninterrupted one.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct FaultTests {
  @Test
  func `a migration that is cut off at any statement is continued by a rerun`() async throws {
    try await withSampleBundle { bundle in
      let prepared = try await TestServer.makeTemplate { try await prepare(bundle, $0) }
      let expected = try await TestServer.withDatabase(copying: prepared) { url in
        _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url))
        return try rows(url)
      }
      var position = 1
      var wasCutOff = true
      while wasCutOff {
        wasCutOff = try await TestServer.withDatabase(copying: prepared) { url in
          try await cutOff(at: position, bundle, url, expected)
        }
        position += RandomCases.distance(2...4, after: position)
      }
      #expect(position > 20, "there are more statements than this")
    }
  }

  /// Returns whether the migration got as far as the statement at which it was to be cut off.
  private func cutOff(
    at position: Int,
    _ bundle: String,
    _ url: String,
    _ expected: [String]
  ) async throws -> Bool {
    let cutter = SessionCutter(url: url, position: position)
    let remodel = Remodel(RemodelConfiguration(modelsPath: bundle)) { cutter.note($0) }

    let error = await #expect(throws: (any Error).self) {
      if try await remodel.migrate(.url(url)).outcome == .migrated { throw Uncut() }
    }

    let status = try await Remodel(RemodelConfiguration(modelsPath: bundle)).status(.url(url))
    if !(error is Uncut) {
      #expect(["1", "2", "3"].contains(status.version?.name), "statement \(position)")
      let fact = (error as? ExecutionError)?.fact
      if case .connectionLost = fact {
      } else {
        Issue.record("statement \(position): \(fact as Any)")
      }
    }
    let rerun = Remodel(RemodelConfiguration(modelsPath: bundle))
    _ = try await rerun.migrate(.url(url))
    #expect(try rows(url) == expected, "statement \(position)")
    #expect(try await rerun.check(.url(url)).isCurrent)
    return !(error is Uncut)
  }

  private struct Uncut: Error {}

  // MARK: - The databases

  private func prepare(_ bundle: String, _ url: String) async throws {
    _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(
      """
      INSERT INTO public.reader (name) VALUES ('Ada'), ('Grace');
      INSERT INTO public.book (title, pages, owner) VALUES ('Emma', NULL, 1), ('Persuasion', 7, 2)
      """
    )
  }

  private func rows(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT 'book ' || to_jsonb(b)::text AS row FROM public.book b
      UNION ALL SELECT 'reader ' || to_jsonb(r)::text FROM public.reader r ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }

  private func withSampleBundle<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    try await withBundle(
      [
        """
        remodel: 1
        entities:
          Reader: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: owner } } }
          Book:
            attributes: { title: string, pages: integer16? }
            relationships: { owner: { to: Reader?, inverse: books } }
        """,
        """
        remodel: 1
        entities:
          Reader: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: owner } } }
          Book:
            attributes: { title: string, pages: { type: integer32, default: 1 }, isbn: string? }
            relationships: { owner: { to: Reader?, inverse: books, delete: cascade } }
            indexes: { byTitle: [title] }
          Shelf: { attributes: { room: string } }
        """,
        """
        remodel: 1
        entities:
          Reader: { attributes: { fullName: { type: string, renamingIdentifier: name } }, relationships: { books: { toMany: Book, inverse: owner } } }
          Book:
            attributes: { title: string, pages: { type: integer32, default: 1 } }
            relationships: { owner: { to: Reader?, inverse: books, delete: cascade }, shelf: { to: Shelf? } }
            unique: [[title]]
          Shelf: { attributes: { room: string } }
        """,
      ],
      body
    )
  }
}
