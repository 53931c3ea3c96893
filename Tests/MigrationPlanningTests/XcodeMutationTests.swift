import Diagnostics
import FoundationEssentials
import MigrationPlanning
import ModelLoading
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

/// Real models with random changes open with warnings, or are refused at a place.
@Suite(.enabled(if: Corpora.isAvailable, "there are no real models on this machine"))
struct XcodeMutationTests {
  @Test
  func `a changed model opens with warnings, or is refused at a place`() throws {
    let files = try Corpora.bundles.flatMap { try ModelBundle(at: $0).versions.map(\.path) }
    var random = SeededGenerator(seed: RandomCases.sampleSeed)
    var opened = 0
    for _ in 0..<RandomCases.count(orElse: RandomCases.isEverything ? 600 : 200) {
      guard let file = random.pick(files) else { continue }
      let path = file.hasSuffix(".xcdatamodel") ? "\(file)/contents" : file
      let xml = try String(contentsOfFile: path, encoding: .utf8)
      guard xml.utf8.count < 60_000 else { continue }
      let mutation = XcodeMutation(of: xml, count: Int.random(in: 1...3, using: &random), &random)
      do {
        let loaded = try ModelLoader.load(xml: Array(mutation.xml.utf8), path: "contents")
        opened += 1
        check(mutation, loaded)
        try project(loaded.model)
      } catch let error as ModelLoadingError {
        let errors = error.diagnostics.filter { $0.severity == .error }
        #expect(!errors.isEmpty, "\(path): \(mutation.description)")
        #expect(
          errors.allSatisfy { $0.location?.line != nil },
          "\(path): \(mutation.description)\(error)"
        )
      }
    }
    print("\(opened) changed models opened")
    #expect(opened > 0)
  }

  /// Every entity and attribute of the file is in the model, or a warning is about it.
  private func check(_ mutation: XcodeMutation, _ loaded: LoadedModel) {
    for (name, attributes) in mutation.namedAttributes where !name.isEmpty {
      guard let entity = loaded.model.entity(named: name) else {
        Issue.record("entity \(name) is lost: \(mutation.description)")
        continue
      }
      let known = Set(loaded.model.effectiveAttributes(of: entity).map(\.name))
      for attribute in attributes where !attribute.isEmpty && !known.contains(attribute) {
        let isTold = loaded.warnings.contains { $0.message.contains("\"\(attribute)\"") }
        #expect(isTold, "attribute \(attribute) is lost: \(mutation.description)")
      }
    }
  }

  /// A model that opens has tables, or there is a sentence about why it has none.
  private func project(_ model: ManagedObjectModel) throws {
    do {
      _ = try ModelProjection(model, schema: "s", isInterpreted: true)
    } catch {
      #expect(error.faults.allSatisfy { !$0.diagnostic.message.isEmpty })
    }
  }
}
