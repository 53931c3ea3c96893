import RemodelKit
import TestSupport
import Testing

/// Rows that others write between the questions and the locks.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LateRowsTests {
  private static let versions = ["string", "varchar(3)"].map { type in
    """
    remodel: 1
    entities:
      Book: { attributes: { code: "\(type)" } }
    """
  }

  @Test
  func `a value that came late is not cut off without a word`() async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        let plain = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await plain.migrate(.url(url), to: "1")
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle)) { event in
          // The last statement before the locks, after the questions.
          guard case .statement(let sql, _, _) = event, sql.contains("SET LOCAL statement_timeout"),
            !sql.hasSuffix("= 0")
          else { return }
          do {
            let connection = try PostgresConnection(to: .url(url))
            try connection.execute("INSERT INTO public.book (code) VALUES ('abcdef')")
          } catch {
            Issue.record(error)
          }
        }

        let error = await #expect(throws: ExecutionError.self) {
          try await remodel.migrate(.url(url))
        }

        guard case .preconditionsViolated = error?.fact else {
          Issue.record("\(String(describing: error))")
          return
        }
        let connection = try PostgresConnection(to: .url(url))
        #expect(try connection.query("SELECT code FROM public.book").value == "abcdef")
      }
    }
  }
}
