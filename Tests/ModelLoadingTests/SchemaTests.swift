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
    ("keyFields", YAMLKeys.key), ("reference", YAMLKeys.reference),
    ("storage", YAMLKeys.storage),
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

  @Test(arguments: [
    ("", YAMLKeys.mappingModel), ("entityMapping", YAMLKeys.entityMapping),
    ("distinct", YAMLKeys.distinct), ("distinctOrder", YAMLKeys.distinctOrder),
    ("policy", YAMLKeys.policy), ("hole", YAMLKeys.hole),
  ])
  func `the schema of mapping models has the keys that are read`(
    definition: String,
    keys: [String]
  ) throws {
    let root = try Self.mappingSchema().root

    let place = definition.isEmpty ? root : root["$defs"]?[definition]
    let listed = try #require(place?["properties"]).keys

    #expect(Set(listed) == Set(keys))
  }

  private static func mappingSchema() throws -> YAMLSchema {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/ModelLoading/YAML/remodel-mapping.schema.json").path
    let source = SourceText(path: path, bytes: try ModelLoader.bytes(of: path))
    return YAMLSchema(root: try YAMLTree.parse(source))
  }

  /// Files with every key, and such as differ from them in one thing.
  @Test(arguments: [
    ("", true), ("before: SELECT 1", true), ("before: [SELECT 1, SELECT 2]", true),
    ("before: { a: b }", false), ("sourceChecksum: v1:00", true), ("sourceCheksum: v1:00", false),
    ("after: [[SELECT 1]]", false),
  ])
  func `the schema takes the mapping models that are read`(line: String, isValid: Bool) throws {
    try expectAgreement(
      "remodelMapping: 1\nsource: 1\ndestination: 2\nentities: []\n\(line)\n",
      isValid
    )
  }

  @Test(arguments: [
    ("{ source: A }", true), ("{ sourc: A }", false), ("{ source: [A] }", false), ("[A]", false),
    ("{ where: a == 1 }", true), ("{ where: { hole: x } }", true), ("{ where: { h: x } }", false),
    ("{ distinct: [a] }", true), ("{ distinct: [] }", false), ("{ distinct: {} }", false),
    ("{ distinct: { keys: [a], conflict: last, order: [a, { by: b, descending: true }] } }", true),
    ("{ distinct: { keys: [a], conflict: frist } }", false),
    ("{ distinct: { keys: [a], order: [{ descending: true }] } }", false),
    ("{ distinct: { keys: [a], order: [{ by: a, descending: 1 }] } }", false),
    ("{ forEach: items }", true), ("{ attributes: { a: 1, b: true, c: null, d: e } }", true),
    ("{ attributes: { a: [1] } }", false), ("{ attributes: [a] }", false),
    ("{ attributes: { a: { hole: x } } }", true), ("{ attributes: { a: { hole: [x] } } }", false),
    ("{ relationships: { a: b } }", true), ("{ relationships: { a: {} } }", false),
    ("{ policy: Name }", true), ("{ policy: { begin: SELECT 1, class: A, hole: b } }", true),
    ("{ policy: { start: SELECT 1 } }", false), ("{ policy: [a] }", false),
    ("{ dependsOn: [A], userInfo: { a: b }, hole: x, name: N }", true),
    ("{ dependsOn: A }", false), ("{ userInfo: { a: [b] } }", false),
  ])
  func `the schema takes the entity mappings that are read`(
    mapping: String,
    isValid: Bool
  ) throws {
    try expectAgreement(
      "remodelMapping: 1\nsource: 1\ndestination: 2\nentities:\n  - \(mapping)\n",
      isValid
    )
  }

  @Test(arguments: [
    ("remodelMapping: 2\nsource: 1\ndestination: 2\nentities: []", false),
    ("source: 1\ndestination: 2\nentities: []", false),
    ("remodelMapping: 1\ndestination: 2\nentities: []", false),
    ("remodelMapping: 1\nsource: 1\nentities: []", false),
    ("remodelMapping: 1\nsource: 1\ndestination: 2", false),
    ("[]", false),
  ])
  func `the schema asks for the keys that have to be there`(text: String, isValid: Bool) throws {
    try expectAgreement(text, isValid)
  }

  private func expectAgreement(_ text: String, _ isValid: Bool) throws {
    let isRead = (try? MappingLoader.load(yaml: Array(text.utf8), name: "A", path: "a")) != nil

    #expect(isRead == isValid)
    #expect(try Self.mappingSchema().accepts(text) == isValid)
  }
}
