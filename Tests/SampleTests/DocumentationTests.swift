import RemodelKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite
struct DocumentationTests {
  @Test(arguments: try DocumentedModel.all())
  func `a model in the documentation is valid`(model: DocumentedModel) throws {
    try model.withFile { path in
      let remodel = Remodel(RemodelConfiguration(modelsPath: path))

      _ = try remodel.validate()
    }
  }

  @Test
  func `a mapping model in the documentation reads`() throws {
    let page = "\(DocumentedModel.catalogue)/MappingModels.md"
    let files = try codeBlocks(in: page, language: "yaml")

    #expect(files.count == 2)
    for lines in files {
      let text = lines.joined(separator: "\n")
      #expect(throws: Never.self) {
        try MappingLoader.load(yaml: Array(text.utf8), name: "a", path: page)
      }
    }
  }

  @Test
  func `the documentation shows models`() throws {
    let models = try DocumentedModel.all()

    #expect(models.contains { $0.page == "README.md" })
    #expect(models.contains { $0.page.hasSuffix("ModelFiles.md") })
  }

  @Test
  func `the readme shows a version and a mapping model of the sample as they are`() throws {
    let models = try DocumentedModel.all().filter { $0.page == "README.md" }

    #expect(models.map(\.text) == [try Repository.text("migrations/Library.remodel/1.yaml")])
    let mappings = try codeBlocks(in: "README.md", language: "yaml")
      .filter { $0.contains { $0.hasPrefix("remodelMapping:") } }
    #expect(
      mappings.map { $0.joined(separator: "\n") + "\n" }
        == [try Repository.text("migrations/Library.remodel/1-2.mapping.yaml")]
    )
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
  func `the session in the readme is what the tool prints`() async throws {
    let session = try #require(codeBlocks(in: "README.md", language: "console").first)
    try await TestServer.withDatabase { url in
      _ = try await Sample.remodel.migrate(.url(url), to: "1")
      try await Sample.addRows(to: url)

      var printed: [String] = []
      for line in session where line.hasPrefix("$ ") {
        let words = line.split(separator: " ").dropFirst().map(String.init)
        #expect(words.first == "remodel")
        let output = try await Tool.run(Array(words.dropFirst()), database: url)
        printed.append(line)
        printed += output.split(separator: "\n").map(String.init)
      }

      #expect(printed.map(withoutTimes) == session.map(withoutTimes))
    }
  }

  @Test
  func `the executable in the page on policies is the one that tests run`() throws {
    let page = "\(DocumentedModel.catalogue)/Policies.md"
    let listings = try codeBlocks(in: page, language: "swift").map {
      $0.joined(separator: "\n") + "\n"
    }

    #expect(listings.contains(try Repository.text("Tests/PolicyExample/main.swift")))
  }

  private func withoutTimes(_ line: String) -> String {
    line.replacing(/[0-9.]+ m?s$/, with: "TIME")
  }

  @Test
  func `the page on commands lists the options of all verbs`() async throws {
    let verbs = [
      ["migrate"], ["plan"], ["status"], ["check"], ["verify"], ["history"], ["finish"],
      ["revert"], ["cleanup"], ["adopt"], ["model", "export"],
      ["model", "list"],
      ["model", "show"], ["model", "hash"], ["model", "validate"], ["model", "diff"],
      ["model", "convert"], ["model", "diagram"], ["mapping", "infer"],
      ["job", "list"], ["job", "show"], ["job", "pause"], ["job", "resume"], ["job", "cancel"],
      ["mapping", "new"], ["mapping", "show"], ["mapping", "validate"], ["mapping", "convert"],
    ]
    var options: Set<String> = []
    for verb in verbs { options.formUnion(optionNames(in: try await Tool.run(["help"] + verb))) }
    let page = try Repository.text("\(DocumentedModel.catalogue)/Commands.md")
    let documented = optionNames(in: page)

    #expect(
      options.subtracting(["--version", "--help"]).subtracting(documented) == []
    )
    #expect(documented.subtracting(options) == [])
  }

  private func optionNames(in text: String) -> Set<String> {
    Set(text.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
  }

  @Test
  func `the worked vector has the hashes of its model`() throws {
    let page = "\(DocumentedModel.catalogue)/Versions.md"
    let model = try #require(DocumentedModel.all().first { $0.page == page })
    let vector = try #require(codeBlocks(in: page, language: "").first)

    try model.withFile { path in
      let version = try Remodel(RemodelConfiguration(modelsPath: path)).version()
      let entity = try #require(version.hashes.entities["Book"])

      #expect(
        vector == [
          "entity Book  \(entity)", "checksum     \(version.hashes.checksum)",
          "layout       \(version.hashes.layoutDigest)",
        ]
      )
    }
  }

  /// Returns the lines of each code block that is marked with a language.
  private func codeBlocks(in page: String, language: String) throws -> [[String]] {
    let text = try Repository.text(page)
    return DocumentedModel.codeBlocks(in: text).filter { $0.language == language }.map(\.lines)
  }
}

/// A code block that holds a whole model.
struct DocumentedModel: CustomTestStringConvertible, Sendable {
  /// The file that the block is in.
  let page: String
  /// The line after the block's first fence.
  let line: Int
  let text: String

  var testDescription: String { "\(page):\(line)" }

  static let catalogue = "Sources/RemodelKit/Documentation.docc"

  /// Returns the models of all pages, in their order.
  static func all() throws -> [DocumentedModel] {
    let pages = try FileManager.default.contentsOfDirectory(atPath: Repository.path(catalogue))
      .filter { $0.hasSuffix(".md") }.sorted().map { "\(catalogue)/\($0)" }
    return try (["README.md"] + pages).flatMap { models(in: try Repository.text($0), page: $0) }
  }

  /// Returns the blocks that are marked as YAML and have the key which begins our files.
  private static func models(in text: String, page: String) -> [DocumentedModel] {
    codeBlocks(in: text)
      .filter { $0.language == "yaml" && $0.lines.contains { $0.hasPrefix("remodel:") } }
      .map {
        DocumentedModel(page: page, line: $0.line, text: $0.lines.joined(separator: "\n") + "\n")
      }
  }

  /// Returns the code blocks of a page, with the line that each begins at.
  static func codeBlocks(in text: String) -> [(language: String, line: Int, lines: [String])] {
    var blocks: [(language: String, line: Int, lines: [String])] = []
    var isInside = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if !isInside { blocks.append((String(line.dropFirst(3)), index + 2, [])) }
        isInside.toggle()
      } else if isInside {
        blocks[blocks.count - 1].lines.append(line)
      }
    }
    return blocks
  }

  /// Gives the path of a file that holds the model to a function.
  func withFile(_ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }
}
