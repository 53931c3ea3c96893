import Diagnostics
import ModelMapping
import TestSupport
import Testing

@testable import ModelLoading

@Suite
struct XcodeMappingTests {
  private func load(_ objects: String) throws -> LoadedMapping {
    let xml = """
      <?xml version="1.0" standalone="no"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database>
      <object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath" type="string">A/Shop.xcdatamodeld/Shop 1.xcdatamodel</attribute>
        <attribute name="destinationmodelpath" type="string">A/Shop.xcdatamodeld/Shop 2.xcdatamodel</attribute>
        <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z3 z2 z9 z2"/>
      </object>
      \(objects)
      </database>
      """
    return try MappingLoader.load(xml: Array(xml.utf8), name: "A", path: "xcmapping.xml")
  }

  private func entityMapping(_ id: String, _ number: Int, _ rest: String) -> String {
    """
    <object type="XDDEVENTITYMAPPING" id="\(id)">
    <attribute name="mappingnumber" type="int16">\(number)</attribute>
    \(rest)
    </object>
    """
  }

  private func value(_ name: String, _ text: String) -> String {
    "<attribute name=\"\(name)\" type=\"string\">\(text)</attribute>"
  }

  private func links(_ name: String, _ ids: String) -> String {
    "<relationship name=\"\(name)\" type=\"0/0\" idrefs=\"\(ids)\"/>"
  }

  private func attributeMapping(_ id: String, _ name: String, _ data: String) -> String {
    """
    <object type="XDDEVATTRIBUTEMAPPING" id="\(id)">
    \(value("name", name))\(data.isEmpty ? "" : value("valueexpressiondata", data))
    </object>
    """
  }

  @Test
  func `entity mappings come in the order of their numbers, with Xcode's names`() throws {
    let loaded = try load(
      entityMapping("z2", 1, value("sourcename", "Book") + value("destinationname", "Title"))
        + entityMapping("z3", 2, value("name", "Gone") + value("sourcename", "User"))
        + entityMapping("z9", 3, value("name", "Left over"))
        + entityMapping("z8", 0, value("sourcename", "Orphan"))
    )

    let mappings = loaded.mappingModel.entityMappings
    #expect(mappings.map(\.name) == ["BookToTitle", "Gone"])
    #expect(mappings.map(\.type) == [.transform, .remove])
    #expect(loaded.source.name == "Shop 1")
    #expect(loaded.destination.name == "Shop 2")
    #expect(
      loaded.warnings.map(\.message)
        == ["entity mapping \"Left over\" has no entity and is left out"]
    )
  }

  @Test
  func `only what the author said is taken over`() throws {
    let loaded = try load(
      entityMapping(
        "z2",
        1,
        value("sourcename", "Book") + value("destinationname", "Book")
          + value("sourcefilterpredicatestring", "pages &lt; 3 AND title != &quot;a &amp; b&quot;")
          + value("migrationpolicyclassname", "BookPolicy")
          + value("userinfodata", ArchiveSamples.userInfo)
          + links("attributemappings", "z4 z5 z6 z7")
      ) + attributeMapping("z4", "title", "") + attributeMapping("z5", "pages", ArchiveSamples.two)
        + attributeMapping("z6", "code", ArchiveSamples.policy)
        + attributeMapping("z7", "block", ArchiveSamples.unknown)
    )

    let mapping = try #require(loaded.mappingModel.entityMappings.first)
    #expect(mapping.condition == (try Predicate(parsing: "pages < 3 AND title != 'a & b'")))
    #expect(mapping.policyClassName == "BookPolicy")
    #expect(mapping.userInfo == ["k": "v"])
    #expect(
      mapping.attributeMappings == [
        PropertyMapping(name: "pages", valueExpression: .expression(.constant(.number("2")))),
        PropertyMapping(
          name: "code",
          valueExpression: .expression(.policyCall(selector: "migrateIdentifier", arguments: []))
        ), PropertyMapping(name: "block"),
      ]
    )
    #expect(
      loaded.openHoles() == [
        MappingHole(
          .attributeMapping(entityMapping: 0, 1),
          reason: "FUNCTION($entityPolicy, \"migrateIdentifier\") calls code of the policy"
        ),
        MappingHole(
          .attributeMapping(entityMapping: 0, 2),
          reason: "an expression with an object of class NSBlockExpression"
        ),
        MappingHole(
          .policy(entityMapping: 0),
          reason: "policy \"BookPolicy\" is code, and no policy of that name is registered"
        ),
      ]
    )
    #expect(loaded.openHoles(registeredPolicies: ["BookPolicy"]).count == 2)
  }

  @Test
  func `a lookup by the name of a mapping is an expression`() throws {
    let loaded = try load(
      entityMapping(
        "z2",
        1,
        value("sourcename", "Book") + value("destinationname", "Book")
          + links("relationshipmappings", "z4 z5 z6")
      )
        + """
        <object type="XDDEVRELATIONSHIPMAPPING" id="z4">
        \(value("name", "pages"))\(value("sourcemappingname", "P"))
        \(value("autogenerateexpression", "1"))
        </object>
        <object type="XDDEVRELATIONSHIPMAPPING" id="z5">
        \(value("name", "owner"))\(value("sourcemappingname", "P"))\(value("sourcekeypath", "a.b"))
        </object>
        <object type="XDDEVRELATIONSHIPMAPPING" id="z6">
        \(value("name", "gone"))\(value("autogenerateexpression", "0"))
        </object>
        """
    )

    let lookup =
      "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
    #expect(
      loaded.mappingModel.entityMappings[0].relationshipMappings == [
        PropertyMapping(
          name: "pages",
          valueExpression: .expression(try Expression(parsing: lookup + "\"P\", $source.pages)"))
        ),
        PropertyMapping(
          name: "owner",
          valueExpression: .expression(try Expression(parsing: lookup + "\"P\", $source.a.b)"))
        ),
        PropertyMapping(name: "gone", valueExpression: .expression(.constant(.null))),
      ]
    )
  }

  @Test(arguments: [
    (
      "<a/>",
      "xcmapping.xml:1:1: error: file is not a mapping model: its root element is \"a\", not \"database\""
    ),
    (
      "<database/>",
      "xcmapping.xml:1:1: error: file is not a mapping model: it has 0 mapping models"
    ),
    ("<database>", "xcmapping.xml:1:11: error: malformed XML: no element found"),
  ])
  func `other files are refused`(xml: String, complaint: String) {
    let error = #expect(throws: MappingLoadingError.self) {
      try MappingLoader.load(xml: Array(xml.utf8), name: "A", path: "xcmapping.xml")
    }

    #expect(error?.diagnostics.map(\.description) == [complaint])
  }

  @Test
  func `a damaged expression is an error with its place`() {
    let error = #expect(throws: MappingLoadingError.self) {
      try load(
        entityMapping(
          "z2",
          1,
          value("sourcename", "Book") + value("destinationname", "Book")
            + links("attributemappings", "z4")
        ) + attributeMapping("z4", "pages", ArchiveSamples.cycle)
      )
    }

    #expect(
      error?.diagnostics.map(\.description)
        == ["xcmapping.xml:13:55: error: archived expression cannot be read: it is nested too deep"]
    )
  }
}

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
    let holes = loaded.flatMap(\.holes)
    #expect(Corpora.mappingModels.count == 51)
    #expect(holes.count == 3)
    #expect(holes.allSatisfy { $0.reason.hasSuffix("calls code of the policy") })
    #expect(policies.count == 22)
  }
}
