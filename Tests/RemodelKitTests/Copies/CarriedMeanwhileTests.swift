import PostgresClient
import RemodelKit
import SQLSyntax
import Synchronization
import TestSupport
import Testing

/// What people do to a table while it is copied in many transactions.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CarriedMeanwhileTests {
  private static let before: SQLFragment = """
    GRANT INSERT ON public.book TO dep_reader;
    ALTER TABLE public.book SET (autovacuum_enabled = false);
    CREATE INDEX gone ON public.book (title);
    CREATE INDEX kept ON public.book (lower(title)) WHERE isbn IS NOT NULL;
    CREATE STATISTICS public.both (ndistinct) ON title, isbn FROM public.book;
    """

  private static let meanwhile: SQLFragment = """
    GRANT SELECT ON public.book TO dep_reader;
    REVOKE INSERT ON public.book FROM dep_reader;
    COMMENT ON TABLE public.book IS 'all of them';
    ALTER TABLE public.book RESET (autovacuum_enabled), SET (fillfactor = 70);
    DROP INDEX public.gone;
    CREATE INDEX come ON public.book (author, title);
    ALTER TABLE public.book OWNER TO dep_owner;
    """

  private static let after: [[String?]] = [
    ["{fillfactor=70}", "t", "f", "all of them", "dep_owner", "come kept", "both"]
  ]

  private func found(_ url: String) throws -> [[String?]] {
    try PostgresConnection(to: .url(url)).query(
      """
      SELECT c.reloptions, has_table_privilege('dep_reader', c.oid, 'SELECT'),
        has_table_privilege('dep_reader', c.oid, 'INSERT'), obj_description(c.oid, 'pg_class'),
        pg_get_userbyid(c.relowner),
        (SELECT string_agg(i.relname, ' ' ORDER BY i.relname) FROM pg_index x
          JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid
          AND i.relname IN ('come', 'gone', 'kept')),
        (SELECT string_agg(s.stxname, ' ') FROM pg_statistic_ext s WHERE s.stxrelid = c.oid
          AND s.stxnamespace = 'public'::regnamespace)
      FROM pg_class c WHERE c.oid = 'public.book'::regclass
      """
    ).rows
  }

  /// Moments of a job that come once.
  private static let moments = [
    "chunk.after_commit", "index.after_commit", "verified.after_commit",
    "cutover.after_compareRecord",
  ]

  @Test(arguments: RandomCases.one(in: 2, of: [CopyStrategy.gated, .online]), moments)
  func `what is set on a table while it is copied is there at the end`(
    strategy: CopyStrategy,
    moment: String
  ) async throws {
    try await LibraryCopy(strategy).withDatabase { sample, url in
      try execute(DependentSample.roles, url)
      try execute(Self.before, url)
      let isDone = Flag()
      let remodel = sample.remodel(
        Failpoints { name, _ in
          guard name == moment, isDone.set() else { return }
          try execute(Self.meanwhile, url)
        }
      )

      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)

      #expect(isDone.isSet)
      #expect(try found(url) == Self.after)
      // There was only one job, and the audit log has one entry of it.
      #expect(try await remodel.jobs(.url(url)).count == 1)
      #expect(try await remodel.history(.url(url)).map(\.outcome) == ["succeeded", "succeeded"])
    }
  }

  @Test(arguments: RandomCases.one(in: 2, of: [CopyStrategy.gated, .online]), moments)
  func `settings of a table before a job continues exist at the end`(
    strategy: CopyStrategy,
    moment: String
  ) async throws {
    try await LibraryCopy(strategy).withDatabase { sample, url in
      try execute(DependentSample.roles, url)
      try execute(Self.before, url)
      let remodel = sample.remodel(killedAt: moment)
      await #expect(throws: (any Error).self) { try await remodel.migrate(.url(url)) }
      try execute(Self.meanwhile, url)

      #expect(try await sample.remodel().migrate(.url(url)).outcome == .migrated)

      #expect(try found(url) == Self.after)
      #expect(try await remodel.jobs(.url(url)).count == 1)
    }
  }

  @Test(arguments: [CopyStrategy.gated, .online])
  func `indexes of others are there before the end`(strategy: CopyStrategy) async throws {
    try await LibraryCopy(strategy).withDatabase { sample, url in
      try execute(DependentSample.roles, url)
      try execute(Self.before, url)
      try execute("CREATE UNIQUE INDEX single ON public.book (title)", url)
      try execute("CREATE UNIQUE INDEX said ON public.review (text)", url)
      let early = Mutex<[String]>([])
      let late = Mutex<[String]>([])
      let remodel = sample.remodel(
        Failpoints { name, _ in
          guard name == "verified.after_commit" else { return }
          let names = try PostgresConnection(to: .url(url)).query(
            """
            SELECT c.relname AS name FROM pg_class c
            WHERE c.relname IN ('gone', 'kept', 'single', 'said')
            AND c.relnamespace::regnamespace::text LIKE 'remodel\\_staging\\_%'
            UNION ALL SELECT s.stxname FROM pg_statistic_ext s JOIN pg_statistic_ext_data d
            ON d.stxoid = s.oid WHERE s.stxnamespace::regnamespace::text LIKE 'remodel%' ORDER BY 1
            """
          ).compactMap { $0["name"] }
          early.withLock { $0 = names }
        }
      )
      let plan = try await remodel.plan(.url(url)).plan
      let statements = plan.steps.flatMap(\.statements).map(\.sql.text)
      late.withLock { $0 = statements.filter { $0.contains("CREATE UNIQUE INDEX") } }

      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)

      // Values may go from one review to another while others write.
      let isOnline = strategy == .online
      #expect(
        early.withLock(\.self)
          == ["both", "gone", "kept"] + (isOnline ? [] : ["said"]) + ["single"]
      )
      #expect(late.withLock(\.self).count == (isOnline ? 1 : 0))
      #expect(!statements.contains { $0.contains("CREATE INDEX") })
    }
  }
}

/// Runs statements in a database.
private func execute(_ statements: SQLFragment, _ url: String) throws {
  try PostgresConnection(to: .url(url)).execute(statements)
}
