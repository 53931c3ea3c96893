import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Schemas that Citus distributes as a whole, one for each tenant; they need the extension.
@Suite(
  .tags(.server),
  .enabled("Citus is not installed") { try await CitusCluster.isInstalled() },
  .timeLimit(.minutes(30))
)
struct DistributedSchemaTests {
  /// Returns a model of orders and customers, in distributed schemas or not.
  private static func model(
    _ isDistributed: Bool,
    key: String = "bigint",
    order: String = ""
  ) -> String {
    """
    remodel: 1
    \(isDistributed ? "layout: { distribution: schema }" : "")
    entities:
      Customer:
        key: \(key)
        attributes: { name: string }
        relationships: { orders: { toMany: Order, inverse: customer, delete: cascade } }
        unique: [[name]]
      Order:
        key: \(key)
        attributes: { note: string?, number: integer64\(order) }
        relationships: { customer: { to: Customer?, inverse: orders } }
        indexes: { byNumber: [number] }
        checks: { positive: "number > 0" }
    """
  }

  /// Copies both tables; the notes of orders change.
  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - { source: Order, destination: Order, attributes: { note: uppercase($source.note) } }
      - { source: Customer, destination: Customer, attributes: { name: $source.name } }
    """

  private static let schemas = ["tenant_1", "tenant_2"]

  /// Makes two tenants' stores at the first version, with rows.
  private func withTenants(
    _ versions: String...,
    on cluster: CitusCluster = .singleNode,
    _ body: (_ options: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(versions[0], versions[1]) { folder in
      for (index, version) in versions.enumerated() {
        try write(version, to: "\(folder)/Library.remodel/\(index + 1).yaml")
      }
      try await cluster.withDatabase { urls in
        let options = ["--models", folder, "--database", urls[0]]
        for schema in Self.schemas {
          let made = try await Tool.run(["migrate", "--to", "1", "--schema", schema] + options)
          #expect(made.status == 0, "\(made)")
          let name = SQLIdentifier(schema)
          try await execute(
            "INSERT INTO \(name).customer (name) SELECT 'c' || i FROM generate_series(1, 20) AS i",
            """
            INSERT INTO \(name)."order" (customer, note, number) SELECT c._id, c.name || i, i
              FROM \(name).customer AS c, generate_series(1, 10) AS i
            """,
            at: urls[0]
          )
        }
        try await body(options + ["--each-schema", "tenant_*"], urls[0])
      }
    }
  }

  private func contents(at url: String) async throws -> [[String?]] {
    var all: [[String?]] = []
    for schema in Self.schemas.map({ SQLIdentifier($0) }) {
      all += try await rows(
        of: """
          SELECT md5(string_agg(concat_ws('|', o._id, lower(o.note), o.number, c._id, c.name), ','
            ORDER BY o._id)), count(*)
          FROM \(schema)."order" AS o JOIN \(schema).customer AS c ON c._id = o.customer
          """,
        at: url
      )
    }
    return all
  }

  /// Returns how many tables are in each distributed schema.
  private func placements(at url: String) async throws -> [[String?]] {
    try await rows(
      of: """
        SELECT n.nspname, count(DISTINCT p.logicalrelid), count(DISTINCT h.groupid)
        FROM pg_dist_schema AS s JOIN pg_namespace AS n ON n.oid = s.schemaid
        JOIN pg_dist_partition AS p ON p.colocationid = s.colocationid
        JOIN pg_dist_shard AS d ON d.logicalrelid = p.logicalrelid
        JOIN pg_dist_placement AS h ON h.shardid = d.shardid GROUP BY 1 ORDER BY 1
        """,
      at: url
    )
  }

  private func expectClean(_ options: [String]) async throws {
    let verified = try await Tool.run(["verify", "--rows"] + options)
    #expect(verified.status == 0, "\(verified)")
    #expect(!verified.output.contains("does not declare"), "\(verified)")
  }

  private func run(_ verb: String..., with options: [String]) async throws -> Tool.Outcome {
    let outcome = try await Tool.run(verb + options)
    #expect(outcome.status == 0, "\(verb): \(outcome)")
    return outcome
  }

  @Test
  func `new schemas are distributed, and keep their rows through changes`() async throws {
    try await withTenants(
      Self.model(true),
      Self.model(true, order: ", sum: integer64?, tax: { type: integer64, default: 0 }"),
      Self.model(true, order: ", total: { type: integer32?, renamingIdentifier: sum }")
        .replacing("Customer", with: "Client").replacing(
          "Client:",
          with: "Client:\n    renamingIdentifier: Customer"
        )
    ) { options, url in
      let placed = try await placements(at: url)
      #expect(placed == [["tenant_1", "2", "1"], ["tenant_2", "2", "1"]])
      try await expectClean(options)
      let before = try await contents(at: url)
      for version in ["2", "3"] {
        _ = try await run("migrate", "--to", version, with: options)
        try await expectClean(options)
      }
      for verb in ["check", "status", "plan", "finish"] { _ = try await run(verb, with: options) }
      for version in ["2", "1"] {
        _ = try await run("revert", "--to", version, with: options)
        try await expectClean(options)
      }
      #expect(try await contents(at: url) == before)
      #expect(try await placements(at: url) == placed)
    }
  }

  @Test(arguments: RandomCases.one(in: 2, of: [0, 2]), ["bigint", "uuid"])
  func `schemas that have rows are distributed`(workers: Int, key: String) async throws {
    let cluster = workers == 0 ? CitusCluster.singleNode : CitusCluster(workers: workers)
    try await withTenants(
      Self.model(false, key: key),
      Self.model(true, key: key, order: ", sum: integer64?"),
      on: cluster
    ) { options, url in
      let before = try await contents(at: url)
      let plan = try await run("plan", with: options)
      // It shows the schema that takes longest, which is either.
      #expect(plan.output.contains(/move schema "tenant_[12]" to one of the nodes/), "\(plan)")
      _ = try await run("migrate", with: options)
      #expect(try await placements(at: url).map(\.[1]) == ["2", "2"])
      #expect(try await contents(at: url) == before)
      try await expectClean(options)
      let hidden = try await rows(
        of: "SELECT pg_relation_size('tenant_1.\"order\"'::regclass)",
        at: url
      )
      #expect(hidden == [["0"]])
      // Citus does not take tables with identity columns back.
      let back = try await Tool.run(["revert", "--to", "1"] + options)
      #expect(back.status == (key == "uuid" ? 0 : 7), "\(back)")
      if key == "uuid" {
        #expect(try await placements(at: url).isEmpty)
      } else {
        #expect(back.error.contains("cannot be moved to the coordinator"), "\(back)")
      }
      #expect(try await contents(at: url) == before)
      try await expectClean(options)
    }
  }

  @Test(arguments: RandomCases.one(in: 2, of: [0, 1]), [true, false])
  func `rows are copied within their schema`(workers: Int, isDeclared: Bool) async throws {
    let cluster = workers == 0 ? CitusCluster.singleNode : CitusCluster(workers: workers)
    try await withTenants(Self.model(isDeclared), Self.model(isDeclared), on: cluster) {
      options,
      url in
      if !isDeclared {
        for schema in Self.schemas {
          try await execute("SELECT citus_schema_distribute(\(text: schema))", at: url)
        }
      }
      try write(Self.mapping, to: "\(options[1])/a.mapping.yaml")
      let before = try await contents(at: url)
      let placed = try await placements(at: url)
      let online = try await Tool.run(["migrate", "--strategy", "online"] + options)
      #expect(online.status == 7, "\(online)")
      #expect(online.error.contains("cannot be copied while others write"), "\(online)")
      _ = try await run("migrate", "--strategy", "locked", with: options)
      #expect(try await contents(at: url) == before)
      let notes = try await rows(
        of: "SELECT count(*) FROM tenant_1.\"order\" WHERE note = upper(note)",
        at: url
      )
      #expect(notes == [["200"]])
      let staged = try await rows(
        of: "SELECT relname FROM pg_class WHERE relname LIKE 'remodel\\_staged%'",
        at: url
      )
      #expect(staged.isEmpty)
      if isDeclared { try await expectClean(options) }
      let given = try await rows(
        of: "INSERT INTO tenant_1.\"order\" (number) VALUES (1) RETURNING _id",
        at: url
      )
      #expect(given == [["201"]])
      try await execute("DELETE FROM tenant_1.\"order\" WHERE _id = 201", at: url)
      _ = try await run("cleanup", "--yes", with: options)
      #expect(try await placements(at: url) == placed)
    }
  }

  @Test
  func `a copy is reverted within its schema`() async throws {
    try await withTenants(Self.model(true), Self.model(true)) { options, url in
      try write(Self.mapping, to: "\(options[1])/a.mapping.yaml")
      let before = try await contents(at: url)
      _ = try await run("migrate", "--strategy", "locked", with: options)
      _ = try await run("revert", "--to", "1", "--allow", "deletes-data", with: options)
      #expect(try await contents(at: url) == before)
      try await expectClean(options)
    }
  }

  @Test
  func `a copy takes a schema off its node`() async throws {
    try await withTenants(Self.model(true, key: "uuid"), Self.model(false, key: "uuid")) {
      options,
      url in
      try write(Self.mapping, to: "\(options[1])/a.mapping.yaml")
      let before = try await contents(at: url)
      _ = try await run("migrate", "--strategy", "locked", with: options)
      #expect(try await placements(at: url).isEmpty)
      #expect(try await contents(at: url) == before)
      try await expectClean(options)
    }
  }

  @Test
  func `partitions are in the shard of their schema`() async throws {
    let version = Self.model(true).replacing(
      "Order:\n",
      with: "Order:\n    partition: { by: \"hash(_id, 4)\" }\n"
    )
    try await withTenants(
      version,
      version.replacing("note: string?", with: "note: string?, sum: integer64?")
    ) {
      options,
      url in
      #expect(try await placements(at: url).map(\.[1]) == ["6", "6"])
      let before = try await contents(at: url)
      _ = try await run("migrate", with: options)
      #expect(try await contents(at: url) == before)
      try await expectClean(options)
    }
  }

  @Test
  func `a schema that is not distributed has drifted`() async throws {
    try await withTenants(Self.model(true, key: "uuid"), Self.model(true, key: "uuid")) {
      options,
      url in
      try await execute("SELECT citus_schema_undistribute('tenant_1')", at: url)
      let all = try await Tool.run(["verify"] + options)
      #expect(all.output.contains("1 clean, 1 drifted"), "\(all)")
      let verified = try await Tool.run(
        ["verify", "--schema", "tenant_1"] + options.prefix(4)
      )
      #expect(verified.status == 2, "\(verified)")
      #expect(verified.output.contains("in the shard of its schema"), "\(verified)")
    }
  }

  @Test
  func `what cannot be distributed is said before`() async throws {
    try await withBundle(Self.model(false), Self.model(true)) { folder in
      try await CitusCluster.singleNode.withDatabase { urls in
        let options = ["--models", folder, "--database", urls[0]]
        let common = try await Tool.run(["migrate"] + options)
        #expect(common.status == 7, "\(common)")
        #expect(common.error.contains("schema \"public\" cannot be distributed"), "\(common)")

        let own = options + ["--schema", "own"]
        _ = try await run("migrate", "--to", "1", with: own)
        try await execute("SELECT create_reference_table('own.customer')", at: urls[0])
        let mixed = try await Tool.run(["migrate"] + own)
        #expect(mixed.status == 7, "\(mixed)")
        #expect(mixed.error.contains("cannot be distributed with its schema"), "\(mixed)")
      }
      try await TestServer.withDatabase { url in
        let outcome = try await Tool.run(
          ["migrate", "--models", folder, "--database", url, "--schema", "own"]
        )
        #expect(outcome.status == 7, "\(outcome)")
        #expect(outcome.error.contains("the database does not have Citus"), "\(outcome)")
      }
    }
  }

  @Test
  func `a store is copied into another schema, and off its node`() async throws {
    try await withTenants(Self.model(true), Self.model(true, order: ", sum: integer64?")) {
      options,
      url in
      let before = try await contents(at: url).first
      let store = Array(options.prefix(4)) + ["--schema", "tenant_1"]
      _ = try await run("migrate", "--to", "2", "--into-schema", "other", with: store)
      #expect(try await placements(at: url).map(\.[0]) == ["other", "tenant_1", "tenant_2"])
      try await expectClean(Array(options.prefix(4)) + ["--schema", "other"])
      try write(Self.model(false), to: "\(options[1])/Library.remodel/3.yaml")
      _ = try await run("migrate", "--to", "3", "--into-schema", "plain", with: store)
      #expect(try await placements(at: url).map(\.[0]) == ["other", "tenant_1", "tenant_2"])
      let plain = Array(options.prefix(4)) + ["--schema", "plain"]
      try await expectClean(plain)
      #expect(try await contents(at: url).first == before)
    }
  }

  @Test
  func `what the node of a schema cannot do is said before`() async throws {
    let partitions = "Order:\n    partition: { by: \"hash(_id, 2)\" }\n"
    let partitioned = Self.model(true).replacing("Order:\n", with: partitions)
    let serial = Self.model(true, key: "{ type: integer64, column: _id, generated: serial }")
    let cases = [
      (Self.model(true), partitioned, "cannot be copied with its partitions"),
      (partitioned, partitioned, "cannot be copied with its partitions"),
      (serial, serial, "cannot be copied with its sequence"),
    ]
    for (first, second, message) in cases {
      try await withTenants(first, second) { options, url in
        try write(Self.mapping, to: "\(options[1])/a.mapping.yaml")
        let before = try await contents(at: url)
        let refused = try await Tool.run(["migrate", "--strategy", "locked"] + options)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.output.contains(message), "\(refused)")
        #expect(try await contents(at: url) == before)
      }
    }
    let ranges = Self.model(true, order: ", placed: date")
      .replacing("Order:\n", with: "Order:\n    partition: { by: range(placed), every: 1 month }\n")
    try await withBundle(ranges) { folder in
      try await CitusCluster.singleNode.withDatabase { urls in
        let options = ["--models", folder, "--database", urls[0], "--schema", "own"]
        let refused = try await Tool.run(["migrate"] + options)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("cannot be partitioned by ranges"), "\(refused)")
      }
    }
  }

  @Test
  func `an entity is not distributed otherwise than its schema`() async throws {
    let version = Self.model(true).replacing(
      "Customer:\n    key",
      with: "Customer:\n    distribution: reference\n    key"
    )
    let unreachable = "postgresql://127.0.0.1:1/none"
    try await withBundle(version) { folder in
      let outcome = try await Tool.run(["plan", "--models", folder, "--database", unreachable])
      #expect(outcome.status != 0, "\(outcome)")
      #expect(outcome.error.contains("distributes whole schemas"), "\(outcome)")
    }
  }
}
