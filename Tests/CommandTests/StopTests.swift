import SQLSyntax
import Subprocess
import TestSupport
import Testing

@testable import RemodelCommands

/// A run that is stopped says in one line where, and what the next one does.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct StopTests {
  /// The text of the error, without ends of lines.
  private func error(in log: String) -> String {
    log.firstRange(of: "ERROR:").map { String(log[$0.lowerBound...]) } ?? ""
  }

  @Test(arguments: [(Signal.terminate, Int32(143)), (.interrupt, 130)])
  func `a copy that is stopped goes on with the next run`(
    signal: Signal,
    status: Int32
  ) async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let call = ["migrate", "--models", folder, "--database", url]
        try await expect(0, call + ["--to", "1"])
        try await execute(
          "INSERT INTO public.book (title) SELECT 't' || i FROM generate_series(1, 30000) AS i",
          at: url
        )
        let held = ["--strategy", "online", "--throttle-query", "SELECT 1"]

        let stopped = try await Tool.run(
          call + held,
          signal: signal,
          whenErrorHas: "the query returned"
        )
        let rerun = try await Tool.run(call)

        #expect(stopped.status == status)
        let word = signal == .interrupt ? "interrupted" : "terminated"
        let text = error(in: stopped.error)
        #expect(
          text.replacing(/[0-9]+ %/, with: "N %").trimmingNewlines
            == "ERROR:  \(word) while copying rows (N % done): what is done stays, and the next run "
            + "continues",
          "\(stopped.error)"
        )
        #expect(rerun.status == 0, "\(rerun)")
      }
    }
  }

  @Test
  func `a step that is stopped has changed nothing`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["migrate", "--models", folder, "--database", url]
        try await expect(0, call + ["--to", "1"])
        try await withLock(on: "book", in: "ACCESS SHARE", at: url) {
          let stopped = try await Tool.run(call, signal: .terminate, whenErrorHas: "trying again")

          #expect(stopped.status == 143)
          #expect(
            error(in: stopped.error).trimmingNewlines
              == "ERROR:  terminated while changing tables: the tables are as they were, and the "
              + "next run begins again"
          )
        }
        try await expect(0, call)
      }
    }
  }

  @Test
  func `a gated copy that is stopped says who is still turned away`() async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let call = ["migrate", "--models", folder, "--database", url]
        try await expect(0, call + ["--to", "1"])
        try await execute("INSERT INTO public.book (title) VALUES ('a'), ('b')", at: url)
        let held = ["--strategy", "gated", "--throttle-query", "SELECT 1"]

        let stopped = try await Tool.run(
          call + held,
          signal: .terminate,
          whenErrorHas: "the query returned"
        )

        #expect(stopped.status == 143)
        #expect(stopped.error.contains("what is done stays, and the next run continues"))
        #expect(
          stopped.error.contains("continues to refuse writes until a rerun ends it"),
          "\(stopped.error)"
        )
      }
    }
  }
}

extension String {
  fileprivate var trimmingNewlines: String {
    String(reversed().drop(while: \.isNewline).reversed())
  }
}
