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

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct WaitingTests {
  @Test
  func `the owner of the lock is named`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["migrate", "--models", folder, "--database", url]
        _ = try await Tool.run(call + ["--to", "1"])

        let outcome = try await withLock(on: "book", at: url) {
          try await Tool.run(call + ["--lock-timeout", "50ms", "--lock-retry-for", "300ms"])
        }
        let after = try await Tool.run(call)

        #expect(outcome.status == 5)
        #expect(outcome.error.contains("process "))
        #expect(outcome.error.contains("book"))
        #expect(after.status == 0)
      }
    }
  }

  @Test
  func `verify waits for the given time`() async throws {
    // The server reads defaults and conditions under a lock.
    let described = Version.first.replacing(
      "pages: integer32?",
      with: "pages: { type: integer32, default: 1, validation: { minimum: 1, enforced: true } }"
    )
    try await withBundle(described) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate"] + call)

        let outcome = try await withLock(on: "book", in: "ACCESS EXCLUSIVE", at: url) {
          try await Tool.run(
            ["verify", "--lock-timeout", "50ms", "--lock-retry-for", "300ms"] + call
          )
        }

        #expect(outcome.status == 5, "\(outcome)")
        #expect(outcome.error.contains("--lock-retry-for"))
      }
    }
  }

  @Test
  func `a table that nobody may read holds up neither plans nor what waits for a limit`()
    async throws
  {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + call)

        try await withLock(on: "book", in: "ACCESS EXCLUSIVE", at: url) {
          let status = try await Tool.run(["status"] + call)
          let plan = try await Tool.run(["plan"] + call)
          let migrate = try await Tool.run(["migrate", "--lock-retry-for", "300ms"] + call)

          #expect(status.status == 0)
          #expect(plan.status == 0)
          #expect(migrate.status == 5)
          #expect(migrate.error.contains("book"))
        }
      }
    }
  }

  @Test(arguments: [
    (Signal.terminate, Int32(143)), (.interrupt, 130), (.terminalClosed, 143),
  ])
  func `a signal ends a migration that waits, and nothing has changed`(
    signal: Signal,
    status: Int32
  ) async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["migrate", "--models", folder, "--database", url]
        _ = try await Tool.run(call + ["--to", "1"])

        let outcome = try await withLock(on: "book", at: url) {
          try await Tool.run(
            call + ["--lock-timeout", "30s"],
            signal: signal,
            whenErrorHas: "step started"
          )
        }
        let tables = try await rows(
          of: "SELECT relname FROM pg_class WHERE relname = 'author'",
          at: url
        )
        let sessions = try await rows(
          of: """
            SELECT pid::text FROM pg_stat_activity WHERE datname = current_database() \
            AND pid <> pg_backend_pid() AND state <> 'idle' AND backend_type = 'client backend'
            """,
          at: url
        )

        #expect(outcome.status == status, "\(outcome.error)")
        #expect(tables.isEmpty)
        #expect(sessions.isEmpty)
      }
    }
  }

  // The time limit is a fraction of the wait.
  @Test(.timeLimit(.minutes(30)))
  func `a signal ends the wait for a server at once`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.shell(
        """
        "$TOOL" check --models '\(folder)' --database postgresql://127.0.0.1:1/d --wait 7d &
        sleep 1; kill -TERM $!; wait $!
        """
      )

      #expect(outcome.status == 143)
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `a signal that was inherited as ignored is caught`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.shell(
        """
        trap '' INT TERM HUP
        "$TOOL" check --models '\(folder)' --database postgresql://127.0.0.1:1/d --wait 7d &
        # The first ones may come before there is anybody to catch them.
        while kill -INT $! 2>/dev/null; do sleep 1; done; wait $!
        """
      )

      #expect(outcome.status == 130)
    }
  }

  @Test(.sampled(oneIn: 3))
  func `a signal removes the throwaway server`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.shell(
        """
        TMPDIR='\(folder)' "$TOOL" check --scratch --models '\(folder)' --until-current 60s &
        for i in $(seq 300); do
          ! [ -S '\(folder)'/remodel-*/.s.PGSQL.5432 ] || break
          sleep 0.1
        done
        sleep 0.5; kill -TERM $!; wait $!
        """
      )
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)

      #expect(outcome.status == 143, "\(outcome.error)")
      #expect(left == ["Library.remodel"])
    }
  }
}
