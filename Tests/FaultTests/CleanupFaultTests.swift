import RemodelKit
import TestSupport
import Testing

/// A cleanup that loses its connection at any statement is continued by a rerun, with the same
/// result.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CleanupFaultTests {
  @Test
  func `a cleanup that is cut off at any statement is continued by a rerun`() async throws {
    try await withBundle(Self.versions) { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
      let expected = try await TestServer.withDatabase { url in
        try await prepare(remodel, url)
        _ = try await remodel.cleanUp(.url(url))
        return try end(url)
      }
      try await SessionCutter.cutOffEverywhere(
        remodel,
        moreThan: 12,
        prepare: { try await prepare(remodel, $0) },
        perform: { cut, url in _ = try await cut.cleanUp(.url(url)) },
        check: { url, position, failure in
          try expectLost(failure, position)
          try expectTold(url, position)
          let rerun = try await remodel.cleanUp(.url(url))
          #expect(!rerun.isRefused, "statement \(position)")
          #expect(try end(url) == expected, "statement \(position)")
          #expect(try await remodel.check(.url(url)).isCurrent)
          let attempts = try await remodel.history(.url(url)).filter { $0.kind == .cleanup }
          #expect(attempts.filter { $0.outcome == "succeeded" }.count == 2, "statement \(position)")
        }
      )
    }
  }

  private func expectLost(_ failure: (any Error)?, _ position: Int) throws {
    guard let failure else { return }
    guard case .connectionLost = (failure as? ExecutionError)?.fact else {
      Issue.record("statement \(position): \(failure)")
      return
    }
  }

  /// Listed objects exist, and others are dropped.
  private func expectTold(_ url: String, _ position: Int) throws {
    let connection = try PostgresConnection(to: .url(url))
    let listed = try connection.query(
      """
      SELECT count(*) AS count FROM remodel.retained r WHERE NOT EXISTS (
        SELECT FROM information_schema.columns c WHERE c.table_name = r.table_name \
      AND c.column_name = coalesce(r.column_name, c.column_name))
      """
    ).first?.integer("count")
    let unlisted = try connection.query(
      """
      SELECT count(*) AS count FROM information_schema.columns c \
      WHERE c.table_schema = 'public' AND c.column_name IN ('pages', 'isbn', 'room') \
      AND NOT EXISTS (SELECT FROM remodel.retained r WHERE c.table_name = r.table_name \
      AND c.column_name = coalesce(r.column_name, c.column_name))
      """
    ).first?.integer("count")
    #expect(listed == 0, "statement \(position)")
    #expect(unlisted == 0, "statement \(position)")
  }

  // MARK: - The database

  private static let versions = [
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string, pages: integer32?, isbn: string? } }
      Shelf: { attributes: { room: string } }
    """,
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }
    """,
  ]

  private func prepare(_ remodel: Remodel, _ url: String) async throws {
    _ = try await remodel.migrate(.url(url), to: "1")
    _ = try await remodel.migrate(.url(url))
  }

  private func end(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT table_name || '.' || column_name AS row FROM information_schema.columns \
      WHERE table_schema = 'public' \
      UNION ALL SELECT 'retained ' || table_name FROM remodel.retained ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }
}
