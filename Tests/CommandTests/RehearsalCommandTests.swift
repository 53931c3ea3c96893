import RemodelKit
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

/// `plan --rehearse`, as a user calls it.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RehearsalCommandTests {
  /// Gives a database at the first version, with a row, to a function.
  private func withDatabase(
    _ body: (_ options: [String], _ url: String, _ folder: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, Version.withLongPages) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + options)
        try await execute("INSERT INTO public.book (title, pages) VALUES ('Emma', 7)", at: url)
        try await body(options, url, folder)
      }
    }
  }

  @Test(arguments: [[], ["--live", "--max-block", "2s"]])
  func `a rehearsal is part of the plan`(words: [String]) async throws {
    try await withDatabase { options, _, _ in
      let call = ["plan", "--rehearse"] + words + options

      let text = try await Tool.run(call)
      let json = try await Tool.run(call + ["--format", "json"])

      #expect(text.status == 0, "\(text.error)")
      #expect(text.output.contains("rehearsed: version \"1\" -> version \"2\""))
      #expect(text.output.contains("as predicted"))
      #expect(text.output.contains("public.book  ACCESS EXCLUSIVE"))
      let document = try #require(json.json)
      #expect(try JSONSchema(named: "plan").complaints(about: document) == [])
      #expect(json["rehearsal"] != .null)
    }
  }

  @Test(arguments: [
    ["--live"], ["--rehearse-rows", "3"], ["--rehearse", "--live"],
    ["--rehearse", "--live", "--max-block", "1s", "--rehearse-rows", "3"],
    ["--rehearse", "--rehearse-rows", "many"], ["--rehearse", "--from", "1"],
  ])
  func `options that do not go together are a faulty call`(words: [String]) async throws {
    try await withDatabase { options, _, _ in
      let isWithoutDatabase = words.contains("--from")

      let outcome = try await Tool.run(
        ["plan"] + words + (isWithoutDatabase ? Array(options.prefix(2)) : options)
      )

      #expect(outcome.status == 64, "\(outcome)")
    }
  }

  @Test
  func `a rehearsal in a database that others use ends with 5`() async throws {
    try await withDatabase { options, url, _ in
      try await withLock(on: "book", at: url) {
        let outcome = try await Tool.run(
          ["plan", "--rehearse", "--live", "--max-block", "1s", "--lock-retry-for", "1s"] + options
        )

        #expect(outcome.status == 5, "\(outcome)")
        #expect(outcome.error.contains("in the rehearsal: could not get all locks"))
      }
    }
  }

  @Test
  func `a rehearsal that cannot be had ends with 7 and says what to install`() async throws {
    try await withDatabase { options, _, folder in
      let programs = "\(folder)/bin"
      for name in ["initdb", "postgres"] {
        let script = "echo 'postgres (PostgreSQL) 9.6'\n"
        try await TestProgram.write(script, to: "\(programs)/\(name)")
      }

      let outcome = try await Tool.run(
        ["plan", "--rehearse"] + options,
        environment: ["REMODEL_POSTGRES_BIN": programs]
      )

      #expect(outcome.status == 7, "\(outcome)")
      #expect(outcome.error.contains("There are: PostgreSQL 9 in \"\(programs)\"."))
    }
  }

  @Test
  func `programs get nothing of the environment that they do not need`() async throws {
    let found = try await ServerBinaries.find().path
    let binaries = TestServer.binaries ?? found
    try await withDatabase { options, url, folder in
      let programs = "\(folder)/bin"
      // Where a folder has links to the server's programs alone, the others are beside these.
      let server = URL(filePath: "\(binaries)/postgres").resolvingSymlinksInPath()
      let folders = [binaries, server.deletingLastPathComponent().path, "/usr/bin"]
      for name in ["initdb", "postgres", "pg_dump", "pg_restore"] {
        let original = try #require(
          folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
        )
        let script = "env >>\(folder)/\(name).env\nexec \(original) \"$@\"\n"
        try await TestProgram.write(script, to: "\(programs)/\(name)")
      }

      let outcome = try await Tool.run(
        ["plan", "--rehearse"] + options,
        environment: [
          "REMODEL_POSTGRES_BIN": programs, "REMODEL_SECRET_OF_TEST": "Sekret_77x",
          "PGPASSWORD": "of_connection",
        ]
      )

      #expect(outcome.status == 0, "\(outcome)")
      for name in ["pg_dump", "pg_restore", "postgres", "initdb"] {
        let text = try String(contentsOfFile: "\(folder)/\(name).env", encoding: .utf8)
        #expect(!text.contains("Sekret_77x"), "\(name)")
        #expect(text.contains("of_connection") == (name == "pg_dump"), "\(name)")
      }
    }
  }

  @Test
  func `a killed rehearsal leaves nothing`() async throws {
    try await withDatabase { options, url, _ in
      // Short enough for the path of a socket, wherever temporary folders are.
      let number = UInt32.random(in: .min ... .max)
      let temporary = FileManager.default.temporaryDirectory.appending(path: "left-\(number)").path
      defer { try? FileManager.default.removeItem(atPath: temporary) }
      try FileManager.default.createDirectory(
        atPath: temporary,
        withIntermediateDirectories: true
      )
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777],
        ofItemAtPath: temporary
      )
      @Sendable
      func left() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: temporary)
      }

      let outcome = try await Tool.run(
        ["plan", "--rehearse", "--rehearse-rows", "5"] + options,
        environment: ["TMPDIR": temporary]
      ) { process in
        try await wait(until: "the rehearsal has begun") { try !left().isEmpty }
        // The server starts, or runs already.
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...900)))
        try process.send(signal: .kill)
      }
      try await wait(until: "nothing is left") { try left().isEmpty }

      #expect(outcome.status != 0)
      #expect(try left() == [])
      let sessions = try await rows(
        of: """
          SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
          AND pid <> pg_backend_pid() AND state <> 'idle' AND backend_type = 'client backend'
          """,
        at: url
      )
      #expect(sessions == [["0"]])
    }
  }
}
