/// A kind of input that can be had in any size: so many of a part, between a beginning and an end.
struct SizeShape: Sendable {
  let reader: FuzzedReader
  let name: String
  /// How many parts it has.
  let counts: [Int]
  private let beginning: String
  private let end: String
  private let part: @Sendable (Int) -> String

  private init(
    _ reader: FuzzedReader,
    _ name: String,
    counts: [Int] = [250, 1000, 4000, 16_000],
    _ beginning: String,
    _ end: String = "",
    part: @escaping @Sendable (Int) -> String
  ) {
    self.reader = reader
    self.name = name
    self.counts = counts
    self.beginning = beginning
    self.end = end
    self.part = part
  }

  func text(_ count: Int) -> String {
    var text = beginning
    for index in 0..<count { text += part(index) }
    return text + end
  }

  static let all = xcodeModels + yamlModels + mappings + texts + documents

  private static let xcodeModels = [
    SizeShape(.xcodeModel, "entities", "<model>\n", "</model>") {
      "<entity name=\"E\($0)\"><attribute name=\"a\" attributeType=\"String\"/></entity>\n"
    },
    SizeShape(.xcodeModel, "attributes", "<model><entity name=\"E\">\n", "</entity></model>") {
      "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\"/>\n"
    },
    SizeShape(.xcodeModel, "siblings", "<model><entity name=\"E\"/>\n", "</model>") {
      "<entity name=\"E\($0)\" parentEntity=\"E\">"
        + "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\"/></entity>\n"
    },
    SizeShape(.xcodeModel, "hierarchy", counts: [100, 400, 1600], "<model>\n", "</model>") {
      "<entity name=\"E\($0)\"\($0 > 0 ? " parentEntity=\"E\($0 - 1)\"" : "")/>\n"
    },
    SizeShape(.xcodeModel, "circle", "<model>\n", "</model>") {
      "<entity name=\"E\($0)\" parentEntity=\"E\($0 + 1)\"/>\n"
    },
    SizeShape(.xcodeModel, "one name", "<model>\n", "</model>") { _ in "<entity name=\"E\"/>\n" },
    SizeShape(.xcodeModel, "user info", "<model><entity name=\"E\"><userInfo>\n", end) {
      "<entry key=\"k\($0)\" value=\"v\"/>\n"
    },
    SizeShape(.xcodeModel, "dangling inverses", "<model><entity name=\"E\">\n", "</entity></model>")
    {
      "<relationship name=\"r\($0)\" optional=\"YES\" destinationEntity=\"E\" inverseName=\"s\"/>\n"
    },
    SizeShape(
      .xcodeModel,
      "indexes of one name",
      "<model><entity name=\"E\">\n",
      "</entity></model>"
    ) {
      _ in "<fetchIndex name=\"i\"><fetchIndexElement property=\"x\"/></fetchIndex>\n"
    },
    SizeShape(
      .xcodeModel,
      "elements of an index",
      "<model><entity name=\"E\"><fetchIndex name=\"i\">\n",
      "</fetchIndex></entity></model>"
    ) { "<fetchIndexElement property=\"x\($0 / 2)\"/>\n" },
    SizeShape(
      .xcodeModel,
      "configurations of one name",
      "<model><entity name=\"E\"/>\n",
      "</model>"
    ) {
      "<configuration name=\"C\"><memberEntity name=\"E\"/><memberEntity name=\"F\($0)\"/></configuration>\n"
    },
    SizeShape(
      .xcodeModel,
      "inherited attributes",
      "<model><entity name=\"E\"><attribute name=\"a\" attributeType=\"String\"/></entity>\n",
      "</model>"
    ) {
      "<entity name=\"E\($0)\" parentEntity=\"E\">"
        + "<attribute name=\"a\" attributeType=\"String\"/></entity>\n"
    },
    SizeShape(.xcodeModel, "text", "<model>", "</model>") { _ in "text &amp; text " },
    SizeShape(.xcodeModel, "space", "<model>a", "</model>") { _ in "          \n" },
    SizeShape(.xcodeModel, "depth", counts: [10_000, 100_000], "") { _ in "<model>" },
  ]

  private static let end = "</userInfo></entity></model>"

  private static let yamlModels = [
    SizeShape(.yamlModel, "entities", "remodel: 1\nentities:\n") {
      "  E\($0): { attributes: { a: string? } }\n"
    },
    SizeShape(.yamlModel, "letters beyond ASCII", "remodel: 1\nentities:\n") {
      "  É\($0): { attributes: { größe: string? } }\n"
    },
    SizeShape(.yamlModel, "attributes", "remodel: 1\nentities:\n  E:\n    attributes:\n") {
      "      a\($0): string?\n"
    },
    SizeShape(
      .yamlModel,
      "lines",
      counts: [2500, 10_000, 100_000],
      "remodel: 1\nentities:\n  E:\n    attributes:\n"
    ) { "      a\($0): { type: string, x: 1 }\n" },
    SizeShape(.yamlModel, "links", "remodel: 1\nentities:\n  R: { attributes: { a: string } }\n") {
      "  E\($0): { relationships: { one: { to: R, optional: true }, many: { toMany: R } } }\n"
    },
    SizeShape(.yamlModel, "hierarchy", counts: [100, 400, 1600], "remodel: 1\nentities:\n") {
      "  E\($0): { \($0 > 0 ? "parent: E\($0 - 1), " : "")attributes: { a\($0): string? } }\n"
    },
    SizeShape(
      .yamlModel,
      "enumeration",
      "remodel: 1\nentities:\n  E: { attributes: { a: \"enum(a",
      ")\" } }\n"
    ) { ", v\($0)" },
    SizeShape(
      .yamlModel,
      "uniqueness",
      "remodel: 1\nentities:\n  E: { attributes: { a: string }, unique: [[a]",
      "] }\n"
    ) { _ in ", [a]" },
    SizeShape(.yamlModel, "faults", "remodel: 1\nentities:\n") {
      "  E\($0): { attributes: { a: txt } }\n"
    },
    SizeShape(.yamlModel, "one line", "remodel: 1\nentities: { E: {}", " }\n") { ", E\($0): {}" },
    SizeShape(.yamlModel, "aliases", "remodel: 1\nentities:\n") {
      "  E\($0): &a\($0) *a\($0 - 1)\n"
    },
    SizeShape(.yamlModel, "depth", counts: [10_000, 100_000], "remodel: ") { _ in "[" },
  ]

  private static let head = "remodelMapping: 1\nsource: 1\ndestination: 2\n"

  private static let entityMapping =
    head + "entities:\n  - source: A\n    destination: B\n    attributes:\n"

  private static let mappings = [
    SizeShape(
      .yamlMapping,
      "entity mappings",
      head + "entities:\n"
    ) {
      "  - { source: A\($0), destination: B\($0), attributes: { a: \"$source.b + 1\" } }\n"
    },
    SizeShape(.yamlMapping, "attributes", entityMapping) { "      a\($0): $source.b\n" },
    SizeShape(.yamlMapping, "faults", entityMapping) { "      a\($0): \"upercase:(b)\"\n" },
    SizeShape(
      .yamlMapping,
      "statements",
      head + "entities: []\nbefore:\n"
    ) {
      "  - UPDATE ${source.A\($0)} SET a = 1\n"
    },
    SizeShape(
      .yamlMapping,
      "placeholders",
      head + "entities: []\nbefore: \"",
      "\"\n"
    ) { "${source.A\($0)} " },
    SizeShape(
      .xcodeMapping,
      "entity mappings",
      "<database><object type=\"XDDEVMAPPINGMODEL\" id=\"m\"/>\n",
      "</database>"
    ) {
      "<object type=\"XDDEVENTITYMAPPING\" id=\"z\($0)\">"
        + "<attribute name=\"sourcename\">A\($0)</attribute></object>\n"
    },
    SizeShape(
      .xcodeMapping,
      "archive",
      "<database><object type=\"XDDEVMAPPINGMODEL\" id=\"m\">"
        + "<attribute name=\"sourcemodeldata\">YnBsaXN0MDDU",
      "</attribute></object></database>"
    ) { _ in "AQIDBAUGBwgJ" },
  ]

  private static let texts = [
    SizeShape(.expression, "sum", "a") { " + a\($0)" },
    SizeShape(.expression, "list", counts: [250, 1000], "{a", "}") { ", a\($0)" },
    SizeShape(.expression, "path", counts: [250, 1000], "a") { ".a\($0)" },
    SizeShape(.expression, "depth", "") { _ in "(" },
    SizeShape(.expression, "text", "'", "'") { _ in "ab\\n" },
    SizeShape(.predicate, "conjunction", "a = 1") { " AND a\($0) = 1" },
    SizeShape(.predicate, "not", "", "a = 1") { _ in "NOT " },
    SizeShape(.sqlTemplate, "placeholders", "") { "${source.A\($0)} " },
    SizeShape(.sqlTemplate, "open placeholders", "") { _ in "${" },
  ]

  private static let seal =
    "{\n  \"seal\": \"sha256:\(String(repeating: "0", count: 64))\",\n  \"steps\": ["

  private static let documents = [
    SizeShape(.plan, "depth", counts: [10_000, 100_000], seal) { _ in "[" },
    SizeShape(.plan, "objects", seal, "1]}") { "{\"target\": \"\($0)\"}," },
    SizeShape(.modelArchive, "depth", counts: [10_000, 100_000], "{\"entities\":") { _ in "[" },
    SizeShape(.modelArchive, "entities", "{\"entities\":[{\"name\":\"E\"}", "]}") {
      ",{\"name\":\"E\($0)\"}"
    },
  ]
}
