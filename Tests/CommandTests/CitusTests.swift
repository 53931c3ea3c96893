import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Tables that people have distributed with Citus, on a single node; they need the extension.
@Suite(
  .tags(.server),
  .enabled("Citus is not installed") { try await CitusCluster.isInstalled() },
  .timeLimit(.minutes(30))
)
struct CitusTests {
  private static let first = version()

  /// Returns a version with more attributes of orders or products, other parts of orders, and more entities.
  private static func version(
    order: String = "",
    product: String = "",
    parts: String = "",
    more: String = ""
  ) -> String {
    """
    remodel: 1
    entities:
      Tenant:
        attributes: { name: string }
      Order:
        attributes: { note: string\(order) }
        \(parts)
      Product:
        attributes: { name: string\(product) }
      \(more)
    """
  }

  /// Calls a function with a store whose orders are distributed, and whose products are on every node.
  private func withDistribution(
    _ second: String,
    _ mapping: String? = nil,
    rows count: Int = 100,
    on cluster: CitusCluster = .singleNode,
    _ body: (_ options: [String], _ urls: [String]) async throws -> Void
  ) async throws {
    try await withBundle(Self.first, second) { folder in
      if let mapping { try write(mapping, to: "\(folder)/a.mapping.yaml") }
      try await cluster.withDatabase { urls in
        let options = ["--models", folder, "--database", urls[0]]
        let made = try await Tool.run(["migrate", "--to", "1"] + options)
        #expect(made.status == 0, "\(made)")
        try await execute(
          "SELECT create_distributed_table('public.order', '_id')",
          "SELECT create_reference_table('public.product')",
          "INSERT INTO public.order (note) SELECT 'n' || i FROM generate_series(1, \(count)) i",
          "INSERT INTO public.product (name) SELECT 'p' || i FROM generate_series(1, 20) i",
          at: urls[0]
        )
        try await body(options, urls)
      }
    }
  }

  private func placements(at url: String) async throws -> [[String?]] {
    try await rows(
      of: "SELECT logicalrelid::text, partmethod FROM pg_dist_partition ORDER BY 1",
      at: url
    )
  }

  private func expectRefused(
    _ second: String,
    _ mapping: String? = nil,
    _ message: String
  ) async throws {
    try await withDistribution(second, mapping) { options, urls in
      let before = try await placements(at: urls[0])
      for verb in ["plan", "migrate"] {
        let outcome = try await Tool.run([verb] + options)
        #expect(outcome.status == 7, "\(outcome)")
        #expect(outcome.error.contains(message), "\(outcome.error)")
      }
      #expect(try await placements(at: urls[0]) == before)
      let status = try await Tool.run(["status", "--format", "json"] + options)
      #expect(status["version"] == "1")
    }
  }

  @Test
  func `a change that can be inferred leaves tables where they are`() async throws {
    let second = Self.version(order: ", sum: integer64?", product: ", price: integer64?")
    try await withDistribution(second) { options, urls in
      let before = try await placements(at: urls[0])
      let script = try await Tool.run(["plan", "--format", "sql"] + options)
      #expect(script.output.contains("'citus.multi_shard_modify_mode', 'sequential'"))
      let migrated = try await Tool.run(["migrate"] + options)
      #expect(migrated.status == 0, "\(migrated)")
      #expect(try await placements(at: urls[0]) == before)
      let verified = try await Tool.run(["verify", "--rows", "--format", "json"] + options)
      #expect(verified.status == 0, "\(verified)")
      #expect(
        verified["kinds"] == [
          ["table": "order", "kind": "distributed by \"_id\" over 4 shards of Citus"],
          ["table": "product", "kind": "a reference table of Citus"],
        ]
      )
      let back = try await Tool.run(["revert"] + options)
      #expect(back.status == 0, "\(back)")
      let cleaned = try await Tool.run(["cleanup", "--yes"] + options)
      #expect(cleaned.status == 0, "\(cleaned)")
      let again = try await Tool.run(["migrate", "--to", "2"] + options)
      #expect(again.status == 0, "\(again)")
    }
  }

  @Test
  func `a copy would take them off the nodes`() async throws {
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - source: Order
          destination: Order
          attributes: { note: trim($source.note) }
      """
    try await expectRefused(
      Self.first,
      mapping,
      "table \"order\", which is distributed by \"_id\" over 4 shards of Citus, cannot be copied"
    )
  }

  @Test
  func `a foreign key to other nodes would be half enforced`() async throws {
    let second = Self.version(
      parts: "relationships: { lines: { toMany: Line, inverse: order, delete: cascade } }",
      more: "Line: { relationships: { order: { to: Order, inverse: lines } } }"
    )
    try await expectRefused(second, nil, "table \"line\" cannot refer to table \"order\"")
  }

  @Test(arguments: ["now()", "gen_random_uuid()::text", "clock_timestamp()::text"])
  func `each node would compute a default for itself`(expression: String) async throws {
    let type = expression == "now()" ? "timestamp" : "string"
    let attribute = ", mark: { type: \(type), defaultSQL: \"\(expression)\" }"
    try await expectRefused(
      Self.version(product: attribute),
      nil,
      "column \"mark\" of table \"product\", which is a reference table of Citus, would get other values"
    )
  }

  @Test
  func `values are not made unique on each node alone`() async throws {
    let second = Self.version(parts: "unique: [[note]]")
    try await expectRefused(second, nil, "cannot keep values unique in table \"order\"")
  }

  @Test
  func `its size is that of all nodes`() async throws {
    let second = Self.version(parts: "indexes: { byNote: [note] }")
    try await withDistribution(second, rows: 300_000) { options, _ in
      let plan = try await Tool.run(["plan", "--max-block", "1ms"] + options)
      #expect(plan.status == 7, "\(plan)")
      #expect(plan.error.contains("blocks writers for about"), "\(plan.error)")
    }
  }

  @Test
  func `a rehearsal says what it does not show`() async throws {
    let second = Self.version(order: ", sum: integer64?")
    try await withDistribution(second) { options, _ in
      let apart = try await Tool.run(["plan", "--rehearse"] + options)
      #expect(apart.error.contains("cannot show what Citus refuses"), "\(apart)")
      let live = try await Tool.run(
        ["plan", "--rehearse", "--live", "--max-block", "10s"] + options
      )
      #expect(live.status == 0, "\(live)")
      #expect(!live.error.contains("cannot show"), "\(live)")
    }
  }

  @Test
  func `tables that are there are adopted as what they are`() async throws {
    try await withBundle(Self.first) { folder in
      try await CitusCluster.singleNode.withDatabase { urls in
        let options = ["--models", folder, "--database", urls[0]]
        _ = try await Tool.run(["migrate"] + options)
        try await execute(
          "DROP SCHEMA remodel CASCADE",
          "SELECT create_distributed_table('public.order', '_id')",
          at: urls[0]
        )
        let adopted = try await Tool.run(["adopt", "--to", "1", "--format", "json"] + options)
        #expect(adopted.status == 0, "\(adopted)")
        #expect(
          adopted["kinds"]
            == [["table": "order", "kind": "distributed by \"_id\" over 4 shards of Citus"]]
        )
        #expect(try await Tool.run(["verify"] + options).status == 0)
      }
    }
  }

  @Test
  func `the metadata stays on the coordinator where schemas are distributed`() async throws {
    try await withBundle(Self.first) { folder in
      try await CitusCluster.singleNode.withDatabase { urls in
        try await execute(
          "ALTER DATABASE \(databaseName(at: urls[0])) SET citus.enable_schema_based_sharding = on",
          at: urls[0]
        )
        let made = try await Tool.run(["migrate", "--models", folder, "--database", urls[0]])
        #expect(made.status == 0, "\(made)")
        let schemas = try await rows(
          of: "SELECT schemaid::regnamespace FROM pg_dist_schema",
          at: urls[0]
        )
        #expect(schemas.isEmpty)
      }
    }
  }

  @Test
  func `a worker is not where stores are`() async throws {
    let cluster = CitusCluster(workers: 1)
    try await withDistribution(Self.version(order: ", sum: integer64?"), on: cluster) {
      options,
      urls in
      for verb in [["check"], ["plan"], ["migrate"], ["status"], ["verify"]] {
        let outcome = try await Tool.run(verb + options.dropLast() + [urls[1]])
        #expect(outcome.status == 4, "\(outcome)")
        #expect(outcome.error.contains("is a worker of Citus"))
        #expect(outcome.error.contains("Connect to the coordinator: \"127.0.0.1\", port"))
      }
      // A writer on a worker does not hold the migration up without an end.
      let writer = try await PostgresSession.unprepared(to: .url(urls[1]), wait: .zero)
      try await writer.run { connection in
        try connection.execute("BEGIN")
        try connection.execute("UPDATE public.order SET note = note WHERE _id = 1")
      }
      let waited = try await Tool.run(["migrate", "--lock-retry-for", "1s"] + options)
      #expect(waited.status == 5, "\(waited)")
      #expect(waited.error.contains("on node 127.0.0.1:"), "\(waited.error)")
      await writer.close()
      let migrated = try await Tool.run(["migrate"] + options)
      #expect(migrated.status == 0, "\(migrated)")
    }
  }

  @Test
  func `a node that does not answer or has not ended a transaction is named`() async throws {
    let second = Self.version(order: ", sum: integer64?")
    try await withDistribution(second, on: CitusCluster(workers: 1)) { options, urls in
      let worker = try await PostgresSession.unprepared(to: .url(urls[1]), wait: .zero)
      try await worker.run { connection in
        try connection.execute("BEGIN")
        // Citus leaves transactions of other coordinators alone.
        try connection.execute("PREPARE TRANSACTION 'citus_99_1_1_1'")
      }
      let unfinished = try await Tool.run(["status"] + options)
      #expect(unfinished.output.contains(", coordinator\n"), "\(unfinished)")
      #expect(unfinished.error.contains("has not ended a transaction that"), "\(unfinished)")
      try await worker.run { try $0.execute("ROLLBACK PREPARED 'citus_99_1_1_1'") }
      let ended = try await Tool.run(["status"] + options)
      #expect(!ended.error.contains("node 127.0.0.1:"), "\(ended)")

      await worker.close()
      let database = try await databaseName(at: urls[0])
      // Citus is not in this database of the worker.
      let server = urls[1].replacing("/\(database.name)?", with: "/postgres?")
      let administrator = try await PostgresSession.unprepared(to: .url(server), wait: .zero)
      try await administrator.run { connection in
        try connection.execute("ALTER DATABASE \(database) ALLOW_CONNECTIONS false")
        try connection.execute(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
          WHERE datname = \(text: database.name)
          """
        )
      }
      let silent = try await Tool.run(["status"] + options)
      #expect(silent.error.contains("node 127.0.0.1:"), "\(silent)")
      #expect(silent.error.contains("does not answer"), "\(silent)")
      let failed = try await Tool.run(["migrate"] + options)
      #expect(failed.status == 6, "\(failed)")
      #expect(failed.error.contains("does not answer"), "\(failed)")
      let left = try await Tool.run(["status", "--format", "json"] + options)
      #expect(left["version"] == "1", "\(left)")
      try await administrator.run {
        try $0.execute("ALTER DATABASE \(database) ALLOW_CONNECTIONS true")
      }
      await administrator.close()
      let migrated = try await Tool.run(["migrate"] + options)
      #expect(migrated.status == 0, "\(migrated)")
    }
  }
}
