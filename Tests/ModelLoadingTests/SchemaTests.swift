import FoundationEssentials
import Testing

@testable import ModelLoading

@Suite
struct SchemaTests {
  @Test(arguments: [
    ("", YAMLKeys.model), ("entity", YAMLKeys.entity), ("attributeFields", YAMLKeys.attribute),
    ("validation", YAMLKeys.validation), ("relationship", YAMLKeys.relationship),
    ("indexFields", YAMLKeys.index), ("indexElement", YAMLKeys.indexElement),
    ("fetchRequest", YAMLKeys.fetchRequest), ("fetchedProperty", YAMLKeys.fetchedProperty),
  ])
  func `the schema for editors has the keys that are read`(
    definition: String,
    keys: [String]
  ) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/ModelLoading/YAML/remodel-model.schema.json").path
    // JSON is YAML.
    let root = try YAMLTree.parse(SourceText(path: path, bytes: ModelLoader.bytes(of: path)))

    let place = definition.isEmpty ? root : root["$defs"]?[definition]
    let listed = try #require(place?["properties"]).keys

    #expect(Set(listed) == Set(keys))
  }
}

extension YAMLNode {
  fileprivate var entries: [YAMLEntry] {
    if case .mapping(let entries) = content { entries } else { [] }
  }

  fileprivate var keys: [String] { entries.map(\.key) }

  fileprivate subscript(_ key: String) -> YAMLNode? {
    entries.first { $0.key == key }?.value
  }
}
