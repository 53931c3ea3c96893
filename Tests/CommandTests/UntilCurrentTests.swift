import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// An application's container waits for the one that migrates.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct UntilCurrentTests {
  @Test
  func `an application beside a later migrator`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        async let waiting = Tool.run(["check", "--until-current", "60s"] + call)
        try await Task.sleep(for: .seconds(1))
        // At the earlier version it continues to wait.
        let first = try await Tool.run(["migrate", "--to", "1"] + call)
        let second = try await Tool.run(["migrate"] + call)
        let check = try await waiting

        #expect(first.status == 0 && second.status == 0)
        #expect(check.status == 0, "\(check)")
        #expect(check.output.contains("current: the database is at version \"2\""))
      }
    }
  }

  @Test
  func `waiting for a database that nobody has migrated makes no errors`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let call = ["check", "--models", folder, "--database", url, "--until-current", "3s"]
        #expect(try await Tool.run(call).status == 2)

        // What a session has done is counted when it has ended.
        let rollbacks = try await rows(
          of: """
            SELECT xact_rollback FROM pg_stat_database, LATERAL (SELECT pg_sleep(1)) AS pause \
            WHERE datname = current_database()
            """,
          at: url
        )
        let count = rollbacks.first?.first.flatMap { $0 }.flatMap { Int($0) }
        // A look at an empty database is a dozen queries for metadata, and is to be taken once.
        #expect(try #require(count) < 24, "\(rollbacks)")
      }
    }
  }

  @Test
  func `nobody migrates`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let clock = ContinuousClock()
        let begin = clock.now
        let call = ["check", "--models", folder, "--database", url]
        let check = try await Tool.run(call + ["--until-current", "1s"])

        #expect(check.status == 2, "\(check)")
        #expect(begin.duration(to: clock.now) >= .seconds(1))
      }
    }
  }

  @Test
  func `a server that is not up yet`() async throws {
    try await withBundle(Version.first) { folder in
      // The first process waits for the server as well as for the version.
      let outcome = try await Tool.shell(
        """
        "$TOOL" migrate --scratch --keep-scratch --models '\(folder)' 2> '\(folder)/err' > /dev/null
        url=$(sed -n 's/^The throwaway server stays: //p' '\(folder)/err')
        stop=$(sed -n 's/^Stop it with: //p' '\(folder)/err')
        socket=$(echo "$url" | sed 's/.*host=\\([^&]*\\).*/\\1/')
        mv "$socket/.s.PGSQL.5432" "$socket/hidden"
        "$TOOL" check --models '\(folder)' --database "$url" --until-current 60s & check=$!
        sleep 1
        kill -0 $check || echo 'it did not wait'
        mv "$socket/hidden" "$socket/.s.PGSQL.5432"
        wait $check; status=$?
        $stop
        exit $status
        """
      )

      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.contains("current: the database is at version \"1\""), "\(outcome)")
      #expect(!outcome.output.contains("it did not wait"))
    }
  }

  @Test
  func `while a job is unfinished`() async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let migration = ["migrate", "--models", folder, "--database", url]
        #expect(try await Tool.run(migration + ["--to", "1"]).status == 0)
        try await execute("INSERT INTO public.book (title) VALUES ('a')", at: url)
        let online = migration + ["--strategy", "online"]
        _ = try await Tool.run(
          online,
          environment: ["REMODEL_FAILPOINT": "cutover.before_commit:1:kill9"]
        )
        let call = ["check", "--models", folder, "--database", url, "--until-current"]

        let early = try await Tool.run(call + ["1s"])
        async let waiting = Tool.run(call + ["60s"])
        let rerun = try await Tool.run(online)
        let late = try await waiting

        #expect(early.status == 2, "\(early)")
        #expect(rerun.status == 0, "\(rerun)")
        #expect(late.status == 0, "\(late)")
      }
    }
  }
}
