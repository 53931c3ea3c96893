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
        let others = (0..<2).map { number in
          Task.detached {
            try await Task.sleep(for: .milliseconds(200 * number))
            let connection = try PostgresConnection(to: .url(url))
            while !Task.isCancelled {
              try connection.execute(
                """
                BEGIN; SELECT FROM last; SELECT pg_sleep(0.4); SELECT FROM first; COMMIT
                """
              )
            }
          }
        }
        let report = try await remodel.migrate(.url(url))
        #expect(report.outcome == .migrated)
        for other in others { other.cancel() }
        for other in others { try? await other.value }
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
