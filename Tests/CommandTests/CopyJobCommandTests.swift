import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Copy jobs as users see them: processes that are killed, and the verbs about jobs.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CopyJobCommandTests {
  private func mapping(_ shout: String) -> String {
    CopiedBooks.mapping.replacing("uppercase(title)", with: shout)
  }

  /// Gives a database of the first version with rows, and the options for it.
  private func withRows(_ body: (_ folder: String, _ url: String) async throws -> Void) async throws
  {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let creation = try await Tool.run(["migrate", "--to", "1"] + options(folder, url))
        #expect(creation.status == 0, "\(creation)")
        try await execute(
          """
          INSERT INTO public.book (title, pages) \
          SELECT 'title ' || i, i FROM generate_series(1, 5000) AS i
          """,
          at: url
        )
        try await body(folder, url)
      }
    }
  }

  private func options(_ folder: String, _ url: String) -> [String] {
    ["--models", folder, "--database", url, "--format", "json"]
  }

  private func isMigrated(_ url: String) async throws -> Bool {
    let found = try await rows(
      of: "SELECT count(*) FROM public.book WHERE shout = upper(title)",
      at: url
    )
    return found == [["5000"]]
  }

  @Test(
    arguments: RandomCases.one(
      in: 3,
      of: [
        "prepare.before_commit", "guard.before_commit", "chunk.before_commit", "chunk.after_commit",
        "index.before_commit", "compared.before_commit", "cutover.before_commit",
        "cutover.after_commit",
      ]
    )
  )
  func `another process continues after one that is killed`(place: String) async throws {
    for strategy in ["gated", "online"] {
      try await withRows { folder, url in
        let call = ["migrate", "--strategy", strategy] + options(folder, url)

        let killed = try await Tool.run(
          call,
          environment: ["REMODEL_FAILPOINT": "\(place):1:kill9"]
        )
        let rerun = try await Tool.run(call)

        #expect(killed.output.isEmpty, "\(killed)")
        #expect(rerun.status == 0, "\(rerun)")
        #expect(try await isMigrated(url))
      }
    }
  }

  @Test(arguments: ["locked", "gated"])
  func `rows without a required value are counted, however they are copied`(
    strategy: String
  ) async throws {
    let second = CopiedBooks.second.replacing("shout: string?", with: "shout: string")
    try await withBundle(Version.first, second) { folder in
      try write(mapping("split(title, ' ', pages)"), to: "\(folder)/a.mapping.yaml")
      try await TestServer.withDatabase { url in
        let options = options(folder, url)
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        try await execute(
          "INSERT INTO public.book (title, pages) VALUES ('a b', 0), ('a b', 1), ('a b', 2)",
          at: url
        )

        let refused = try await Tool.run(["migrate", "--strategy", strategy] + options)

        #expect(refused.status == 9, "\(refused)")
        #expect("\(refused)".contains("1 row in the way. Keys: 3."), "\(refused)")
        #expect(try await rows(of: "SELECT count(*) FROM public.book", at: url) == [["3"]])
      }
    }
  }

  @Test
  func `jobs are shown, paused, resumed and taken back`() async throws {
    try await withRows { folder, url in
      let options = options(folder, url)
      let call = ["migrate", "--strategy", "gated"] + options
      _ = try await Tool.run(
        call,
        environment: ["REMODEL_FAILPOINT": "chunk.after_commit:1:kill9"]
      )

      let status = try await Tool.run(["status"] + options)
      let list = try await Tool.run(["job", "list"] + options)
      let pause = try await Tool.run(["job", "pause"] + options)
      let refused = try await Tool.run(call)
      let resume = try await Tool.run(["job", "resume"] + options)
      try write(mapping("lowercase(title)"), to: "\(folder)/a.mapping.yaml")
      let otherPlan = try await Tool.run(call)
      let locked = try await Tool.run(["migrate", "--strategy", "locked"] + options)
      let cancel = try await Tool.run(["job", "cancel"] + options)
      let show = try await Tool.run(["job", "show"] + options)
      let tooLate = try await Tool.run(["job", "cancel"] + options)

      try expectSuccess(status, toBe: "status")
      #expect(status["jobs"] == list["jobs"])
      try expectSuccess(list, toBe: "job-list")
      try expectSuccess(pause, toBe: "job-pause")
      try expectSuccess(resume, toBe: "job-resume")
      try expectSuccess(cancel, toBe: "job-cancel")
      try expectSuccess(show, toBe: "job-show")
      #expect(refused.status == 8)
      #expect(otherPlan.status == 8)
      #expect(locked.status == 8)
      #expect(tooLate.status == 64)
      try await execute("UPDATE public.book SET pages = pages + 1", at: url)
      let fresh = try await Tool.run(["migrate"] + options)
      #expect(fresh.status == 0, "\(fresh)")
    }
  }
}
