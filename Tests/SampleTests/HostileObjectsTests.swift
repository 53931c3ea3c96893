import RemodelKit
import TestSupport
import Testing

/// A database whose `public` schema is first in all search paths and contains functions, operators,
/// types and relations named like the server's own, which record their calls.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct HostileObjectsTests {
  @Test(.sampled(oneIn: 2))
  func `objects named like the server's own are neither called nor used`() async throws {
    let expected = try await TestServer.withDatabase { url in
      try await Self.beginning(url)
      try await Self.everyVerb(url)
      return try await Self.catalog(url)
    }
    try await TestServer.withDatabase { url in
      try await Self.beginning(url)
      let name = try #require(try await Self.rows("SELECT current_database()", url).first)
      _ = try await Sample.psql(Self.safe(url), "--command", Self.objects)
      _ = try await Sample.psql(
        Self.safe(url),
        "--command",
        """
        ALTER DATABASE \(name) SET search_path = public, pg_catalog;
        ALTER ROLE postgres IN DATABASE \(name) SET search_path = public, pg_catalog
        """
      )
      // They also do what the originals do.
      _ = try await Sample.psql(
        url,
        "--command",
        "SELECT lower('A'), 1 = 2, 'a'::public.text, count(*) FROM pg_class"
      )
      let called = try await Self.rows("SELECT DISTINCT what FROM evil.audit ORDER BY 1", url)
      #expect(called == ["=", "lower", "pg_class", "text"])
      _ = try await Sample.psql(Self.safe(url), "--command", "DELETE FROM evil.audit")

      try await Self.everyVerb(url)

      #expect(try await Self.rows("SELECT DISTINCT what FROM evil.audit", url) == [])
      let found = try await Self.catalog(url)
      #expect(Set(found).symmetricDifference(expected).sorted() == [])
    }
  }

  private static func beginning(_ url: String) async throws {
    _ = try await Tool.run(["migrate", "--to", "1"], database: url)
    try await Sample.addRows(to: url)
  }

  private static func everyVerb(_ url: String) async throws {
    for form in ["text", "json", "html"] {
      _ = try await Tool.run(["plan", "--format", form], database: url)
    }
    // A script in a session that begins with the search path of the database.
    let script = try await Tool.run(["plan", "--to", "2", "--format", "sql"], database: url)
    try await Sample.run(script, in: url)
    _ = try await Tool.run(["verify", "--rows"], database: url)
    _ = try await Tool.run(["migrate", "--strategy", "locked"], database: url)
    _ = try await Tool.run(["revert"], database: url)
    _ = try await Tool.run(["cleanup", "--yes"], database: url)
    _ = try? await Tool.run(
      ["migrate", "--to", "3", "--strategy", "online", "--jobs", "2"],
      database: url,
      variables: ["REMODEL_FAILPOINT": "index.before_commit:1:kill9"]
    )
    // The triggers of the job run in sessions of others.
    _ = try await Sample.psql(
      url,
      "--command",
      """
      INSERT INTO public.author (name) VALUES ('Mary Ann Evans'); \
      UPDATE public.book SET pages = 7
      """
    )
    for verb in ["job list", "job show", "status", "history"] {
      _ = try await Tool.run(verb.split(separator: " ").map(String.init), database: url)
    }
    _ = try await Tool.run(
      ["migrate", "--to", "3", "--strategy", "online", "--jobs", "2"],
      database: url
    )
    for verb in ["finish", "check", "verify", "status", "cleanup --yes", "history"] {
      _ = try await Tool.run(verb.split(separator: " ").map(String.init), database: url)
    }
  }

  /// The tables of the store and of the metadata, with all that is on them.
  private static func catalog(_ url: String) async throws -> [String] {
    try await rows(
      """
      SELECT c.oid::regclass || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' \
      || coalesce(pg_get_expr(d.adbin, d.adrelid), '') || ' ' || a.attnotnull \
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
      WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text IN ('public', 'remodel') \
      UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) \
      FROM pg_constraint WHERE connamespace::regnamespace::text IN ('public', 'remodel') \
      AND conrelid <> 0 \
      UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid > 16383 \
      AND indrelid::regclass::text NOT LIKE 'pg_toast%' \
      UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal \
      UNION ALL SELECT title || ' ' || coalesce(pages, 0) FROM public.book ORDER BY 1
      """,
      url
    )
  }

  private static func rows(_ query: String, _ url: String) async throws -> [String] {
    try await Sample.rows(query, in: safe(url))
  }

  /// The URL for sessions that the objects do not reach.
  private static func safe(_ url: String) -> String {
    url + "&options=-csearch_path%3Dpg_catalog"
  }

  private static let objects = """
    CREATE SCHEMA evil;
    CREATE TABLE evil.audit (what text);
    CREATE FUNCTION evil.note(what text) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog
      AS $$ BEGIN INSERT INTO evil.audit VALUES (what); RETURN true; END $$;
    CREATE FUNCTION evil.make(statement text) RETURNS integer LANGUAGE plpgsql AS $$
      BEGIN EXECUTE statement; RETURN 1; EXCEPTION WHEN OTHERS THEN RETURN 0; END $$;
    SELECT sum(evil.make(format('CREATE FUNCTION public.%I(%s) RETURNS %s LANGUAGE plpgsql SET '
      'search_path = pg_catalog AS $f$ BEGIN PERFORM evil.note(%L); RETURN NULL; END $f$', p.proname,
      pg_get_function_identity_arguments(p.oid), pg_get_function_result(p.oid), p.proname))) > 1000
      FROM pg_proc p WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f';
    SELECT sum(evil.make(format('CREATE FUNCTION public.operator_%s(%s, %s) RETURNS %s LANGUAGE plpgsql '
      'SET search_path = pg_catalog AS $f$ BEGIN PERFORM evil.note(%L); RETURN NULL; END $f$; '
      'CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.operator_%s)', o.oid,
      oprleft::regtype, oprright::regtype, oprresult::regtype, oprname, oprname, oprleft::regtype,
      oprright::regtype, o.oid))) > 500
      FROM pg_operator o WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b';
    SELECT sum(evil.make(format('CREATE DOMAIN public.%I AS pg_catalog.%I CHECK (evil.note(%L))', typname,
      typname, typname))) > 50
      FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype = 'b' AND typelem = 0;
    SELECT sum(evil.make(format('CREATE VIEW public.%I AS SELECT c.* FROM pg_catalog.%I c '
      'WHERE evil.note(%L)', relname, relname, relname))) > 100
      FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v');
    """
}
