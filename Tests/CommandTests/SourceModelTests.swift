import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Without the files of old versions, all verbs use the models of the metadata.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SourceModelTests {
  private static let renamed = """
    remodel: 1
    entities:
      Book:
        attributes: { name: { type: string, renamingIdentifier: title }, pages: integer32? }
    """
  private static let third = """
    remodel: 1
    entities:
      Book:
        attributes:
          label: { type: string, renamingIdentifier: title }
          pages: integer32?
          isbn: string?
    """
  private static let mapping = """
    remodelMapping: 1
    source: "2"
    destination: "3"
    entities:
      - source: Book
        destination: Book
        attributes: { label: uppercase($source.name) }
    """

  @Test(arguments: [false, true])
  func `every verb works without the files of old versions`(
    hasMapping: Bool
  ) async throws {
    try await withBundle(Version.first, Self.renamed, Self.third) { folder in
      if hasMapping { try write(Self.mapping, to: "\(folder)/a.mapping.yaml") }
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url, "--format", "json"]
        _ = try await Tool.run(["migrate", "--to", "1"] + call)
        try await execute("INSERT INTO public.book (title) VALUES ('Emma')", at: url)
        _ = try await Tool.run(["migrate", "--to", "2"] + call)
        for version in ["1", "2"] {
          try FileManager.default.removeItem(atPath: "\(folder)/Library.remodel/\(version).yaml")
        }

        for (verb, status) in [
          ("status", 0), ("check", 2), ("verify", 0), ("history", 0), ("plan", 0), ("finish", 0),
          ("job list", 0), ("cleanup", 0), ("plan --to 2", 0), ("plan --to 1", 0),
          ("plan --to 9", 64), ("migrate", 0), ("check", 0), ("verify", 0), ("plan --to 2", 0),
        ] as [(String, Int32)] {
          let outcome = try await Tool.run(verb.split(separator: " ").map(String.init) + call)
          #expect(outcome.status == status, "\(verb): \(outcome)")
        }

        let labels = try await rows(of: "SELECT label FROM public.book", at: url)
        #expect(labels == [[hasMapping ? "EMMA" : "Emma"]])
        let back = try await Tool.run(["migrate", "--to", "1"] + call)
        #expect(back.status == 0, "\(back)")
        #expect(back["version"] == nil || back["version"] == "1")
        let titles = try await rows(of: "SELECT title FROM public.book", at: url)
        #expect(titles == [[hasMapping ? "EMMA" : "Emma"]])
        let late = try await Tool.run(["migrate"] + call)
        #expect(late.status == 4, "a version that the database has left is not gone to by itself")
      }
    }
  }

  @Test
  func `a file that lists versions may list missing ones`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try write("1\n2\n", to: "\(folder)/Library.remodel/versions")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate", "--to", "1"] + call)
        try FileManager.default.removeItem(atPath: "\(folder)/Library.remodel/1.yaml")

        let migration = try await Tool.run(["migrate"] + call)

        #expect(migration.status == 0, "\(migration)")
        #expect(migration.error.contains("version \"1\" is listed but has no file"))
        try FileManager.default.removeItem(atPath: "\(folder)/Library.remodel/2.yaml")
        try write(Version.first, to: "\(folder)/Library.remodel/1.yaml")
        #expect(try await Tool.run(["status"] + call).status == 65)
      }
    }
  }

  // MARK: - Edited versions

  @Test
  func `an edit of the layout of the current version is applied`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate"] + call)
        let edited = Version.first + "\n    indexes: { byTitle: [title] }\n"
        try write(edited, to: "\(folder)/Library.remodel/1.yaml")

        let check = try await Tool.run(["check"] + call)
        let status = try await Tool.run(["status"] + call + ["--format", "json"])
        let plan = try await Tool.run(["plan"] + call)
        let migration = try await Tool.run(["migrate"] + call)
        let after = try await Tool.run(["status"] + call + ["--format", "json"])

        #expect(check.status == 0)
        #expect(check.output.contains("behind in layout"))
        #expect(status["state"] == "behind")
        #expect(plan.output.contains("CREATE INDEX"))
        #expect(migration.status == 0, "\(migration)")
        #expect(after["state"] == "current")
      }
    }
  }

  @Test
  func `any other edit of the current version is named, change by change`() async throws {
    try await withBundle(Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        _ = try await Tool.run(["migrate"] + call)
        try write(Version.requiredPages, to: "\(folder)/Library.remodel/1.yaml")
        let changes = [
          "version \"1\" was applied and has been edited since",
          "Book: pages becomes required", "Book: isbn (string) is removed", "Author is removed",
        ]

        for (verb, status) in [("migrate", 65), ("plan", 65), ("status", 0), ("check", 2)]
          as [(String, Int32)]
        {
          let outcome = try await Tool.run([verb] + call)
          #expect(outcome.status == status, "\(verb): \(outcome)")
          for change in changes {
            let text = outcome.output + outcome.error
            #expect(text.contains(change), "\(verb): \(change)\n\(outcome)")
          }
        }
        let history = try await rows(of: "SELECT count(*) FROM remodel.history", at: url)
        #expect(history == [["1"]], "nothing has begun")
      }
    }
  }

  @Test(arguments: [
    (Version.withLongPages, "Book.pages: type integer32 -> integer64"),
    (Version.first + "\n    indexes: { byTitle: [title] }\n", "Book: index (title) is added"),
  ])
  func `an edit of an earlier version is named, too`(edited: String, change: String) async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        for version in ["1", "2"] { _ = try await Tool.run(["migrate", "--to", version] + call) }
        try write(edited, to: "\(folder)/Library.remodel/1.yaml")

        let current = try await Tool.run(["status"] + call)
        try write(Version.withBlurb, to: "\(folder)/Library.remodel/3.yaml")
        let outcomes = [
          try await Tool.run(["migrate"] + call), try await Tool.run(["plan"] + call),
          try await Tool.run(["status"] + call),
        ]

        // There is no work yet, but it will be an obstacle.
        #expect(current.status == 0)
        #expect(current.error.contains("WARNING"), "\(current)")
        #expect(current.error.contains(change), "\(current)")
        #expect(outcomes.map(\.status) == [65, 65, 0])
        for outcome in outcomes {
          let text = outcome.output + outcome.error
          #expect(text.contains("version \"1\" was applied"), "\(outcome)")
          #expect(text.contains(change), "\(outcome)")
        }
      }
    }
  }
}
