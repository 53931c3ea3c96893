import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// `job show --watch`: the progress of a job that another process works on.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct JobWatchTests {
  /// Runs a function while a copy waits as long as table `other.hold` has a row.
  private func withHeldCopy(
    _ body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute(
          "INSERT INTO public.book (title) SELECT 't' || i FROM generate_series(1, 30000) AS i",
          at: url
        )
        try await execute("CREATE SCHEMA other", at: url)
        try await execute("CREATE TABLE other.hold AS SELECT 1 AS one", at: url)
        let query = "SELECT count(*) FROM other.hold"
        async let running = Tool.run(
          ["migrate", "--strategy", "online", "--throttle-query", query] + call
        )
        try await wait(until: "a range is copied") {
          let relation = try await rows(
            of: "SELECT to_regclass('remodel.job_progress') IS NOT NULL",
            at: url
          )
          guard relation == [["t"]] else { return false }
          let found = try await rows(
            of: "SELECT chunks_done > 0 FROM remodel.job_progress",
            at: url
          )
          return found == [["t"]]
        }
        try await body(call, url)
        try await execute("TRUNCATE other.hold", at: url)
        let outcome = try await running
        #expect(outcome.status == 0, "\(outcome)")
      }
    }
  }

  @Test
  func `it logs the progress, and ends with the job`() async throws {
    try await withHeldCopy { call, url in
      async let watching = Tool.run(
        ["job", "show", "--watch", "--log-format", "json", "--format", "json"] + call,
        environment: ["REMODEL_PROGRESS_PAUSE": "1s"]
      )
      try await Task.sleep(for: .seconds(3))
      try await execute("TRUNCATE other.hold", at: url)
      let outcome = try await watching

      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.error.contains("\"event\":\"progress\""), "\(outcome.error)")
      #expect(outcome.error.contains("\"phase\":\"copy-rows\""), "\(outcome.error)")
      #expect(outcome.error.contains("\"phaseNumber\":2"), "\(outcome.error)")
      guard case .object(let job) = outcome["job"] else {
        Issue.record("\(outcome)")
        return
      }
      #expect(job["state"] == "finished")
      #expect(job["rowsCopied"] == 30_000)
    }
  }

  @Test
  func `it shows a line on a terminal, and ends without a word when it is interrupted`()
    async throws
  {
    try await withHeldCopy { call, url in
      let terminal = try Terminal(columns: 70)
      let words = (["job", "show", "--watch"] + call).map { "'\($0)'" }.joined(separator: " ")
      let outcome = try await Tool.shell(
        """
        "$TOOL" \(words) 2>\(terminal.path) & child=$!
        sleep 3; kill -INT $child; wait $child; echo "status $?"
        """
      )

      let text = terminal.read()
      #expect(outcome.output == "status 130\n", "\(outcome)")
      #expect(text.contains("copy rows (2 of 6): "), "\(text)")
      #expect(!text.contains("ERROR"), "\(text)")
      #expect(text.hasSuffix("\r\u{1B}[K"), "\(text)")
    }
  }

  @Test
  func `a paused job is shown as such, and one that does not exist is an error as without it`()
    async throws
  {
    try await withHeldCopy { call, url in
      try await expect(0, ["job", "pause"] + call)
      async let watching = Tool.run(["job", "show", "--watch"] + call)
      try await Task.sleep(for: .seconds(2))
      try await execute("TRUNCATE other.hold", at: url)
      try await expect(0, ["job", "resume"] + call)
      let outcome = try await watching
      let other = try await Tool.run(["job", "show", "nothing", "--watch"] + call)
      let same = try await Tool.run(["job", "show", "nothing"] + call)

      #expect(outcome.error.contains("waitingFor=giving way: paused"), "\(outcome)")
      #expect(outcome.output.contains("online, finished"), "\(outcome)")
      #expect(other.status == same.status && other.status != 0)
    }
  }
}
