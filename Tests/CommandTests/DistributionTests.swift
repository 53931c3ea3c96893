import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Tables that the model declares to be distributed with Citus; they need the extension.
@Suite(
  .tags(.server),
  .enabled("Citus is not installed") { try await CitusCluster.isInstalled() },
  .timeLimit(.minutes(30))
)
struct DistributionTests {
  @Test
  func `new tables are distributed, and keep their rows through changes`() async throws {
    try await DistributedTenants.withTenants(
      DistributedTenants.model(true),
      DistributedTenants.model(true, order: ", sum: integer64?"),
      DistributedTenants.model(
        true,
        order: ", total: { type: integer32?, renamingIdentifier: sum }"
      )
    ) { options, urls in
      let placed = try await DistributedTenants.placements(at: urls[0])
      #expect(placed.map(\.[0]) == ["country", "customer", "order", "tenant"])
      #expect(placed.map(\.[4]) == [nil, "tenant", "tenant", "_id"])
      #expect(placed[1][3] == placed[2][3] && placed[2][3] == placed[3][3], "\(placed)")
      try await DistributedTenants.expectClean(options)
      let before = try await DistributedTenants.contents(at: urls[0])
      let migrated = try await Tool.run(["migrate", "--to", "2"] + options)
      #expect(migrated.status == 0, "\(migrated)")
      try await DistributedTenants.expectClean(options)
      let back = try await Tool.run(["revert"] + options)
      #expect(back.status == 0, "\(back)")
      #expect(try await DistributedTenants.contents(at: urls[0]) == before)
      #expect(try await DistributedTenants.placements(at: urls[0]) == placed)
      try await DistributedTenants.expectClean(options)
    }
  }

  @Test(arguments: RandomCases.one(in: 2, of: [0, 2]))
  func `a distribution is added to tables that have rows, and removed`(workers: Int) async throws {
    let cluster = workers == 0 ? CitusCluster.singleNode : CitusCluster(workers: workers)
    try await DistributedTenants.withTenants(
      DistributedTenants.model(false),
      DistributedTenants.model(true),
      DistributedTenants.model(false),
      on: cluster
    ) {
      options,
      urls in
      let before = try await DistributedTenants.contents(at: urls[0])
      let plan = try await Tool.run(["plan", "--to", "2"] + options)
      #expect(plan.output.contains("distribute table \"order\" by \"tenant\" over all nodes"))
      let there = try await Tool.run(["migrate", "--to", "2"] + options)
      #expect(there.status == 0, "\(there)")
      #expect(try await DistributedTenants.placements(at: urls[0]).count == 4)
      #expect(try await DistributedTenants.contents(at: urls[0]) == before)
      try await DistributedTenants.expectClean(options)
      // The coordinator has no rows of its own any more, and each node has what refers to what.
      let hidden = try await rows(
        of: "SELECT pg_relation_size('public.\"order\"'::regclass)",
        at: urls[0]
      )
      #expect(hidden == [["0"]])
      try await execute(
        "INSERT INTO public.\"order\" (tenant, customer, number) VALUES (2, 1, 5000)",
        at: urls[0]
      )
      await #expect(throws: (any Error).self, "another tenant's customer") {
        try await execute(
          "INSERT INTO public.\"order\" (tenant, customer, number) VALUES (1, 1, 5000)",
          at: urls[0]
        )
      }
      try await execute(
        "DELETE FROM public.\"order\" WHERE tenant = 2 AND number = 5000",
        at: urls[0]
      )

      let back = try await Tool.run(["migrate", "--to", "3"] + options)
      #expect(back.status == 0, "\(back)")
      #expect(try await DistributedTenants.contents(at: urls[0]) == before)
      #expect(try await DistributedTenants.placements(at: urls[0]).isEmpty)
      try await DistributedTenants.expectClean(options)
    }
  }

  @Test
  func `a revert takes tables off the nodes again`() async throws {
    try await DistributedTenants.withTenants(
      DistributedTenants.model(false),
      DistributedTenants.model(true)
    ) { options, urls in
      let before = try await DistributedTenants.contents(at: urls[0])
      let there = try await Tool.run(["migrate"] + options)
      #expect(there.status == 0, "\(there)")
      let back = try await Tool.run(["revert"] + options)
      #expect(back.status == 0, "\(back)")
      #expect(try await DistributedTenants.contents(at: urls[0]) == before)
      #expect(try await DistributedTenants.placements(at: urls[0]).isEmpty)
      try await DistributedTenants.expectClean(options)
    }
  }

  @Test(arguments: RandomCases.one(in: 2, of: [0, 2]))
  func `rows are distributed by something else`(workers: Int) async throws {
    let cluster = workers == 0 ? CitusCluster.singleNode : CitusCluster(workers: workers)
    try await DistributedTenants.withTenants(
      DistributedTenants.model(true),
      DistributedTenants.model(true, orderDistribution: "{ by: tenant, colocateWith: Customer }"),
      DistributedTenants.model(true, orderDistribution: "{ by: tenant, colocateWith: Customer }")
        .replacing("{ by: _id }", with: "reference"),
      on: cluster
    ) { options, urls in
      let before = try await DistributedTenants.contents(at: urls[0])
      for version in ["2", "3"] {
        let there = try await Tool.run(["migrate", "--to", version] + options)
        #expect(there.status == 0, "\(there)")
        #expect(try await DistributedTenants.contents(at: urls[0]) == before)
        try await DistributedTenants.expectClean(options)
      }
      #expect(try await DistributedTenants.placements(at: urls[0]).last?[2] == "t")
      for _ in 1...2 {
        let back = try await Tool.run(["revert"] + options)
        #expect(back.status == 0, "\(back)")
        #expect(try await DistributedTenants.contents(at: urls[0]) == before)
        try await DistributedTenants.expectClean(options)
      }
    }
  }

  @Test
  func `a fresh database is as a migrated one`() async throws {
    let query: SQLFragment = """
      SELECT c.conrelid::regclass::text, c.conname, pg_get_constraintdef(c.oid) FROM pg_constraint AS c
      JOIN pg_class AS t ON t.oid = c.conrelid JOIN pg_namespace AS n ON n.oid = t.relnamespace
      WHERE n.nspname = 'public' ORDER BY 1, 2
      """
    var fresh: [[String?]] = []
    try await DistributedTenants.withTenants(
      DistributedTenants.model(true),
      DistributedTenants.model(true)
    ) { _, urls in
      fresh = try await rows(of: query, at: urls[0])
    }
    try await DistributedTenants.withTenants(
      DistributedTenants.model(false),
      DistributedTenants.model(true)
    ) { options, urls in
      let there = try await Tool.run(["migrate"] + options)
      #expect(there.status == 0, "\(there)")
      #expect(try await rows(of: query, at: urls[0]) == fresh)
    }
  }

  @Test
  func `what people have distributed by hand is declared without moving a row`() async throws {
    try await DistributedTenants.withTenants(
      DistributedTenants.model(false),
      DistributedTenants.model(true)
    ) { options, urls in
      try await execute(
        "ALTER TABLE public.customer DROP CONSTRAINT customer_country_fkey, DROP CONSTRAINT customer_tenant_fkey",
        "ALTER TABLE public.\"order\" DROP CONSTRAINT order_tenant_fkey, DROP CONSTRAINT order_customer_fkey",
        "ALTER TABLE public.customer DROP CONSTRAINT customer_pkey, ADD CONSTRAINT customer_pkey PRIMARY KEY (tenant, _id)",
        "ALTER TABLE public.\"order\" DROP CONSTRAINT order_pkey, ADD CONSTRAINT order_pkey PRIMARY KEY (tenant, _id)",
        "SELECT create_reference_table('public.country')",
        "SELECT create_distributed_table('public.tenant', '_id', colocate_with => 'none')",
        "SELECT create_distributed_table('public.customer', 'tenant', colocate_with => 'public.tenant')",
        "SELECT create_distributed_table('public.order', 'tenant', colocate_with => 'public.tenant')",
        """
        ALTER TABLE public.customer ADD CONSTRAINT customer_country_fkey
          FOREIGN KEY (country) REFERENCES public.country (_id) DEFERRABLE
        """,
        """
        ALTER TABLE public.customer ADD CONSTRAINT customer_tenant_fkey
          FOREIGN KEY (tenant) REFERENCES public.tenant (_id) ON DELETE CASCADE DEFERRABLE
        """,
        """
        ALTER TABLE public."order" ADD CONSTRAINT order_tenant_fkey
          FOREIGN KEY (tenant) REFERENCES public.tenant (_id) ON DELETE CASCADE DEFERRABLE
        """,
        """
        ALTER TABLE public."order" ADD CONSTRAINT order_customer_fkey
          FOREIGN KEY (tenant, customer) REFERENCES public.customer (tenant, _id) ON DELETE CASCADE DEFERRABLE
        """,
        at: urls[0]
      )
      let plan = try await Tool.run(["plan"] + options)
      #expect(!plan.output.contains("all nodes"), "\(plan)")
      #expect(!plan.output.contains("drop constraint"), "\(plan)")
      let there = try await Tool.run(["migrate"] + options)
      #expect(there.status == 0, "\(there)")
      try await DistributedTenants.expectClean(options)
    }
  }

  @Test
  func `a table that is not where the model has it has drifted`() async throws {
    try await DistributedTenants.withTenants(
      DistributedTenants.model(true),
      DistributedTenants.model(true)
    ) { options, urls in
      try await execute(
        "ALTER TABLE public.customer DROP CONSTRAINT customer_country_fkey",
        "CREATE TABLE public.other (LIKE public.country INCLUDING ALL)",
        "DROP TABLE public.country",
        "ALTER TABLE public.other RENAME TO country",
        at: urls[0]
      )
      let verified = try await Tool.run(["verify"] + options)
      #expect(verified.status == 2, "\(verified)")
      #expect(verified.output.contains("a reference table of Citus"), "\(verified)")
    }
  }

  private static let renames = [
    DistributedTenants.event.replacing("Event:", with: "Happening:\n    renamingIdentifier: Event"),
    DistributedTenants.event.replacing("by: tenant", with: "by: owner").replacing(
      "{ tenant: { to: Tenant,",
      with: "{ owner: { renamingIdentifier: tenant, to: Tenant,"
    ),
  ]

  @Test(arguments: renames)
  func `other names leave rows where they are`(event: String) async throws {
    let second = DistributedTenants.events(event)
      .replacing(
        "inverse: tenant",
        with: event.contains("owner") ? "inverse: owner" : "inverse: tenant"
      )
      .replacing(
        "toMany: Event",
        with: event.contains("Happening") ? "toMany: Happening" : "toMany: Event"
      )
    try await DistributedTenants.withEvents(second) { options, url in
      let migrated = try await Tool.run(["migrate"] + options)
      #expect(migrated.status == 0, "\(migrated)")
      try await DistributedTenants.expectClean(options)
      let back = try await Tool.run(["revert"] + options)
      #expect(back.status == 0, "\(back)")
      try await DistributedTenants.expectClean(options)
      let count = try await rows(of: "SELECT count(*) FROM public.event", at: url)
      #expect(count == [["50"]])
    }
  }

  @Test
  func `rows that differ between nodes are found`() async throws {
    try await DistributedTenants.withTenants(
      DistributedTenants.model(true),
      DistributedTenants.model(true),
      on: CitusCluster(workers: 1)
    ) {
      options,
      urls in
      let shard = try await rows(
        of: """
          SELECT shard_name(logicalrelid, shardid) FROM pg_dist_shard
          WHERE logicalrelid = 'public.country'::regclass
          """,
        at: urls[0]
      )
      let table = SQLIdentifier(try #require(shard.first?[0]).replacing("public.", with: ""))
      try await DistributedTenants.expectClean(options)
      let worker = try await PostgresSession.unprepared(to: .url(urls[1]), wait: .zero)
      try await worker.run { connection in
        try connection.execute("SET citus.enable_manual_changes_to_shards = on")
        try connection.execute("UPDATE public.\(table) SET code = 'other' WHERE _id = 1")
      }
      await worker.close()
      let verified = try await Tool.run(["verify", "--rows"] + options)
      #expect(verified.status == 2, "\(verified)")
      #expect(verified.output.contains("every node has the same rows in table \"country\""))
      #expect(verified.output.contains("127.0.0.1:"), "\(verified)")
    }
  }

  private static let mappings = [
    "- { source: Order, destination: Order, attributes: { note: uppercase($source.note) } }",
    "- { source: Tenant, destination: Tenant, attributes: { name: uppercase($source.name) } }",
    "- { source: Country, destination: Country, attributes: { code: uppercase($source.code) } }",
  ]

  @Test(arguments: RandomCases.one(in: 2, of: [true, false]), mappings)
  func `rows that are copied are where the model has them`(
    isDistributed: Bool,
    entity: String
  ) async throws {
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        \(entity)
      """
    try await DistributedTenants.withTenants(
      DistributedTenants.model(isDistributed),
      DistributedTenants.model(true)
    ) { options, urls in
      try write(mapping, to: "\(options[1])/a.mapping.yaml")
      let contents: SQLFragment = """
        SELECT o._id, o.tenant, o.customer, upper(o.note), upper(t.name), c.number, upper(l.code)
        FROM public."order" AS o JOIN public.tenant AS t ON t._id = o.tenant
        JOIN public.customer AS c ON c.tenant = o.tenant AND c._id = o.customer
        JOIN public.country AS l ON l._id = c.country ORDER BY 1
        """
      let before = try await rows(of: contents, at: urls[0])
      for strategy in ["online", "gated"] {
        let refused = try await Tool.run(["migrate", "--strategy", strategy] + options)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("cannot be copied while others write"), "\(refused)")
      }
      let copied = try await Tool.run(["migrate", "--strategy", "locked"] + options)
      #expect(copied.status == 0, "\(copied)")
      try await DistributedTenants.expectClean(options)
      #expect(try await DistributedTenants.placements(at: urls[0]).map(\.[4]).contains("tenant"))
      #expect(try await rows(of: contents, at: urls[0]) == before)
      let placed = try await DistributedTenants.placements(at: urls[0])
      #expect(placed[1][3] == placed[2][3] && placed[2][3] == placed[3][3], "\(placed)")
      let back = try await Tool.run(["revert", "--allow", "deletes-data"] + options)
      #expect(back.status == 0, "\(back)")
      try await DistributedTenants.expectClean(options)
    }
  }

  @Test(arguments: [
    "- { source: Order, destination: Order, attributes: { note: $source.customer.name } }",
    "- { source: Customer, destination: Customer, where: \"$source.number > 50\" }",
    "- { source: Customer, destination: Customer, attributes: { number: $source.orders.@count } }",
  ])
  func `values are read from other rows of a tenant`(entity: String) async throws {
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        \(entity)
      """
    let model = DistributedTenants.model(true).replacing("unique: [[tenant, number]]", with: "")
    try await DistributedTenants.withTenants(model, model) { options, urls in
      // Another tenant's customer with the same key.
      try await execute(
        "INSERT INTO public.customer (_id, tenant, country, name, number) VALUES (1, 5, 1, 'other', 7)",
        at: urls[0]
      )
      try write(mapping, to: "\(options[1])/a.mapping.yaml")
      let copied = try await Tool.run(
        ["migrate", "--strategy", "locked", "--allow", "deletes-data"] + options
      )
      #expect(copied.status == 0, "\(copied)")
      try await DistributedTenants.expectClean(options)
      let result = try await rows(
        of: """
          SELECT count(*) FILTER (WHERE c._id IS NULL) = 0 OR bool_and(c._id IS NULL OR c.number > 50),
            bool_or(o.note = 'other')
          FROM public."order" AS o
          LEFT JOIN public.customer AS c ON c.tenant = o.tenant AND c._id = o.customer
          """,
        at: urls[0]
      )
      #expect(result == [["t", "f"]])
    }
  }

  @Test
  func `nodes run nothing that others have put in the way`() async throws {
    let model = DistributedTenants.model(true)
      .replacing(
        "attributes: { name: string }",
        with: "attributes: { name: string, tags: \"string[]\", old: \"string[]?\" }"
      )
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - { source: Tenant, destination: Tenant, where: "$source.tags != $source.old", attributes: { name: uppercase($source.name) } }
      """
    try await withBundle(model, model) { folder in
      try await CitusCluster(workers: 1).withDatabase { urls in
        let options = ["--models", folder, "--database", urls[0]]
        let made = try await Tool.run(["migrate", "--to", "1"] + options)
        #expect(made.status == 0, "\(made)")
        try await execute(
          "INSERT INTO public.tenant (name, tags, old) SELECT 't' || i, '{a}', '{b}' FROM generate_series(1, 20) i",
          at: urls[0]
        )
        let worker = try await PostgresSession.unprepared(to: .url(urls[1]), wait: .zero)
        try await worker.run { connection in
          try connection.execute("SET citus.enable_ddl_propagation = off")
          try connection.execute(
            """
            CREATE FUNCTION public.eq(text[], text[]) RETURNS boolean LANGUAGE plpgsql
              AS 'BEGIN RAISE EXCEPTION ''run by others''; END'
            """
          )
          try connection.execute(
            "CREATE OPERATOR public.= (LEFTARG = text[], RIGHTARG = text[], FUNCTION = public.eq)"
          )
        }
        await worker.close()
        try write(mapping, to: "\(folder)/a.mapping.yaml")
        let copied = try await Tool.run(["migrate", "--strategy", "locked"] + options)
        #expect(copied.status == 0, "\(copied)")
        let count = try await rows(of: "SELECT count(*) FROM public.tenant", at: urls[0])
        #expect(count == [["20"]])
        try await DistributedTenants.expectClean(options)
      }
    }
  }

  @Test
  func `nodes are compared whatever a column is called`() async throws {
    let model =
      "remodel: 1\nentities:\n  A: { distribution: reference, attributes: { t: string? } }\n"
    try await withBundle(model) { folder in
      try await CitusCluster.singleNode.withDatabase { urls in
        let options = ["--models", folder, "--database", urls[0]]
        let made = try await Tool.run(["migrate"] + options)
        #expect(made.status == 0, "\(made)")
        try await execute("INSERT INTO public.a (t) VALUES ('x')", at: urls[0])
        try await DistributedTenants.expectClean(options)
      }
    }
  }
}
