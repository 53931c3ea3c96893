import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// What is kept of errors where every role may read it.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RecordedErrorTests {
  private static let versions = ["", ", digits: integer32?"].map { attributes in
    """
    remodel: 1
    entities:
      Card: { attributes: { name: string, number: string\(attributes) } }
    """
  }

  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - name: Cards
        source: Card
        destination: Card
        attributes: { digits: 'SQL("number::integer")' }
    """

  @Test(arguments: [CopyStrategy.locked, .gated])
  func `no value of a row is kept`(strategy: CopyStrategy) async throws {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping]) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, strategy: strategy))
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          INSERT INTO public.card (name, number)
            SELECT 'Card ' || i, CASE i WHEN 7 THEN '4111-1111' ELSE i::text END
            FROM generate_series(1, 50) AS i
          """
        )

        let error = await #expect(throws: ExecutionError.self) {
          try await remodel.migrate(.url(url))
        }

        // The migrating user can see everything on request.
        let diagnostic = try #require(error?.diagnostics.first)
        #expect(!diagnostic.message.contains("4111"))
        #expect(diagnostic.wholeMessage?.contains("4111-1111") == true)
        let kept = try connection.query(
          """
          SELECT last_error FROM remodel.job WHERE last_error IS NOT NULL
          UNION ALL SELECT detail FROM remodel.job_event WHERE kind = 'failed'
          UNION ALL SELECT error FROM remodel.history_event WHERE error IS NOT NULL
          """
        ).compactMap { $0.values.first ?? nil }
        #expect(!kept.isEmpty)
        for text in kept {
          #expect(
            text.contains("22P02") && !text.contains("4111") && !text.contains("key 7"),
            "\(text)"
          )
          let place = "table \"card\" by entity mapping \"Cards\""
          #expect(strategy == .locked || text.contains(place), "\(text)")
        }
      }
    }
  }

  @Test
  func `a message that only has names in it is kept`() async throws {
    try await LibraryCopy(.gated).withDatabase { sample, url in
      let remodel = sample.remodel(
        Failpoints { name, connection in
          guard name == "index.begin" else { return }
          try connection.execute("ALTER TABLE public.book ADD CONSTRAINT none CHECK (_id < 0)")
        }
      )

      await #expect(throws: (any Error).self) { try await remodel.migrate(.url(url)) }

      let job = try await remodel.jobs(.url(url)).last
      #expect(
        job?.lastError == "check constraint \"none\" of relation \"book\" is violated by some row"
      )
    }
  }
}
