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

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How a rehearsal ends before it is over, and what its programs are told.
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

  @Test(arguments: Place.allCases)
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

  @Test
  func `programs get nothing of the environment that they do not need`() async throws {
    let binaries = try await ServerBinaries.find().path
    let folder = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    // Where a folder has links to the server's programs alone, the others are beside these.
    let server = URL(filePath: "\(binaries)/postgres").resolvingSymlinksInPath()
    let folders = [binaries, server.deletingLastPathComponent().path, "/usr/bin"]
    for name in ["initdb", "postgres", "pg_dump", "psql"] {
      let original = try #require(
        folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
      )
      let program = "\(folder)/\(name)"
      let script = "#!/bin/sh\nenv >>\(folder)/\(name).env\nexec \(original) \"$@\"\n"
      try script.write(toFile: program, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }
    try await RehearsedShop.with { shop in
      var configuration = shop.remodel.configuration
      configuration.serverBinaries = folder
      // Of no meaning to anything else that runs in this process.
      setenv("REMODEL_SECRET_OF_TEST", "Sekret_77x", 1)
      defer { unsetenv("REMODEL_SECRET_OF_TEST") }

      let report = try await Remodel(configuration).plan(
        .url(shop.url + "&password=of_connection"),
        rehearsing: .apart(rows: 1)
      )

      #expect(report.rehearsal != nil)
    }
    for name in ["pg_dump", "psql", "postgres", "initdb"] {
      let text = try String(contentsOfFile: "\(folder)/\(name).env", encoding: .utf8)
      #expect(!text.contains("Sekret_77x"), "\(name)")
      #expect(text.contains("of_connection") == (name == "pg_dump"), "\(name)")
    }
  }
}
