import Dispatch
import RemodelKit
import SQLSyntax
import Synchronization
import TestSupport
import Testing

/// What others with rights to the table do while it is filled.
extension FillFaultTests {
  @Test(
    arguments: RandomCases.one(
      in: 2,
      of: [
        "prepare.after_commit", "guard.fenced", "guard.after_commit", "chunk.fenced",
        "chunk.after_commit", "verified.after_commit",
      ]
    )
  )
  func `a trigger that a neighbour adds meanwhile never runs with our rights`(
    place: String
  ) async throws {
    try await withFilledBundle { bundle in
      try await withRole("neighbour of fills") { role, url, login in
        try await prepare(bundle, url)
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          GRANT TRIGGER ON public.sale TO \(role);
          CREATE SCHEMA neighbour AUTHORIZATION \(role);
          SET ROLE \(role);
          CREATE SEQUENCE neighbour.fired;
          CREATE FUNCTION neighbour.pwn() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM nextval(''neighbour.fired''); RETURN NEW; END';
          RESET ROLE
          """
        )
        let neighbour = Neighbour(login: login)
        let failpoints = Failpoints { name, _ in
          if name == place { try neighbour.addTrigger() }
        }

        await #expect(throws: (any Error).self) {
          try await remodel(bundle, failpoints).migrate(.url(url))
        }

        try neighbour.wait()
        let fired = try connection.query("SELECT is_called FROM neighbour.fired").first
        #expect(fired?.boolean("is_called") == false)
        try connection.execute("DROP TRIGGER pwn ON public.sale")
        #expect(try await remodel(bundle).migrate(.url(url)).outcome == .migrated)
      }
    }
  }

  @Test
  func `default privileges let nobody into the schema of a fill`() async throws {
    try await withFilledBundle { bundle in
      try await withRole("neighbour of fills") { role, url, _ in
        try await prepare(bundle, url)
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO \(role), PUBLIC;
          ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO \(role)
          """
        )
        await #expect(throws: (any Error).self) {
          try await remodel(bundle, dying(at: "prepare.after_commit")).migrate(.url(url))
        }

        let rights = try connection.query(
          """
          SELECT has_schema_privilege(\(text: role.name), oid, 'USAGE') AS may FROM pg_namespace
            WHERE nspname LIKE 'remodel\\_staging%'
          """
        )
        #expect(rights.map { $0.boolean("may") } == [false])
        try connection.execute(
          """
          ALTER DEFAULT PRIVILEGES REVOKE ALL ON SCHEMAS FROM \(role), PUBLIC;
          ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM \(role)
          """
        )
      }
    }
  }
}

/// Somebody who may add triggers to the table, and commits half a second later.
private final class Neighbour: Sendable {
  private let login: String
  private let group = DispatchGroup()
  private let state = Mutex<(isBegun: Bool, error: (any Error)?)>((false, nil))

  init(login: String) { self.login = login }

  /// Adds a trigger, and returns while it is not yet committed.
  func addTrigger() throws {
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    guard isFirst else { return }
    let isAdded = DispatchSemaphore(value: 0)
    DispatchQueue(label: "neighbour").async(group: group) { [self] in
      do {
        let connection = try PostgresConnection(to: .url(login))
        try connection.execute("SET lock_timeout = '10s'")
        try connection.execute(
          """
          BEGIN;
          CREATE TRIGGER pwn BEFORE UPDATE OF remodel_temporary_label ON public.sale
            FOR EACH ROW EXECUTE FUNCTION neighbour.pwn()
          """
        )
        isAdded.signal()
        try connection.execute("SELECT pg_sleep(0.5); COMMIT")
      } catch {
        state.withLock { $0.error = error }
        isAdded.signal()
      }
    }
    isAdded.wait()
  }

  /// Waits until it is committed.
  func wait() throws {
    group.wait()
    if let error = state.withLock({ $0.error }) { throw error }
  }
}
