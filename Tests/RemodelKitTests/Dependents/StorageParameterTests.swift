import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationExecution

/// The parameters that people set are copied, those that the server keeps for itself are left alone.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct StorageParameterTests {
  /// The server's own, which minor releases since 15.20 give to columns.
  private static let internalParameters: Set<String> = ["pg_attver"]

  @Test
  func `a new database has no parameters but those that are known by name`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let version = try connection.query("SHOW server_version").value ?? ""
      try connection.execute(Self.everyKindOfObject)

      let found = try connection.query(
        """
        SELECT CASE WHEN c.relkind = 'i' THEN 'index ' || m.amname ELSE c.relkind::text END AS kind, \
        o.option_name AS name FROM pg_class c LEFT JOIN pg_am m ON m.oid = c.relam, \
        pg_options_to_table(c.reloptions) o WHERE c.relnamespace <> 'information_schema'::regnamespace
        UNION SELECT 'column of ' || c.relkind::text, o.option_name FROM pg_attribute a \
        JOIN pg_class c ON c.oid = a.attrelid, pg_options_to_table(a.attoptions) o
        UNION SELECT 'foreign column', o.option_name FROM pg_attribute a, \
        pg_options_to_table(a.attfdwoptions) o
        """
      )

      for row in found {
        let kind = row["kind"] ?? ""
        let name = row["name"] ?? ""
        let isKnown = Self.holder(kind)?.documents(name) ?? false
        #expect(
          isKnown || Self.internalParameters.contains(name),
          "PostgreSQL \(version): \(kind) has the parameter \"\(name)\""
        )
      }
      let labels = try connection.query("SELECT provider FROM pg_seclabel")
      #expect(labels.rows.isEmpty, "PostgreSQL \(version): new objects have security labels")
      let storage = try connection.query(
        """
        SELECT DISTINCT a.attcompression::text, a.attstorage::text FROM pg_attribute a \
        WHERE a.attcompression NOT IN ('', 'p', 'l') OR a.attstorage NOT IN ('p', 'e', 'm', 'x')
        """
      )
      #expect(storage.rows.isEmpty, "PostgreSQL \(version): columns are stored in other ways")
    }
  }

  @Test
  func `every documented parameter of tables is one of this server's`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("CREATE TABLE t (a integer, b text)")
      let major = try await TestServer.major()
      let newer: Set<String> =
        major < 18
        ? ["autovacuum_vacuum_max_threshold", "vacuum_max_eager_freeze_failure_rate"] : []
      let names = StorageParameterSetting.Holder.table.documentedParameters ?? []

      for name in names.subtracting(newer).sorted() {
        let error = #expect(throws: PostgresError.self) {
          try connection.execute("ALTER TABLE t SET (\(SQLIdentifier(name)) = 'of no kind')")
        }
        #expect(error?.message.hasPrefix("invalid value for") ?? false, "\(name)")
      }

      #expect(!names.isEmpty)
    }
  }

  // A fill makes no table.
  @Test(arguments: CopyStrategy.allCases.filter { $0 != .filled })
  func `parameters that people do not set are left alone, with a warning if they are nobody's`(
    strategy: CopyStrategy
  ) async throws {
    try await withBundle(CarryTests.versions, mappings: ["1-2": CarryTests.mapping]) { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: bundle)
        configuration.strategy = strategy
        configuration.removals = .drop
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(Self.foreignParameters)

        let plan = try await remodel.plan(.url(url)).plan
        _ = try await remodel.migrate(.url(url))

        let warnings = plan.steps.flatMap(\.warnings).map(\.message)
        #expect(
          warnings.sorted() == [
            "storage parameter \"mystery\" is not set again: materialized view public.m",
            "storage parameter \"mystery\" is not set again: settings of table public.book",
            "storage parameter \"riddle\" is not set again: settings of table public.book",
          ]
        )
        #expect(!plan.steps.flatMap(\.statements).contains { $0.sql.text.contains("pg_own") })
        let kept = try connection.query(
          """
          SELECT c.relname || ' ' || o.option_name || '=' || o.option_value FROM pg_class c, \
          pg_options_to_table(c.reloptions) o WHERE c.relnamespace = 'public'::regnamespace \
          UNION ALL SELECT c.relname || '.' || a.attname || ' ' || o.option_name || '=' \
          || o.option_value FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid, \
          pg_options_to_table(a.attoptions) o WHERE c.relnamespace = 'public'::regnamespace \
          AND o.option_name <> 'pg_attver' ORDER BY 1
          """
        )
        #expect(
          kept.rows.map { $0.compactMap(\.self) } == [
            ["book fillfactor=70"], ["book.pages n_distinct=5"], ["mine deduplicate_items=off"],
            ["mine fillfactor=80"],
          ]
        )
      }
    }
  }

  // MARK: - Statements

  /// Writes into the catalog what no statement of this version of the server sets.
  private static let foreignParameters: SQLFragment = """
    CREATE INDEX mine ON public.book (pages) WITH (fillfactor = 80, deduplicate_items = off);
    CREATE MATERIALIZED VIEW public.m AS SELECT title FROM public.book;
    ALTER TABLE public.book SET (fillfactor = 70), ALTER COLUMN pages SET (n_distinct = 5);
    UPDATE pg_class SET reloptions = reloptions || '{mystery=1,pg_own=2}'::text[]
      WHERE oid = 'public.book'::regclass;
    UPDATE pg_class SET reloptions = '{mystery=1}' WHERE oid = 'public.m'::regclass;
    UPDATE pg_class SET reloptions = '{fillfactor=80,pg_own=3,deduplicate_items=off}'
      WHERE oid = 'public.mine'::regclass;
    UPDATE pg_attribute SET attoptions = attoptions || '{riddle=1,pg_own=2}'::text[]
      WHERE attrelid = 'public.book'::regclass AND attname = 'pages';
    """

  private static let everyKindOfObject: SQLFragment = """
    CREATE TABLE t (a integer PRIMARY KEY, b text, c tsvector, d point);
    CREATE TABLE logged_later (a integer) WITH (fillfactor = 70, toast.autovacuum_enabled = off);
    CREATE UNLOGGED TABLE u (a integer, b text COMPRESSION pglz);
    CREATE TABLE p (a integer) PARTITION BY RANGE (a);
    CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (1) TO (2);
    CREATE TABLE child (z integer) INHERITS (t);
    CREATE VIEW v WITH (security_barrier) AS SELECT a, b FROM t;
    CREATE MATERIALIZED VIEW m AS SELECT a, b FROM t;
    CREATE TYPE composite AS (x integer);
    CREATE TABLE of_type OF composite;
    CREATE DOMAIN positive AS integer CHECK (value > 0);
    CREATE SEQUENCE s;
    CREATE INDEX ON t (b);
    CREATE INDEX ON t USING hash (b);
    CREATE INDEX ON t USING gin (c);
    CREATE INDEX ON t USING gist (d);
    CREATE INDEX ON t USING spgist (d);
    CREATE INDEX ON t USING brin (a);
    CREATE INDEX ON m (a);
    CREATE FOREIGN DATA WRAPPER w;
    CREATE SERVER far FOREIGN DATA WRAPPER w;
    CREATE FOREIGN TABLE f (a integer) SERVER far;
    ALTER TABLE t ALTER COLUMN a SET (n_distinct = 5);
    """

  private static func holder(_ kind: String) -> StorageParameterSetting.Holder? {
    switch kind {
    case "r", "p": .table
    case "t": .toastTable
    case "m": .materializedView
    case "v": .view
    default:
      if kind.hasPrefix("index ") {
        .index(method: String(kind.dropFirst(6)))
      } else if kind.hasPrefix("column of ") {
        .column
      } else {
        nil
      }
    }
  }
}
