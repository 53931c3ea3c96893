import Dispatch
import RemodelKit
import TestSupport
import Testing

/// Who loses the race to the next version has not failed.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LostRaceTests {
  private static let versions = [
    "remodel: 1\nentities:\n  Book: { attributes: { title: string } }\n",
    "remodel: 1\nentities:\n  Book: { attributes: { title: string, pages: integer32? } }\n",
  ]

  @Test
  func `an attempt that another migrator overtakes is no entry of the history`() async throws {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: bundle)
        configuration.lockTimeout = .milliseconds(50)
        let settings = configuration
        _ = try await Remodel(settings).migrate(.url(url), to: "1")
        // A reader keeps the first one from its locks until the second one has gone ahead.
        let reader = try await PostgresSession.connect(to: .url(url))
        try await reader.run { try $0.execute("BEGIN; SELECT FROM public.book") }
        let isAhead = Flag()
        let remodel = Remodel(settings) { event in
          guard case .retrying = event, isAhead.set() else { return }
          let end = DispatchSemaphore(value: 0)
          Task.detached {
            await reader.close()
            _ = try? await Remodel(settings).migrate(.url(url))
            end.signal()
          }
          end.wait()
        }

        let report = try await remodel.migrate(.url(url))

        #expect(report.outcome == .unchanged)
        let history = try await remodel.history(.url(url))
        #expect(history.map(\.outcome) == ["succeeded", "succeeded"])
      }
    }
  }
}
