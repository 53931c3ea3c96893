import PostgresClient
import TestSupport
import Testing

@testable import MigrationExecution
@testable import MigrationPlanning
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
        #expect((0.01...128).contains(speed))
      }
      #expect(try await remodel.plan(.url(url)).sizes.speed == first.speed)
      let tables = try PostgresConnection(to: .url(url)).query(
        "SELECT relname FROM pg_class WHERE relname = 'measured_work'"
      )
      #expect(tables.isEmpty)

      _ = try await remodel.migrate(.url(url))
      #expect(try noted(url) == first)

      try PostgresConnection(to: .url(url)).execute(
        """
        UPDATE remodel.metadata SET server_speed = '{"speed": {"reading": 0.5, "writing": 0.25, \
        "sorting": 4}, "serverStart": "2001-01-01 00:00:00+00"}'
        """
      )
      _ = try await remodel.revert(.url(url))
      let slow = ServerSpeed(reading: 0.5, writing: 0.25, sorting: 4)
      let plan = try await remodel.plan(.url(url), to: "3")
      #expect(plan.sizes.speed == slow)
      #expect(ApprovedPlan.Record(plan).serverSpeed == slow)
      _ = try await remodel.migrate(.url(url), to: "3")
      let again = try #require(try noted(url))
      #expect(again.serverStart == first.serverStart)
    }
  }

  @Test(
    arguments: RandomCases.one(
      in: 3,
      of: ["0", "-1", "1e-300", "1e308", "1e999", "null", "\"fast\""]
    )
  )
  func `a speed that no server has is not used, and is measured again`(value: String) async throws {
    try await withStore(rows: 120_000) { remodel, url in
      let start = try ReadinessInspection.serverStart(PostgresConnection(to: .url(url)))
      let speed = #"{"reading": \#(value), "writing": \#(value), "sorting": \#(value)}"#
      try PostgresConnection(to: .url(url)).query(
        "UPDATE remodel.metadata SET server_speed = $1",
        [#"{"speed": \#(speed), "serverStart": "\#(start)"}"#]
      )
      #expect(try await remodel.plan(.url(url)).sizes.speed == .reference)
      _ = try await remodel.status(.url(url))

      _ = try await remodel.migrate(.url(url))

      #expect(try noted(url)?.serverStart == start)
    }
  }

  @Test(arguments: ["a lock", "a table"])
  func `a migration does not wait for what is in the way of measuring`(
    obstacle: String
  ) async throws {
    try await withStore(rows: 120_000) { remodel, url in
      let other = try PostgresConnection(to: .url(url))
      if obstacle == "a lock" {
        try other.execute("BEGIN; SELECT FROM remodel.metadata FOR UPDATE")
      } else {
        try other.execute("CREATE TABLE remodel.measured_work ()")
      }

      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)

      #expect(try noted(url) == nil)
      if obstacle == "a lock" { try other.execute("ROLLBACK") }
    }
  }

  @Test
  func `speeds are rounded so that a busy moment changes no plan`() throws {
    for (measured, rounded) in [
      (0.3, 0.25), (0.7, 0.5), (0.75, 1), (1, 1), (1.4, 1), (1.5, 2), (3, 4), (100, 128),
    ] {
      let speed = try #require(
        ServerSpeed(reading: measured, writing: measured, sorting: measured)
      )
      #expect(speed.rounded.reading == rounded, "\(measured)")
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
