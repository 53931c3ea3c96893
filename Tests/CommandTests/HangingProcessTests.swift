import SQLSyntax
import Subprocess
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A process that hangs in the middle of a transaction and wakes up when another one has done its
/// work.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct HangingProcessTests {
  /// Places in transactions of a copy, each of another kind.
  private static let places = ["chunk.before_commit", "apply.statement", "cutover.before_commit"]

  @Test(arguments: RandomCases.one(in: 2, of: places))
  func `a process that was stopped writes nothing after another one has taken over`(
    place: String
  ) async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url, "--format", "json"]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        try await execute(
          """
          INSERT INTO public.book (title, pages) \
          SELECT 'title ' || i, i FROM generate_series(1, 5000) AS i
          """,
          at: url
        )
        let call = ["migrate", "--strategy", "online"] + options

        let zombie = try await Tool.run(
          call,
          environment: ["REMODEL_FAILPOINT": "\(place):1:stop"]
        ) { process in
          try await untilHanging(url)
          try await loseSession(url)
          let successor = try await Tool.run(call)
          #expect(successor.status == 0, "\(successor)")
          let contents = try await contents(url)
          try process.send(signal: .resume)
          return contents
        }

        #expect(zombie.status == 0, "\(zombie.error)")
        #expect(try await contents(url) == zombie.result)
        let count = try await rows(
          of: "SELECT count(*) FROM public.book WHERE shout = upper(title)",
          at: url
        )
        #expect(count == [["5000"]])
      }
    }
  }

  /// Waits until the process hangs with a transaction.
  private func untilHanging(_ url: String) async throws {
    try await wait(until: "a session hangs") {
      let found = try await rows(
        of: """
          SELECT count(*) FROM pg_stat_activity WHERE application_name = 'remodel' \
          AND datname = current_database() AND state = 'idle in transaction' \
          AND state_change < clock_timestamp() - interval '1 s'
          """,
        at: url
      )
      return found == [["1"]]
    }
  }

  /// Has the server end the session that does nothing, unless there is time to wait until the limit
  /// does so.
  private func loseSession(_ url: String) async throws {
    guard !RandomCases.isEverything else { return }
    try await execute(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
      WHERE application_name = 'remodel' AND datname = current_database() \
      AND pid <> pg_backend_pid() AND state = 'idle in transaction'
      """,
      at: url
    )
  }

  /// What is in the tables and in the metadata, with the transactions that wrote it.
  private func contents(_ url: String) async throws -> [[String?]] {
    try await rows(
      of: """
        SELECT 'book', b.xmin::text, b::text FROM public.book b
        UNION ALL SELECT 'job', j.xmin::text, j::text FROM remodel.job j
        UNION ALL SELECT 'chunk', c.xmin::text, c::text FROM remodel.job_chunk c
        UNION ALL SELECT 'event', e.xmin::text, e::text FROM remodel.job_event e
        UNION ALL SELECT 'history', h.xmin::text, h::text FROM remodel.history_event h
        UNION ALL SELECT 'relation', c.xmin::text, c.oid::text FROM pg_class c WHERE c.oid > 16383
        ORDER BY 1, 3
        """,
      at: url
    )
  }
}
