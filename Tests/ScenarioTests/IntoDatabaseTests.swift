import MigrationPlanning
import ModelLoading
import RemodelKit
import TestSupport
import Testing

/// Migrations into another database, with the same results as in place.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct IntoDatabaseTests {
  @Test(arguments: RandomCases.one(in: 12, of: Scenario.planned))
  func `a migration into another database equals one in place`(scenario: Scenario) async throws {
    try await scenario.withBundle { bundle in
      // What is dropped is in neither, so that both can be compared.
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, removals: .drop))
      let fresh = try await ScenarioDatabases.shared.freshCatalog(of: scenario)
      try await scenario.withDatabase { url in
        try await TestServer.withDatabase(beside: url) { other in
          let before = try StoreState(url)
          do {
            let report = try await remodel.migrate(.url(url), into: .url(other))
            #expect(report.outcome == .transferred)
          } catch let error as TransferFailure {
            // The rows do not allow it, there as here.
            #expect(error.side == .destination, "\(error)")
            await #expect(throws: ExecutionError.self) { try await remodel.migrate(.url(url)) }
            return
          } catch is PlanningError {
            // Nothing is copied of what cannot be migrated.
            #expect(try await remodel.status(.url(other)).state == .empty)
            await #expect(throws: PlanningError.self) { try await remodel.migrate(.url(url)) }
            return
          }
          #expect(try StoreState(url) == before)
          #expect(try await remodel.check(.url(other)).isCurrent)
          try await expectNoDrift(other, remodel)
          let connection = try PostgresConnection(to: .url(other))
          try connection.prepareSession()
          let snapshot = try CatalogSnapshot(of: "public", on: connection)
          #expect(snapshot.difference(to: fresh) == [])
          let copied = try scenario.rows(other)
          // New keys of rows depend on how the server reads them.
          try PostgresConnection(to: .url(url)).execute("ANALYZE")
          do {
            _ = try await remodel.migrate(.url(url))
          } catch is PlanningError {
            // What is read when it has been dropped cannot be compared.
            return
          }
          #expect(copied == (try scenario.rows(url)))
        }
      }
    }
  }

  @Test(arguments: 0..<RandomCases.count(orElse: 3))
  func `the rows of a random model are the same in another database`(number: Int) async throws {
    let seed = RandomCases.sampleSeed &+ UInt64(number)
    var generator = ModelGenerator(seed: seed, hasComposites: number.isMultiple(of: 2))
    let model = generator.model()
    let bundle = try ModelBundle(name: "Shop", versions: ["1": model])
    var configuration = RemodelConfiguration(modelsPath: "")
    configuration.models = bundle
    configuration.copySettings.workers = 1 + number % 3
    let remodel = Remodel(configuration)
    try await TestServer.withTwoDatabases { url, other in
      _ = try await remodel.migrate(.url(url))
      let source = try PostgresConnection(to: .url(url))
      try source.prepareSession()
      var filler = RowFiller(try ModelProjection(model, schema: "public"), seed: seed)
      try filler.fill(source)
      let before = try StoreState(url)

      let plan = try await remodel.plan(.url(url), into: .url(other))
      let report = try await remodel.migrate(.url(url), into: .url(other))
      let again = try await remodel.migrate(.url(url), into: .url(other))

      #expect(plan.plan.steps.map(\.digest) == report.steps.map(\.digest), "seed \(seed)")
      #expect(report.outcome == .transferred)
      #expect(again.outcome == .unchanged)
      let after = try StoreState(url)
      #expect(after == before, "seed \(seed)")
      let copied = try StoreState(other)
      #expect(copied.rows == before.rows, "seed \(seed)")
      #expect(copied.sequences == before.sequences, "seed \(seed)")
      #expect(copied.catalog.difference(to: before.catalog) == [], "seed \(seed)")
      #expect(report.transfer?.rowCount == before.rows.count)
      try await expectNoDrift(other, remodel)
    }
  }
}

/// All of a store that a reader must not change: rows, sequences, tables and metadata.
struct StoreState: Equatable {
  var rows: [String] = []
  var sequences: [String] = []
  var metadata: [String] = []
  let catalog: CatalogSnapshot

  init(_ url: String) throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    catalog = try CatalogSnapshot(of: "public", on: connection)
    rows = try Self.rows(of: "public", connection)
    metadata = try Self.rows(of: "remodel", connection)
    sequences = try connection.query(
      """
      SELECT sequencename || ' ' || coalesce(last_value::text, 'none') AS row FROM pg_sequences
      WHERE schemaname = 'public' ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }

  private static func rows(
    of schema: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> [String] {
    let tables = try connection.query(
      """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = \(SQLLiteral.text(schema.name)) AND c.relkind = 'r' ORDER BY 1
      """
    ).compactMap { $0["relname"] }
    return try tables.flatMap { table in
      let name = QualifiedName(schema: schema, name: SQLIdentifier(table))
      return try connection.query("SELECT to_jsonb(t)::text AS row FROM \(name) t ORDER BY 1")
        .compactMap { $0["row"].map { "\(table) \($0)" } }
    }
  }
}
