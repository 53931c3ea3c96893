import Foundation
import TestSupport
import Testing

@testable import ObjectModel

@Suite
struct HashingTests {
  /// The test vectors of the format: whoever computes these hashes the same way agrees with us.
  @Test
  func `serialisations and hashes are those of the test vectors`() throws {
    var lines: [String] = []
    for entity in Samples.library.entities {
      let hashes = Samples.library.versionHashes()
      let parent = entity.superentityName.flatMap { hashes.entities[$0] }
      for layout in [false, true] {
        let writer = Samples.library.serialisation(of: entity, parent: parent, layout: layout)
        lines.append("// \(entity.name), \(layout ? "layout" : "version")")
        lines.append(String(decoding: writer.bytes, as: UTF8.self))
        lines.append(VersionHash(of: writer).text)
      }
    }
    let hashes = Samples.library.versionHashes()
    lines += ["// checksum", hashes.checksum.text, "// layout digest", hashes.layoutDigest.text]

    expectGolden(lines.joined(separator: "\n") + "\n", named: "version-hashes.txt")
  }

  @Test
  func `a serialisation is JSON without white space whose keys are in order`() throws {
    for entity in Samples.library.entities {
      for layout in [false, true] {
        let writer = Samples.library.serialisation(of: entity, parent: nil, layout: layout)

        let value = try JSONSerialization.jsonObject(with: Data(writer.bytes))
        let sorted = try JSONSerialization.data(
          withJSONObject: value,
          options: [.sortedKeys, .withoutEscapingSlashes]
        )
        // Ours escapes every control character by its number.
        let text = String(decoding: writer.bytes, as: UTF8.self).replacing("\\u000a", with: "\\n")
        #expect(text == String(decoding: sorted, as: UTF8.self))
      }
    }
  }

  @Test
  func `what does not follow the rules is in order as well`() throws {
    for entity in Samples.adopted.entities {
      for layout in [false, true] {
        let writer = Samples.adopted.serialisation(of: entity, parent: nil, layout: layout)

        let value = try JSONSerialization.jsonObject(with: Data(writer.bytes))
        let sorted = try JSONSerialization.data(
          withJSONObject: value,
          options: [.sortedKeys, .withoutEscapingSlashes]
        )
        #expect(
          String(decoding: writer.bytes, as: UTF8.self) == String(decoding: sorted, as: UTF8.self)
        )
      }
    }
  }

  @Test
  func `the hash of a known text is the one that everybody gets`() {
    #expect(
      hexadecimalSHA256(of: "abc".utf8)
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
  }

  @Test
  func `the hash of a superentity is part of those of its subentities`() {
    var entities = Samples.library.entities
    entities[1].attributes[0].isOptional = true

    let before = Samples.library.versionHashes().entities
    let after = ManagedObjectModel(entities: entities, composites: Samples.library.composites)
      .versionHashes().entities

    #expect(before["Book"] != after["Book"])
    #expect(before["Author"] == after["Author"])
  }

  @Test(arguments: Characteristic.all)
  func `a characteristic changes what it is to change`(_ characteristic: Characteristic) {
    let before = Samples.library.versionHashes()
    let after = characteristic.changed.versionHashes()

    #expect((before.checksum != after.checksum) == characteristic.changesVersion)
    #expect((before.layoutDigest != after.layoutDigest) == characteristic.changesLayout)
  }

  @Test(arguments: [AttributeType.date, .double, .float, .decimal, .integer32])
  func `a zero has no sign`(type: AttributeType) throws {
    let (plain, signed) = (
      try #require(AttributeValue("0", of: type)), AttributeValue("-0", of: type)
    )

    #expect(signed.map { "\($0)" } == "\(plain)")
  }

  @Test
  func `a beginning of a hash stands for it`() {
    let hash = VersionHash(text: "v1:3a7bcd")

    #expect(hash.matches(prefix: "3A7"))
    #expect(hash.matches(prefix: "v1:3a"))
    #expect(!hash.matches(prefix: "7b"))
    #expect(!hash.matches(prefix: ""))
  }
}

/// A characteristic of a model, with what it is part of.
struct Characteristic: CustomTestStringConvertible, Sendable {
  let name: String
  let changesVersion: Bool
  let changesLayout: Bool
  let change: @Sendable (inout [EntityDescription]) -> Void

  var testDescription: String { name }

  var changed: ManagedObjectModel {
    var entities = Samples.library.entities
    change(&entities)
    return ManagedObjectModel(entities: entities, composites: Samples.library.composites)
  }

  static let all = both + layoutOnly + neither

  private static func both(
    _ name: String,
    _ change: @escaping @Sendable (inout [EntityDescription]) -> Void
  ) -> Characteristic {
    Characteristic(name: name, changesVersion: true, changesLayout: true, change: change)
  }

  private static func layout(
    _ name: String,
    _ change: @escaping @Sendable (inout [EntityDescription]) -> Void
  ) -> Characteristic {
    Characteristic(name: name, changesVersion: false, changesLayout: true, change: change)
  }

  private static func none(
    _ name: String,
    _ change: @escaping @Sendable (inout [EntityDescription]) -> Void
  ) -> Characteristic {
    Characteristic(name: name, changesVersion: false, changesLayout: false, change: change)
  }

  private static let both = [
    both("entity name") { $0[0].name = "Writer" },
    both("parent") { $0[2].superentityName = nil },
    both("abstract") { $0[1].isAbstract = false },
    both("entity hash modifier") { $0[0].versionHashModifier = "2" },
    both("table name") { $0[0].tableName = "people" },
    both("key") { $0[0].key = .uuid },
    both("column of the key") { $0[0].key.columnName = "id" },
    both("type of the key") { $0[0].key = KeyDescription(.other(.string)) },
    both("generated column") { $0[0].attributes[0].generationExpression = "'a'" },
    both("attribute name") { $0[0].attributes[0].name = "fullName" },
    both("attribute type") { $0[0].attributes[0].type = .varchar(20) },
    both("length of a type") { $0[2].attributes[0].type = .numeric(precision: 5, scale: 2) },
    both("attribute optional") { $0[0].attributes[0].isOptional = true },
    both("attribute transient") { $0[1].attributes[0].isTransient = true },
    both("column name") { $0[0].attributes[0].columnName = "n" },
    both("derivation") { $0[0].attributes[0].derivationExpression = "now()" },
    both("composite") { $0[2].attributes[1].type = .composite("Other") },
    both("attribute hash modifier") { $0[0].attributes[0].versionHashModifier = "2" },
    both("relationship name") { $0[1].relationships[0].name = "writer" },
    both("destination") { $0[1].relationships[0].destinationEntityName = "Book" },
    both("inverse") { $0[1].relationships[0].inverseName = nil },
    both("to-many") { $0[1].relationships[0].isToMany = true },
    both("maximum") { $0[0].relationships[0].maximumCount = 5 },
    both("minimum") {
      $0[0].relationships[0].isOptional = false
      $0[0].relationships[0].minimumCount = 2
    },
    both("ordered") { $0[0].relationships[0].isOrdered = true },
    both("relationship optional") { $0[1].relationships[0].isOptional = false },
    both("column of a relationship") { $0[1].relationships[0].columnName = "a" },
    both("join table") { $0[0].relationships[0].joinTableName = "j" },
    both("relationship hash modifier") { $0[0].relationships[0].versionHashModifier = "2" },
  ]

  private static let layoutOnly = [
    layout("delete rule") { $0[0].relationships[0].deleteRule = .deny },
    layout("generation of the key") { $0[0].key.generation = .serial },
    layout("check") { $0[0].checks = [CheckDescription(name: "c", expression: "true")] },
    layout("storage") { $0[0].storage = ["fillfactor": "80"] },
    layout("partitions") {
      $0[0].partitioning = .init(.list(attribute: "name", values: ["a", "b"]))
    },
    layout("partitions of a range") {
      $0[0].partitioning = .init(
        .range(attribute: "name", every: .time(1, .month)),
        retention: .time(1, .year)
      )
    },
    layout("reference table") { $0[0].distribution = .reference },
    layout("distribution") { $0[0].distribution = .rows(by: nil) },
    layout("distribution beside another entity") {
      $0[0].distribution = .rows(by: "name", colocateWith: "Book")
    },
    layout("names") { $0[0].objectNames = ["author_pkey": "pk"] },
    layout("default in SQL") { $0[0].attributes[0].defaultExpression = "'a'" },
    layout("numbering") { $0[2].attributes[0].numbering = .serial },
    layout("reference") {
      $0[1].relationships[0].reference = ReferenceDescription(onUpdate: .cascade)
    },
    layout("index in SQL") { $0[1].fetchIndexes[0].definition = "(title)" },
    layout("unique index") { $0[1].fetchIndexes[0].isUnique = true },
    layout("uniqueness") { $0[0].uniquenessConstraints = [] },
    layout("default") { $0[2].attributes[0].defaultValue = .integer(2) },
    layout("kind of a default") { $0[2].attributes[0].defaultValue = .decimal("1") },
    layout("no default") { $0[2].attributes[0].defaultValue = nil },
    layout("index") { $0[1].fetchIndexes = [] },
    layout("direction of an index") { $0[1].fetchIndexes[0].elements[0].isAscending = true },
    layout("indexed attribute") { $0[0].attributes[0].isIndexed = true },
    layout("compound index") { $0[2].compoundIndexes = [["pages", "title"]] },
    layout("enforced validation") {
      $0[0].attributes[0].validation = AttributeValidation(minimumLength: 1, isEnforced: true)
    },
  ]

  private static let neither = [
    none("type of a transient attribute") { $0[1].attributes[1].type = .integer16 },
    none("no transient attribute") { $0[1].attributes.removeLast() },
    none("validation") {
      $0[0].attributes[0].validation = AttributeValidation(minimumLength: 1)
    },
    none("reference that says nothing") {
      $0[1].relationships[0].reference = ReferenceDescription()
    },
    none("class name") { $0[0].className = "CDAuthor" },
    none("transformer") { $0[0].attributes[0].valueTransformerName = "T" },
    none("user info") { $0[0].userInfo = ["a": "b"] },
    none("entity renaming identifier") { $0[0].renamingIdentifier = "Writer" },
    none("attribute renaming identifier") { $0[0].attributes[0].renamingIdentifier = "n" },
    none("relationship renaming identifier") { $0[0].relationships[0].renamingIdentifier = "b" },
    none("order of properties") { $0[2].attributes.reverse() },
    none("order of entities") { $0.reverse() },
    none("fetched property") {
      $0[0].fetchedProperties = [FetchedPropertyDescription(name: "recent")]
    },
    none("name of an index") { $0[1].fetchIndexes[0].name = "other" },
    none("kind of an index") { $0[1].fetchIndexes[0].elements[0].kind = .rTree },
    none("minimum of an optional relationship") { $0[0].relationships[0].minimumCount = 1 },
  ]
}
