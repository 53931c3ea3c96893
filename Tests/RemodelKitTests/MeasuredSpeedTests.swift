import PostgresClient
import TestSupport
import Testing

@testable import MigrationExecution
@testable import RemodelKit

/// When the speed of a server is measured, and which plans use it.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(10)))
struct MeasuredSpeedTests {
  private static func version(_ attributes: String) -> String {
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string\(attributes) } }

    """
  }

  private static let versions = ["", ", pages: integer32?", ", pages: integer64?"].map(version)

  /// Gives a store with rows at the first version to a function.
  private func withStore(
    rows: Int,
    _ body: (_ remodel: Remodel, _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        try PostgresConnection(to: .url(url)).execute(
          """
          INSERT INTO public.book (title) SELECT 'a' FROM generate_series(1, \(Int64(rows)));
          ANALYZE public.book
          """
        )
        try await body(remodel, url)
      }
    }
  }

  private func noted(_ url: String) throws -> MeasuredSpeed? {
    let connection = try PostgresConnection(to: .url(url))
    let text = try connection.query("SELECT server_speed FROM remodel.metadata").value
    return try text.map { try JSONText.value(MeasuredSpeed.self, in: $0) }
  }

  @Test
  func `the server of a large table is measured once after each start`() async throws {
    try await withStore(rows: 120_000) { remodel, url in
      #expect(try noted(url) == nil)
      #expect(try await remodel.plan(.url(url), to: "2").sizes.speed == .reference)
      #expect(try noted(url) == nil)

      _ = try await remodel.migrate(.url(url), to: "2")

      let first = try #require(try noted(url))
      for speed in [first.speed.reading, first.speed.writing, first.speed.sorting] {
        #expect((0.001...1_000).contains(speed))
      }
      let plan = try await remodel.plan(.url(url))
      #expect(plan.sizes.speed == first.speed)
      #expect(ApprovedPlan.Record(plan).serverSpeed == first.speed)
      let tables = try PostgresConnection(to: .url(url)).query(
        "SELECT relname FROM pg_class WHERE relname = 'measured_work'"
      )
      #expect(tables.isEmpty)

      _ = try await remodel.migrate(.url(url))
      #expect(try noted(url) == first)

      try PostgresConnection(to: .url(url)).execute(
        """
        UPDATE remodel.metadata SET server_speed = \
        (server_speed::jsonb || '{"serverStart": "2001-01-01 00:00:00+00"}')::text
        """
      )
      _ = try await remodel.revert(.url(url))
      _ = try await remodel.migrate(.url(url), to: "3")
      let again = try #require(try noted(url))
      #expect(again.serverStart == first.serverStart)
    }
  }

  @Test
  func `the server of small tables is not measured`() async throws {
    try await withStore(rows: 100) { remodel, url in
      _ = try await remodel.migrate(.url(url), to: "2")

      #expect(try noted(url) == nil)
    }
  }

  @Test
  func `metadata of the layout before has no speed, and gets one with the next version`()
    async throws
  {
    try await withStore(rows: 120_000) { remodel, url in
      try PostgresConnection(to: .url(url)).execute(
        """
        ALTER TABLE remodel.metadata DROP COLUMN server_speed;
        UPDATE remodel.metadata SET layout_version = 10
        """
      )
      #expect(try await remodel.plan(.url(url)).sizes.speed == .reference)

      _ = try await remodel.migrate(.url(url))

      #expect(try noted(url) != nil)
    }
  }
}
