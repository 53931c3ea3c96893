import Diagnostics
import MigrationExecution
import MigrationPlanning
import ModelMapping
import PostgresClient
import RemodelKit
import SQLSyntax
import Synchronization
import TestSupport
import Testing

/// Rows that pass through policies in code.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RowPolicyTests {
  @Test(arguments: [CopyStrategy.locked, .gated])
  func `a policy computes attributes, and the server all else`(strategy: CopyStrategy) async throws
  {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 1234)
      let expected = try Shelf.value(
        """
        SELECT count(*) || ' ' || sum(CASE WHEN _id % 10 = 0 THEN 0 ELSE _id % 3999 + 1 END) \
        || ' ' || count(prequel) || ' ' || sum(author * _id) || ' ' || count(pages) \
        || ' ' || md5(string_agg(upper(title), ',' ORDER BY _id)) FROM public.book
        """,
        url
      )
      let tags = try Shelf.tags(url)

      let report = try await Shelf.remodel(bundle, RomanPages(), strategy: strategy)
        .migrate(.url(url))

      #expect(report.outcome == .migrated)
      let found = try Shelf.value(
        """
        SELECT count(*) || ' ' || sum(coalesce(pages, 0)) || ' ' || count(prequel) \
        || ' ' || sum(author * _id) || ' ' || count(pages) \
        || ' ' || md5(string_agg(heading, ',' ORDER BY _id)) FROM public.book
        """,
        url
      )
      #expect(found == expected)
      #expect(tags.count == 50)
      #expect(try Shelf.tags(url) == tags)
      // The next key is above all that there are.
      #expect(
        try Shelf.value(
          "INSERT INTO public.book (title, heading) VALUES ('a', 'A') RETURNING _id",
          url
        ) == "1235"
      )
      #expect(
        try Shelf.value(
          "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'remodel_staging%'",
          url
        ) == "0"
      )
    }
  }

  @Test(arguments: [CopyStrategy.locked, .gated])
  func `a policy leaves rows out, and nobody leads to them`(strategy: CopyStrategy) async throws {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 500)
      let policy = RomanPages(count: .atMostOne) { source in
        try source.string(forKey: "pages") == nil ? [] : [try RomanPages.read(source)]
      }

      _ = try await Shelf.remodel(bundle, policy, strategy: strategy).migrate(.url(url))

      #expect(
        try Shelf.value(
          """
          SELECT count(*) || ' ' || count(*) FILTER (WHERE _id % 10 = 0) || ' ' || count(prequel) \
          || ' ' || min(_id) || ' ' || max(_id) || ' ' || sum(pages) FROM public.book
          """,
          url
        ) == "450 0 200 1 499 112950"
      )
      #expect(
        try Shelf.value("SELECT count(*) FROM public.book WHERE pages <> _id % 3999 + 1", url)
          == "0"
      )
      #expect(
        try Shelf.value(
          "INSERT INTO public.book (title, heading) VALUES ('a', 'A') RETURNING _id",
          url
        ) == "501"
      )
    }
  }

  @Test(arguments: [CopyStrategy.locked, .gated])
  func `a policy makes several rows of one, with keys of the server's`(
    strategy: CopyStrategy
  ) async throws {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 500)
      let policy = RomanPages(count: .any) { source in
        let row = try RomanPages.read(source)
        switch try source.text(forKey: "author") {
        case "1": return [row]
        case "2": return []
        default: return [row, row, row]
        }
      }

      _ = try await Shelf.remodel(bundle, policy, strategy: strategy).migrate(.url(url))

      #expect(
        try Shelf.value(
          """
          SELECT string_agg(author || ' ' || n || ' ' || keys, ', ' ORDER BY author) FROM (
            SELECT author, count(*) AS n, count(DISTINCT _id) AS keys FROM public.book GROUP BY author
          ) AS counted
          """,
          url
        ) == "1 166 166, 3 501 501"
      )
      // What has a prequel leads to the first of those that were made of it.
      #expect(
        try Shelf.value(
          """
          SELECT count(*) || ' ' || count(*) FILTER (WHERE substring(p.title FROM '[0-9]+')::int \
          <> substring(b.title FROM '[0-9]+')::int - 1) \
          || ' ' || count(*) FILTER (WHERE EXISTS (SELECT FROM public.book AS o \
          WHERE o.title = p.title AND o._id < p._id)) \
          FROM public.book AS b JOIN public.book AS p ON p._id = b.prequel
          """,
          url
        ) == "83 0 0"
      )
    }
  }

  @Test
  func `several sessions hand rows over at a time`() async throws {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 3000)

      _ = try await Shelf.remodel(bundle, RomanPages(), strategy: .gated, workers: 3)
        .migrate(.url(url))

      #expect(
        try Shelf.value(
          "SELECT count(*) FROM public.book WHERE pages = _id % 3999 + 1 AND _id % 10 <> 0",
          url
        ) == "2700"
      )
    }
  }

  @Test
  func `rows of a policy are copied into another schema, too`() async throws {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 100)
      var configuration = Shelf.remodel(bundle, RomanPages()).configuration
      configuration.intoSchema = "next"

      _ = try await Remodel(configuration).migrate(.url(url))

      #expect(try Shelf.value("SELECT sum(pages) FROM next.book", url) == "4590")
      #expect(try Shelf.value("SELECT max(pages) FROM public.book", url) == "XXXVIII")
    }
  }

  // MARK: - Faults

  private func failure(
    _ policy: RomanPages,
    _ strategy: CopyStrategy = .locked,
    _ spoil: SQLFragment = "SELECT"
  ) async throws -> [Diagnostic] {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 700)
      try PostgresConnection(to: .url(url)).execute(spoil)
      let before = try Shelf.books(url)

      let error = await #expect(throws: ExecutionError.self) {
        try await Shelf.remodel(bundle, policy, strategy: strategy).migrate(.url(url))
      }

      #expect(try Shelf.books(url) == before)
      return error?.diagnostics ?? []
    }
  }

  @Test(arguments: [CopyStrategy.locked, .gated])
  func `an error of the policy names the mapping, the policy and the row`(
    strategy: CopyStrategy
  ) async throws {
    let diagnostics = try await failure(
      RomanPages(),
      strategy,
      "UPDATE public.book SET pages = 'forty' WHERE _id = 345"
    )

    #expect(
      diagnostics.map(\.message) == [
        "policy \"BookPolicy\" of entity mapping \"BookToBook\" failed at the row with key 345"
      ]
    )
    let detail = diagnostics.first?.detail?.split(separator: "\n").map(String.init) ?? []
    #expect(detail.first == "that is no Roman number")
    let tellsOfGuard = detail.dropFirst().contains { $0.contains("continues to refuse writes") }
    #expect(tellsOfGuard == (strategy == .gated))
  }

  @Test
  func `a misspelt property is reported with the row`() async throws {
    let diagnostics = try await failure(
      RomanPages { source in
        var book = DestinationInstance(of: source)
        try book.setText(source.text(forKey: "titel"), forKey: "pages")
        return [book]
      }
    )

    #expect(diagnostics.first?.message.hasSuffix("failed at the row with key 1") ?? false)
    #expect(diagnostics.first?.detail?.contains("Did you mean \"title\"?") ?? false)
  }

  @Test
  func `a refusal of the server is reported with the row`() async throws {
    let diagnostics = try await failure(
      RomanPages { source in
        var book = DestinationInstance(of: source)
        try book.setText(source.objectID == "432" ? "many" : "1", forKey: "pages")
        return [book]
      }
    )

    #expect(diagnostics.first?.message.hasSuffix("failed at the row with key 432") ?? false)
    #expect(diagnostics.first?.sqlState == "22P02")
  }

  @Test
  func `a policy makes as many rows as it has said`() async throws {
    let diagnostics = try await failure(
      RomanPages { source in
        source.objectID == "7" ? [] : [DestinationInstance(of: source)]
      }
    )

    #expect(diagnostics.first?.message.hasSuffix("failed at the row with key 7") ?? false)
    #expect(
      diagnostics.first?.detail == "It has created 0 rows from it, but declares one."
    )
  }

  // MARK: - Plans

  @Test
  func `a plan shows what passes through a policy, and depends on its version`() async throws {
    try await Shelf.withBundle { bundle, url in
      let remodel = Shelf.remodel(bundle, RomanPages())
      let report = try remodel.plan(from: "1", to: "2")
      let again = try remodel.plan(from: "1", to: "2")
      let other = try Shelf.remodel(bundle, RomanPages(version: "2")).plan(from: "1", to: "2")

      let statements = report.plan.steps[0].statements
      let rowPolicy = try #require(statements.first { $0.rowPolicy != nil })
      #expect(
        rowPolicy.reason
          == "pass rows of entity mapping \"BookToBook\" through policy \"BookPolicy\", version \"1\", "
          + "in batches"
      )
      #expect(
        rowPolicy.sql.text.hasPrefix("COPY (\nSELECT \"source\".\"_id\", \"source\".\"_id\", ")
      )
      #expect(report.plan.digest != other.plan.digest)
      #expect(report.plan.digest == again.plan.digest)
      let error = #expect(throws: RemodelError.self) { try report.script }
      #expect(
        error?.fact == .noScript(step: "2", mapping: "BookToBook", policy: "BookPolicy")
      )
    }
  }

  @Test
  func `rows cannot pass through a policy while others write`() async throws {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 10)
      let error = await #expect(throws: RemodelError.self) {
        try await Shelf.remodel(bundle, RomanPages(), strategy: .online).migrate(.url(url))
      }

      #expect(
        error?.fact
          == .notOnline(
            step: "2",
            obstacle:
              "rows of entity mapping \"BookToBook\" pass through policy \"BookPolicy\"",
            seconds: nil
          )
      )
    }
  }

  @Test
  func `a policy that nobody has registered is a hole`() async throws {
    try await Shelf.withBundle { bundle, url in
      let error = #expect(throws: InvalidMappingError.self) {
        try Shelf.remodel(bundle, nil).validateMappings()
      }

      #expect(
        error?.diagnostics.map(\.message) == [
          "policy of entity mapping \"BookToBook\" is a hole that has to be filled"
        ]
      )
      #expect(throws: Never.self) {
        try Shelf.remodel(bundle, RomanPages()).validateMappings()
      }
    }
  }

  private struct Greedy: EntityMigrationPolicy {
    let version = "1"

    func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? {
      InstanceCreation(setting: ["pages", "heading", "titel"], from: ["tags"])
    }
  }

  @Test
  func `what a policy says of a mapping is checked`() async throws {
    try await Shelf.withBundle { bundle, url in
      let error = #expect(throws: InvalidMappingError.self) {
        try Shelf.remodel(bundle, Greedy()).validateMappings()
      }

      let part = "policy of entity mapping \"BookToBook\""
      #expect(
        error?.diagnostics.map(\.message) == [
          "\(part) sets \"heading\", which the mapping gives a value as well",
          "\(part) sets \"titel\", which is no stored attribute of entity \"Book\"",
          "\(part) asks for \"tags\", which is neither a stored attribute nor a to-one relationship "
            + "of entity \"Book\"",
        ]
      )
      #expect(error?.diagnostics.allSatisfy { $0.location?.line == 9 } ?? false)
    }
  }

  @Test
  func `a complete mapping says what a policy makes`() async throws {
    try await Shelf.withBundle { bundle, url in
      let report = try Shelf.remodel(bundle, RomanPages()).completeMapping(from: "1", to: "2")

      #expect(report.mappingModel.entityMappings.first { $0.name == "BookToBook" }?.type == .custom)
      #expect(report.yaml.contains("policy: BookPolicy"))
      #expect(!report.yaml.contains("pages"))
    }
  }
}
