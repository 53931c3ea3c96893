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
      try await withRole("mere_reader") { _, url, login in
        let migration = ["migrate", "--to", "1", "--models", folder, "--database", url]
        #expect(try await Tool.run(migration).status == 0)
        try await execute(
          """
          REVOKE ALL ON SCHEMA public FROM PUBLIC;
          INSERT INTO public.book (title) VALUES ('a');
          """,
          at: url
        )
        let call = call(isReadOnly, folder, login)

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
    try await withCopiedBooks { folder in
      try await withRole("mere_reader") { _, url, login in
        let migration = ["migrate", "--models", folder, "--database", url]
        #expect(try await Tool.run(migration + ["--to", "1"]).status == 0)
        try await execute(
          "INSERT INTO public.book (title) SELECT 'title ' || i FROM generate_series(1, 100) AS i",
          at: url
        )
        _ = try await Tool.run(
          migration + ["--strategy", "online"],
          environment: ["REMODEL_FAILPOINT": "index.before_commit:1:kill9"]
        )
        let call = call(isReadOnly, folder, login)

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

  private func call(_ isReadOnly: Bool, _ folder: String, _ login: String) -> [String] {
    let options = isReadOnly ? "&options=-c%20default_transaction_read_only%3Don" : ""
    return ["--models", folder, "--database", login + options, "--format", "json"]
  }
}
