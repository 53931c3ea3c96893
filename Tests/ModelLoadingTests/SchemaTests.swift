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
    ("storage", YAMLKeys.storage), ("partitionFields", YAMLKeys.partition),
    ("distributionFields", YAMLKeys.distribution),
    ("layout", YAMLKeys.layout),
  ])
  func `the schema for editors has the keys that are read`(
    definition: String,
    keys: [String]
  ) throws {
    let root = try Self.schema(.model).root

    let place = definition.isEmpty ? root : root["$defs"]?[definition]
    let listed = try #require(place?["properties"]).keys

    #expect(Set(listed) == Set(keys))
  }

  @Test(arguments: [
    ("", YAMLKeys.mappingModel), ("entityMapping", YAMLKeys.entityMapping),
    ("distinct", YAMLKeys.distinct), ("distinctOrder", YAMLKeys.distinctOrder),
    ("policy", YAMLKeys.policy), ("hole", YAMLKeys.hole),
    ("propertyMapping", YAMLKeys.propertyMapping),
  ])
  func `the schema of mapping models has the keys that are read`(
    definition: String,
    keys: [String]
  ) throws {
    let root = try Self.schema(.mapping).root

    let place = definition.isEmpty ? root : root["$defs"]?[definition]
    let listed = try #require(place?["properties"]).keys

    #expect(Set(listed) == Set(keys))
  }

  private static func schema(_ schema: FileSchema) throws -> YAMLSchema {
    // JSON is YAML.
    let source = SourceText(path: schema.rawValue, bytes: Array(schema.text.utf8))
    return YAMLSchema(root: try YAMLTree.parse(source))
  }

  /// The models and mapping models of the sample and of the scenarios, in the forms that people write.
  @Test
  func `the schemas take the files that are read`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let schemas = (model: try Self.schema(.model), mapping: try Self.schema(.mapping))
    var counts = (models: 0, mappings: 0)

    for folder in ["migrations", "Tests/ScenarioTests/Scenarios"] {
      let names = try FileManager.default
        .subpathsOfDirectory(atPath: root.appending(path: folder).path)
      for name in names where name.hasSuffix(".yaml") {
        let path = root.appending(path: "\(folder)/\(name)").path
        let bytes = try ModelLoader.bytes(of: path)
        let text = String(decoding: bytes, as: UTF8.self)
        if (try? ModelLoader.load(path)) != nil {
          counts.models += 1
          #expect(try schemas.model.accepts(text), "\(path)")
        } else if (try? MappingLoader.load(yaml: bytes, name: "A", path: path)) != nil {
          counts.mappings += 1
          #expect(try schemas.mapping.accepts(text), "\(path)")
        }
      }
    }

    #expect(counts.models > 100 && counts.mappings > 10, "\(counts)")
  }

  @Test
  func `the first version is valid`() throws {
    let place = try #require(ModelPlace(at: "/nowhere/Shop.remodel", databaseName: ""))
    let file = try #require(ModelConversion(firstAt: place).files.first)

    let loaded = try ModelLoader.load(yaml: Array(file.text.utf8), path: file.path)

    #expect(loaded.warnings.isEmpty)
    #expect(try Self.schema(.model).accepts(file.text))
  }

  @Test(arguments: [
    ("1", "2"), ("9", "10"), ("009", "010"), ("v1", "v2"), ("Shop", "Shop-2"),
    ("Shop 9", "Shop 10"),
    ("99999999999999999999", "100000000000000000000"), ("1.2", "1.3"),
  ])
  func `the next name has the next number`(name: String, next: String) {
    #expect(NextVersion.name(after: name, in: .yaml) == next)
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

  @Test(arguments: [
    ("hash(_id, 16)", true), ("hash(number, 2)", true), ("list(region)", true),
    ("range(placed)", false),
    ("hash(_id)", false), ("hash(_id, x)", false), ("list()", false), ("3", false), ("~", false),
    ("[a]", false), ("{}", false), ("{ by: list(region) }", true), ("{ by: 3 }", false),
    ("{ by: range(placed), every: 1 month }", true), ("{ by: range(placed) }", false),
    ("{ by: range(placed), every: 1 month, ahead: 3, keep: 24 months }", true),
    ("{ by: range(placed), every: 1 month, ahead: 0 }", false),
    ("{ by: range(placed), every: 1 month, ahead: 101 }", false),
    ("{ by: range(placed), every: 1 month, values: [a] }", false),
    ("{ by: range(placed), every: 0 months }", false), ("{ by: range(placed), every: [] }", false),
    ("{ by: range(placed), every: 1 fortnight }", false),
    ("{ by: range(number), every: 1000000, keep: 2000000 }", true),
    ("{ by: range(number), every: 0 }", false), ("{ by: range(number), every: -5 }", false),
    ("{ by: list(region), values: [eu, us] }", true), ("{ by: list(number), values: [1] }", true),
    ("{ by: list(region), values: [] }", false), ("{ by: list(region), values: eu }", false),
    ("{ by: list(region), values: [[eu]] }", false), ("{ by: list(region), every: 1 day }", false),
    ("{ by: \"hash(_id, 16)\" }", true), ("{ by: \"hash(_id, 16)\", ahead: 3 }", false),
    ("{ by: \"hash(_id, 16)\", values: [a] }", false), ("{ by: list(region), of: x }", false),
  ])
  func `the schema takes the ways to partition that are read`(
    partition: String,
    isValid: Bool
  ) throws {
    let text = PartitioningTests.file(partition)
    let isRead = (try? ModelLoader.load(yaml: Array(text.utf8), path: "a")) != nil

    #expect(isRead == isValid)
    #expect(try Self.schema(.model).accepts(text) == isValid)
  }

  @Test(arguments: [
    ("reference", true), ("number", false), ("~", false), ("3", false), ("[reference]", false),
    ("{}", false), ("{ by: number }", true), ("{ by: _id }", true), ("{ by: \"\" }", false),
    ("{ by: [number] }", false), ("{ colocateWith: A }", false),
    ("{ by: number, colocateWith: [A] }", false), ("{ by: number, with: A }", false),
  ])
  func `the schema takes the distributions that are read`(
    distribution: String,
    isValid: Bool
  ) throws {
    let text = """
      remodel: 1
      entities:
        A:
          attributes:
            number: integer64
          distribution: \(distribution)

      """
    let isRead = (try? ModelLoader.load(yaml: Array(text.utf8), path: "a")) != nil

    #expect(isRead == isValid)
    #expect(try Self.schema(.model).accepts(text) == isValid)
  }

  private func expectAgreement(_ text: String, _ isValid: Bool) throws {
    let isRead = (try? MappingLoader.load(yaml: Array(text.utf8), name: "A", path: "a")) != nil

    #expect(isRead == isValid)
    #expect(try Self.schema(.mapping).accepts(text) == isValid)
  }
}
