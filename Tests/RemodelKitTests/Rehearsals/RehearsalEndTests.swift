import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// How a rehearsal ends before it is over.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RehearsalEndTests {
  /// Where a rehearsal is held up for hours.
  enum Place: CaseIterable {
    /// `pg_dump` waits for a lock.
    case dump
    /// A check of the copy takes its time over a row.
    case rows
    /// An event trigger of the copy holds the migration up.
    case migration

    var obstacle: SQLFragment {
      switch self {
      case .dump: ""
      case .rows:
        """
        CREATE FUNCTION public.nap() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
          IF current_database() = 'rehearsal' THEN PERFORM pg_sleep(7200); END IF; RETURN true;
        END $$;
        ALTER TABLE public.good ADD CHECK (public.nap())
        """
      case .migration:
        """
        CREATE FUNCTION public.nap() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_sleep(7200);
        END $$;
        CREATE EVENT TRIGGER nap ON ddl_command_end WHEN TAG IN ('CREATE INDEX')
          EXECUTE FUNCTION public.nap()
        """
      }
    }
  }

  @Test(arguments: RandomCases.one(in: 2, of: Place.allCases))
  func `a rehearsal ends with its task`(place: Place) async throws {
    try await RehearsedShop.with { shop in
      if place != .dump { try shop.execute(place.obstacle) }
      var configuration = shop.remodel.configuration
      configuration.lockRetryFor = .seconds(7_200)
      let remodel = Remodel(configuration)
      let before = try shop.state()
      let holder = LockHolder("LOCK TABLE public.good IN ACCESS EXCLUSIVE MODE", shop.url)
      if place == .dump { holder.take() }
      let url = shop.url
      let task = Task { try await remodel.plan(.url(url), rehearsing: .apart(rows: 3)) }
      // A locked table is waited for before all rows are read, which is the last to be seen from here.
      try await wait(for: place == .dump ? Self.waitingSession : Self.snapshot, at: url)
      try await Task.sleep(for: .seconds(place == .dump ? 1 : 4))

      task.cancel()

      await #expect(throws: CancellationError.self) { try await task.value }
      if place == .dump { holder.release() }
      try await wait(until: "no session is left") { try sessions(url) == 0 }
      #expect(try shop.state() == before)
    }
  }

  /// A session that waits for the lock on a table.
  private static let waitingSession: SQLFragment = """
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'relation'
    """

  /// The session that others read the rows of a database with.
  private static let snapshot: SQLFragment = """
    SELECT FROM pg_stat_activity WHERE datname = current_database() \
    AND pid <> pg_backend_pid() AND query LIKE '%pg_export_snapshot%'
    """

  private func sessions(_ url: String) throws -> Int {
    try PostgresConnection(to: .url(url)).query(
      """
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() \
      AND backend_type = 'client backend'
      """
    ).count
  }
}
