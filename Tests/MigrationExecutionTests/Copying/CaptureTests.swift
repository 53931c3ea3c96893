import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// The capture of changes in queues, the refusal of writes, and the detection of changed sources.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CaptureTests {
  private let copy = BookshopCopy()
  private var statements: CopyStatements { copy.statements }

  private func withCapture(
    _ body: (CopyDriver) throws -> Void
  ) async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let driver = try CopyDriver(url, copy)
      try driver.prepare()
      try body(driver)
    }
  }

  private func entries(_ driver: CopyDriver) throws -> String? {
    try driver.connection.query(statements.backlog(atMost: 100)).value
  }

  @Test
  func `a change of what nothing follows from has no entry`() async throws {
    try await withCapture { driver in
      try driver.connection.execute("UPDATE public.book SET views = 5, title = title")
      #expect(try entries(driver) == "0")
      try driver.connection.execute(
        "UPDATE public.book SET price = price::numeric(9,3) WHERE _id = 4"
      )
      #expect(try entries(driver) == "1")
      try driver.connection.execute("UPDATE public.book SET notes = '{\"g\" :5}' WHERE _id = 5")
      #expect(try entries(driver) == "2")
    }
  }

  @Test
  func `a change of what rows follow from has an entry for each of both values`() async throws {
    try await withCapture { driver in
      try driver.connection.execute("UPDATE public.sale SET book = book + 1 WHERE _id = 1")
      #expect(try entries(driver) == "2")
      try driver.connection.execute("UPDATE public.sale SET amount = amount + 1 WHERE _id = 1")
      #expect(try entries(driver) == "3")
      try driver.connection.execute("DELETE FROM public.sale WHERE _id = 1")
      #expect(try entries(driver) == "4")
    }
  }

  @Test
  func `where all columns matter, every update has an entry, and both keys if the key changes`()
    async throws
  {
    try await TestServer.withDatabase { url in
      let copy = BookshopCopy(
        sources: [
          CopySource(
            table: "book",
            key: [.init(name: "_id", type: "bigint")],
            carried: [],
            watched: ["_id", "title"],
            isWatchedWhole: true
          )
        ]
      )
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        """
        CREATE SCHEMA staging;
        CREATE TABLE public.book (_id bigint PRIMARY KEY, title text);
        INSERT INTO public.book VALUES (1, 'Emma'), (2, 'Persuasion')
        """
      )
      for statement in SourceGuard(of: copy.plan.sources[0], in: copy.plan).installation(
        isOnline: true
      ) {
        try connection.execute(statement)
      }

      try connection.execute("UPDATE public.book SET title = title WHERE _id = 1")
      try connection.execute("UPDATE public.book SET _id = 3 WHERE _id = 2")

      let keys = try connection.query(
        "SELECT DISTINCT _id::text FROM staging.queue_book ORDER BY 1"
      )
      #expect(keys.rows == [["1"], ["2"], ["3"]])
    }
  }

  @Test
  func `what the caller finds first does not matter to capturing`() async throws {
    try await withCapture { driver in
      try driver.connection.execute(
        """
        CREATE SCHEMA elsewhere;
        CREATE FUNCTION elsewhere.differs(bigint, bigint) RETURNS boolean LANGUAGE sql
          AS 'SELECT 1 / 0 = 1';
        CREATE OPERATOR elsewhere.= (FUNCTION = elsewhere.differs, LEFTARG = bigint, RIGHTARG = bigint);
        CREATE TABLE elsewhere.queue_book (nothing integer);
        SET search_path = elsewhere, public
        """
      )
      try driver.connection.execute("UPDATE public.book SET title = 'x' WHERE title IS NOT NULL")
      try driver.connection.execute("SET search_path = pg_catalog, pg_temp")
      #expect(try driver.connection.query("SELECT count(*) FROM staging.queue_book").value == "120")
    }
  }

  @Test
  func `entries about keys of a domain do without its checks`() async throws {
    try await TestServer.withDatabase { url in
      let copy = BookshopCopy(
        sources: [
          CopySource(
            table: "book",
            key: [.init(name: "_id", type: "public.identifier")],
            carried: [],
            watched: ["title"]
          )
        ]
      )
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        """
        CREATE SCHEMA staging;
        CREATE SEQUENCE public.calls;
        CREATE FUNCTION public.is_good(value bigint) RETURNS boolean LANGUAGE plpgsql AS
          $$ BEGIN RETURN nextval('public.calls') > 0; END $$;
        CREATE DOMAIN public.identifier AS bigint NOT NULL CHECK (public.is_good(VALUE));
        CREATE TABLE public.book (_id public.identifier PRIMARY KEY, title text);
        INSERT INTO public.book VALUES (1, 'Emma'), (2, 'Persuasion')
        """
      )
      for statement in SourceGuard(of: copy.plan.sources[0], in: copy.plan).installation(
        isOnline: true
      ) {
        try connection.execute(statement)
      }
      let calls = try connection.query("SELECT last_value FROM public.calls").value

      try connection.execute("UPDATE public.book SET title = 'x'; TRUNCATE public.book")

      #expect(try connection.query(copy.statements.backlog(atMost: 100)).value == "3")
      #expect(try connection.query("SELECT last_value FROM public.calls").value == calls)
      let types = try connection.query(
        """
        SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attnum > 0 \
        AND attrelid = 'staging.queue_book'::regclass ORDER BY attnum
        """
      )
      #expect(types.rows == [["\"char\""], ["bigint"]])
      let functions = try connection.query(
        "SELECT DISTINCT proconfig::text FROM pg_proc WHERE pronamespace = 'staging'::regnamespace"
      )
      #expect(functions.rows == [[#"{"search_path=pg_catalog, pg_temp"}"#]])
    }
  }

  @Test
  func `changes that are played back from elsewhere have entries`() async throws {
    try await withCapture { driver in
      try driver.connection.execute("SET session_replication_role = replica")
      try driver.connection.execute("DELETE FROM public.book WHERE _id = 1")
      try driver.connection.execute("TRUNCATE public.sale")
      #expect(try entries(driver) == "2")
    }
  }

  @Test
  func `those who may write to a source need no right to the queue`() async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let driver = try CopyDriver(url, copy)
      try driver.prepare()
      try driver.connection.execute(
        """
        BEGIN;
        CREATE ROLE remodel_capture_writer;
        GRANT SELECT, INSERT, UPDATE, DELETE ON public.book TO remodel_capture_writer;
        SET LOCAL ROLE remodel_capture_writer;
        UPDATE public.book SET title = 'theirs' WHERE _id = 1;
        RESET ROLE
        """
      )
      #expect(try entries(driver) == "1")
      try driver.connection.execute("ROLLBACK")
    }
  }

  @Test
  func `nothing is left when capturing has ended`() async throws {
    try await withCapture { driver in
      for source in copy.plan.sources {
        // Once more does no harm.
        for statement in SourceGuard(of: source, in: copy.plan).removal(isOnline: true)
          + SourceGuard(of: source, in: copy.plan).removal(isOnline: true)
        {
          try driver.connection.execute(statement)
        }
      }
      let left = try driver.connection.query(
        """
        SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'staging'::regnamespace
        UNION ALL SELECT relname FROM pg_class WHERE relname LIKE 'queue%'
        """
      )
      #expect(left.rows == [])
    }
  }

  @Test
  func `a gate refuses all who write and lets readers through`() async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let driver = try CopyDriver(url, copy)
      try driver.connection.execute("CREATE SCHEMA staging")
      let source = copy.plan.sources[0]
      for statement in SourceGuard(of: source, in: copy.plan).installation(isOnline: false) {
        try driver.connection.execute(statement)
      }

      let writes: [SQLFragment] = [
        "INSERT INTO public.book (_id) VALUES (1000)", "UPDATE public.book SET title = 'x'",
        "DELETE FROM public.book WHERE false", "TRUNCATE public.book",
        "SET session_replication_role = replica; DELETE FROM public.book",
      ]
      for write in writes {
        let error = #expect(throws: PostgresError.self, "\(write)") {
          try driver.connection.execute(write)
        }
        #expect(error?.sqlState == "57M01")
        #expect(
          error?.message == "table \"book\" cannot be written to: a migration is in progress"
        )
        #expect(error?.hint == "Try again when the migration has ended.")
      }
      #expect(try driver.connection.query("SELECT count(*) FROM public.book").value == "120")

      for statement in SourceGuard(of: source, in: copy.plan).removal(isOnline: false)
        + SourceGuard(of: source, in: copy.plan).removal(isOnline: false)
      {
        try driver.connection.execute(statement)
      }
      #expect(try driver.connection.execute("DELETE FROM public.book") == 120)
    }
  }

  @Test
  func `what changes a source or its capturing changes its fingerprint, and nothing else`()
    async throws
  {
    try await withCapture { driver in
      let query = SourceGuard(of: copy.plan.sources[0], in: copy.plan).fingerprint
      var last = try driver.connection.query(query).value
      #expect(last != nil)

      for statement in Self.harmless {
        try driver.connection.execute(statement)
        #expect(try driver.connection.query(query).value == last, "\(statement)")
      }
      for statement in Self.harmful {
        try driver.connection.execute(statement)
        let current = try driver.connection.query(query).value
        #expect(current != last, "\(statement)")
        last = current
      }
    }
  }

  private static let harmless: [SQLFragment] = [
    "UPDATE public.book SET title = 'x'", "TRUNCATE public.book", "VACUUM FULL public.book",
    "ANALYZE public.book", "CREATE INDEX ON public.book (title)",
  ]

  private static let harmful: [SQLFragment] = [
    "ALTER TABLE public.book ADD COLUMN more text",
    "ALTER TABLE public.book ALTER views TYPE bigint",
    "ALTER TABLE public.book ALTER views TYPE bigint USING views + 1",
    "ALTER TABLE public.book RENAME more TO others",
    "ALTER TABLE public.book DROP COLUMN others",
    "ALTER TABLE public.book DISABLE TRIGGER \"~remodel_row\"",
    "ALTER TABLE public.book ENABLE TRIGGER \"~remodel_row\"",
    "DROP TRIGGER \"~remodel_truncate\" ON public.book",
    """
    CREATE OR REPLACE FUNCTION staging.capture_book() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN RETURN NULL; END'
    """,
    "ALTER TABLE public.book ENABLE ROW LEVEL SECURITY",
    "CREATE POLICY p ON public.book USING (true)",
    "CREATE RULE r AS ON DELETE TO public.book DO INSTEAD NOTHING",
    "ALTER TABLE public.book DISABLE RULE r",
    "CREATE TABLE public.child () INHERITS (public.book)",
    "ALTER TABLE public.book SET UNLOGGED",
  ]

  private static let definitions: [(definition: SQLFragment, obstacles: [String])] = [
    ("CREATE TABLE public.book (_id bigint) PARTITION BY RANGE (_id)", ["partitioned"]),
    (
      "CREATE TABLE public.book (_id bigint); CREATE TABLE public.child () INHERITS (public.book)",
      ["inherited"]
    ),
    ("CREATE VIEW public.book AS SELECT 1 AS _id", ["no table"]),
    ("CREATE UNLOGGED TABLE public.book (_id bigint)", ["not logged"]),
    ("CREATE TABLE public.book (_id bigint)", []),
  ]

  @Test(arguments: definitions)
  func `tables whose changes cannot be captured are found`(
    definition: SQLFragment,
    obstacles: [String]
  ) async throws {
    try await TestServer.withDatabase { url in
      let driver = try CopyDriver(url, copy)
      try driver.connection.execute(definition)
      let found = try driver.connection.query(
        SourceGuard(of: copy.plan.sources[0], in: copy.plan).captureObstacles
      )
      #expect(found.compactMap { $0["obstacle"] } == obstacles)
    }
  }
}
