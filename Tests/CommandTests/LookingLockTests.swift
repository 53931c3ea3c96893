import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Who only looks waits for those who change tables, as who migrates does.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LookingLockTests {
  @Test(arguments: RandomCases.one(in: 3, of: [["revert"], ["revert", "--dry-run"], ["verify"]]))
  func `a revert waits for a table that others change`(verb: [String]) async throws {
    try await withLockedStore { call, session in
      // Longer than one attempt takes.
      async let end: Void = session.run { connection in
        _ = try connection.execute("SELECT pg_sleep(3)")
        _ = try connection.execute("COMMIT")
      }
      let outcome = try await Tool.run(verb + call)
      try await end

      #expect(outcome.status == 0, "\(verb): \(outcome)")
    }
  }

  @Test(arguments: [["revert"], ["revert", "--dry-run"]])
  func `who keeps a table for longer is named`(verb: [String]) async throws {
    try await withLockedStore { call, _ in
      let limits = ["--lock-timeout", "50ms", "--lock-retry-for", "1s"]

      let outcome = try await Tool.run(verb + limits + call)

      #expect(outcome.status == 5, "\(verb): \(outcome)")
      #expect(outcome.error.contains("could not get all locks"))
      #expect(outcome.error.contains("\"book\""))
    }
  }

  /// Gives a store at its second version to a function, of which another session keeps everybody from
  /// a table.
  private func withLockedStore(
    _ body: (_ call: [String], PostgresSession) async throws -> Void
  ) async throws {
    // Finding the losses of a revert reads the table.
    let second = Version.first.replacing(", pages: integer32?", with: "")
    try await withBundle(Version.first, second) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        #expect(try await Tool.run(["migrate", "--to", "1"] + call).status == 0)
        #expect(try await Tool.run(["migrate", "--removals", "drop"] + call).status == 0)
        let session = try await PostgresSession.connect(to: .url(url))
        try await session.run { connection in
          _ = try connection.execute("SET idle_in_transaction_session_timeout = 0")
          _ = try connection.execute("BEGIN")
          _ = try connection.execute("LOCK TABLE public.book IN ACCESS EXCLUSIVE MODE")
        }
        do {
          try await body(call, session)
          await session.close()
        } catch {
          await session.close()
          throw error
        }
      }
    }
  }
}
