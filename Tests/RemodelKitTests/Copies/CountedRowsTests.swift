import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// The number of rows that a filled table has in the metadata.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CountedRowsTests {
  private static func model(_ added: String, _ partition: String = "") -> String {
    "remodel: 1\nentities:\n  Book: {\(partition) attributes: { text: string, pages: integer32\(added) } }\n"
  }

  @Test(
    arguments: RandomCases.one(in: 2, of: [CopyStrategy.gated, .online]),
    ["", " partition: 'hash(_id, 4)',"]
  )
  func `nobody waits until the rows of a large table are counted`(
    strategy: CopyStrategy,
    partition: String
  ) async throws {
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - { source: Book, destination: Book, attributes: { sheets: $source.pages * 2 } }

      """
    try await withBundle(
      [Self.model("", partition), Self.model(", sheets: integer32", partition)],
      mappings: ["1-2.mapping.yaml": mapping]
    ) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, strategy: strategy))
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          ALTER TABLE public.book ALTER text SET STORAGE EXTERNAL;
          INSERT INTO public.book (text, pages) SELECT string_agg(md5((n * m)::text), ''), n
          FROM generate_series(1, 20) AS n, generate_series(1, 31250) AS m GROUP BY n
          """
        )

        _ = try await remodel.migrate(.url(url))

        let count = try connection.query("SELECT row_count::text FROM remodel.made_table")
        #expect(count.rows == [[strategy == .online ? nil : "20"]])
      }
    }
  }
}
