import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// Publications of all tables, whose subscribers do not have the tables that a copy fills.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PublicationTests {
  private static let versions = [
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string, author: string } }
    """,
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string, author: string } }
      Author: { attributes: { name: string } }
    """,
  ]

  /// Makes a table and replaces none.
  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - { source: Book, destination: Book }
      - name: Authors
        source: Book
        destination: Author
        distinct: [$source.author]
        attributes: { name: $source.author }
    """

  private func withDatabase(_ body: (String, String) async throws -> Void) async throws {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping]) { bundle in
      try await TestServer.withDatabase { url in
        _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url), to: "1")
        try PostgresConnection(to: .url(url)).execute(
          """
          INSERT INTO public.book (title, author)
            SELECT 'Title ' || i, 'Author ' || i % 3 FROM generate_series(1, 50) AS i
          """
        )
        try await body(bundle, url)
      }
    }
  }

  @Test(arguments: [CopyStrategy.locked, .gated, .online])
  func `a copy is refused by name`(strategy: CopyStrategy) async throws {
    try await withDatabase { bundle, url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE PUBLICATION every FOR ALL TABLES")
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, strategy: strategy))

      let error = await #expect(throws: PlanningError.self) {
        try await remodel.migrate(.url(url))
      }

      #expect(error?.diagnostics.count == 1)
      let message = error?.diagnostics.first?.message ?? ""
      #expect(message.hasPrefix("publication every is in the way"))
      try connection.execute("DROP PUBLICATION every")
      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
    }
  }

  @Test(arguments: [CopyStrategy.gated, .online])
  func `one that is made while rows are copied keeps the tables from their places`(
    strategy: CopyStrategy
  ) async throws {
    try await withDatabase { bundle, url in
      let isMade = Flag()
      var settings = CopySettings()
      settings.failpoints = Failpoints { name, _ in
        guard name == "chunk.after_commit", isMade.set() else { return }
        try PostgresConnection(to: .url(url)).execute("CREATE PUBLICATION every FOR ALL TABLES")
      }
      let remodel = Remodel(
        RemodelConfiguration(modelsPath: bundle, strategy: strategy, copySettings: settings)
      )

      await #expect(throws: PlanningError.self) { try await remodel.migrate(.url(url)) }

      let connection = try PostgresConnection(to: .url(url))
      #expect(try connection.query("SELECT to_regclass('public.author')").value == nil)
      try connection.execute("DROP PUBLICATION every")
      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
    }
  }
}
