import ModelLoading
import ObjectModel
import TestSupport
import Testing

@Suite
struct DistributionTests {
  /// Every kind, as the writer spells it.
  private static let yaml = """
    remodel: 1
    entities:
      Tenant:
        distribution: { by: _id }
      Order:
        relationships:
          tenant: { to: Tenant }
        distribution: { by: tenant }
      Item:
        attributes:
          from where: string
          number: integer64
        distribution: { by: number, colocateWith: Order }
      Parcel:
        attributes:
          from where: string
        distribution: { by: from where }
      Weight:
        attributes:
          reference: string
        distribution: { by: reference, colocateWith: Parcel }
      Lock:
        attributes:
          key: integer64
        distribution: { by: key, colocateWith: Tenant }
      Country:
        distribution: reference

    """

  @Test
  func `every distribution is the same in both forms`() throws {
    let model = try ModelLoader.load(yaml: Array(Self.yaml.utf8), path: "1.yaml").model
    let xml = try ModelForm.xcode.text(of: model, named: "1")
    let copy = try ModelLoader.load(xml: Array(xml.utf8), path: "1").model

    #expect(copy == model)
    #expect(try ModelForm.xcode.text(of: copy, named: "1") == xml)
    #expect(try ModelForm.yaml.text(of: copy, named: "1") == Self.yaml)
    #expect(
      model.entities.map(\.distribution) == [
        .rows(by: nil), .rows(by: "tenant"), .rows(by: "number", colocateWith: "Order"),
        .rows(by: "from where"), .rows(by: "reference", colocateWith: "Parcel"),
        .rows(by: "key", colocateWith: "Tenant"), .reference,
      ]
    )
  }

  @Test
  func `the key can be called so where no property is`() throws {
    let text = "remodel: 1\nentities:\n  A: { distribution: { by: key } }\n"

    let model = try ModelLoader.load(yaml: Array(text.utf8), path: "1.yaml").model

    #expect(model.entities.map(\.distribution) == [.rows(by: nil)])
  }

  @Test(arguments: [
    ("reference", DistributionDescription.reference), ("x", .rows(by: "x")),
    ("&quot;x&quot;", .rows(by: "x")), ("_id", .rows(by: nil)), ("key", .rows(by: nil)),
  ])
  func `settings in user info are read`(text: String, distribution: DistributionDescription) throws
  {
    let xml = model(
      """
      <entity name="A">
        <attribute name="x" attributeType="String"/>
        <userInfo><entry key="remodel.distribution" value="\(text)"/></userInfo>
      </entity>
      """
    )

    let loaded = try ModelLoader.load(xml: Array(xml.utf8), path: "contents")

    #expect(loaded.model.entities.map(\.distribution) == [distribution])
    #expect(loaded.warnings.isEmpty)
  }

  // MARK: - Faults

  private static let values =
    "DETAIL:  It is \"reference\", or has \"by\", the name of an attribute or a relationship; _id stands "
    + "for the key."
  private static let settings =
    "DETAIL:  It is \"reference\", or the name of an attribute or a relationship; _id stands for the key."

  private static func fault(_ distribution: String, _ lines: String...) -> Fault {
    var lines = lines
    lines[0] = "1.yaml:3:" + lines[0]
    return Fault(
      "remodel: 1\nentities:\n  A: { distribution: \(distribution), attributes: { x: string } }",
      lines.joined(separator: "\n")
    )
  }

  private static let faults = [
    fault("~", "22: error: distribution has to be text"),
    fault("[x]", "22: error: distribution has to be text"),
    fault("schema", "22: error: unrecognized value \"schema\" of distribution", values),
    fault(
      "x",
      "22: error: unrecognized value \"x\" of distribution",
      values,
      "HINT:  Write distribution: { by: x }."
    ),
    fault("{}", "22: error: the distribution of entity \"A\" has no key \"by\""),
    fault(
      "{ colocateWith: B }",
      "22: error: the distribution of entity \"A\" has no key \"by\""
    ),
    fault(
      "{ by: x, colocatedWith: A }",
      "31: error: unrecognized key \"colocatedWith\" in the distribution of entity \"A\"",
      "HINT:  Did you mean \"colocateWith\"?"
    ),
    fault("{ by: [x] }", "28: error: by has to be text"),
    fault("{ by: x, colocateWith: ~ }", "45: error: colocateWith has to be text"),
  ]

  @Test(arguments: faults)
  func `a fault is reported with its location`(fault: Fault) {
    #expect(complaints(yaml: fault.text) == [fault.complaint])
  }

  private static let userInfoFaults: [(settings: [String: String], lines: [String])] = [
    (
      ["": "a, b"],
      ["error: setting \"remodel.distribution\" is \"a, b\"", settings]
    ),
    (
      ["": ""],
      ["error: setting \"remodel.distribution\" is \"\"", settings]
    ),
    (
      [".colocateWith": "B"],
      [
        "error: setting \"remodel.distribution.colocateWith\" has no \"remodel.distribution\" beside it",
        settings,
      ]
    ),
    (
      ["": "reference", ".colocateWith": "B"],
      [
        "error: setting \"remodel.distribution.colocateWith\" is of no use to a reference table",
        "DETAIL:  All nodes have all of its rows.",
      ]
    ),
    (
      ["": "x", ".colocatedWith": "B"],
      ["error: element \"entity\" has no setting \"remodel.distribution.colocatedWith\""]
    ),
  ]

  @Test(arguments: userInfoFaults)
  func `a fault in user info is reported`(settings: [String: String], lines: [String]) {
    let entries = settings.map { "<entry key=\"remodel.distribution\($0)\" value=\"\($1)\"/>" }
    let xml = model(
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\"/><userInfo>"
        + entries.joined() + "</userInfo></entity>"
    )

    let found = complaints(xml: xml).filter { $0.contains("istribution") }

    #expect(found.first?.hasPrefix("contents:2:1: " + lines.joined(separator: "\n")) == true)
  }
}
