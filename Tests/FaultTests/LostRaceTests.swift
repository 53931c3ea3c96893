import RemodelKit
import TestSupport
import Testing

/// A migrator that waits while another one migrates has not failed.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LostRaceTests {
  private static let versions = [
    "remodel: 1\nentities:\n  Book: { attributes: { title: string } }\n",
    "remodel: 1\nentities:\n  Book: { attributes: { title: string, pages: integer32? } }\n",
  ]

  @Test
  func `nobody overtakes a migrator that waits for locks, and the next one has nothing to do`()
    async throws
  {
    try await withBundle(Self.versions) { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: bundle)
        configuration.lockTimeout = .milliseconds(50)
        let settings = configuration
        _ = try await Remodel(settings).migrate(.url(url), to: "1")
        // A reader keeps the first one from its locks until the second one waits for it.
        let reader = try await PostgresSession.connect(to: .url(url))
        try await reader.run { try $0.execute("BEGIN; SELECT FROM public.book") }
        let (isRetrying, isWaiting) = (Flag(), Flag())
        let quicker = Remodel(settings) { event in
          if case .retrying = event { isRetrying.set() }
        }
        let slower = Remodel(settings) { event in
          if case .waitingForMigrationLock = event { isWaiting.set() }
        }

        async let migration = quicker.migrate(.url(url))
        try await isRetrying.wait()
        async let nothing = slower.migrate(.url(url))
        try await isWaiting.wait()
        await reader.close()

        #expect(try await migration.outcome == .migrated)
        #expect(try await nothing.outcome == .unchanged)
        let history = try await quicker.history(.url(url))
        #expect(history.map(\.outcome) == ["succeeded", "succeeded"])
      }
    }
  }

  @Test
  func `several that revert at once take back one migration in all`() async throws {
    let third = """
      remodel: 1
      entities:
        Book:
          attributes: { name: { type: string, renamingIdentifier: title }, pages: integer32? }
      """
    try await withBundle(Self.versions + [third]) { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: bundle)
        configuration.lockTimeout = .milliseconds(50)
        let settings = configuration
        for version in ["1", "2", "3"] {
          _ = try await Remodel(settings).migrate(.url(url), to: version)
        }
        let reader = try await PostgresSession.connect(to: .url(url))
        try await reader.run { try $0.execute("BEGIN; SELECT FROM public.book") }
        let (isRetrying, isWaiting) = (Flag(), Flag())
        let quicker = Remodel(settings) { event in
          if case .retrying = event { isRetrying.set() }
        }
        let slower = Remodel(settings) { event in
          if case .waitingForMigrationLock = event { isWaiting.set() }
        }

        async let first = quicker.revert(.url(url))
        try await isRetrying.wait()
        async let second = slower.revert(.url(url))
        try await isWaiting.wait()
        await reader.close()

        #expect(try await first.outcome != .unchanged)
        #expect(try await second.outcome == .unchanged)
        #expect(try await quicker.status(.url(url)).version?.name == "2")
      }
    }
  }
}
