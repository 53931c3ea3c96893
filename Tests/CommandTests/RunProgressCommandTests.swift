import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a run tells while it takes its time: on a terminal and in a log.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RunProgressCommandTests {
  /// Runs a function with a store whose copy waits as long as table `hold` has a row.
  private func withHeldCopy(
    _ body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute(
          """
          INSERT INTO public.book (title, pages) \
          SELECT 'title ' || i, i FROM generate_series(1, 30000) AS i
          """,
          at: url
        )
        try await execute("ANALYZE public.book", at: url)
        try await execute("CREATE SCHEMA other", at: url)
        try await execute("CREATE TABLE other.hold AS SELECT 1 AS one", at: url)
        try await body(
          call + [
            "--strategy", "online", "--throttle-query", "SELECT count(*) FROM other.hold",
          ],
          url
        )
      }
    }
  }

  /// Migrates until the copy waits and is seen to, lets it go on, and returns what was written to
  /// standard error.
  private func migrate(
    _ arguments: [String],
    errorTo path: String,
    at url: String,
    read: () -> String
  ) async throws -> (outcome: Tool.Outcome, error: String) {
    let words = (["migrate"] + arguments).map { "'\($0)'" }.joined(separator: " ")
    async let running = Tool.shell(
      "\"$TOOL\" \(words) 2>'\(path)'",
      ["REMODEL_PROGRESS_PAUSE": "1s"]
    )
    var error = ""
    try await wait(until: "the copy waits") {
      error += read()
      return error.contains("giving way: the query returned")
    }
    try await execute("TRUNCATE other.hold", at: url)
    let outcome = try await running
    return (outcome, error + read())
  }

  /// Migrates as above, with a file for standard error.
  private func migrateIntoLog(
    _ arguments: [String],
    at url: String
  ) async throws -> (outcome: Tool.Outcome, error: String) {
    let path = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var length = 0
    return try await migrate(arguments, errorTo: path, at: url) {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      defer { length = text.utf8.count }
      return String(decoding: text.utf8.dropFirst(length), as: UTF8.self)
    }
  }

  private func records(_ log: String) throws -> [[String: JSONValue]] {
    try log.split(separator: "\n").compactMap { line in
      let value = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
      guard case .object(let record) = value else { return nil }
      return record
    }
  }

  @Test
  func `a log tells of the progress in fields, and of the whole at the end`() async throws {
    try await withHeldCopy { call, url in
      let (outcome, error) = try await migrateIntoLog(["--log-format", "json"] + call, at: url)

      #expect(outcome.status == 0, "\(outcome)")
      let all = try records(error)
      let progress = all.filter { $0["event"] == "progress" }
      let held = try #require(
        progress.first { $0["phase"] == "copy-rows" && $0["waitingFor"] != nil },
        "\(error)"
      )
      #expect(held["phaseNumber"] == 2)
      #expect(held["phases"] == 6)
      #expect(held["waitingFor"] == "giving way: the query returned 1.0")
      #expect(held["rowsTotal"] == 30_000)
      #expect(held["step"] == 1 && held["from"] == "1" && held["to"] == "2")
      guard case .integer(let rows) = held["rows"], case .number(let share) = held["share"],
        case .number = held["elapsedMilliseconds"], case .number = held["remainingMilliseconds"]
      else {
        Issue.record("\(held)")
        return
      }
      #expect(rows > 0 && share > 0 && share <= 1)
      let end = try #require(all.last { $0["event"] == "run-ended" })
      #expect(end["rows"] == 30_000)
      #expect(end["longestLockMilliseconds"] != nil && end["throttledMilliseconds"] != nil)
      guard case .object(let times) = end["phaseSeconds"] else {
        Issue.record("\(end)")
        return
      }
      #expect(
        Set(times.keys) == [
          "prepare", "copy-rows", "build-indexes", "catch-up", "compare", "switch",
        ]
      )
    }
  }

  @Test
  func `a terminal shows one line that fits it, and a summary`() async throws {
    try await withHeldCopy { call, url in
      let terminal = try Terminal(columns: 60)
      let (outcome, text) = try await migrate(call, errorTo: terminal.path, at: url) {
        terminal.read()
      }

      #expect(outcome.status == 0, "\(outcome)")
      let lines = text.split(separator: "\r\u{1B}[K")
      let shown = lines.filter { $0.hasPrefix("copy rows (2 of 6): ") }
      #expect(!shown.isEmpty, "\(text)")
      #expect(shown.allSatisfy { $0.count < 60 }, "\(shown)")
      #expect(shown.contains { $0.contains("giving way: the query returned") })
      #expect(text.contains("30,000 rows in "), "\(text)")
      #expect(text.contains("phases: prepare "), "\(text)")
    }
  }

  @Test
  func `without progress on the terminal it is logged`() async throws {
    try await withHeldCopy { call, url in
      let (_, error) = try await migrateIntoLog(["--no-progress"] + call, at: url)

      #expect(error.contains("INFO:  progress  "), "\(error)")
      #expect(error.contains("phase=copy-rows"), "\(error)")
    }
  }

  @Test
  func `lines are cut by the columns that they take`() {
    #expect("short".cut(toColumns: 5) == "short")
    #expect("longer".cut(toColumns: 5) == "long…")
    #expect("日本語の表".cut(toColumns: 6) == "日本…")
    #expect("".cut(toColumns: 0) == "")
  }
}
