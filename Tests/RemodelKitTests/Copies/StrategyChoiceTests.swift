import MigrationPlanning
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// By which strategy a step is carried out where none is given.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct StrategyChoiceTests {
  @Test
  func `the cheapest way that blocks nobody for too long is chosen, and it says why`() async throws
  {
    try await withSales(Self.computed) { bundle, url in
      var random = SeededGenerator(seed: RandomCases.firstSeed)
      var chosen: Set<CopyStrategy> = []
      // A table with its primary key alone, one with many indexes, and others.
      var sizes = [22, 200].map { size(rows: 20_000_000, row: 100, indexes: $0) }
      for _ in 0..<30 {
        let rows = (0..<Int.random(in: 1...8, using: &random)).reduce(1) { product, _ in
          product * 10
        }
        sizes.append(
          size(
            rows: rows,
            row: Int.random(in: 40...400, using: &random),
            indexes: Int.random(in: 20...90, using: &random)
          )
        )
      }
      for size in sizes {
        let report = try await plan(bundle, url, size)
        let step = try #require(report.plan.steps.first)
        chosen.insert(step.strategy)
        let forecast = try #require(report.forecast.steps.first)
        #expect((forecast.longestWrite?.writers ?? .none) <= .about(5), "\(size)")
        guard let choice = step.choice else {
          #expect(step.strategy == .locked)
          continue
        }
        #expect(choice.strategy == step.strategy && choice.blockedSeconds > 5)
        #expect(Set(choice.candidates.map(\.strategy)) == [.filled, .online])
        let times = Dictionary(
          choice.candidates.map { ($0.strategy, $0.seconds ?? 0) },
          uniquingKeysWith: { first, _ in first }
        )
        let (filled, online) = (times[.filled] ?? 0, times[.online] ?? 0)
        #expect((filled <= 4 * online) == (choice.strategy == .filled), "\(size)")
        #expect(abs((times[step.strategy] ?? 0) - (forecast.seconds ?? 0)) < 0.001)
      }
      #expect(chosen == [.locked, .filled, .online])
    }
  }

  @Test(arguments: obstacles)
  func `what a fill would set off keeps it from being chosen`(
    _ obstacle: (object: SQLFragment, word: String)
  ) async throws {
    try await withSales(Self.computed) { bundle, url in
      try PostgresConnection(to: .url(url)).execute(obstacle.object)

      let step = try await plan(bundle, url, Self.large).plan.steps.first

      #expect(step?.strategy == .online)
      let filled = step?.choice?.candidates.first { $0.strategy == .filled }
      #expect(filled?.obstacle?.contains(obstacle.word) == true, "\(filled as Any)")
      let error = await #expect(throws: PlanningError.self) {
        try await plan(bundle, url, Self.large, .filled)
      }
      #expect(error?.diagnostics.first?.detail?.lowercased().contains(obstacle.word) == true)
    }
  }

  private static let obstacles: [(object: SQLFragment, word: String)] = [
    (
      """
      CREATE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER touched BEFORE UPDATE ON public.sale FOR EACH ROW EXECUTE FUNCTION public.touch()
      """, "\"touched\""
    ),
    (
      """
      CREATE FUNCTION public.log() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER logged AFTER UPDATE ON public.sale FOR EACH STATEMENT EXECUTE FUNCTION public.log()
      """, "\"logged\""
    ),
    (
      """
      CREATE FUNCTION public.trim() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN NEW.seller := btrim(NEW.seller); RETURN NEW; END';
      CREATE TRIGGER "~trim" BEFORE INSERT OR UPDATE OF seller ON public.sale
        FOR EACH ROW EXECUTE FUNCTION public.trim()
      """, "\"~trim\" of table \"sale\" sorts after \"~remodel_fill\""
    ),
    (
      """
      CREATE FUNCTION public.trim() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN NEW.seller := btrim(NEW.seller); RETURN NEW; END';
      CREATE TRIGGER "äußerst" BEFORE INSERT ON public.sale
        FOR EACH ROW EXECUTE FUNCTION public.trim()
      """, "\"äußerst\" of table \"sale\" sorts after \"~remodel_fill\""
    ),
    ("ALTER TABLE public.sale FORCE ROW LEVEL SECURITY", "policies"),
  ]

  @Test
  func `a trigger of other columns is no obstacle`() async throws {
    try await withSales(Self.computed) { bundle, url in
      try PostgresConnection(to: .url(url)).execute(
        """
        CREATE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN NEW.note := ''touched''; RETURN NEW; END';
        CREATE TRIGGER touched BEFORE UPDATE OF amount ON public.sale
          FOR EACH ROW EXECUTE FUNCTION public.touch();
        INSERT INTO public.sale (amount, seller) VALUES (1, 'Ada')
        """
      )
      #expect(try await plan(bundle, url, Self.large).plan.steps.first?.strategy == .filled)

      _ = try await remodel(bundle, Self.large).migrate(.url(url))

      let row = try PostgresConnection(to: .url(url)).query("SELECT label, note FROM public.sale")
      #expect(row.rows == [["ADA", nil]])
    }
  }

  @Test
  func `a trigger that runs before the one that computes is no obstacle`() async throws {
    try await withSales(Self.computed) { bundle, url in
      try PostgresConnection(to: .url(url)).execute(
        """
        CREATE FUNCTION public.trim() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN NEW.seller := btrim(NEW.seller); RETURN NEW; END';
        CREATE TRIGGER trim BEFORE INSERT OR UPDATE OF seller ON public.sale
          FOR EACH ROW EXECUTE FUNCTION public.trim();
        CREATE TRIGGER "~trim" BEFORE INSERT OR UPDATE OF seller ON public.sale
          FOR EACH ROW EXECUTE FUNCTION public.trim();
        ALTER TABLE public.sale DISABLE TRIGGER "~trim"
        """
      )
      let isWritten = Flag()
      var configuration = configuration(bundle, Self.large)
      configuration.copySettings.failpoints = Failpoints { name, _ in
        guard name == "start.after_commit", isWritten.set() else { return }
        let other = try PostgresConnection(to: .url(url))
        try other.execute("INSERT INTO public.sale (amount, seller) VALUES (1, ' Ada ')")
      }

      _ = try await Remodel(configuration).migrate(.url(url))

      let row = try PostgresConnection(to: .url(url)).query("SELECT label FROM public.sale")
      #expect(row.rows == [["ADA"]])
    }
  }

  @Test
  func `a trigger of the model that runs after the one that computes is an obstacle`() async throws
  {
    func version(_ label: String) -> String {
      """
      remodel: 1
      entities:
        Buyer:
          attributes: { name: string }
          relationships: { sales: { toMany: Sale, inverse: buyer } }
        Sale:
          table: übersicht
          attributes: { amount: integer32, buyerName: { type: string?, derivation: buyer.name }\(label) }
          relationships: { buyer: { to: Buyer?, inverse: sales } }
      """
    }
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - { source: Sale, destination: Sale, attributes: { label: "uppercase($source.buyerName)" } }
      """
    try await withBundle(
      [version(""), version(", label: string?")],
      mappings: ["1-2": mapping]
    ) { bundle in
      try await TestServer.withDatabase { url in
        _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url), to: "1")
        var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .filled)
        configuration.takesTablesForLarge = true

        let error = await #expect(throws: PlanningError.self) {
          try await Remodel(configuration).plan(.url(url))
        }

        #expect(error?.diagnostics.first?.detail?.contains("sorts after") == true)
      }
    }
  }

  @Test
  func `a text that reads as a query is no obstacle`() async throws {
    let mapping = Self.computed.mapping?.replacing(
      "uppercase($source.seller)",
      with: "'coalesce($source.note, \"SELECT\")'"
    )
    try await withSales((version: Self.computed.version, mapping: mapping)) { bundle, url in
      let step = try await plan(bundle, url, Self.large).plan.steps.first
      #expect(step?.strategy == .filled)
    }
  }

  @Test
  func `who has a view of a replaced column is told what helps`() async throws {
    try await withSales(Self.retyped) { bundle, url in
      try PostgresConnection(to: .url(url)).execute(
        "CREATE VIEW public.amounts AS SELECT amount FROM public.sale"
      )

      let error = await #expect(throws: PlanningError.self) {
        try await plan(bundle, url, Self.large, .filled)
      }

      let words = error.map { "\($0)" } ?? ""
      #expect(words.contains("view public.amounts") && words.contains("create it again"))
      #expect(!words.contains("--removals"))
    }
  }

  @Test
  func `a column of another type is filled unless something is lost with it`() async throws {
    try await withSales(Self.retyped) { bundle, url in
      let step = try await plan(bundle, url, Self.large).plan.steps.first
      #expect(step?.strategy == .filled && step?.choice?.candidates.count == 1)
      #expect(try await plan(bundle, url, Self.small).plan.steps.first?.strategy == .locked)
      for object in [
        "COMMENT ON COLUMN public.sale.amount IS 'in cents'",
        "CREATE VIEW public.amounts AS SELECT amount FROM public.sale",
      ] as [SQLFragment] {
        try PostgresConnection(to: .url(url)).execute(object)
        await #expect(throws: (any Error).self) { try await plan(bundle, url, Self.large, .filled) }
        try PostgresConnection(to: .url(url)).execute(
          "COMMENT ON COLUMN public.sale.amount IS NULL"
        )
      }
    }
  }

  // MARK: - Plans

  private static let large = TableSize(rows: 20_000_000, bytes: 2_000_000_000)
  /// Returns a size, given the bytes of each row and of its entries in indexes.
  private func size(rows: Int, row: Int, indexes: Int) -> TableSize {
    TableSize(rows: rows, bytes: rows * (row + indexes), indexBytes: rows * indexes)
  }

  private static let small = TableSize(rows: 200, bytes: 20_000)

  private func remodel(
    _ bundle: String,
    _ size: TableSize,
    _ strategy: CopyStrategy? = nil
  ) -> Remodel {
    Remodel(configuration(bundle, size, strategy))
  }

  private func configuration(
    _ bundle: String,
    _ size: TableSize,
    _ strategy: CopyStrategy? = nil
  ) -> RemodelConfiguration {
    var configuration = RemodelConfiguration(modelsPath: bundle, strategy: strategy)
    configuration.tableSizes = ["sale": size]
    return configuration
  }

  private func plan(
    _ bundle: String,
    _ url: String,
    _ size: TableSize,
    _ strategy: CopyStrategy? = nil
  ) async throws -> PlanReport {
    try await remodel(bundle, size, strategy).plan(.url(url))
  }

  private func withSales(
    _ second: (version: String, mapping: String?),
    _ body: (_ bundle: String, _ url: String) async throws -> Void
  ) async throws {
    let mappings = second.mapping.map { ["1-2": $0] } ?? [:]
    try await withBundle([Self.first, second.version], mappings: mappings) { bundle in
      try await TestServer.withDatabase { url in
        _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url), to: "1")
        try await body(bundle, url)
      }
    }
  }

  private static let first = """
    remodel: 1
    entities:
      Sale: { attributes: { amount: integer32, seller: string, note: string? } }
    """

  private static let computed = (
    version: """
    remodel: 1
    entities:
      Sale: { attributes: { amount: integer32, seller: string, note: string?, label: string } }
    """,
    mapping: Optional(
      """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - { source: Sale, destination: Sale, attributes: { label: uppercase($source.seller) } }
      """
    )
  )

  private static let retyped = (
    version: """
    remodel: 1
    entities:
      Sale: { attributes: { amount: integer64, seller: string, note: string? } }
    """,
    mapping: String?.none
  )
}
