import ModelLoading
import ObjectModel
import Testing

@Suite
struct YAMLModelTests {
  private static func header(_ entities: String) -> String {
    "remodel: 1\nentities:\n" + entities
  }

  private static let faults: [Fault] = [
    Fault("", "1.yaml:1:1: error: file is empty"),
    Fault(
      "entities: {}",
      "1.yaml:1:1: error: file is not a model: it has no key \"remodel\"",
      "HINT:  Start the file with \"remodel: 1\"."
    ),
    Fault(
      "remodel: 9\nentities: {}",
      "1.yaml:1:1: error: unsupported format version \"9\"",
      "DETAIL:  This release reads version 1."
    ),
    Fault(
      "remodel: 1\nbase: v1:12\nentities: {}",
      "1.yaml:2:7: error: base is \"v1:12\", not a version hash",
      "HINT:  Write \"v1:\" and 64 hexadecimal digits, as model hash shows them."
    ),
    Fault("remodel: 1\n", "1.yaml:1:1: error: model has no key \"entities\""),
    Fault(
      header("  A: { attributs: {} }"),
      "1.yaml:3:8: error: unrecognized key \"attributs\" in entity \"A\"",
      "HINT:  Did you mean \"attributes\"?"
    ),
    Fault(
      header("  ä: { attributs: {} }"),
      "1.yaml:3:9: error: unrecognized key \"attributs\" in entity \"ä\"",
      "HINT:  Did you mean \"attributes\"?"
    ),
    Fault(
      header("  A: { storage: { filfactor: 80 } }"),
      "1.yaml:3:19: error: unrecognized key \"filfactor\" in the storage of entity \"A\"",
      "HINT:  Did you mean \"fillfactor\"?"
    ),
    Fault(
      header("  A: { storage: { fillfactor: 5 } }"),
      "1.yaml:3:31: error: fillfactor is \"5\", not an integer from 10 to 100"
    ),
    Fault(
      header("  A: { storage: { autovacuumVacuumScaleFactor: much } }"),
      "1.yaml:3:48: error: autovacuumVacuumScaleFactor is \"much\", not a number from 0 to 100"
    ),
    Fault(
      header("  A: { storage: { vacuumIndexCleanup: yes } }"),
      "1.yaml:3:39: error: vacuumIndexCleanup is \"yes\", not \"auto\" or \"on\" or \"off\""
    ),
    Fault(
      header("  A: { attributes: { x: strng } }"),
      "1.yaml:3:25: error: unrecognized attribute type \"strng\"",
      "HINT:  Did you mean \"string\"?"
    ),
    Fault(
      header("  A: { attributes: { x: Integer 64? } }"),
      "1.yaml:3:25: error: unrecognized attribute type \"Integer 64\"",
      "HINT:  Write \"integer64?\"."
    ),
    Fault(
      header("  A: { attributes: { x: Date } }"),
      "1.yaml:3:25: error: unrecognized attribute type \"Date\"",
      "HINT:  Write \"timestamp\"."
    ),
    Fault(
      header("  A: { attributes: { x: { type: string, optional: yes } } }"),
      "1.yaml:3:51: error: optional is \"yes\", not true or false"
    ),
    Fault(
      header("  A: { attributes: { x: { type: integer32, default: many } } }"),
      "1.yaml:3:53: error: default value \"many\" of attribute \"x\" is not of type integer32",
      "HINT:  Write a whole number from -2147483648 to 2147483647."
    ),
    Fault(
      header("  A: { attributes: { x: { type: string, validation: { minimum: 1 } } } }"),
      "1.yaml:3:64: error: attribute \"x\" of type string has no minimum",
      "HINT:  Did you mean \"minimumLength\"?"
    ),
    Fault(
      header("  A: { relationships: { x: { inverse: y } } }"),
      "1.yaml:3:25: error: relationship \"x\" has to have either a key \"to\" or a key \"toMany\""
    ),
    Fault(
      header("  A: { relationships: { x: { to: A, delete: nulify } } }"),
      "1.yaml:3:45: error: unrecognized value \"nulify\" of delete",
      "DETAIL:  The values are \"nullify\", \"cascade\", \"deny\", \"noAction\".",
      "HINT:  Did you mean \"nullify\"?"
    ),
    Fault(
      header("  A: { attributes: { x: string }, unique: [x] }"),
      "1.yaml:3:44: error: uniqueness constraint has to be a list",
      "HINT:  Write [a, b]."
    ),
    Fault(header("  A: {}\n  A: {}"), "1.yaml:4:3: error: key \"A\" is given twice"),
    Fault(header("  A: &x {}"), "1.yaml:3:6: error: anchors are not supported"),
    Fault(header("  A: !!map {}"), "1.yaml:3:6: error: tags are not supported"),
    Fault(header("  A: {}\n---\nremodel: 1"), "1.yaml:4:1: error: file has more than one document"),
    Fault(
      header("  A: ["),
      "1.yaml:3:7: error: malformed YAML: did not find expected node content",
      "DETAIL:  It was found while parsing a flow node."
    ),
    Fault(
      header("  A: { parent: B }\n  B: { parent: A }"),
      "1.yaml:3:3: error: entity \"A\" inherits from itself",
      "DETAIL:  The parents are \"A\", \"B\", \"A\"."
    ),
    Fault(
      header("  A: { attributes: { \"a\\0\": string } }"),
      "1.yaml:3:22: error: attribute \"a⟨U+0⟩\" of entity \"A\" has a name with a NUL character"
    ),
  ]

  @Test(arguments: faults)
  func `a fault is reported with its location`(fault: Fault) {
    #expect(complaints(yaml: fault.text) == [fault.complaint])
  }

  @Test
  func `a type cut at its comma gets a hint about quotes`() {
    let yaml = Self.header("  A: { attributes: { x: { type: numeric(12,2) } } }")

    let found = complaints(yaml: yaml)

    #expect(found.contains { $0.hasSuffix("HINT:  Put a text that has a comma into quotes.") })
  }

  @Test
  func `every fault is reported, in the order of the file`() {
    let yaml =
      Self.header(
        "  A:\n    parent: Z\n    attributes:\n      x: txt\n      y: int\n    colour: red\n"
      )

    let places = complaints(yaml: yaml).map { $0.split(separator: " ")[0] }

    #expect(places == ["1.yaml:3:3:", "1.yaml:6:10:", "1.yaml:7:10:", "1.yaml:8:5:"])
  }

  @Test(arguments: [
    ("string?", AttributeType.string, true), ("date", .calendarDate, false),
    ("timestamp", .date, false), ("\"numeric(12,2)?\"", .numeric(precision: 12, scale: 2), true),
    ("\"enum(a, b)\"", .enumeration(["a", "b"]), false), ("string[]", .array(.string), false),
    ("sql(\"geometry(Point)\")?", .sql("geometry(Point)"), true),
  ])
  func `a question mark makes a type optional`(
    text: String,
    type: AttributeType,
    isOptional: Bool
  ) throws {
    let yaml = Self.header("  A:\n    attributes:\n      x: \(text)\n")

    let loaded = try ModelLoader.load(yaml: Array(yaml.utf8), path: "1.yaml")

    let attribute = loaded.model.entities[0].attributes[0]
    #expect(attribute.type == type)
    #expect(attribute.isOptional == isOptional)
  }

  @Test
  func `a byte order mark does not move places`() {
    let found = complaints(yaml: "\u{FEFF}remodel: 1\nentities: { A: { x: 1 } }")

    #expect(found.first?.hasPrefix("1.yaml:2:18: error: unrecognized key \"x\"") == true)
  }
}
