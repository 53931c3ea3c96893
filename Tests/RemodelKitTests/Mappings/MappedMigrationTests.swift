import Diagnostics
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// Migrations by mapping models, through the front door.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct MappedMigrationTests {
  private static let versions = ["title: string", "name: string", "label: string"].map {
    """
    remodel: 1
    entities:
      Book:
        attributes: { \($0) }
    """
  }

  private static func mapping(
    _ source: String,
    _ destination: String,
    _ contents: String
  ) -> String {
    """
    remodelMapping: 1
    source: "\(source)"
    destination: "\(destination)"
    entities:
      - source: Book
        destination: Book
        \(contents)
    """
  }

  @Test
  func `a mapping model over several versions wins over the steps between`() async throws {
    let mappings = [
      "1-2": Self.mapping("1", "2", "attributes: { name: uppercase(title) }"),
      "1-3": Self.mapping("1", "3", "attributes: { label: lowercase(title) }"),
    ]
    try await withRows(mappings) { remodel, url in
      let report = try await remodel.migrate(.url(url))

      #expect(report.steps.map(\.destination) == ["3"])
      #expect(try labels("label", url) == ["emma", "ulysses"])
    }
  }

  @Test
  func `a copy that would make writers wait for too long is done while they write`() async throws {
    let mappings = ["1-3": Self.mapping("1", "3", "attributes: { label: lowercase(title) }")]
    try await withRows(mappings) { remodel, url in
      // As many rows as the server believes in make the estimate.
      try execute(
        """
        INSERT INTO public.book (title) SELECT 'a' FROM generate_series(1, 20000);
        ANALYZE public.book
        """,
        url
      )
      var configuration = remodel.configuration
      let patient = try await Remodel(configuration).plan(.url(url))
      configuration.maxBlock = .milliseconds(1)
      let impatient = Remodel(configuration)

      let plan = try await impatient.plan(.url(url))
      _ = try await impatient.migrate(.url(url))

      #expect(patient.plan.steps.map(\.strategy) == [.locked])
      #expect(plan.plan.steps.map(\.strategy) == [.online])
      let jobs = try await impatient.jobs(.url(url))
      #expect(jobs.map(\.strategy) == ["online"])
      #expect(try await impatient.check(.url(url)).isCurrent)
    }
  }

  @Test(arguments: [CopyStrategy.locked, .gated])
  func `a row that a validation returns ends the step`(strategy: CopyStrategy) async throws {
    let contents = """
      attributes: { name: uppercase(title) }
          policy:
            validate: SELECT _id FROM ${destination.Book} WHERE ${destination.Book.name} = 'EMMA'
      """
    try await withRows(["1-2": Self.mapping("1", "2", contents)]) { remodel, url in
      var configuration = remodel.configuration
      configuration.strategy = strategy

      let error = await #expect(throws: ExecutionError.self) {
        try await Remodel(configuration).migrate(.url(url), to: "2")
      }

      let message = error?.diagnostics.first?.description ?? ""
      #expect(message.contains("validation of entity mapping \"BookToBook\""), "\(message)")
      #expect(message.contains("DETAIL:  {\"_id\": 1}"), "\(message)")
      let titles = try labels("title", url)
      #expect(titles == ["Emma", "Ulysses"])
    }
  }

  @Test(arguments: [CopyStrategy.locked, .gated])
  func `SQL that changes copied rows is not taken for a fault`(strategy: CopyStrategy) async throws
  {
    let contents = """
      attributes: { name: uppercase(title) }
          policy:
            endInstanceCreation: |
              UPDATE ${destination.Book} SET ${destination.Book.name} = 'Emma, a novel'
              WHERE ${destination.Book.name} = 'EMMA'
      """
    try await withRows(["1-2": Self.mapping("1", "2", contents)]) { remodel, url in
      var configuration = remodel.configuration
      configuration.strategy = strategy

      _ = try await Remodel(configuration).migrate(.url(url), to: "2")

      let names = try labels("name", url)
      #expect(names == ["Emma, a novel", "ULYSSES"])
    }
  }

  @Test
  func `a placeholder that names nothing, or something too early, is a fault of the file`()
    async throws
  {
    for (placeholder, word) in [
      ("${source.Bok}", "Bok"), ("${destination.Book.title}", "title"),
      ("${map.Books}", "map.Books"),
    ] {
      let contents = "policy: { end: \"SELECT 1 FROM \(placeholder)\" }"
      try await withRows(["1-2": Self.mapping("1", "2", contents)]) { remodel, url in
        let error = await #expect(throws: (any Error).self) {
          try await remodel.migrate(.url(url), to: "2")
        }
        let texts = (error as? any DiagnosticError)?.diagnostics.map(\.description) ?? []
        #expect(texts.joined().contains(word), "\(placeholder): \(texts)")
        let titles = try labels("title", url)
        #expect(titles == ["Emma", "Ulysses"])
      }
    }
  }

  // MARK: - Databases

  private func withRows(
    _ mappings: [String: String],
    _ body: (Remodel, String) async throws -> Void
  ) async throws {
    try await withBundle(Self.versions, mappings: mappings) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        try execute("INSERT INTO public.book (title) VALUES ('Emma'), ('Ulysses')", url)
        try await body(remodel, url)
      }
    }
  }

  private func labels(_ column: SQLIdentifier, _ url: String) throws -> [String?] {
    let query: SQLFragment = "SELECT \(column) AS label FROM public.book ORDER BY _id"
    return try PostgresConnection(to: .url(url)).query(query).rows.compactMap(\.first)
  }

  private func execute(_ statements: SQLFragment, _ url: String) throws {
    try PostgresConnection(to: .url(url)).execute(statements)
  }
}
