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
    let blocks = try DocumentationPage.all().flatMap { page in
      page.blocks.filter { $0.language == "yaml" && $0.text.contains("remodelMapping:") }
        .map { (page: page.path, text: $0.text) }
    }

    #expect(blocks.count > 2)
    for block in blocks {
      #expect(throws: Never.self) {
        try MappingLoader.load(yaml: Array(block.text.utf8), name: "a", path: block.page)
      }
    }
  }

  @Test
  func `the documentation shows models`() throws {
    let models = try DocumentedModel.all()

    #expect(models.contains { $0.page.hasSuffix("Tutorial.md") })
    #expect(models.contains { $0.page.hasSuffix("ModelFiles.md") })
  }

  @Test
  func `the readme is one screen`() throws {
    #expect(try DocumentationPage.named("README.md").lines.count <= 100)
  }

  @Test
  func `every page is among the topics, and every link leads to a page`() throws {
    let pages = try DocumentationPage.all()
    let names = Set(pages.dropFirst().map(\.name)).subtracting(["RemodelKit"])
    let topics = try #require(pages.first { $0.name == "RemodelKit" })

    #expect(Set(topics.links) == names)
    #expect(topics.links.count == names.count)
    for page in pages { #expect(names.isSuperset(of: page.links), "\(page.path)") }
    let readme = try #require(pages.first)
    for file in readme.files {
      #expect(FileManager.default.fileExists(atPath: Repository.path(file)), "\(file)")
    }
  }

  @Test
  func `the executable in the page on policies is the one that tests run`() throws {
    let page = "\(DocumentationPage.catalogue)/Policies.md"
    let listings = try codeBlocks(in: page, language: "swift").map {
      $0.joined(separator: "\n") + "\n"
    }

    #expect(listings.contains(try Repository.text("Tests/PolicyExample/main.swift")))
  }

  @Test
  func `the page on commands lists the options of all verbs`() async throws {
    let verbs = [
      ["init"], ["migrate"], ["plan"], ["status"], ["check"], ["verify"], ["history"], ["finish"],
      ["revert"], ["cleanup"], ["interface"], ["retire"], ["adopt"], ["model", "export"],
      ["model", "list"], ["model", "new"], ["model", "schema"],
      ["model", "show"], ["model", "hash"], ["model", "validate"], ["model", "diff"],
      ["model", "convert"], ["model", "diagram"], ["mapping", "infer"],
      ["job", "list"], ["job", "show"], ["job", "pause"], ["job", "resume"], ["job", "cancel"],
      ["model", "merge"], ["mark", "development"],
      ["mapping", "new"], ["mapping", "preview"], ["mapping", "show"], ["mapping", "validate"],
      ["mapping", "convert"],
    ]
    var options: Set<String> = []
    for verb in verbs { options.formUnion(optionNames(in: try await Tool.run(["help"] + verb))) }
    let page = try Repository.text("\(DocumentationPage.catalogue)/Commands.md")
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
    let page = "\(DocumentationPage.catalogue)/Versions.md"
    let model = try #require(DocumentedModel.all().first { $0.page == page })
    let vector = try #require(codeBlocks(in: page, language: "text").first)

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

  /// Returns the lines of each code block of a page of the catalogue that is marked with a language.
  private func codeBlocks(in page: String, language: String) throws -> [[String]] {
    try DocumentationPage.named(page).blocks.filter { $0.language == language }.map(\.lines)
  }
}

extension DocumentationPage {
  /// The name by which other pages lead here.
  fileprivate var name: String {
    String(path.split(separator: "/").last?.dropLast(".md".count) ?? "")
  }

  /// The names of the pages that this one leads to.
  fileprivate var links: [String] {
    lines.flatMap { $0.matches(of: /<doc:(\w+)>/).map { String($0.output.1) } }
  }

  /// The files of the repository that this page leads to.
  fileprivate var files: [String] {
    lines.flatMap { $0.matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) } }
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

  /// Returns the models of all pages, in their order.
  static func all() throws -> [DocumentedModel] {
    try DocumentationPage.all().flatMap { page in
      page.blocks
        .filter { $0.language == "yaml" && $0.lines.contains { $0.hasPrefix("remodel:") } }
        .map { DocumentedModel(page: page.path, line: $0.start + 1, text: $0.text) }
    }
  }

  /// Gives the path of a file that holds the model to a function.
  func withFile(_ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }
}
