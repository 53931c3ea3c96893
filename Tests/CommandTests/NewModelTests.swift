import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(30)))
struct NewModelTests {
  // MARK: - A first model

  @Test
  func `a first model is valid and names its schema`() async throws {
    try await withFolder { folder in
      let outcome = try await Tool.run("init", "Shop", in: folder)
      let bundle = "\(folder)/migrations/Shop.remodel"
      let text = try String(contentsOfFile: "\(bundle)/1.yaml", encoding: .utf8)

      #expect(outcome.status == 0, "\(outcome)")
      #expect(text.hasPrefix("# yaml-language-server: $schema=model.schema.json\n"))
      let schema = try String(contentsOfFile: "\(bundle)/model.schema.json", encoding: .utf8)
      #expect(try await Tool.run("model", "schema").output == schema)
      let valid = try await Tool.run("model", "validate", "--format", "json", in: folder)
      #expect(valid.status == 0)
      #expect(valid["warnings"] == [])
    }
  }

  @Test(
    .tags(.server),
    .enabled(if: TestServer.isAvailable),
    arguments: [[], ["--models", "a model's place"], ["--models", "Shop.remodel"]]
  )
  func `the next commands work as typed`(place: [String]) async throws {
    try await withFolder { folder in
      let created = try await Tool.run(
        ["init", "Shop"] + place + ["--format", "json"],
        in: folder
      )
      try expectSuccess(created, toBe: "init")
      let calls = created["next"]?.elements.compactMap { $0.members["command"]?.string } ?? []

      #expect(calls.count == 3)
      for call in calls {
        let typed = call.replacing("remodel ", with: "\"$TOOL\" ", maxReplacements: 1)
        let outcome = try await Tool.shell("cd '\(folder)' && \(typed)")
        #expect(outcome.status == 0, "\(call): \(outcome)")
      }
    }
  }

  @Test
  func `a model that is there stays`() async throws {
    try await withBundle(Version.first) { folder in
      for call in [["init"], ["init", "Library"], ["init", "Other"]] {
        let outcome = try await Tool.run(call + ["--models", folder])

        #expect(outcome.status == 64)
        #expect(outcome.error.contains("remodel model new"))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files == ["Library.remodel"])
      }
      let path = "\(folder)/Library.remodel/1.yaml"
      #expect(try String(contentsOfFile: path, encoding: .utf8) == Version.first)
    }
  }

  @Test(arguments: ["a/b", ".a", "", "-"])
  func `a model has a name that a folder can have`(name: String) async throws {
    try await withFolder { folder in
      let outcome = try await Tool.run("init", "--", name, in: folder)

      #expect(outcome.status == 64, "\(outcome)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  // MARK: - A next version

  @Test
  func `a new version is a copy and current`() async throws {
    try await withBundle("# Ours.\n" + Version.first) { folder in
      let created = try await Tool.run("model", "new", "--models", folder, "--format", "json")
      let list = try await Tool.run("model", "list", "--models", folder)
      let text = try String(contentsOfFile: "\(folder)/Library.remodel/2.yaml", encoding: .utf8)

      try expectSuccess(created, toBe: "model-new")
      #expect(created["version"] == "2")
      #expect(created["source"] == "1")
      let base = try #require(created["sourceChecksum"]?.string)
      #expect(text.hasPrefix("# Ours.\nremodel: 1\nbase: \(base)\n"))
      #expect(list.output.contains("*  2"))
      let difference = try await Tool.run("model", "diff", "1", "--models", folder)
      #expect(difference.output == "no difference\n")
    }
  }

  @Test
  func `each version names the one before, however it is written`() async throws {
    let flow = "{ remodel: 1, entities: { Book: { attributes: { title: string } } } }"
    for first in [Version.first, flow] {
      try await withBundle(first) { folder in
        for name in ["2", "3"] {
          let created = try await Tool.run("model", "new", "--models", folder, "--format", "json")
          let text = try String(
            contentsOfFile: "\(folder)/Library.remodel/\(name).yaml",
            encoding: .utf8
          )

          let base = try #require(created["sourceChecksum"]?.string)
          #expect(text.contains("base: \(base)\n"))
          #expect(text.split(separator: "\n").count { $0.hasPrefix("base:") } == 1)
        }
        let valid = try await Tool.run("model", "validate", "--strict", "--models", folder)
        #expect(valid.status == 0, "\(valid)")
      }
    }
  }

  @Test
  func `a list of versions gets a line and keeps the rest`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let list = "\(folder)/Library.remodel/versions"
      try write("# Ours.\n2\n* 1 # the first\n", to: list)

      let created = try await Tool.run("model", "new", "third", "--models", folder)

      #expect(created.status == 0, "\(created)")
      let text = try String(contentsOfFile: list, encoding: .utf8)
      #expect(text == "# Ours.\n2\n1 # the first\nthird\n")
    }
  }

  @Test
  func `a version of Xcode's is copied`() async throws {
    try await withBundle(Version.first) { folder in
      let path = "\(folder)/Library.xcdatamodeld"
      _ = try await Tool.run(
        "model",
        "convert",
        path,
        "--models",
        "\(folder)/Library.remodel"
      )

      for name in ["2", "3"] {
        let created = try await Tool.run("model", "new", "--models", path, "--format", "json")
        #expect(created["version"]?.string == name, "\(created)")
      }
      let list = try await Tool.run("model", "list", "--models", path)
      #expect(list.output.contains("*  3"))
    }
  }

  @Test
  func `a new version does not undo a later one`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try write("* 1\n2\n", to: "\(folder)/Library.remodel/versions")

      let outcome = try await Tool.run("model", "new", "--models", folder)

      #expect(outcome.status == 64)
      #expect(outcome.error.contains("\"2\""))
    }
  }

  @Test
  func `a new version replaces none`() async throws {
    try await withBundle(Version.first) { folder in
      for name in ["1", "a/b", ".a"] {
        let outcome = try await Tool.run("model", "new", name, "--models", folder)

        #expect(outcome.status == (name == "1" ? 64 : 65), "\(outcome)")
        let files = try FileManager.default
          .contentsOfDirectory(atPath: "\(folder)/Library.remodel")
        #expect(files == ["1.yaml"])
      }
    }
  }

  // MARK: - Schemas

  @Test
  func `the executable has every schema`() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let schemas = root.appending(path: "Sources/RemodelCommands/Reporting/Schemas")
    let all = try await Tool.run("model", "schema", "report")
    let names = try FileManager.default.contentsOfDirectory(atPath: schemas.path)
      .map { String($0.dropLast(".schema.json".count)) }

    #expect(names.count > 30)
    for name in names {
      let file = schemas.appending(path: "\(name).schema.json")
      let outcome = try await Tool.run("model", "schema", name)
      #expect(try outcome.output == String(contentsOf: file, encoding: .utf8), "\(name)")
      #expect(all.json?.members["$defs"]?.members[name] != nil, "\(name)")
    }
    let mapping = try await Tool.run("model", "schema", "mapping")
    #expect(mapping.json != nil)
    #expect(try await Tool.run("model", "schema", "plann").error.contains("\"plan\""))
  }
}

extension JSONValue {
  fileprivate var elements: [JSONValue] {
    if case .array(let values) = self { values } else { [] }
  }

  fileprivate var members: [String: JSONValue] {
    if case .object(let values) = self { values } else { [:] }
  }

  fileprivate var string: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
