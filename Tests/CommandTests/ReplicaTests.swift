import SQLSyntax
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Many replicas that start at once; as often as `REMODEL_CASES` says.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ReplicaTests {
  @Test(arguments: 0..<RandomCases.count(orElse: 1))
  func `of twenty one is killed, one migrates, and all others end with 0`(round: Int) async throws {
    try await withBundle(Version.first, Version.withAuthor, Version.withBlurb) { folder in
      try await expectOneMigration(of: folder, folder, rows: "", round, [["1", "3"]])
    }
  }

  @Test(arguments: 0..<RandomCases.count(orElse: 1))
  func `and so it is where rows are copied and tables rebuilt`(round: Int) async throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let rows = "psql --quiet --dbname \"$DATABASE_URL\" --file \"$REMODEL_MODELS/rows.sql\""
    try await withBundle(Version.first) { folder in
      let models = root.appending(path: "migrations").path
      try await expectOneMigration(
        of: models,
        folder,
        rows: rows,
        round,
        [["1", "2"], ["2", "3"]]
      )
    }
  }

  /// Starts twenty replicas, of which one is killed at some moment.
  private func expectOneMigration(
    of models: String,
    _ folder: String,
    rows addition: String,
    _ round: Int,
    _ steps: [[String?]]
  ) async throws {
    var generator = SeededGenerator(seed: UInt64(round) + 1)
    let delay = Int.random(in: 0...400, using: &generator)
    let victim = Int.random(in: 1...20, using: &generator)
    try await TestServer.withDatabase { url in
      let variables = ["DATABASE_URL": url, "REMODEL_MODELS": models]
      _ = try await Tool.run("migrate", "--to", "1", environment: variables)
      _ = try await Tool.shell(addition, variables)

      let outcome = try await Tool.shell(
        """
        replicas=
        for i in $(seq 20); do
          "$TOOL" migrate >'\(folder)'/$i.log 2>&1 & replicas="$replicas $!"
          [ $i != \(victim) ] || killed=$!
        done
        sleep \(Double(delay) / 1_000); kill -KILL $killed
        for replica in $replicas; do
          status=0; wait $replica || status=$?
          [ $replica = $killed ] || echo $status
          [ $status = 0 ] || [ $replica = $killed ] || cat '\(folder)'/*.log >&2
        done
        """,
        variables
      )
      let history = try await rows(
        of: """
          SELECT from_version, to_version FROM remodel.history \
          WHERE outcome = 'succeeded' ORDER BY id
          """,
        at: url
      )
      let attempts = try await rows(
        of: "SELECT count(*) FROM remodel.history WHERE outcome = 'failed'",
        at: url
      )
      let check = try await Tool.run("verify", environment: variables)
      // A session ends a moment after its client.
      try await execute(
        """
        DO $$ BEGIN FOR i IN 1..600 LOOP IF NOT EXISTS (SELECT FROM pg_stat_activity \
        WHERE datname = current_database() AND backend_type = 'client backend' \
        AND pid <> pg_backend_pid()) THEN RETURN; END IF; \
        PERFORM pg_sleep(0.1), pg_stat_clear_snapshot(); END LOOP; \
        RAISE EXCEPTION 'sessions are left'; END $$
        """,
        at: url
      )

      #expect(
        outcome.output.split(separator: "\n") == Array(repeating: "0", count: 19),
        "\(outcome.error)"
      )
      #expect(history == [[nil, "1"]] + steps)
      #expect(attempts == [["0"]])
      #expect(check.status == 0, "\(check.output)")
    }
  }
}
