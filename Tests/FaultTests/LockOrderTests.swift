import RemodelKit
import TestSupport
import Testing

/// Transactions of others that use tables in the reverse order of their names, one after the other begun.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LockOrderTests {
  @Test
  func `a migration gets its locks among transactions that use tables in another order`()
    async throws
  {
    try await withBundle([Self.model("integer32"), Self.model("integer64")]) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        try PostgresConnection(to: .url(url)).execute(
          "INSERT INTO first (number) VALUES (1); INSERT INTO last (number) VALUES (1)"
        )
        async let one: Void = disturb(url, after: .zero)
        async let other: Void = disturb(url, after: .milliseconds(200))
        let report = try await remodel.migrate(.url(url))
        #expect(report.outcome == .migrated)
        try await one
        try await other
      }
    }
  }

  /// Runs transactions until the migration is over, or for two minutes.
  private func disturb(_ url: String, after pause: Duration) async throws {
    try await Task.sleep(for: pause)
    try await onThread {
      let connection = try PostgresConnection(to: .url(url))
      for _ in 0..<300 {
        let left = try connection.query(
          """
          SELECT FROM pg_attribute WHERE attrelid = 'first'::regclass AND attname = 'number' \
          AND atttypid = 'integer'::regtype
          """
        )
        if left.isEmpty { return }
        try connection.execute(
          "BEGIN; SELECT FROM last; SELECT pg_sleep(0.4); SELECT FROM first; COMMIT"
        )
      }
    }
  }

  private static func model(_ type: String) -> String {
    """
    remodel: 1
    entities:
      First: { attributes: { number: \(type) } }
      Last: { attributes: { number: \(type) } }
    """
  }
}
