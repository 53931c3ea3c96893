import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The entry point of images, as a container runs it.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct EntryPointTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let script = root.appending(path: "docker/entrypoint.sh").path

  /// Runs lines of shell in which `entrypoint` stands for the script.
  private func shell(
    _ lines: String,
    _ folder: String,
    _ variables: [String: String]
  ) async throws -> Tool.Outcome {
    let prologue = """
      PATH=$(dirname "$TOOL"):$PATH
      entrypoint() { exec sh '\(Self.script)' "$@"; }

      """
    return try await Tool.shell(
      prologue + lines,
      variables.merging(["REMODEL_MODELS": folder]) { given, _ in given }
    )
  }

  @Test
  func `it migrates and then becomes the service, which gets no secret of a file`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let secret = folder + "/url"
        try Data("\(url)\n".utf8).write(to: URL(filePath: secret))

        let outcome = try await shell(
          "entrypoint sh -c 'echo the service; env'",
          folder,
          ["DATABASE_URL_FILE": secret]
        )

        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.output.contains("created: the database is at version \"1\""))
        #expect(outcome.output.contains("the service"))
        #expect(!outcome.output.contains("DATABASE_URL="))
        let version = try await rows(of: "SELECT version_name FROM remodel.store", at: url)
        #expect(version == [["1"]])
      }
    }
  }

  @Test
  func `where versions are served the service finds its own`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let outcome = try await shell(
          #"entrypoint sh -c 'echo "$PGOPTIONS|$PGAPPNAME|"; psql "$DATABASE_URL" -Atc "SHOW search_path"'"#,
          folder,
          ["DATABASE_URL": url, "REMODEL_KEEP": "previous", "PGOPTIONS": "-c work_mem=5MB"]
        )

        #expect(outcome.status == 0, "\(outcome.error)")
        let options = #"-c work_mem=5MB -c search_path="public_v1""#
        #expect(outcome.output.contains("\(options)|public_v1|"), "\(outcome.output)")
        #expect(outcome.output.contains("\n\"public_v1\"\n"), "\(outcome.output)")
      }
    }
  }

  /// What `docker/compose-two-releases.yaml` says, with its releases.
  @Test
  func `two releases of the sample go on beside each other, forward and back`() async throws {
    try await TestServer.withDatabase { url in
      func call(_ folder: String, _ line: String, _ sql: String = "") async throws -> Tool.Outcome {
        let models = Self.root.appending(path: folder).path
        let variables = ["DATABASE_URL": url, "REMODEL_KEEP": "previous", "SQL": sql]
        return try await shell(line, models, variables)
      }
      /// Starts a service with one query in place of a release.
      func run(_ folder: String, _ sql: String) async throws -> String? {
        let outcome = try await call(folder, #"entrypoint psql "$DATABASE_URL" -qAtc "$SQL""#, sql)
        #expect(outcome.status == 0, "\(sql): \(outcome)")
        return outcome.output.split(separator: "\n").last.map(String.init)
      }
      let (former, next) = ("migrations", "docker/two-releases")
      _ = try await run(
        former,
        """
        INSERT INTO "user" (full_name, display_name) VALUES ('Ada Lovelace', 'Ada');
        INSERT INTO file (url, "user") VALUES ('file:///x', 1);
        INSERT INTO book (title, pages, owner, file) VALUES ('Notes', 66, 1, 1)
        """
      )
      let books = """
        SELECT b.title, b.pages, f.url FROM book AS b LEFT JOIN book_files AS l ON l.books = b._id \
        LEFT JOIN file AS f ON f._id = l.files
        """
      #expect(try await run(next, books) == "Notes|66|file:///x")
      let served = try await call(former, "remodel check")
      #expect(served.status == 0 && served.output.hasPrefix("served: "), "\(served)")
      // Each writes what the other reads.
      _ = try await run(former, "UPDATE book SET pages = 67, file = NULL")
      #expect(try await run(next, books) == "Notes|67|")
      _ = try await run(
        next,
        "UPDATE book SET pages = 68; INSERT INTO book_files (books, files) VALUES (1, 1)"
      )
      #expect(try await run(former, "SELECT title, pages, file FROM book") == "Notes|68|1")
      #expect(try await run(next, #"SELECT screen_name FROM "user""#) == "Ada")
      let retired = try await call(next, "remodel retire 3")
      #expect(retired.status == 0, "\(retired)")
      #expect(try await call(next, "remodel check").status == 0)
      #expect(try await call(former, "remodel check").status != 0)
    }
  }

  @Test
  func `after a migration that failed the service does not start`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        try await execute("CREATE TABLE public.book (id int)", at: url)

        let outcome = try await shell("entrypoint echo the service", folder, ["DATABASE_URL": url])

        #expect(outcome.status == 4)
        #expect(!outcome.output.contains("the service"))
      }
    }
  }

  @Test
  func `it waits for another one to migrate`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let variables = [
          "DATABASE_URL": url, "REMODEL_ENTRYPOINT_MODE": "wait", "REMODEL_WAIT": "300s",
        ]

        let outcome = try await shell(
          """
          (entrypoint echo the service) & waiting=$!
          remodel migrate >/dev/null && wait $waiting
          """,
          folder,
          variables
        )

        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.output.contains("the service"))
      }
    }
  }

  // Not SIGINT: what a shell starts in the background ignores it, and a shell cannot undo that.
  @Test(arguments: [("TERM", Int32(143)), ("HUP", 143)])
  func `a signal is handed on, and the service does not start`(
    signal: String,
    status: Int32
  ) async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let variables = ["DATABASE_URL": url, "REMODEL_LOCK_TIMEOUT": "300s"]
        _ = try await Tool.run("migrate", "--models", folder, "--to", "1", environment: variables)

        let outcome = try await withLock(on: "book", at: url) {
          try await shell(
            """
            (entrypoint echo the service) 2>'\(folder)/log' & script=$!
            until grep -q 'step started' '\(folder)/log'; do sleep 0.1; done
            kill -\(signal) $script; wait $script
            """,
            folder,
            variables
          )
        }

        #expect(outcome.status == status)
        #expect(!outcome.output.contains("the service"))
      }
    }
  }

  @Test
  func `a mode that there is not is a faulty call`() async throws {
    let outcome = try await shell(
      "entrypoint echo the service",
      "/nowhere",
      ["REMODEL_ENTRYPOINT_MODE": "guess"]
    )

    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
  }
}
