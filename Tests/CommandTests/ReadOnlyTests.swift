import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// A role with no rights but to connect looks at everything, also where it may not write.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ReadOnlyTests {
  private static let second = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32? }
        unique: [[title]]
      Author:
        attributes: { name: string }
    """

  @Test(arguments: [false, true])
  func `a role without rights`(isReadOnly: Bool) async throws {
    try await withBundle(Version.first, Self.second) { folder in
      try await TestServer.withDatabase { url in
        let migration = ["migrate", "--to", "1", "--models", folder, "--database", url]
        #expect(try await Tool.run(migration).status == 0)
        try await execute(
          """
          DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mere_reader') THEN
            CREATE ROLE mere_reader LOGIN; END IF; END $$;
          REVOKE ALL ON SCHEMA public FROM PUBLIC;
          INSERT INTO public.book (title) VALUES ('a');
          """,
          at: url
        )
        let options = isReadOnly ? "&options=-c%20default_transaction_read_only%3Don" : ""
        let reader = url.replacing("user=postgres", with: "user=mere_reader") + options
        let call = ["--models", folder, "--database", reader, "--format", "json"]

        for (verb, status) in [
          ("plan", 0), ("status", 0), ("check", 2), ("verify", 0), ("history", 0), ("job list", 0),
        ] as [(String, Int32)] {
          let words = verb.split(separator: " ").map(String.init)
          let outcome = try await Tool.run(words + call)
          #expect(outcome.status == status, "\(verb): \(outcome)")
        }
        let plan = try await Tool.run(["plan"] + call)
        #expect(plan.output.contains("\"preconditions\""))
        let rows = try await Tool.run(["verify", "--rows"] + call)
        #expect(rows.status == 0, "\(rows)")
        let job = try await Tool.run(["job", "show"] + call)
        #expect(job.status == 64, "\(job)")
        #expect(job.output.contains("no copy job"), "\(job)")
        let refused = try await Tool.run(["migrate"] + call)
        #expect(refused.status == 7, "\(refused)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a role without rights sees a job`(isReadOnly: Bool) async throws {
    let second = Version.first.replacing(
      "pages: integer32?",
      with: "pages: integer32?, shout: string?"
    )
    try await withBundle(Version.first, second) { folder in
      try write(
        """
        remodelMapping: 1
        source: 1
        destination: 2
        entities:
          - source: Book
            destination: Book
            attributes: { title: title, pages: pages, shout: "uppercase(title)" }
        """,
        to: "\(folder)/a.mapping.yaml"
      )
      try await TestServer.withDatabase { url in
        let migration = ["migrate", "--models", folder, "--database", url]
        #expect(try await Tool.run(migration + ["--to", "1"]).status == 0)
        try await execute(
          """
          DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mere_reader') THEN
            CREATE ROLE mere_reader LOGIN; END IF; END $$;
          INSERT INTO public.book (title) SELECT 'title ' || i FROM generate_series(1, 100) AS i
          """,
          at: url
        )
        _ = try await Tool.run(
          migration + ["--strategy", "online"],
          environment: ["REMODEL_FAILPOINT": "index.before_commit:1:kill9"]
        )
        let options = isReadOnly ? "&options=-c%20default_transaction_read_only%3Don" : ""
        let reader = url.replacing("user=postgres", with: "user=mere_reader") + options
        let call = ["--models", folder, "--database", reader, "--format", "json"]

        for (verb, status) in [
          ("plan", 0), ("status", 0), ("check", 2), ("verify", 2), ("history", 0), ("job list", 0),
          ("job show", 0),
        ] as [(String, Int32)] {
          let words = verb.split(separator: " ").map(String.init)
          let outcome = try await Tool.run(words + call)
          #expect(outcome.status == status, "\(verb): \(outcome)")
        }
        // What the job has put on the tables is no drift, and that there is a job is said.
        let found = try await Tool.run(["verify"] + call)
        #expect(found["drift"] == [])
        #expect(found["job"] != nil && found["job"] != JSONValue.null)

        #expect(try await Tool.run(migration + ["--strategy", "online"]).status == 0)
        #expect(try await Tool.run(["verify"] + call).status == 0)
      }
    }
  }
}
