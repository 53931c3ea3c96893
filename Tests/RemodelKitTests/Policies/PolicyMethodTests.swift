import Diagnostics
import ModelMapping
import ObjectModel
import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// Methods of policies that expressions call.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PolicyMethodTests {
  private static let versions = [
    """
    remodel: 1
    entities:
      Shelf: { attributes: { place: string }, relationships: { books: { toMany: Book, inverse: shelf } } }
      Book:
        attributes: { title: string?, pages: string? }
        relationships: { shelf: { to: Shelf?, inverse: books } }
    """,
    """
    remodel: 1
    entities:
      Shelf: { attributes: { place: string }, relationships: { books: { toMany: Book, inverse: shelf } } }
      Book:
        attributes: { title: string?, pages: integer32?, code: string?, cover: binary? }
        relationships: { shelf: { to: Shelf?, inverse: books } }
    """,
  ]

  private static func mapping(_ attributes: String) -> String {
    """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
        policy: BookPolicy
        attributes:
          \(attributes)
    """
  }

  private static let full = mapping(
    """
    pages: FUNCTION($entityPolicy, "pagesOf:", $source.pages)
          code: FUNCTION($entityPolicy, "codeOf:at:", $source.title, $source.shelf.place)
          cover: FUNCTION($entityPolicy, "cover")
    """
  )

  private struct NoNumber: Error, CustomStringConvertible {
    let description = "that is no number"
  }

  private struct BookPolicy: EntityMigrationPolicy {
    let version = "1"
    var methods: [String: PolicyMethod] = [
      "codeOf:at:": .expression("concat(uppercase($1), \"-\", $2)"),
      "cover": .code { _ in .text("\\x0102") },
      "pagesOf:": .code { arguments in
        guard case .string(let text) = arguments[0] else { return nil }
        guard let number = Int64(text) else { throw NoNumber() }
        return .integer(number)
      },
    ]
  }

  private func withRows<Result>(
    _ mapping: String = full,
    _ policy: BookPolicy? = BookPolicy(),
    _ strategy: CopyStrategy = .locked,
    body: (Remodel, String) async throws -> Result
  ) async throws -> Result {
    try await withBundle(Self.versions, mappings: ["1-2": mapping]) { models in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(
          RemodelConfiguration(
            modelsPath: models,
            strategy: strategy,
            policies: policy.map { ["BookPolicy": $0] } ?? [:]
          )
        )
        _ = try await Remodel(models: models).migrate(.url(url), to: "1")
        try PostgresConnection(to: .url(url)).execute(
          """
          INSERT INTO public.shelf (place) VALUES ('a'), ('b');
          INSERT INTO public.book (title, pages, shelf) SELECT 'T' || i, nullif(i, 3), i % 2 + 1
            FROM generate_series(1, 500) AS i
          """
        )
        return try await body(remodel, url)
      }
    }
  }

  @Test(arguments: [CopyStrategy.locked, .gated])
  func `methods compute values in the server and in code`(strategy: CopyStrategy) async throws {
    try await withRows(Self.full, BookPolicy(), strategy) { remodel, url in
      _ = try await remodel.migrate(.url(url))

      let found = try PostgresConnection(to: .url(url)).query(
        """
        SELECT concat_ws(' ', count(*), sum(pages), count(pages), min(cover::text), \
        count(*) FILTER (WHERE b.code = upper(b.title) || '-' || s.place)) \
        FROM public.book AS b JOIN public.shelf AS s ON s._id = b.shelf
        """
      ).value
      #expect(found == "500 125247 499 \\x0102 500")
    }
  }

  @Test
  func `an expression costs no rows in code`() async throws {
    let mapping = Self.mapping(
      #"code: coalesce(FUNCTION($entityPolicy, "codeOf:at:", $source.title, "x"), "none")"#
        + "\n      pages: 1"
    )
    try await withRows(mapping) { remodel, url in
      let plan = try await remodel.plan(.url(url))

      let statements = plan.plan.steps.flatMap(\.statements).map(\.sql.text)
      #expect(statements.contains { $0.contains("upper(") })
      #expect(!statements.contains { $0.contains("FROM STDIN") })
    }
  }

  @Test
  func `a method that throws names the row`() async throws {
    try await withRows { remodel, url in
      try PostgresConnection(to: .url(url)).execute(
        "UPDATE public.book SET pages = 'many' WHERE _id = 250"
      )
      let error = await #expect(throws: (any Error).self) { try await remodel.migrate(.url(url)) }

      let words = (error as? any DiagnosticError)?.diagnostics.first?.description ?? ""
      #expect(words.contains("250"))
      #expect(words.contains("that is no number"))
    }
  }

  @Test
  func `an unregistered method is a fault, and one inside another value, too`() async throws {
    let unregistered = Self.mapping(#"pages: FUNCTION($entityPolicy, "go:", $source.pages)"#)
    let inner = Self.mapping(#"pages: coalesce(FUNCTION($entityPolicy, "pagesOf:", "1"), 2)"#)
    for mapping in [unregistered, inner] {
      try await withBundle(Self.versions, mappings: ["1-2": mapping]) { models in
        let remodel = Remodel(models: models, policies: ["BookPolicy": BookPolicy()])
        let error = #expect(throws: InvalidMappingError.self) { try remodel.validateMappings() }
        #expect(error?.diagnostics.count == 1)
      }
    }
  }

  @Test
  func `a hole at a call is filled when the method is registered`() async throws {
    let mapping = Self.mapping(
      #"pages: { hole: code, value: "FUNCTION($entityPolicy, 'pagesOf:', $source.pages)" }"#
    )
    try await withBundle(Self.versions, mappings: ["1-2": mapping]) { models in
      let registered = Remodel(models: models, policies: ["BookPolicy": BookPolicy()])
      #expect(throws: Never.self) { try registered.validateMappings() }

      let other = Remodel(models: models, policies: ["BookPolicy": BookPolicy(methods: [:])])
      let error = #expect(throws: InvalidMappingError.self) { try other.validateMappings() }
      #expect(error?.diagnostics.count == 1)
      #expect(error?.diagnostics.first?.message.contains("hole") ?? false)
    }
  }

  @Test
  func `rows cannot pass through a method while others write`() async throws {
    try await withRows(Self.full, BookPolicy(), .online) { remodel, url in
      _ = await #expect(throws: RemodelError.self) { try await remodel.migrate(.url(url)) }
    }
  }

  @Test
  func `an expression of a method reads user info`() async throws {
    let policy = BookPolicy(methods: [
      "codeOf:": .expression("concat($1, $manager.userInfo.suffix)")
    ])
    let mapping = Self.mapping(
      """
      pages: CAST($source.pages, "integer32")
            code: FUNCTION($entityPolicy, "codeOf:", $source.title)
      """
    )
    try await withRows(mapping, policy) { remodel, url in
      var configuration = remodel.configuration
      configuration.userInfo = ["suffix": "!"]

      _ = try await Remodel(configuration).migrate(.url(url))

      let found = try PostgresConnection(to: .url(url)).query(
        "SELECT bool_and(code = title || '!') FROM public.book"
      ).value
      #expect(found == "t")
    }
  }
}
