import RemodelKit
import TestSupport
import Testing

/// A revert that loses its connection at any statement leaves the version, or has reached the one
/// before; a rerun has the same result.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RevertFaultTests {
  @Test(arguments: RandomCases.one(in: 2, of: [false, true]))
  func `a revert that is cut off at any statement is continued by a rerun`(
    isMapped: Bool
  ) async throws {
    let mappings = isMapped ? ["1-2": Self.mapping] : [:]
    try await withBundle(Self.versions, mappings: mappings) { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
      let expected = try await TestServer.withDatabase { url in
        try await prepare(remodel, url)
        _ = try await remodel.revert(.url(url))
        return try end(url)
      }
      try await SessionCutter.cutOffEverywhere(
        remodel,
        moreThan: 12,
        prepare: { try await prepare(remodel, $0) },
        perform: { cut, url in _ = try await cut.revert(.url(url), to: "1") },
        check: { url, position, _ in
          _ = try await remodel.revert(.url(url), to: "1")
          #expect(try end(url) == expected, "statement \(position)")
          #expect(try await remodel.verify(.url(url)).drift.isEmpty, "statement \(position)")
          let reverts = try await remodel.history(.url(url)).filter {
            $0.kind == .revert && $0.outcome == "succeeded"
          }
          #expect(reverts.count == 1, "statement \(position)")
        }
      )
    }
  }

  // MARK: - The database

  private static let versions = [
    """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string? }
        relationships: { shelf: { to: Shelf?, inverse: books } }
      Shelf:
        attributes: { room: string }
        relationships: { books: { toMany: Book, inverse: shelf } }
    """,
    """
    remodel: 1
    entities:
      Book: { attributes: { name: { type: string, renamingIdentifier: title }, words: integer64? } }
    """,
  ]

  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
        attributes: { words: $source.pages * 300 }
    """

  private func prepare(_ remodel: Remodel, _ url: String) async throws {
    _ = try await remodel.migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(
      """
      INSERT INTO public.shelf (room) VALUES ('north');
      INSERT INTO public.book (title, pages, isbn, shelf) VALUES ('Emma', 474, 'a', 1)
      """
    )
    _ = try await remodel.migrate(.url(url))
  }

  /// All rows, and the retained objects.
  private func end(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT ROW(b.title, b.pages, b.isbn, s.room)::text AS row FROM public.book b \
      LEFT JOIN public.shelf s ON s._id = b.shelf \
      UNION ALL SELECT 'retained ' || table_name || coalesce('.' || column_name, '') \
      FROM remodel.retained ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }
}
