import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// How the steps after a copy that has begun are copied.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ContinuedStrategyTests {
  private struct Killed: Error {}

  private static let versions = [
    ("", ""), (", upper: string", ""), (", upper: string", ", lot: double"),
  ]
  .map { book, ticket in
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string\(book) } }
      Ticket: { attributes: { code: string\(ticket) } }
    """
  }

  private static let mappings = [
    "1-2": """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - { source: Book, destination: Book, attributes: { upper: uppercase($source.title) } }
      - { source: Ticket, destination: Ticket }
    """,
    // Other values whenever it is carried out, so that it cannot be online.
    "2-3": """
    remodelMapping: 1
    source: "2"
    destination: "3"
    entities:
      - { source: Book, destination: Book }
      - { source: Ticket, destination: Ticket, attributes: { lot: random() } }
    """,
  ]

  @Test
  func `a copy continues with its strategy, and the steps after it with the requested one`()
    async throws
  {
    try await withBundle(Self.versions, mappings: Self.mappings) { bundle in
      try await TestServer.withDatabase { url in
        var settings = CopySettings()
        settings.failpoints = Failpoints { name, _ in
          if name == "chunk.after_commit" { throw Killed() }
        }
        let killed = Remodel(
          RemodelConfiguration(modelsPath: bundle, strategy: .online, copySettings: settings)
        )
        _ = try await killed.migrate(.url(url), to: "1")
        try PostgresConnection(to: .url(url)).execute(
          """
          INSERT INTO public.book (title) VALUES ('Emma');
          INSERT INTO public.ticket (code) VALUES ('a')
          """
        )
        await #expect(throws: (any Error).self) { try await killed.migrate(.url(url), to: "2") }
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))

        let steps = try await remodel.plan(.url(url)).plan.steps

        #expect(steps.map(\.strategy) == [.online, .locked])
        #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
        #expect(try await remodel.jobs(.url(url)).map(\.state) == [.finished])
      }
    }
  }
}
