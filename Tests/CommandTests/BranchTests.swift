import ModelLoading
import ObjectModel
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Two people each add a version on a branch, and merge.
@Suite(.timeLimit(.minutes(30)))
struct BranchTests {
  private static let base = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32? }
    """

  private static let withISBN = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string? }
    """

  private static let withName = """
    remodel: 1
    entities:
      Book:
        attributes: { name: { type: string, renamingIdentifier: title }, pages: integer32? }
      Author:
        attributes: { name: string }
    """

  private static let withLongTitle = """
    remodel: 1
    entities:
      Book:
        attributes: { caption: { type: string, renamingIdentifier: title }, pages: integer32? }
    """

  private static func hashes(_ text: String) throws -> VersionBase {
    VersionBase(try ModelLoader.load(yaml: Array(text.utf8), path: "a").model.versionHashes())
  }

  /// Returns the text of a version with the version that it was made from.
  private static func text(_ text: String, madeFrom base: String) throws -> String {
    try #require(YAMLBases.text(text, madeFrom: [hashes(base)]))
  }

  /// Gives a folder with a bundle of a base and two branches to a function.
  private static func withFork<Result>(
    _ first: String = withISBN,
    _ second: String = withName,
    body: (_ folder: String) async throws -> Result
  ) async throws -> Result {
    try await withBundle(base) { folder in
      let bundle = "\(folder)/Library.remodel"
      try write(text(first, madeFrom: base), to: "\(bundle)/2-alice.yaml")
      try write(text(second, madeFrom: base), to: "\(bundle)/2-bob.yaml")
      return try await body(folder)
    }
  }

  @Test
  func `a version on top of a branch, outside of the bundle, loses nothing of that branch`()
    async throws
  {
    try await Self.withFork { folder in
      let alice = try Self.text(Self.withISBN, madeFrom: Self.base)
      let later = Self.withISBN.replacing("isbn: string?", with: "isbn: string?, edition: string?")
      let outside = "\(folder)/outside/3-alice.yaml"
      try write(try #require(YAMLBases.text(later, madeFrom: [Self.hashes(alice)])), to: outside)
      let call = ["model", "merge", "2-bob", outside, "--dry-run", "--models", folder]

      let outcome = try await Tool.run(call)

      #expect(outcome.status == 0, "\(outcome)")
      for word in ["isbn", "edition", "Author"] { #expect(outcome.output.contains(word)) }
    }
  }

  @Test
  func `a merge becomes the current version of a list with another one, and replaces no file`()
    async throws
  {
    try await Self.withFork { folder in
      let bundle = "\(folder)/Library.remodel"
      try write("# In this order\n1\n2-alice\n* 2-bob\n", to: "\(bundle)/versions")
      try write("remodelMapping: 1", to: "\(folder)/1-2.mapping.yaml")
      let call = ["model", "merge", "2-alice", "2-bob", "--models", folder]

      for name in ["1-2.mapping", "a/b", "2-bob"] {
        #expect(try await Tool.run(call + ["--as", name]).status != 0)
      }
      #expect(try await Tool.run(call + ["--as", "both"]).status == 0)

      let list = try await Tool.run(["model", "list", "--models", folder])
      #expect(
        list.output.split(separator: "\n").last { $0.contains("*") }?.contains("both") == true
      )
    }
  }

  @Test
  func `a fork is found however its files name their base, and in one of several bundles`()
    async throws
  {
    try await Self.withFork { folder in
      let file = "\(folder)/Library.remodel/2-alice.yaml"
      let lines = try Self.text(Self.withISBN, madeFrom: Self.base).split(separator: "\n")
      let shorter = lines.filter { !$0.hasPrefix("baseLayout") }.map { line in
        line.hasPrefix("base: ") ? "base: \"\(line.dropFirst(6))\"" : String(line)
      }
      try write(shorter.joined(separator: "\n"), to: file)
      try write("remodel: 1\nentities:\n  User: {}", to: "\(folder)/other/Users.remodel/1.yaml")
      let library = ["--models", "\(folder)/Library.remodel"]

      #expect(try await Tool.run(["plan", "--from", "1"] + library).status == 65)
      let both = library + ["--models", "\(folder)/other"]
      let outcome = try await Tool.run(["plan", "--from", "1+1"] + both)
      #expect(outcome.status == 65, "\(outcome)")
      #expect(try await Tool.run(["model", "validate"] + both).status == 65)
    }
  }

  @Test
  func `a fork is an error of every verb that would lose a change`() async throws {
    try await Self.withFork { folder in
      let models = ["--models", folder]
      let outcomes = [
        try await Tool.run(["model", "validate"] + models),
        try await Tool.run(["plan", "--from", "1"] + models),
      ]
      for outcome in outcomes {
        #expect(outcome.status == 65)
        for words in [
          "versions \"2-alice\" and \"2-bob\" were both made from version \"1\"",
          "Book: isbn (string) is added", "Book: title -> name",
          "Author is added", "remodel model merge --models", " 2-alice 2-bob",
        ] {
          #expect(outcome.error.contains(words), "\(words): \(outcome.error)")
        }
      }
      #expect(try await Tool.run(["model", "list"] + models).status == 0)
    }
  }

  @Test
  func `without bases, a version that undoes what its predecessor added is warned of`()
    async throws
  {
    try await withBundle(Self.base, Self.withISBN, Self.withName) { folder in
      let outcome = try await Tool.run("model", "validate", "--models", folder)

      #expect(outcome.status == 0)
      #expect(outcome.error.contains("\"2\" and \"3\" seem to be both made from version \"1\""))
      let call = "remodel model merge --models \(folder.quotedForShell) 2 3"
      #expect(outcome.error.contains(call))

      #expect(try await Tool.run("model", "merge", "2", "3", "--models", folder).status == 0)
      let merged = try String(contentsOfFile: "\(folder)/Library.remodel/4.yaml", encoding: .utf8)
      for words in ["isbn: string?", "renamingIdentifier: title", "Author", "base:"] {
        #expect(merged.contains(words), "\(merged)")
      }
    }
  }

  @Test
  func `a merge has the changes of both, whichever is named first`() async throws {
    var texts: [String] = []
    for names in [["2-alice", "2-bob"], ["2-bob", "2-alice"]] {
      try await Self.withFork { folder in
        let models = ["--models", folder]
        let merge = try await Tool.run(["model", "merge"] + names + models)

        #expect(merge.status == 0, "\(merge.error)")
        texts.append(
          try String(contentsOfFile: "\(folder)/Library.remodel/3.yaml", encoding: .utf8)
        )
        let valid = try await Tool.run(["model", "validate"] + models)
        #expect(valid.status == 0)
        #expect(valid.error == "")
        let again = try await Tool.run(["model", "merge"] + names + models)
        #expect(again.status == 65 || again.status == 0)
        #expect(try await Tool.run(["model", "merge", "1", "2-bob"] + models).status == 64)
      }
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0].hasPrefix("# The changes of versions \"2-alice\" and \"2-bob\".\n"))
  }

  @Test
  func `conflicts are listed with both places, and nothing is written`() async throws {
    try await Self.withFork(Self.withLongTitle) { folder in
      let merge = try await Tool.run("model", "merge", "2-alice", "2-bob", "--models", folder)

      #expect(merge.status == 65)
      #expect(merge.error.contains("2-alice.yaml:"))
      #expect(merge.error.contains("2-bob.yaml:"))
      #expect(merge.error.contains("\"caption\""))
      #expect(merge.error.contains("\"name\""))
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/Library.remodel/3.yaml"))
    }
  }

  @Test
  func `a merge is reported as JSON`() async throws {
    try await Self.withFork { folder in
      let merge = try await Tool.run(
        "model",
        "merge",
        "2-alice",
        "2-bob",
        "--as",
        "3-both",
        "--dry-run",
        "--models",
        folder,
        "--format",
        "json"
      )

      #expect(try JSONSchema(named: "model-merge").complaints(about: #require(merge.json)) == [])
      #expect(merge["version"] == "3-both")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/Library.remodel/3-both.yaml"))
    }
  }

  @Test(
    .tags(.server),
    .enabled(if: TestServer.isAvailable),
    arguments: ["1", "2-alice", "2-bob"]
  )
  func `a database at either branch or at the base reaches the merge`(
    version: String
  ) async throws {
    try await Self.withFork { folder in
      try await TestServer.withDatabase { url in
        // Each branch has a bundle of its own, until they meet.
        let own = "\(folder)/own/Library.remodel"
        for name in Set(["1", version]) {
          let text = try String(
            contentsOfFile: "\(folder)/Library.remodel/\(name).yaml",
            encoding: .utf8
          )
          try write(text, to: "\(own)/\(name).yaml")
        }
        let alone = try await Tool.run("migrate", "--models", own, "--database", url)
        #expect(alone.status == 0, "\(alone.error)")
        let title: SQLIdentifier = version == "2-bob" ? "name" : "title"
        try await execute("INSERT INTO public.book (\(title)) VALUES ('Emma')", at: url)
        if version == "2-alice" {
          try await execute("UPDATE public.book SET isbn = '1'", at: url)
        }
        let call = ["--models", "\(folder)/Library.remodel", "--database", url]
        for verb in ["plan", "migrate", "check"] {
          #expect(try await Tool.run([verb] + call).status == 65)
        }
        #expect(try await Tool.run(["status"] + call).status == 0)

        let models = Array(call.prefix(2))
        #expect(try await Tool.run(["model", "merge", "2-alice", "2-bob"] + models).status == 0)
        let plan = try await Tool.run(["plan"] + call)
        #expect(!plan.error.contains("was put before"), "\(plan.error)")
        let migrate = try await Tool.run(["migrate"] + call)

        #expect(migrate.status == 0, "\(migrate.error)")
        #expect(!migrate.output.contains("retained"))
        #expect(try await Tool.run(["check"] + call).status == 0)
        #expect(try await Tool.run(["verify"] + call).status == 0)
        let isbn = version == "2-alice" ? "1" : nil
        #expect(
          try await rows(of: "SELECT name, isbn FROM public.book", at: url) == [["Emma", isbn]]
        )
        #expect(try await rows(of: "SELECT name FROM public.author", at: url) == [])
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a database at a branch whose file is gone reaches the merge`() async throws {
    try await withBundle(Self.base) { folder in
      let bundle = "\(folder)/Library.remodel"
      let call = ["--models", folder]
      try await TestServer.withDatabase { url in
        // Both branches called their version 2.
        try write(Self.text(Self.withName, madeFrom: Self.base), to: "\(bundle)/2.yaml")
        #expect(
          try await Tool.run(["migrate", "--database", url] + call).status == 0
        )
        try await execute("INSERT INTO public.book (name) VALUES ('Emma')", at: url)
        try write(Self.text(Self.withName, madeFrom: Self.base), to: "\(folder)/bob.yaml")
        try write(Self.text(Self.withISBN, madeFrom: Self.base), to: "\(bundle)/2.yaml")
        let merge = try await Tool.run(
          ["model", "merge", "2", "\(folder)/bob.yaml"] + Array(call)
        )
        #expect(merge.status == 0, "\(merge.error)")

        let migrate = try await Tool.run(["migrate", "--database", url] + call)

        #expect(migrate.status == 0, "\(migrate.error)")
        #expect(
          try await rows(of: "SELECT name, isbn FROM public.book", at: url) == [["Emma", nil]]
        )
      }
    }
  }
}
