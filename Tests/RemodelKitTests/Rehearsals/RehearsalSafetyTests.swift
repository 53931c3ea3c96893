import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a rehearsal must not do: reach other servers, or run people's code with a superuser's rights.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RehearsalSafetyTests {
  /// A foreign table `outside` that leads to table `reached` of the same database, by a view that
  /// notes who reads it; a materialized view that reads it, and a trigger that writes to it.
  private static let foreignObjects: SQLFragment = """
    CREATE EXTENSION postgres_fdw;
    CREATE EXTENSION dblink;
    CREATE TABLE public.reached (n integer);
    CREATE FUNCTION public.note() RETURNS integer LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO public.reached VALUES (1); RETURN 1; END $$;
    CREATE VIEW public.noted AS SELECT public.note() AS n;
    DO $$ DECLARE options text; BEGIN
      options := format('OPTIONS (host %L, port %L, dbname %L)',
        split_part(current_setting('unix_socket_directories'), ',', 1),
        current_setting('port'), current_database());
      EXECUTE 'CREATE SERVER elsewhere FOREIGN DATA WRAPPER postgres_fdw ' || options;
    END $$;
    CREATE USER MAPPING FOR PUBLIC SERVER elsewhere
      OPTIONS (user 'postgres', password 'secret', password_required 'false');
    CREATE USER MAPPING FOR postgres SERVER elsewhere
      OPTIONS (user 'postgres', password 'secret', password_required 'false');
    CREATE FOREIGN TABLE public.outside (n integer) SERVER elsewhere OPTIONS (table_name 'reached');
    CREATE FOREIGN TABLE public.watched (n integer) SERVER elsewhere OPTIONS (table_name 'noted');
    CREATE FUNCTION public.write_outside() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO public.outside VALUES (2); RETURN NEW; END $$;
    CREATE TRIGGER outwards AFTER INSERT ON public.good
      FOR EACH ROW EXECUTE FUNCTION public.write_outside();
    ALTER TABLE public.good ENABLE ALWAYS TRIGGER outwards
    """

  /// An event trigger that ends a migration, with the state in its message.
  private static func telling(_ facts: SQLFragment) -> SQLFragment {
    """
    CREATE FUNCTION public.tell() RETURNS event_trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'facts: %', (SELECT concat_ws(' ', \(facts))); END $$;
    CREATE EVENT TRIGGER tell ON ddl_command_end WHEN TAG IN ('CREATE INDEX')
      EXECUTE FUNCTION public.tell()
    """
  }

  @Test
  func `foreign servers are not reached`() async throws {
    try await RehearsedShop.with { shop in
      guard try shop.hasForeignData() else { try Test.cancel("no postgres_fdw or dblink") }
      try shop.execute(Self.foreignObjects)
      // The other side sees only what is committed.
      try shop.execute("CREATE MATERIALIZED VIEW public.summary AS SELECT n FROM public.watched")
      let before = try shop.rows("SELECT count(*)::text FROM public.reached")

      let report = try #require(try await shop.rehearse(.apart(rows: 5)))

      #expect(try shop.rows("SELECT count(*)::text FROM public.reached") == before)
      #expect(before == [["1"]])
      // Those of the shop, and the one in the table that would be reached.
      #expect(report.rowCount == 27 + 1)
      #expect(
        report.warnings.compactMap(\.detail) == ["They could not be filled: \"public.summary\"."]
      )
    }
  }

  @Test
  func `servers lose their options and users before anything runs`() async throws {
    try await RehearsedShop.with { shop in
      guard try shop.hasForeignData() else { try Test.cancel("no postgres_fdw or dblink") }
      try shop.execute(Self.foreignObjects)
      // The other side sees only what is committed.
      try shop.execute("CREATE MATERIALIZED VIEW public.summary AS SELECT n FROM public.watched")
      try shop.execute(
        Self.telling(
          """
          (SELECT count(*) FROM pg_foreign_server WHERE srvoptions IS NOT NULL), \
          (SELECT count(*) FROM pg_user_mappings), \
          has_function_privilege(session_user, 'public.dblink_exec(text, text)', 'EXECUTE'), \
          (SELECT tgenabled FROM pg_trigger WHERE tgname = 'outwards')
          """
        )
      )

      let error = await #expect(throws: RehearsalFailure.self) {
        try await shop.rehearse(.apart(rows: 5))
      }

      // The trigger is as it was when the rows are there.
      #expect(error?.diagnostics.first?.message == "in the rehearsal: facts: 0 0 f A")
    }
  }

  @Test
  func `people's functions never run as a superuser`() async throws {
    try await RehearsedShop.with(
      """
      CREATE FUNCTION public.is_harmless(value text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
        IF current_database() IN ('rehearsal', 'trial') AND EXISTS (SELECT FROM pg_roles
          WHERE rolsuper AND rolname IN (session_user, current_user)) THEN
          RAISE EXCEPTION 'a superuser runs this';
        END IF;
        RETURN true;
      END $$;
      ALTER TABLE public.good ADD CHECK (public.is_harmless(title));
      CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_database() = 'rehearsal' THEN RAISE EXCEPTION 'a trigger sees rows'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER failing BEFORE INSERT ON public.good
        FOR EACH ROW EXECUTE FUNCTION public.fail();
      ALTER TABLE public.good ENABLE REPLICA TRIGGER failing;
      CREATE FUNCTION public.observe() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM public.is_harmless(''); END $$;
      CREATE EVENT TRIGGER observe ON ddl_command_end EXECUTE FUNCTION public.observe();
      ALTER EVENT TRIGGER observe ENABLE ALWAYS;
      CREATE MATERIALIZED VIEW public.checked AS
        SELECT title FROM public.good WHERE public.is_harmless(title)
      """
    ) { shop in
      let report = try #require(try await shop.rehearse(.apart(rows: 5)))

      #expect(report.rowCount == 27)
      #expect(report.diagnostics == [])
      #expect(report.statements.allSatisfy { $0.comparison != nil })
    }
  }

  /// Functions that a restore or a plan folds, and that try each way to a superuser's rights: what
  /// leads there makes a file, or fails.
  private static func climbing(to canary: String) -> SQLFragment {
    let file = SQLLiteral.text(canary)
    let program = SQLLiteral.text("touch \(canary)")
    return """
      CREATE FUNCTION public.reach() RETURNS boolean LANGUAGE plpgsql AS $f$
        DECLARE step text; reached text;
        BEGIN
          IF current_database() NOT IN ('rehearsal', 'trial') THEN RETURN true; END IF;
          FOREACH step IN ARRAY ARRAY[
            'RESET ROLE', 'RESET SESSION AUTHORIZATION', 'SET ROLE remodel_rehearsal',
            'SET SESSION AUTHORIZATION remodel_rehearsal', 'SET ROLE pg_execute_server_program',
            format('GRANT pg_execute_server_program TO %I', current_user),
            format('ALTER ROLE %I SUPERUSER', current_user),
            'CREATE ROLE climber SUPERUSER', 'LOAD ''autoinc''', 'CREATE EXTENSION adminpack',
            'CREATE FUNCTION public.native() RETURNS trigger LANGUAGE c AS ''autoinc'', ''autoinc''',
            'SELECT lo_import(''/etc/passwd'')', 'SELECT pg_read_file(''/etc/passwd'')',
            'CREATE TABLESPACE t LOCATION ''/tmp''', 'ALTER SYSTEM SET work_mem = 1'] LOOP
            BEGIN
              EXECUTE step;
              IF step NOT LIKE 'RESET%' THEN reached := step; END IF;
              EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', \(program));
            EXCEPTION WHEN OTHERS THEN NULL;
            END;
            BEGIN
              EXECUTE format('COPY (SELECT 1) TO %L', \(file));
            EXCEPTION WHEN OTHERS THEN NULL;
            END;
          END LOOP;
          IF reached IS NOT NULL THEN RAISE EXCEPTION 'reached by: %', reached; END IF;
          RETURN true;
        END $f$;
      CREATE FUNCTION public.folded(value integer) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS
        $f$ BEGIN RETURN public.reach(); END $f$;
      CREATE TYPE public.pair AS (a integer, b integer);
      CREATE FUNCTION public.folded_row(value public.pair) RETURNS boolean IMMUTABLE
        LANGUAGE plpgsql AS $f$ BEGIN RETURN public.reach(); END $f$;
      CREATE FUNCTION public.as_owner(value integer) RETURNS boolean IMMUTABLE SECURITY DEFINER
        LANGUAGE plpgsql AS $f$ BEGIN RETURN public.reach(); END $f$;
      CREATE TABLE public.parent (a integer) PARTITION BY LIST (a);
      CREATE TABLE public.part PARTITION OF public.parent
        (CONSTRAINT c CHECK (public.folded(1) AND public.as_owner(2))) FOR VALUES IN (1);
      CREATE TABLE public.keyed (a integer, b integer GENERATED ALWAYS AS
        (CASE WHEN public.folded(4) THEN a END) STORED)
        PARTITION BY RANGE ((CASE WHEN public.folded(3) THEN a END));
      CREATE TABLE public.keyed_part PARTITION OF public.keyed FOR VALUES FROM (0) TO (10);
      ALTER TABLE public.good ADD CHECK (public.folded_row(NULL::public.pair));
      CREATE INDEX ON public.good ((CASE WHEN public.folded(5) THEN title END))
        WHERE public.folded(6);
      CREATE DOMAIN public.checked_text AS text CHECK (public.folded(7));
      CREATE TABLE public.defaulted (a public.checked_text DEFAULT 'x');
      CREATE STATISTICS public.folded_statistics ON (public.folded(length(title))), title FROM public.good;
      CREATE MATERIALIZED VIEW public.summed AS SELECT count(*) FROM public.good
        WHERE public.folded(8) AND public.folded(length(title));
      CREATE POLICY looking ON public.good USING (public.folded(9))
      """
  }

  @Test
  func `what a dump says runs as no superuser, and finds no way to one`() async throws {
    let canary = "/tmp/remodel-canary-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: canary) }
    try await RehearsedShop.with(Self.climbing(to: canary)) { shop in
      let report = try #require(try await shop.rehearse(.apart(rows: 5)))

      #expect(!FileManager.default.fileExists(atPath: canary))
      #expect(report.warnings == [])
      #expect(report.rowCount == 27)
    }
  }

  @Test
  func `what takes a superuser is left out, by name`() async throws {
    try await RehearsedShop.with(
      """
      CREATE EXTENSION pg_surgery;
      CREATE FUNCTION public.native() RETURNS trigger LANGUAGE c AS '$libdir/autoinc', 'autoinc';
      CREATE FUNCTION public.tight(integer) RETURNS boolean IMMUTABLE LEAKPROOF LANGUAGE sql
        AS 'SELECT $1 > 0';
      CREATE TRIGGER native BEFORE INSERT ON public.supplier
        FOR EACH ROW EXECUTE FUNCTION public.native('name');
      ALTER TABLE public.supplier DISABLE TRIGGER native
      """
    ) { shop in
      let report = try #require(try await shop.rehearse(.apart(rows: 5)))

      let texts = report.warnings.map { "\($0.message) \($0.detail ?? "")" }
      #expect(texts.contains { $0.contains("leaves out extension \"pg_surgery\"") }, "\(texts)")
      for name in [
        "FUNCTION native()", "FUNCTION tight(integer)", "TRIGGER supplier native",
      ] {
        #expect(texts.contains { $0.contains(name) }, "\(name): \(texts)")
      }
    }
  }

  @Test
  func `roles reach neither files nor programs of the server`() async throws {
    let role = SQLIdentifier("reaching_\(UInt64.random(in: .min ... .max))")
    try await RehearsedShop.with(
      Self.telling(
        """
        (SELECT count(*) FROM pg_roles r WHERE r.rolname LIKE 'reaching%' \
        AND (r.rolsuper OR r.rolcreaterole OR r.rolreplication \
        OR pg_has_role(r.oid, 'pg_execute_server_program', 'MEMBER')))
        """
      )
    ) { shop in
      try shop.execute(
        "CREATE ROLE \(role) SUPERUSER CREATEROLE; GRANT pg_execute_server_program TO \(role)"
      )

      let error = await #expect(throws: RehearsalFailure.self) {
        try await shop.rehearse(.apart(rows: 0))
      }

      try shop.execute("DROP ROLE \(role)")
      #expect(error?.diagnostics.first?.message == "in the rehearsal: facts: 0")
    }
  }
}

extension RehearsedShop {
  /// Whether the server can have foreign tables of another server of its kind.
  fileprivate func hasForeignData() throws -> Bool {
    let count = try rows(
      """
      SELECT count(*)::text FROM pg_available_extensions WHERE name IN ('postgres_fdw', 'dblink')
      """
    )
    return count == [["2"]]
  }
}
