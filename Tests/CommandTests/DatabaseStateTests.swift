import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// The table of exit codes by the state of the database.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct DatabaseStateTests {
  /// The exit codes of the verbs that look at a database, and of the one that moves it.
  struct Codes: Equatable {
    var plan: Int32?
    var status: Int32?
    var check: Int32?
    var migrate: Int32?
  }

  private func codes(_ folder: String, _ url: String, _ options: String...) async throws -> Codes {
    let call = ["--models", folder, "--database", url]
    return Codes(
      plan: try await Tool.run(["plan"] + call + options).status,
      status: try await Tool.run(["status"] + call).status,
      check: try await Tool.run(["check"] + call).status,
      migrate: try await Tool.run(["migrate"] + call + options).status
    )
  }

  private func migrate(_ folder: String, _ url: String, to version: String) async throws {
    let outcome = try await Tool.run(
      "migrate",
      "--models",
      folder,
      "--database",
      url,
      "--to",
      version
    )
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  @Test
  func `empty, then at the target`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let empty = try await codes(folder, url)
        let current = try await codes(folder, url)

        #expect(empty == Codes(plan: 0, status: 0, check: 2, migrate: 0))
        #expect(current == Codes(plan: 0, status: 0, check: 0, migrate: 0))
      }
    }
  }

  @Test
  func `tables that are not ours`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        try await execute("CREATE TABLE public.foreign_one (id int)", at: url)

        let found = try await codes(folder, url)

        #expect(found == Codes(plan: 4, status: 4, check: 4, migrate: 4))
      }
    }
  }

  @Test
  func `older, with a way`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        try await migrate(folder, url, to: "1")

        let found = try await codes(folder, url)

        #expect(found == Codes(plan: 0, status: 0, check: 2, migrate: 0))
      }
    }
  }

  @Test
  func `older, without a way`() async throws {
    try await withBundle(Version.first, Version.datePages) { folder in
      try await TestServer.withDatabase { url in
        try await migrate(folder, url, to: "1")

        let found = try await codes(folder, url)

        #expect(found == Codes(plan: 3, status: 0, check: 2, migrate: 3))
      }
    }
  }

  @Test
  func `newer than the models at hand`() async throws {
    try await TestServer.withDatabase { url in
      try await withBundle(Version.first, Version.withAuthor) { folder in
        try await migrate(folder, url, to: "2")
      }
      try await withBundle(Version.first) { folder in
        let found = try await codes(folder, url)

        #expect(found == Codes(plan: 4, status: 0, check: 2, migrate: 4))
      }
    }
  }

  @Test
  func `reverted`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        try await migrate(folder, url, to: "2")
        try await migrate(folder, url, to: "1")

        let found = try await codes(folder, url)

        #expect(found == Codes(plan: 4, status: 0, check: 2, migrate: 4))
        let call = ["--models", folder, "--database", url]
        let status = try await Tool.run(["status", "--format", "json"] + call)
        #expect(status["state"] == "reverted")
        let words = try await Tool.run(["status"] + call)
        #expect(words.output.contains("migrate --to 2 migrates there again"), "\(words)")
        #expect(!words.output.contains("nothing leads"))
      }
    }
  }

  @Test
  func `a version that was edited`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        try await migrate(folder, url, to: "1")
        try write(Version.requiredPages, to: "\(folder)/Library.remodel/1.yaml")

        let outcome = try await Tool.run("migrate", "--models", folder, "--database", url)

        #expect(outcome.status == 65)
        #expect(outcome.error.contains("has been edited"))
      }
    }
  }

  @Test
  func `rows that do not allow it`() async throws {
    try await withBundle(Version.first, Version.requiredPages) { folder in
      try await TestServer.withDatabase { url in
        try await migrate(folder, url, to: "1")
        try await execute("INSERT INTO public.book (title) VALUES ('a'), ('b')", at: url)

        let text = try await Tool.run("migrate", "--models", folder, "--database", url)
        let json = try await Tool.run(
          "migrate",
          "--models",
          folder,
          "--database",
          url,
          "--format",
          "json"
        )
        let plan = try await Tool.run("plan", "--models", folder, "--database", url)
        let status = try await Tool.run(
          "status",
          "--models",
          folder,
          "--database",
          url,
          "--format",
          "json"
        )

        #expect(text.status == 9)
        #expect(text.error.contains("2 rows"))
        #expect(json.status == 9)
        #expect(json["code"] == 9)
        #expect(plan.status == 9)
        #expect(plan.output.contains("2 rows in the way"))
        #expect(status["version"] == "1")
      }
    }
  }

  @Test
  func `removals that are refused`() async throws {
    try await withBundle(Version.first, Version.withoutPages) { folder in
      try await TestServer.withDatabase { url in
        try await migrate(folder, url, to: "1")

        let refused = try await Tool.run(
          "migrate",
          "--models",
          folder,
          "--database",
          url,
          "--removals",
          "refuse"
        )
        let denied = try await Tool.run(
          "migrate",
          "--models",
          folder,
          "--database",
          url,
          "--removals",
          "drop",
          environment: ["REMODEL_DENY": "deletes-data"]
        )
        let retained = try await Tool.run("migrate", "--models", folder, "--database", url)
        let status = try await Tool.run("status", "--models", folder, "--database", url)

        #expect(refused.status == 7)
        #expect(denied.status == 7)
        #expect(retained.status == 0)
        #expect(status.output.contains("column \"pages\" of table \"book\""))
      }
    }
  }

  @Test
  func `a difference has an exit code of its own on request`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url, "--exit-code"]

        let statusBefore = try await Tool.run(["status"] + call).status
        let planBefore = try await Tool.run(["plan"] + call).status
        try await migrate(folder, url, to: "2")
        let statusAfter = try await Tool.run(["status"] + call).status
        let planAfter = try await Tool.run(["plan"] + call).status

        #expect([statusBefore, planBefore, statusAfter, planAfter] == [2, 2, 0, 0])
      }
    }
  }

  @Test
  func `a server that is not there`() async throws {
    try await withBundle(Version.first) { folder in
      let clock = ContinuousClock()
      let begin = clock.now

      let outcome = try await Tool.run(
        "check",
        "--models",
        folder,
        "--database",
        "postgresql://127.0.0.1:1/d",
        "--until-current",
        "1s"
      )

      #expect(outcome.status == 6)
      #expect(begin.duration(to: clock.now) >= .seconds(1))
    }
  }

  @Test
  func `a login that is refused`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let other = url + (url.contains("?") ? "&" : "?") + "user=nobody_at_all"

        let outcome = try await Tool.run("status", "--models", folder, "--database", other)

        #expect(outcome.status == 6)
      }
    }
  }

  @Test
  func `a check waits until another has migrated`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let tooShort = try await Tool.run(
          "check",
          "--models",
          folder,
          "--database",
          url,
          "--until-current",
          "300ms"
        )
        async let check = Tool.run(
          "check",
          "--models",
          folder,
          "--database",
          url,
          "--until-current",
          "60s"
        )
        let migration = try await Tool.run("migrate", "--models", folder, "--database", url)
        let status = try await check.status

        #expect(tooShort.status == 2)
        #expect(migration.status == 0)
        #expect(status == 0)
      }
    }
  }
}
