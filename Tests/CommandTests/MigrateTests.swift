import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct MigrateTests {
  @Test
  func `a second run has nothing to do`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let call = ["migrate", "--models", folder, "--database", url, "--format", "json"]

        let first = try await Tool.run(call)
        let second = try await Tool.run(call)

        #expect(first.status == 0)
        #expect(first["outcome"] == "created")
        #expect(second.status == 0)
        #expect(second["outcome"] == "unchanged")
        #expect(second.error.isEmpty)
      }
    }
  }

  @Test(arguments: [[], ["--strategy", "online"]])
  func `the preconditions of a skipped version are not checked`(
    options: [String]
  ) async throws {
    let versions = ["", "\n    unique: [[title]]", ""].map { unique in
      "remodel: 1\nentities:\n  Book:\n    attributes: { title: string }\(unique)"
    }
    try await withBundle(versions) { bundle in
      try await TestServer.withTwoDatabases { url, other in
        for database in [url, other] {
          let call = ["--models", bundle, "--database", database]
          try await expect(0, ["migrate", "--to", "1"] + call)
          try await execute(
            "INSERT INTO public.book (title) VALUES ('Emma'), ('Emma')",
            at: database
          )
        }
        let call = ["migrate", "--models", bundle] + options + ["--database"]

        try await expect(0, call + [url])
        try await expect(9, call + [other, "--to", "2"])
      }
    }
  }

  @Test
  func `of twenty at once one migrates, and all end with 0`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let statuses = try await withThrowingTaskGroup { group -> [Int32?] in
          for _ in 0..<20 {
            group.addTask {
              try await Tool.run("migrate", "--models", folder, "--database", url).status
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        let history = try await Tool.run(
          "history",
          "--models",
          folder,
          "--database",
          url,
          "--format",
          "json"
        )

        #expect(statuses == Array(repeating: 0, count: 20))
        guard case .array(let entries) = history["entries"] else {
          Issue.record("no entries: \(history.output)")
          return
        }
        let outcomes = entries.map { entry -> JSONValue? in
          guard case .object(let keys) = entry else { return nil }
          return keys["outcome"]
        }
        #expect(outcomes == ["succeeded"])
      }
    }
  }

  @Test(arguments: ["Ünïcode 🐘", "a\"b", "x'; DROP TABLE y; --", "SELECT", "a.b", "$1", " "])
  func `a schema may be called anything`(name: String) async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = [
          "--models", folder, "--database", url, "--schema", name, "--metadata-schema", name + "m",
        ]

        let old = try await Tool.run(["migrate", "--to", "1"] + call)
        let new = try await Tool.run(["migrate"] + call)
        let check = try await Tool.run(["check"] + call)
        let tables = try await rows(
          of: """
            SELECT tablename FROM pg_tables WHERE schemaname = \(SQLLiteral.text(name)) ORDER BY 1
            """,
          at: url
        )

        #expect(old.status == 0, "\(old.error)")
        #expect(new.status == 0, "\(new.error)")
        #expect(check.status == 0, "\(check.error)")
        #expect(tables == [["author"], ["book"]])
      }
    }
  }

  @Test
  func `a schema's name is refused where PostgreSQL would not keep it`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        for name in [String(repeating: "x", count: 64), "pg_mine"] {
          let outcome = try await Tool.run(
            "migrate",
            "--models",
            folder,
            "--database",
            url,
            "--schema",
            name
          )

          #expect(outcome.status == 64)
        }
      }
    }
  }

  @Test
  func `a throwaway server is removed afterwards`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.run(
        "migrate",
        "--scratch",
        "--models",
        folder,
        "--debug-sql",
        environment: ["TMPDIR": folder]
      )
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)

      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.error.contains("CREATE TABLE \"public\".\"book\""))
      #expect(left == ["Library.remodel"])
    }
  }

  @Test
  func `a throwaway server can be kept`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.run("migrate", "--keep-scratch", "--models", folder)
      let lines = outcome.error.split(separator: "\n").map { $0.split(separator: " ") }
      let url = lines.lazy.flatMap(\.self).first { $0.hasPrefix("postgresql://") }.map(String.init)
      let stop = lines.lazy.compactMap { $0.firstIndex(of: "kill") == nil ? nil : $0.last }.first

      #expect(outcome.status == 0)
      if let url {
        let check = try await Tool.run("check", "--models", folder, "--database", url)
        #expect(check.status == 0)
      }
      _ = try await Tool.shell("kill \(stop ?? "")")
      #expect(url != nil && stop != nil)
    }
  }

  @Test
  func `decisions are reported on standard error`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url, "--debug-migration"]

        _ = try await Tool.run(["migrate", "--to", "1"] + call)
        let outcome = try await Tool.run(["migrate"] + call)

        #expect(outcome.status == 0)
        #expect(outcome.error.contains("MAPPING:    transform Book"))
        #expect(outcome.error.contains("MAPPING:    add Author"))
      }
    }
  }

  @Test
  func `log records can be JSON`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let outcome = try await Tool.run(
          "migrate",
          "--models",
          folder,
          "--database",
          url,
          "--log-format",
          "json",
          "--debug-sql"
        )

        #expect(outcome.status == 0)
        for line in outcome.error.split(separator: "\n") {
          let value = try? JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
          #expect(value != nil, "\(line)")
        }
      }
    }
  }
}
