import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A version is edited while a database for development follows it.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct DraftCommandTests {
  @Test
  func `a draft follows its edits, and keeps the rows`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let path = "\(folder)/Library.remodel/2.yaml"
        #expect(try await Tool.run(["migrate", "--to", "1"] + call).status == 0)
        try await execute("INSERT INTO public.book (title) VALUES ('Emma')", at: url)
        let unmarked = try await Tool.run(["migrate", "--draft"] + call)
        #expect(unmarked.status == 7)
        #expect(unmarked.error.contains("remodel mark development"))
        let mark = try await Tool.run(["mark", "development", "--format", "json"] + call)
        #expect(mark.status == 0, "\(mark.error)")
        let schema = try JSONSchema(named: "mark-development")
        #expect(schema.complaints(about: try #require(mark.json)) == [])

        #expect(try await Tool.run(["migrate", "--draft"] + call).status == 0)
        try await execute("UPDATE public.book SET isbn = '1'", at: url)
        try write(Version.withBlurb, to: path)
        let plain = try await Tool.run(["migrate"] + call)
        #expect(plain.status == 65)
        #expect(plain.error.contains("migrate --draft"))
        #expect(try await Tool.run(["plan", "--draft"] + call).status == 0)
        #expect(try await Tool.run(["migrate", "--draft"] + call).status == 0)
        // The text before comes back with what it had.
        try write(Version.first, to: path)
        #expect(try await Tool.run(["migrate", "--draft"] + call).status == 0)
        try write(Version.withBlurb, to: path)
        let back = try await Tool.run(["migrate", "--draft"] + call)
        #expect(back.status == 0, "\(back.error)")
        #expect(
          try await rows(of: "SELECT title, isbn FROM public.book", at: url) == [["Emma", "1"]]
        )
        let status = try await Tool.run(["status", "--format", "json"] + call)
        #expect(status["development"] == true)
        #expect(status["draft"] == true)
        #expect(status["state"] == "current")
        #expect(try await Tool.run(["verify"] + call).status == 0)

        #expect(try await Tool.run(["mark", "development", "--remove"] + call).status == 0)
        try write(Version.withAuthor, to: path)
        #expect(try await Tool.run(["migrate", "--draft"] + call).status == 7)
        #expect(try await Tool.run(["mark", "development"] + call).status == 0)
        let revert = try await Tool.run(["revert", "--to", "1"] + call)
        #expect(revert.status == 0, "\(revert.error)")
        #expect(try await rows(of: "SELECT title FROM public.book", at: url) == [["Emma"]])
        // A draft that was left does not keep the version from being finished.
        let finished = try await Tool.run(["migrate", "--to", "2"] + call)
        #expect(finished.status == 0, "\(finished.error)")
      }
    }
  }

  @Test
  func `a version that was migrated to without the option is finished`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        #expect(try await Tool.run(["mark", "development"] + call).status == 0)
        #expect(try await Tool.run(["migrate"] + call).status == 0)
        try write(Version.withBlurb, to: "\(folder)/Library.remodel/2.yaml")

        let draft = try await Tool.run(["migrate", "--draft"] + call)

        #expect(draft.status == 7)
        #expect(draft.error.contains("without --draft"))
      }
    }
  }

  @Test
  func `a later version follows a draft that is finished`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        #expect(try await Tool.run(["mark", "development"] + call).status == 0)
        #expect(try await Tool.run(["migrate", "--draft"] + call).status == 0)
        try write(Version.withBlurb, to: "\(folder)/Library.remodel/2.yaml")
        try write(
          Version.withBlurb.replacing("blurb: string?", with: "blurb: string?, price: decimal?"),
          to: "\(folder)/Library.remodel/3.yaml"
        )

        let draft = try await Tool.run(["migrate", "--draft"] + call)

        #expect(draft.status == 0, "\(draft.error)")
        #expect(try await Tool.run(["check"] + call).status == 0)
        #expect(try await rows(of: "SELECT blurb, price FROM public.book", at: url) == [])
      }
    }
  }

  @Test
  func `a version below that of the database is not skipped in silence`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let bundle = "\(folder)/Library.remodel"
        try write(
          Version.requiredPages.replacing(
            "pages: integer32",
            with: "pages: integer32?, isbn: string?"
          ),
          to: "\(bundle)/3.yaml"
        )
        #expect(try await Tool.run(["migrate"] + call).status == 0)
        let before = try await Tool.run(["status"] + call)
        #expect(!before.error.contains("was put before"))
        try write(
          Version.first.replacing("title: string", with: "title: string, blurb: string?"),
          to: "\(bundle)/2.yaml"
        )

        for verb in ["status", "plan"] {
          let outcome = try await Tool.run([verb] + call)
          #expect(outcome.status == 0)
          #expect(outcome.error.contains("version \"2\" was put before version \"3\""), "\(verb)")
        }
      }
    }
  }

  @Test
  func `metadata of the layout before is upgraded`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        #expect(try await Tool.run(["migrate", "--to", "1"] + call).status == 0)
        try await execute(
          """
          ALTER TABLE remodel.metadata DROP COLUMN is_development;
          ALTER TABLE remodel.store DROP COLUMN lineage;
          ALTER TABLE remodel.model_version DROP COLUMN is_draft;
          UPDATE remodel.metadata SET layout_version = 7
          """,
          at: url
        )
        for (verb, status) in [("status", 0), ("plan", 0), ("check", 2), ("verify", 0)]
          as [(_, Int32)]
        {
          #expect(try await Tool.run([verb] + call).status == status, "\(verb)")
        }
        #expect(try await Tool.run(["migrate", "--draft"] + call).status == 7)
        #expect(try await Tool.run(["mark", "development"] + call).status == 0)

        #expect(try await Tool.run(["migrate", "--draft"] + call).status == 0)

        let layout = try await rows(
          of: "SELECT layout_version, is_development FROM remodel.metadata",
          at: url
        )
        #expect(layout == [["13", "t"]])
        let versions = try await rows(
          of: "SELECT version_name, is_draft FROM remodel.model_version ORDER BY 1",
          at: url
        )
        #expect(versions == [["1", "f"], ["2", "t"]])
      }
    }
  }
}
