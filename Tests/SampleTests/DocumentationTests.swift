import RemodelKit
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
  func `the documentation shows models`() throws {
    let models = try DocumentedModel.all()

    #expect(models.contains { $0.page == "README.md" })
    #expect(models.contains { $0.page.hasSuffix("ModelFiles.md") })
  }

  @Test
  func `the readme shows a version of the sample as it is`() throws {
    let models = try DocumentedModel.all().filter { $0.page == "README.md" }

    #expect(models.map(\.text) == [try Repository.text("migrations/Library.remodel/1.yaml")])
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
    let catalogue = "Sources/RemodelKit/Documentation.docc"
    let pages = try FileManager.default.contentsOfDirectory(atPath: Repository.path(catalogue))
      .filter { $0.hasSuffix(".md") }.sorted().map { "\(catalogue)/\($0)" }
    return try (["README.md"] + pages).flatMap { models(in: try Repository.text($0), page: $0) }
  }

  /// Returns the blocks that are marked as YAML and have the key which begins our files.
  private static func models(in text: String, page: String) -> [DocumentedModel] {
    var models: [DocumentedModel] = []
    var block: (line: Int, lines: [Substring])?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line == "```yaml" {
        block = (index + 2, [])
      } else if line == "```", let (start, lines) = block {
        if lines.contains(where: { $0.hasPrefix("remodel:") }) {
          let text = lines.joined(separator: "\n") + "\n"
          models.append(DocumentedModel(page: page, line: start, text: text))
        }
        block = nil
      } else {
        block?.lines.append(line)
      }
    }
    return models
  }

  /// Gives the path of a file that holds the model to a function.
  func withFile(_ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }
}
