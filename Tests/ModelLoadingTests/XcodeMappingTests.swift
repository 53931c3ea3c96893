import Diagnostics
import ModelMapping
import TestSupport
import Testing

@testable import ModelLoading

/// Reads real mapping models, which are no part of the repository: skipped where they are absent.
@Suite(.enabled(if: !Corpora.mappingModels.isEmpty, "there are no real mapping models here"))
struct MappingCorporaTests {
  @Test(arguments: Corpora.mappingModels)
  func `a real mapping model reads, and is written as YAML that reads back`(path: String) throws {
    let file = try #require(MappingFile(path: path))

    let loaded = try MappingLoader.load(file)
    let text = loaded.yaml()
    let copy = try MappingLoader.load(yaml: Array(text.utf8), name: "a", path: "a")

    #expect(!loaded.mappingModel.entityMappings.isEmpty)
    #expect(copy.mappingModel == loaded.mappingModel)
    #expect(copy.holes == loaded.holes)
    #expect(copy.source.name == loaded.source.name)
    #expect(copy.destination.name == loaded.destination.name)
  }

  @Test
  func `no mapping model is forgotten`() throws {
    let loaded = try Corpora.mappingModels.map {
      try MappingLoader.load(try #require(MappingFile(path: $0)))
    }

    for mapping in loaded where !mapping.openHoles().isEmpty {
      print("\(mapping.name): \(mapping.openHoles().count) holes")
      for hole in mapping.holes {
        print("  \(mapping.mappingModel.phrase(for: hole.element)): \(hole.reason)")
      }
    }
    let policies = loaded.flatMap(\.mappingModel.entityMappings).compactMap(\.policyClassName)
    let calls = loaded.flatMap(\.holes).filter { $0.reason.hasSuffix("calls code of the policy") }
    #expect(Corpora.mappingModels.count == 51)
    #expect(calls.count == 3)
    #expect(policies.count == 22)
  }
}
