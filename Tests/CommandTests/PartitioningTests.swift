import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Tables that the model declares to be partitioned.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PartitioningTests {
  /// Returns a model of orders, with or without partitions.
  private static func model(_ partition: String?, more: String = "", lines: String = "") -> String {
    """
    remodel: 1
    entities:
      Customer:
        attributes: { name: string }
        relationships: { orders: { toMany: Order, inverse: customer, delete: cascade } }
      Order:
    \(partition.map { "    partition: \($0)\n" } ?? "")\
        attributes:
          placed: date
          region: { type: "enum(eu, us)", default: eu }
          number: integer64
          note: string?
    \(more)
        relationships: { customer: { to: Customer?, inverse: orders } }
        indexes: { byNumber: [number] }
    """
  }

  private func withOrders(
    _ versions: String...,
    rows count: Int = 800,
    _ body: (_ options: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(versions[0], versions[1]) { folder in
      for (index, version) in versions.enumerated() {
        try write(version, to: "\(folder)/Library.remodel/\(index + 1).yaml")
      }
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        let made = try await Tool.run(["migrate", "--to", "1"] + options)
        #expect(made.status == 0, "\(made)")
        try await execute(
          "INSERT INTO public.customer (name) SELECT 'c' || i FROM generate_series(1, 20) AS i",
          """
          INSERT INTO public."order" (placed, region, number, customer)
            SELECT now() - i * interval '1 hour', CASE i % 3 WHEN 0 THEN 'us' ELSE 'eu' END, i, i % 20 + 1
            FROM generate_series(1, \(count)) AS i
          """,
          at: url
        )
        try await body(options, url)
      }
    }
  }

  private func contents(at url: String) async throws -> [[String?]] {
    try await rows(
      of:
        #"SELECT md5(string_agg(concat_ws('|', _id, placed, region, number, note, customer), ',' ORDER BY _id)), count(*) FROM public."order" o"#,
      at: url
    )
  }

  private func partitionCount(at url: String) async throws -> Int {
    try await rows(
      of: #"SELECT FROM pg_inherits WHERE inhparent = 'public."order"'::regclass"#,
      at: url
    ).count
  }

  private func expectClean(_ options: [String]) async throws {
    let verified = try await Tool.run(["verify", "--rows"] + options)
    #expect(verified.status == 0, "\(verified)")
    let check = try await Tool.run(["check"] + options)
    #expect(check.status == 0, "\(check)")
  }

  private static let kinds = [
    "{ by: range(placed), every: 1 month, ahead: 2 }",
    "{ by: range(placed), every: 2 weeks, ahead: 1 }",
    "{ by: range(number), every: 200 }", "list(region)", "hash(_id, 4)", "hash(number, 3)",
  ]

  @Test(arguments: RandomCases.one(in: 3, of: kinds))
  func `a new table is partitioned, and its rows find their places`(partition: String) async throws
  {
    try await withOrders(
      Self.model(partition),
      Self.model(partition, more: "      sum: integer64?")
    ) {
      options,
      url in
      #expect(try await partitionCount(at: url) > 1)
      let stray = try await rows(of: "SELECT FROM ONLY public.\"order\"", at: url)
      #expect(stray.isEmpty)
      let before = try await contents(at: url)
      #expect(before[0][1] == "800")
      let migrated = try await Tool.run(["migrate"] + options)
      #expect(migrated.status == 0, "\(migrated)")
      try await expectClean(options)
      let back = try await Tool.run(["revert"] + options)
      #expect(back.status == 0, "\(back)")
      #expect(try await contents(at: url) == before)
    }
  }

  @Test(
    arguments: RandomCases.one(in: 3, of: RandomCases.pairs(kinds, ["locked", "gated", "online"]))
  )
  func `a table becomes a partitioned one, and an ordinary one again`(
    partition: String,
    strategy: String
  ) async throws {
    try await withOrders(Self.model(nil), Self.model(partition), Self.model(nil)) { options, url in
      let before = try await contents(at: url)
      let there = try await Tool.run(["migrate", "--to", "2", "--strategy", strategy] + options)
      #expect(there.status == 0, "\(there)")
      #expect(try await partitionCount(at: url) > 1)
      #expect(try await contents(at: url) == before)
      let finished = try await Tool.run(["finish"] + options)
      #expect(finished.status == 0, "\(finished)")
      let verified = try await Tool.run(["verify", "--rows"] + options)
      #expect(verified.status == 0, "\(verified)")
      let away = try await Tool.run(["migrate", "--strategy", strategy] + options)
      #expect(away.status == 0, "\(away)")
      #expect(try await partitionCount(at: url) == 0)
      #expect(try await contents(at: url) == before)
      try await expectClean(options)
      let cleaned = try await Tool.run(["cleanup", "--yes"] + options)
      #expect(cleaned.status == 0, "\(cleaned)")
      let left = try await rows(
        of:
          "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace",
        at: url
      )
      #expect(Set(left) == [["customer"], ["order"]])
    }
  }

  @Test
  func `a revert of partitions puts the former table back`() async throws {
    try await withOrders(Self.model(nil), Self.model(Self.kinds[0])) { options, url in
      let before = try await contents(at: url)
      let there = try await Tool.run(["migrate"] + options)
      #expect(there.status == 0, "\(there)")
      try await execute(
        "INSERT INTO public.\"order\" (placed, number) VALUES (now() + interval '1 month', 7)",
        at: url
      )
      let back = try await Tool.run(["revert"] + options)
      #expect(back.status == 0, "\(back)")
      #expect(try await partitionCount(at: url) == 0)
      let after = try await rows(
        of:
          #"SELECT md5(string_agg(concat_ws('|', _id, placed, region, number, note, customer), ',' ORDER BY _id)), count(*) FROM public."order" o WHERE _id <= 800"#,
        at: url
      )
      #expect(after == before)
      #expect(try await contents(at: url)[0][1] == "801")
    }
  }

  @Test
  func `another interval is that of new partitions`() async throws {
    try await withOrders(
      Self.model("{ by: range(placed), every: 1 month, ahead: 2 }"),
      Self.model("{ by: range(placed), every: 1 week, ahead: 20 }")
    ) { options, url in
      let before = try await (contents(at: url), partitionCount(at: url))
      let there = try await Tool.run(["migrate"] + options)
      #expect(there.status == 0, "\(there)")
      #expect(try await contents(at: url) == before.0)
      #expect(try await partitionCount(at: url) > before.1)
      try await expectClean(options)
    }
  }

  @Test
  func `a plan says the same on any day`() async throws {
    try await withBundle(Self.model(nil), Self.model(Self.kinds[0])) { folder in
      let plan = try await Tool.run(["plan", "--from", "1", "--models", folder])
      #expect(plan.output.contains("PARTITION BY RANGE"), "\(plan)")
      #expect(!plan.output.contains("FROM ('20"), "\(plan.output)")
    }
  }

  @Test
  func `time adds partitions, and old ones are retained`() async throws {
    try await withOrders(
      Self.model("{ by: range(placed), every: 1 day, ahead: 2 }"),
      Self.model("{ by: range(placed), every: 1 day, ahead: 4, keep: 10 days }")
    ) { options, url in
      // Rows of these days were written while there was no partition for them.
      let current = try await Tool.run(["finish", "--format", "json"] + options)
      #expect(current["partitions"] == [])
      try await execute(
        """
        DO $$ DECLARE part regclass; BEGIN
          FOR part IN SELECT relid FROM pg_partition_tree('public."order"')
            WHERE isleaf AND relid::text NOT LIKE '%default' ORDER BY relid DESC LIMIT 2
          LOOP EXECUTE format('DROP TABLE %s', part); END LOOP; END $$
        """,
        "INSERT INTO public.\"order\" (placed, number) VALUES (now() + interval '2 days', 1)",
        "UPDATE remodel.store SET partitions_due = now()",
        at: url
      )
      let verified = try await Tool.run(["verify"] + options)
      #expect(verified.status == 0, "\(verified)")
      #expect(verified.error.contains("table \"order\" lacks a partition"), "\(verified)")
      #expect(
        verified.error.contains("the default partition of table \"order\" has rows"),
        "\(verified)"
      )
      let finished = try await Tool.run(["finish", "--format", "json"] + options)
      #expect(finished.status == 0, "\(finished)")
      #expect(try JSONSchema(named: "finish").complaints(about: #require(finished.json)).isEmpty)
      let again = try await Tool.run(["finish"] + options)
      #expect(again.output.contains("nothing to do"), "\(again)")

      let migrated = try await Tool.run(["migrate"] + options)
      #expect(migrated.status == 0, "\(migrated)")
      try await execute(
        """
        CREATE TABLE public.order_old PARTITION OF public."order"
          FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')
        """,
        "INSERT INTO public.\"order\" (placed, number) VALUES ('2020-01-01 12:00', 1)",
        at: url
      )
      let count = try await partitionCount(at: url)
      let retained = try await Tool.run(["finish"] + options)
      #expect(retained.output.contains("retained partition \"order_old\""), "\(retained)")
      #expect(try await partitionCount(at: url) == count - 1)
      let row = try await rows(of: "SELECT count(*) FROM public.order_old", at: url)
      #expect(row == [["1"]])
      let after = try await Tool.run(["verify"] + options)
      #expect(after.status == 0, "\(after)")
      let cleaned = try await Tool.run(["cleanup", "--yes"] + options)
      #expect(cleaned.status == 0, "\(cleaned)")
      let left = try await rows(of: "SELECT FROM pg_class WHERE relname = 'order_old'", at: url)
      #expect(left.isEmpty)
    }
  }

  @Test
  func `a deploy with nothing else to do adds partitions`() async throws {
    let model = Self.model("{ by: range(placed), every: 1 day, ahead: 2 }")
    try await withOrders(model, model) { options, url in
      _ = try await Tool.run(["migrate"] + options)
      let count = try await partitionCount(at: url)
      try await execute(
        """
        DO $$ DECLARE part regclass; BEGIN
          FOR part IN SELECT relid FROM pg_partition_tree('public."order"')
            WHERE isleaf AND relid::text NOT LIKE '%default' ORDER BY relid DESC LIMIT 1
          LOOP EXECUTE format('DROP TABLE %s', part); END LOOP; END $$
        """,
        "UPDATE remodel.store SET partitions_due = now() - interval '1 minute'",
        at: url
      )
      let migrated = try await Tool.run(["migrate"] + options)
      #expect(migrated.status == 0, "\(migrated)")
      #expect(try await partitionCount(at: url) == count)
    }
  }

  @Test
  func `a role that may only connect verifies partitions`() async throws {
    let model = Self.model("{ by: range(placed), every: 1 day, ahead: 2 }")
    try await withBundle(model) { folder in
      try await withRole("verifying_role") { _, url, login in
        let options = ["--models", folder, "--database"]
        let made = try await Tool.run(["migrate"] + options + [url])
        #expect(made.status == 0, "\(made)")
        let verified = try await Tool.run(["verify"] + options + [login])
        #expect(verified.status == 0, "\(verified)")
        try await execute("REVOKE USAGE ON SCHEMA public FROM PUBLIC", at: url)
        let shut = try await Tool.run(["verify"] + options + [login])
        #expect(shut.status == 0, "\(shut)")
      }
    }
  }

  @Test
  func `a table that people have divided in the same way is not copied`() async throws {
    try await withOrders(Self.model(nil), Self.model(Self.kinds[0])) { options, url in
      try await execute(
        """
        BEGIN;
        ALTER TABLE public."order" RENAME TO order_before;
        ALTER TABLE public.order_before RENAME CONSTRAINT order_pkey TO order_before_pkey;
        ALTER TABLE public.order_before RENAME CONSTRAINT order_customer_fkey TO order_before_fkey;
        ALTER INDEX public.order_number_idx RENAME TO order_before_number_idx;
        ALTER INDEX public.order_customer_idx RENAME TO order_before_customer_idx;
        ALTER TABLE public.order_before ALTER COLUMN _id DROP IDENTITY;
        CREATE TABLE public."order" (LIKE public.order_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
          CONSTRAINT order_pkey PRIMARY KEY (_id, placed),
          CONSTRAINT order_customer_fkey FOREIGN KEY (customer) REFERENCES public.customer
          ON DELETE CASCADE DEFERRABLE) PARTITION BY RANGE (placed);
        ALTER TABLE public."order" ALTER COLUMN _id ADD GENERATED BY DEFAULT AS IDENTITY (START 1000);
        CREATE INDEX order_number_idx ON public."order" (number);
        CREATE INDEX order_customer_idx ON public."order" (customer);
        CREATE TABLE public.order_all PARTITION OF public."order" DEFAULT;
        INSERT INTO public."order" SELECT * FROM public.order_before;
        DROP TABLE public.order_before;
        COMMIT
        """,
        at: url
      )
      let before = try await contents(at: url)
      let plan = try await Tool.run(["plan", "--format", "json"] + options)
      #expect(plan.status == 0, "\(plan)")
      #expect(!plan.output.contains("remodel_staging"), "\(plan)")
      let migrated = try await Tool.run(["migrate"] + options)
      #expect(migrated.status == 0, "\(migrated)")
      #expect(try await contents(at: url) == before)
      let verified = try await Tool.run(["verify"] + options)
      #expect(verified.status == 0, "\(verified)")
    }
  }

  @Test(arguments: [Self.kinds[0], Self.kinds[2], Self.kinds[4]])
  func `rows find their places in another database`(partition: String) async throws {
    let model = Self.model(partition)
    try await withOrders(model, model) { options, url in
      try await TestServer.withDatabase(beside: url, "copy") { other in
        let copied = try await Tool.run(["migrate", "--into-database", other] + options)
        #expect(copied.status == 0, "\(copied)")
        #expect(try await contents(at: other) == contents(at: url))
        let stray = try await rows(
          of: """
            SELECT c.relname FROM pg_partitioned_table k JOIN pg_class c ON c.oid = k.partdefid \
            WHERE pg_relation_size(c.oid) > 0
            """,
          at: other
        )
        #expect(stray.isEmpty)
      }
    }
  }

  @Test(arguments: ["locked", "online"])
  func `what people have added to a table is on the one that takes its place`(
    strategy: String
  ) async throws {
    try await withOrders(Self.model(nil), Self.model(Self.kinds[0]), Self.model(nil)) {
      options,
      url in
      try await execute(
        #"CREATE VIEW public.recent AS SELECT _id, number FROM public."order""#,
        #"CREATE INDEX order_by_note ON public."order" (lower(note))"#,
        #"COMMENT ON TABLE public."order" IS 'what people buy'"#,
        #"ALTER TABLE public."order" SET (fillfactor = 80)"#,
        #"GRANT SELECT ON public."order" TO PUBLIC"#,
        #"ALTER TABLE public."order" ADD CONSTRAINT positive CHECK (number > 0)"#,
        at: url
      )
      for version in ["2", "3"] {
        let outcome = try await Tool.run(
          ["migrate", "--to", version, "--strategy", strategy] + options
        )
        #expect(outcome.status == 0, "\(outcome)")
        let found = try await rows(
          of: """
            SELECT (SELECT count(*) FROM public.recent), obj_description(c.oid), \
            has_table_privilege('pg_monitor', c.oid, 'SELECT'), \
            (SELECT count(*) FROM pg_index WHERE indrelid = c.oid AND indisvalid), \
            (SELECT count(*) FROM pg_constraint WHERE conrelid = c.oid AND conname = 'positive') \
            FROM pg_class c WHERE c.oid = 'public."order"'::regclass
            """,
          at: url
        )
        #expect(found == [["800", "what people buy", "t", "4", "1"]])
        let written = try await rows(
          of: """
            INSERT INTO public."order" (placed, number) VALUES (now(), 8) RETURNING \
            (SELECT count(*) FROM public.recent)
            """,
          at: url
        )
        #expect(written == [["800"]])
        try await execute(#"DELETE FROM public."order" WHERE _id > 800"#, at: url)
      }
    }
  }

  private static func events(_ partition: String?, lines: Bool = false) -> String {
    """
    remodel: 1
    entities:
      Event:
        abstract: true
    \(partition.map { "    partition: \($0)\n" } ?? "")\
        attributes: { at: timestamp, kind: "enum(a, its)" }
    \(lines ? "    relationships: { notes: { toMany: Note, inverse: event, delete: cascade } }" : "")
      Click:
        parent: Event
        attributes: { x: integer32? }
      Show:
        parent: Event
        attributes: { page: string? }
    \(lines ? "  Note:\n    relationships: { event: { to: Event, inverse: notes } }" : "")
    """
  }

  @Test(arguments: ["locked", "gated", "online"])
  func `a hierarchy is partitioned`(strategy: String) async throws {
    try await withBundle(Self.events(nil), Self.events("{ by: range(at), every: 1 month }")) {
      folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        try await execute(
          """
          INSERT INTO public.event (_entity, at, kind) SELECT CASE i % 2 WHEN 0 THEN 'Click' ELSE 'Show' END, \
          now() - i * interval '1 day', 'a' FROM generate_series(1, 100) AS i
          """,
          at: url
        )
        let migrated = try await Tool.run(["migrate", "--strategy", strategy] + options)
        #expect(migrated.status == 0, "\(migrated)")
        #expect(try await Tool.run(["verify", "--rows"] + options).status == 0)
        #expect(try await rows(of: "SELECT count(*) FROM public.event", at: url) == [["100"]])
      }
    }
  }

  @Test
  func `a table that others refer to is divided by its key, and that is undone`() async throws {
    let versions = [nil, "\"hash(_id, 3)\"", "\"hash(_id, 4)\""].map {
      Self.events($0, lines: true)
    }
    try await withBundle(versions[0], versions[1], versions[2]) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        try await execute(
          "INSERT INTO public.event (_entity, at, kind) SELECT 'Click', now(), 'a' FROM generate_series(1, 50)",
          "INSERT INTO public.note (event) SELECT _id FROM public.event",
          at: url
        )
        for call in [["migrate", "--to", "2"], ["migrate", "--to", "3"], ["revert"], ["revert"]] {
          let outcome = try await Tool.run(call + options)
          #expect(outcome.status == 0, "\(call) \(outcome)")
          let verified = try await Tool.run(["verify", "--rows"] + options)
          #expect(verified.status == 0, "\(verified)")
          let count = try await rows(
            of: "SELECT count(*) FROM public.event e JOIN public.note n ON n.event = e._id",
            at: url
          )
          #expect(count == [["50"]])
        }
        #expect(try await rows(of: "DELETE FROM public.event RETURNING 1", at: url).count == 50)
        #expect(try await rows(of: "SELECT FROM public.note", at: url).isEmpty)
      }
    }
  }

  @Test
  func `strange values have partitions of their own`() async throws {
    let first = """
      remodel: 1
      entities:
        Visit:
          table: O'r%d"e%s.R
          partition: list(kind)
          attributes: { kind: "enum(its, x)", number: integer16 }
      """
    let second = first.replacing("enum(its,", with: "enum(its, it's,")
    let third = second.replacing("list(kind)", with: "{ by: range(number), every: 20000 }")
    try await withBundle(first, second, third) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        for version in ["1", "2", "3"] {
          let call = ["migrate", "--to", version, "--strategy", "online"]
          let outcome = try await Tool.run(call + options)
          #expect(outcome.status == 0, "\(outcome)")
          let values = version == "1" ? ["its", "x"] : ["its", "x", "it's"]
          for value in values {
            try await execute(
              ##"INSERT INTO public."O'r%d""e%s.R" (kind, number) VALUES (\##(text: value), 32767)"##,
              at: url
            )
          }
          let verified = try await Tool.run(["verify", "--rows"] + options)
          #expect(verified.status == 0 && verified.error.isEmpty, "\(verified)")
        }
        try await execute(
          #"INSERT INTO public."O'r%d""e%s.R" (kind, number) VALUES ('its', -32768), ('its', 0)"#,
          at: url
        )
        let finished = try await Tool.run(["finish"] + options)
        #expect(finished.status == 0, "\(finished)")
      }
    }
  }
}
