import Diagnostics
import ObjectModel
import Testing

@testable import ModelLoading

@Suite
struct MappingFileTests {
  @Test
  func `mapping models are in the bundle, beside it, or at a given path`() throws {
    try withTemporaryFolder { folder in
      for path in [
        "Shop.remodel/1.yaml", "Shop.remodel/2.yaml", "Shop.remodel/b10.mapping.yaml",
        "b9.mapping.yaml", "C.xcmappingmodel/xcmapping.xml", "other/d.mapping.yml",
        "other/deep/E.xcmappingmodel/xcmapping.xml", ".hidden.mapping.yaml", "note.yaml",
      ] {
        try ModelFile.write([], to: "\(folder)/\(path)")
      }
      let bundle = try ModelBundle(at: "\(folder)/Shop.remodel")

      func names(_ path: String?) throws -> [String] {
        try MappingFile.files(of: bundle, at: path.map { "\(folder)/\($0)" }).map(\.name)
      }
      #expect(bundle.versions.map(\.name) == ["1", "2"])
      #expect(try names(nil) == ["b9", "b10", "C"])
      #expect(try names("other") == ["d", "E"])
      #expect(try names("other/d.mapping.yml") == ["d"])
      let missing = #expect(throws: ModelLoadingError.self) { try names("nowhere") }
      #expect(missing?.kind == .noBundle)
      let other = #expect(throws: ModelLoadingError.self) { try names("note.yaml") }
      #expect(other?.diagnostics.first?.message.hasSuffix("is not a mapping model") == true)
    }
  }

  private static let models: [String: ManagedObjectModel] = [
    "1": ManagedObjectModel(entities: [entity("Book", "title")]),
    "2": ManagedObjectModel(entities: [entity("Book", "title", "pages")]),
    "3": ManagedObjectModel(entities: [entity("Book", "title", "pages"), entity("Author", "name")]),
  ]

  private static func entity(_ name: String, _ attributes: String...) -> EntityDescription {
    EntityDescription(
      name: name,
      attributes: attributes.map { AttributeDescription(name: $0, type: .string) }
    )
  }

  private func match(_ version: MappedVersion) -> String? {
    let versions = ["1", "2", "3"].map { ModelVersion(name: $0, path: $0) }
    return version.version(among: versions) { Self.models[$0.name] }?.name
  }

  @Test
  func `a version is identified by the copy of its model, by its name, or by the mapped entities`()
  {
    // The copy has more names than those of the model, and its path may be out of date.
    #expect(match(MappedVersion(name: "3", copiedNames: ["Book", "title", "pages", "x"])) == "2")
    #expect(match(MappedVersion(name: "3", copiedNames: ["Cook"])) == "3")
    #expect(match(MappedVersion(name: "1")) == "1")
    #expect(match(MappedVersion(name: "9")) == nil)
    #expect(match(MappedVersion(name: "9", propertyNames: ["Book": ["title", "pages"]])) == "2")
    #expect(match(MappedVersion(propertyNames: ["Book": [], "Author": ["name"]])) == "3")
    #expect(match(MappedVersion(propertyNames: ["Cook": []])) == nil)
  }

  @Test
  func `the copy of a model is found in its archive`() throws {
    let archive = try KeyedArchive(try #require(bytes(ofBase64: ArchiveSamples.copy)))

    #expect(archive.texts.isSuperset(of: ["Book", "title", "pages"]))
  }
}
