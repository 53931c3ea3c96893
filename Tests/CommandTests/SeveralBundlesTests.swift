import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `--models` more than once, and `--model-name`.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SeveralBundlesTests {
  private let user = "remodel: 1\nentities:\n  User: { attributes: { name: string } }"
  private let userWithInitial =
    "remodel: 1\nentities:\n  User: { attributes: { name: string, initial: string } }"
  private let initials = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: User
        destination: User
        attributes: { initial: "uppercase(substring($source.name, 0, 1))" }
    """

  /// Gives the options for two bundles in folders of their own to a function.
  private func withBundles(
    _ second: [String],
    _ body: (_ folder: String, _ models: [String]) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      for (index, text) in second.enumerated() {
        try write(text, to: "\(folder)/accounts/Accounts.remodel/\(index + 1).yaml")
      }
      let paths = ["\(folder)/Library.remodel", "\(folder)/accounts"]
      try await body(folder, paths.flatMap { ["--models", $0] })
    }
  }

  @Test
  func `each of several bundles is at a version of its own in one store`() async throws {
    try await withBundles([user, userWithInitial]) { folder, models in
      try write(initials, to: "\(folder)/accounts/1-2.mapping.yaml")
      try await TestServer.withDatabase { url in
        let call = models + ["--database", url]
        try await expect(0, ["migrate", "--to", "1+1"] + call)
        #expect(try await version(call) == "1+1")
        try await execute("INSERT INTO public.\"user\" (name) VALUES ('ada')", at: url)

        // The order has no meaning, and the variable is the option.
        let variables = [
          "REMODEL_MODELS": "\(folder)/accounts:\(folder)/Library.remodel",
          "REMODEL_DATABASE_URL": url,
        ]
        let status = try await Tool.run(["status", "--format", "json"], environment: variables)
        #expect(status["version"] == "1+1", "\(status)")
        #expect(status["target"] == "2+2", "\(status)")

        try await expect(0, ["migrate"], environment: variables)
        #expect(try await version(call) == "2+2")
        #expect(
          try await rows(of: "SELECT name, initial FROM public.\"user\"", at: url) == [
            ["ada", "A"]
          ]
        )
        try await expect(0, ["check"] + call)
        try await expect(0, ["verify"] + call)
        try await expect(0, ["migrate"] + call)
        #expect(
          try await rows(of: "SELECT model_name FROM remodel.store", at: url)
            == [["Accounts+Library"]]
        )
        try await expect(
          7,
          ["migrate", "--models", "\(folder)/Library.remodel", "--database", url]
        )
      }
    }
  }

  @Test
  func `the way back of one of several bundles turns texts into integers again`() async throws {
    let versions = ["integer32", "string"].map {
      "remodel: 1\nentities:\n  User: { attributes: { name: string, age: \($0)? } }"
    }
    try await withBundles(versions) { _, models in
      try await expect(0, ["plan", "--from", "1+1", "--to", "2+1"] + models)
      try await expect(3, ["plan", "--from", "2+1", "--to", "1+1", "--mappings-only"] + models)
      try await expect(0, ["plan", "--from", "2+1", "--to", "1+1"] + models)
    }
  }

  @Test
  func `several bundles are validated, listed and planned together`() async throws {
    try await withBundles([user]) { _, models in
      try await expect(0, ["model", "validate"] + models)
      let list = try await expect(0, ["model", "list"] + models)
      #expect(list.output.contains("1+2"))
      let plan = try await expect(0, ["plan", "--from", "1+1", "--to", "1+2"] + models)
      #expect(plan.output.contains("isbn"))
      try await expect(64, ["model", "show", "9+9"] + models)
    }
  }

  @Test
  func `an entity that differs is refused with both files, and two bundles of one name`()
    async throws
  {
    let other = "remodel: 1\nentities:\n  Book: { attributes: { title: string } }"
    try await withBundles([other]) { folder, models in
      let outcome = try await expect(65, ["model", "validate"] + models)
      #expect(outcome.error.contains("entity \"Book\" is not the same"), "\(outcome)")
      #expect(outcome.error.contains("Accounts.remodel/1.yaml"), "\(outcome)")
      #expect(outcome.error.contains("Library.remodel/2.yaml"), "\(outcome)")

      try write(other, to: "\(folder)/copy/Library.remodel/1.yaml")
      let paths = ["--models", "\(folder)/Library.remodel", "--models", "\(folder)/copy"]
      let twins = try await expect(64, ["model", "list"] + paths)
      #expect(twins.error.contains("two bundles to merge are called \"Library\""), "\(twins)")
      try await expect(0, ["model", "list"] + paths.prefix(2) + paths.prefix(2))
    }
  }

  @Test
  func `an equal entity of several bundles is one`() async throws {
    try await withBundles([Version.withAuthor]) { _, models in
      let outcome = try await expect(0, ["model", "show"] + models)
      #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("Book") } == 1)
    }
  }

  @Test
  func `several bundles are adopted together, and exported to a place of their own`() async throws {
    try await withBundles([user]) { folder, models in
      try await TestServer.withDatabase { url in
        let call = models + ["--database", url]
        try await expect(0, ["migrate"] + call)
        try await execute("DROP SCHEMA remodel CASCADE", at: url)

        try await expect(0, ["adopt"] + call)
        #expect(try await version(call) == "1+2")
        let write = try await expect(64, ["adopt", "--write"] + call)
        #expect(write.error.contains("a model is written to one bundle"), "\(write)")
        let export = try await expect(64, ["model", "export"] + call)
        #expect(export.error.contains("--output"), "\(export)")
        let path = "\(folder)/All.remodel"
        try await expect(0, ["model", "export", "--output", path] + call)
        try await expect(0, ["model", "show", "1+2", "--models", path])
      }
    }
  }

  @Test
  func `a bundle whose folder was renamed is named, and nothing is done without`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        try await expect(
          0,
          ["migrate", "--to", "1", "--models", "\(folder)/Library.remodel", "--database", url]
        )
        _ = try await Tool.shell("mv '\(folder)/Library.remodel' '\(folder)/Shop.remodel'")
        let call = ["--models", "\(folder)/Shop.remodel", "--database", url]
        let hint = "--model-name \"Library\""

        #expect(try await expect(7, ["migrate"] + call).error.contains(hint))
        #expect(try await expect(0, ["status"] + call).error.contains(hint))
        #expect(try await expect(2, ["check"] + call).error.contains(hint))
        #expect(try await expect(2, ["verify"] + call).error.contains(hint))
        let json = try await expect(0, ["status", "--format", "json"] + call)
        #expect(json["version"] == .null)
        #expect(try await rows(of: "SELECT model_name FROM remodel.store", at: url).count == 1)

        let named = call + ["--model-name", "Library"]
        try await expect(0, ["migrate"] + named)
        #expect(try await version(named) == "2")
        try await expect(
          0,
          ["check"] + call,
          environment: ["REMODEL_MODEL_NAME": "Library"]
        )
        #expect(
          try await rows(of: "SELECT model_name FROM remodel.store", at: url) == [["Library"]]
        )
      }
    }
  }
}
