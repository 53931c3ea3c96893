import ModelLoading
import ObjectModel
import TestSupport
import Testing

@Suite
struct PartitioningTests {
  /// Every method, as the writer spells it.
  private static let yaml = """
    remodel: 1
    entities:
      Order:
        attributes:
          placed: timestamp
        partition: { by: range(placed), every: 1 month, ahead: 5, keep: 24 months }
      Visit:
        attributes:
          number: integer64
        partition: { by: range(number), every: 1000000 }
      Customer:
        attributes:
          region: enum(eu, us)
        partition: { by: list(region), values: [eu, us] }
      Supplier:
        attributes:
          region: enum(eu, us)
        partition: list(region)
      Parcel:
        attributes:
          from where: string
        partition: { by: 'list("from where")', values: ["north, south", "1", "", 'say "x"'] }
      Event:
        partition: hash(_id, 16)
      Reading:
        attributes:
          sensor: uuid
        partition: hash(sensor, 8)

    """

  @Test
  func `every way to partition is the same in both forms`() throws {
    let model = try ModelLoader.load(yaml: Array(Self.yaml.utf8), path: "1.yaml").model
    let xml = try ModelForm.xcode.text(of: model, named: "1")
    let copy = try ModelLoader.load(xml: Array(xml.utf8), path: "1").model

    #expect(copy == model)
    #expect(try ModelForm.xcode.text(of: copy, named: "1") == xml)
    #expect(try ModelForm.yaml.text(of: copy, named: "1") == Self.yaml)
    #expect(
      model.entities.map(\.partitioning) == [
        .init(
          .range(attribute: "placed", every: .time(1, .month)),
          ahead: 5,
          retention: .time(24, .month)
        ),
        .init(.range(attribute: "number", every: .integers(1_000_000))),
        .init(.list(attribute: "region", values: ["eu", "us"])),
        .init(.list(attribute: "region", values: nil)),
        .init(
          .list(attribute: "from where", values: ["north, south", "1", "", "say \"x\""])
        ),
        .init(.hash(attribute: nil, partitions: 16)),
        .init(.hash(attribute: "sensor", partitions: 8)),
      ]
    )
  }

  @Test(arguments: [
    ("hash(_id, 16)", "{ by: \"hash(_id, 16)\" }"), ("list(region)", "{ by: list(region) }"),
    (
      "{ by: range(placed), every: 1 month }",
      "{ by: range(placed), every: \"1 months\", ahead: 3 }"
    ),
    ("{ by: list(number), values: [1, 2] }", "{ by: list(number), values: [\"1\", \"2\"] }"),
  ])
  func `a method can be written in other words`(one: String, other: String) throws {
    let models = try [one, other].map { partition in
      try ModelLoader.load(yaml: Array(Self.file(partition).utf8), path: "1.yaml").model
    }

    #expect(models[0].entities[0].partitioning != nil)
    #expect(models[0] == models[1])
  }

  @Test
  func `settings in user info are read`() throws {
    let xml = model(
      """
      <entity name="A">
        <attribute name="placed" attributeType="Date"/>
        <userInfo>
          <entry key="remodel.partition" value="range(placed)"/>
          <entry key="remodel.partition.every" value="1 week"/>
          <entry key="remodel.partition.ahead" value="8"/>
          <entry key="remodel.partition.keep" value="1 year"/>
        </userInfo>
      </entity>
      <entity name="B">
        <attribute name="region" attributeType="String"/>
        <userInfo>
          <entry key="remodel.partition" value="list(region)"/>
          <entry key="remodel.partition.values" value="eu,us , &quot;a, b&quot;"/>
        </userInfo>
      </entity>
      """
    )

    let loaded = try ModelLoader.load(xml: Array(xml.utf8), path: "contents")

    #expect(
      loaded.model.entities.map(\.partitioning) == [
        .init(
          .range(attribute: "placed", every: .time(1, .week)),
          ahead: 8,
          retention: .time(1, .year)
        ),
        .init(.list(attribute: "region", values: ["eu", "us", "a, b"])),
      ]
    )
    #expect(loaded.warnings.isEmpty)
  }

  // MARK: - Faults

  private static let methods =
    "DETAIL:  The values are \"range(attribute)\", \"list(attribute)\", \"hash(_id, 16)\"; _id stands "
    + "for the key."
  private static let every =
    "DETAIL:  It is the extent of each partition, such as 1 month, or 1000000 for integers."
  private static let intervals =
    "DETAIL:  It is a number of hours, days, weeks, months, years, such as 1 month, or a whole number."

  private static func fault(_ partition: String, _ lines: String...) -> Fault {
    var lines = lines
    lines[0] = "1.yaml:3:" + lines[0]
    return Fault(
      "remodel: 1\nentities:\n  A: { partition: \(partition), attributes: { x: timestamp } }",
      lines.joined(separator: "\n")
    )
  }

  private static let faults = [
    fault("~", "19: error: partition has to be text"),
    fault("[a]", "19: error: partition has to be text"),
    fault("3", "19: error: unrecognized value \"3\" of partition", methods),
    fault("{ every: 1 day }", "19: error: partition of entity \"A\" has no key \"by\""),
    fault("{ by: rnge(x) }", "25: error: unrecognized value \"rnge(x)\" of partition", methods),
    fault("range(x)", "19: error: partition by range(x) has no key \"every\"", every),
    fault("{ by: range(x) }", "19: error: partition by range(x) has no key \"every\"", every),
    fault(
      "{ by: range(x), every: 1 day, vales: [a] }",
      "49: error: unrecognized key \"vales\" in the partition of entity \"A\"",
      "HINT:  Did you mean \"values\"?"
    ),
    fault(
      "{ by: range(x), every: 1 day, values: [a] }",
      "49: error: partition by range(x) has no values",
      "DETAIL:  It has \"every\", \"ahead\", \"keep\"."
    ),
    fault(
      "{ by: list(x), every: 1 day }",
      "34: error: partition by list(x) has no every",
      "DETAIL:  It has \"values\"."
    ),
    fault(
      "{ by: \"hash(_id, 16)\", ahead: 3 }",
      "42: error: partition by hash(_id, 16) has no ahead",
      "DETAIL:  It has no settings."
    ),
    fault(
      "{ by: range(x), every: 0 days }",
      "42: error: every is \"0 days\", not an interval",
      intervals
    ),
    fault(
      "{ by: range(x), every: 1 day, keep: ever }",
      "55: error: keep is \"ever\", not an interval",
      intervals
    ),
    fault(
      "{ by: range(x), every: 1 day, ahead: many }",
      "56: error: ahead is \"many\", not a count"
    ),
  ]

  @Test(arguments: faults)
  func `a fault is reported with its location`(fault: Fault) {
    #expect(complaints(yaml: fault.text) == [fault.complaint])
  }

  private static let userInfoFaults: [(settings: [String: String], lines: [String])] = [
    (
      ["": "rnge(x)"],
      ["error: setting \"remodel.partition\" is \"rnge(x)\"", methods]
    ),
    (
      ["": "range(x)"],
      ["error: partition by range(x) has no setting \"remodel.partition.every\"", every]
    ),
    (
      [".every": "1 day"],
      [
        "error: setting \"remodel.partition.every\" has no \"remodel.partition\" beside it",
        methods,
      ]
    ),
    (
      ["": "hash(_id, 16)", ".values": "a"],
      ["error: partition by hash(_id, 16) has no values", "DETAIL:  It has no settings."]
    ),
    (
      ["": "list(x)", ".keep": "1 day"],
      ["error: partition by list(x) has no keep", "DETAIL:  It has \"values\"."]
    ),
    (
      ["": "range(x)", ".every": "day"],
      ["error: setting \"remodel.partition.every\" is \"day\"", intervals]
    ),
    (
      ["": "list(x)", ".values": "a,,b"],
      [
        "error: setting \"remodel.partition.values\" is \"a,,b\"",
        "DETAIL:  It has values with commas between them, in quotes where they are more than a word.",
      ]
    ),
    (
      ["": "range(x)", ".every": "1 day", ".ahead": "x"],
      ["error: setting \"remodel.partition.ahead\" is \"x\"", "DETAIL:  It is a number."]
    ),
  ]

  @Test(arguments: userInfoFaults)
  func `a fault in user info is reported`(settings: [String: String], lines: [String]) {
    let entries = settings.map { "<entry key=\"remodel.partition\($0)\" value=\"\($1)\"/>" }
    let xml = model(
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Date\"/><userInfo>"
        + entries.joined() + "</userInfo></entity>"
    )

    let found = complaints(xml: xml).filter { $0.contains("artition") }

    #expect(found.first == "contents:2:1: " + lines.joined(separator: "\n"))
  }

  // MARK: - The schema for editors

  /// Returns a file with an entity that has an attribute of every kind that one can partition by.
  static func file(_ partition: String) -> String {
    """
    remodel: 1
    entities:
      A:
        attributes:
          placed: timestamp
          number: integer64
          region: enum(eu, us)
        partition: \(partition)

    """
  }
}
