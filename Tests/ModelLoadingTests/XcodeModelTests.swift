import Diagnostics
import ModelLoading
import ObjectModel
import Testing

@Suite
struct XcodeModelTests {
  private static let faults: [Fault] = [
    Fault("", "contents:1:1: error: malformed XML: no element found"),
    Fault(
      "<model>\n  <entity name=\"A\">\n</model>",
      "contents:3:3: error: malformed XML: mismatched tag"
    ),
    Fault(
      "<plist/>",
      "contents:1:1: error: file is not a model: its root element is \"plist\", not \"model\""
    ),
    Fault(
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><model/>",
      "contents:1:1: error: unsupported encoding \"ISO-8859-1\"",
      "DETAIL:  Model files are in UTF-8.",
      "HINT:  Save the file in UTF-8 and declare no other encoding."
    ),
    Fault(model("<entity/>"), "contents:2:1: error: element \"entity\" has no attribute \"name\""),
    Fault(
      model("<entity name=\"A\" isAbstract=\"yes\"/>"),
      "contents:2:18: warning: attribute \"isAbstract\" is \"yes\", not \"YES\" or \"NO\"",
      "DETAIL:  It is read as \"YES\"."
    ),
    Fault(
      model("<entity name=\"ä\" isAbstract=\"yes\"/>"),
      "contents:2:19: warning: attribute \"isAbstract\" is \"yes\", not \"YES\" or \"NO\"",
      "DETAIL:  It is read as \"YES\"."
    ),
    Fault(
      model("<entity name=\"A\"><attribute name=\"x\" attributeType=\"Strng\"/></entity>"),
      "contents:2:38: error: unrecognized attribute type \"Strng\"",
      "HINT:  Did you mean \"String\"?"
    ),
    Fault(
      model("<entity name=\"A\"><attribute name=\"x\"/></entity>"),
      "contents:2:18: error: attribute \"x\" of entity \"A\" has no type",
      "HINT:  Give it a type, or mark it as transient."
    ),
    Fault(
      model(
        "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Integer 16\" "
          + "defaultValueString=\"70000\"/></entity>"
      ),
      "contents:2:65: warning: default value \"70000\" of attribute \"x\" is not of type integer16",
      "DETAIL:  The attribute is read without a default value.",
      "HINT:  Write a whole number from -32768 to 32767."
    ),
    Fault(
      model(
        "<entity name=\"A\"><relationship name=\"x\" destinationEntity=\"A\" "
          + "deletionRule=\"Cascad\"/></entity>"
      ),
      "contents:2:63: warning: unrecognized value \"Cascad\" of attribute \"deletionRule\"",
      "DETAIL:  The values are \"Nullify\", \"Cascade\", \"Deny\", \"No Action\". "
        + "It is read as \"Nullify\"."
    ),
    Fault(
      model("<entity name=\"Author\"/><entity name=\"B\" parentEntity=\"Autor\"/>"),
      "contents:2:24: error: parent \"Autor\" of entity \"B\" does not exist",
      "HINT:  Did you mean \"Author\"?"
    ),
    Fault(
      model(
        "<entity name=\"A\"><userInfo><entry key=\"remodel.tabel\" value=\"a\"/></userInfo></entity>"
      ),
      "contents:2:1: error: element \"entity\" has no setting \"remodel.tabel\"",
      "DETAIL:  It has \"remodel.table\", \"remodel.key\", \"remodel.keyColumn\", "
        + "\"remodel.keyGenerated\", \"remodel.check.NAME\", \"remodel.name.NAME\", "
        + "\"remodel.indexSQL.NAME\", \"remodel.uniqueIndex.NAME\", \"remodel.storage.NAME\", "
        + "\"remodel.partition\", \"remodel.partition.every\", \"remodel.partition.ahead\", "
        + "\"remodel.partition.keep\", \"remodel.partition.values\", "
        + "\"remodel.distribution\", \"remodel.distribution.colocateWith\", "
        + "\"remodel.layout.constraints\", \"remodel.layout.indexNames\", \"remodel.layout.distribution\".",
      "HINT:  Did you mean \"remodel.table\"?"
    ),
    Fault(
      model(
        "<entity name=\"A\"><userInfo>"
          + "<entry key=\"remodel.storage.fillfaktor\" value=\"80\"/></userInfo></entity>"
      ),
      "contents:2:1: error: setting \"remodel.storage.fillfaktor\" names no storage parameter",
      "HINT:  Did you mean \"fillfactor\"?"
    ),
    Fault(
      model(
        "<entity name=\"A\"><userInfo>"
          + "<entry key=\"remodel.storage.fillfactor\" value=\"101\"/></userInfo></entity>"
      ),
      "contents:2:1: error: setting \"remodel.storage.fillfactor\" is \"101\", "
        + "not an integer from 10 to 100"
    ),
    Fault(
      model("<entity name=\"A\" colour=\"red\"/>"),
      "contents:2:18: warning: unrecognized attribute \"colour\" of element \"entity\"",
      "DETAIL:  It is kept and has no effect."
    ),
    Fault(
      model("<entity name=\"A\"><shape/></entity>"),
      "contents:2:18: warning: unrecognized element \"shape\" in element \"entity\"",
      "DETAIL:  It is kept and has no effect."
    ),
  ]

  @Test(arguments: faults)
  func `a fault is reported with its location`(fault: Fault) {
    #expect(complaints(xml: fault.text) == [fault.complaint])
  }

  @Test
  func `every fault is reported, in the order of the file`() {
    let xml = model(
      """
      <entity name="A" parentEntity="Z">
        <attribute name="x" attributeType="Text"/>
        <relationship name="y" toMany="maybe" destinationEntity="Q"/>
      </entity>
      """
    )

    let places = complaints(xml: xml).map { $0.split(separator: " ")[0] }

    #expect(places == ["contents:2:1:", "contents:3:23:", "contents:4:3:", "contents:4:26:"])
  }

  @Test
  func `what has no meaning for a database is kept`() throws {
    let loaded = try ModelLoader.load(xml: Array(Samples.xml.utf8), path: "contents")

    let book = try #require(loaded.model.entity(named: "Book"))
    #expect(loaded.model.entity(named: "Publication")?.foreign.attributes == ["syncable": "YES"])
    #expect(book.attributes[1].foreign.attributes == ["usesScalarValueType": "YES"])
    #expect(book.attributes[2].foreign.isEmpty, "the word that stands for our type says nothing")
    #expect(
      loaded.model.foreign.elements.map(\.name) == ["elements", "fetchedProperty", "configuration"]
    )
  }

  @Test
  func `parts of a model know their places`() throws {
    let loaded = try ModelLoader.load(xml: Array(Samples.xml.utf8), path: "contents")

    #expect(loaded.locations.location(of: .entity(1)).line == 13)
    #expect(loaded.locations.location(of: .attribute(entity: 1, 1)).line == 15)
    #expect(loaded.locations.location(of: .attribute(entity: 1, 99)).line == 13)
  }

  @Test(arguments: [
    ("Integer 32", "0.0", AttributeValue.integer(0)), ("Integer 64", "-1", .integer(-1)),
    ("Integer 16", "NO", .integer(0)), ("Boolean", "YES", .boolean(true)),
    ("Boolean", "0", .boolean(false)), ("Decimal", "01.50", .decimal("1.5")),
    ("Decimal", "-12e-1", .decimal("-1.2")), ("Double", "0.5", .double(0.5)),
    ("String", "", .string("")), ("Date", "0", .date(0)),
    ("UUID", "123E4567-E89B-12D3-A456-426614174000", .uuid("123e4567-e89b-12d3-a456-426614174000")),
  ])
  func `a default value has its attribute's type`(
    type: String,
    text: String,
    value: AttributeValue
  ) throws {
    let xml = model(
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"\(type)\" "
        + "defaultValueString=\"\(text)\"/></entity>"
    )

    let loaded = try ModelLoader.load(xml: Array(xml.utf8), path: "contents")

    #expect(loaded.model.entities[0].attributes[0].defaultValue == value)
  }
}
