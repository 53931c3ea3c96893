import ObjectModel
import TestSupport
import Testing

@testable import ModelLoading

/// Files with signs before combining marks, which parsers see.
@Suite
struct HiddenSignTests {
  private static let texts = HiddenSigns.texts(
    "\"",
    "'",
    "\\",
    ":",
    ": ",
    " #",
    "-",
    " ",
    "<",
    "&",
    "{",
    ",",
    "|",
    "`",
    "*",
    "]"
  )

  private func parsed(_ yaml: String) throws -> YAMLNode {
    try YAMLTree.parse(SourceText(path: "a.yaml", bytes: Array(yaml.utf8)))
  }

  @Test(arguments: texts)
  func `YAML reads back`(text: String) throws {
    let lines = ["\(text)\nb", "a\n\(text)", "\(text)\n\(text)\n"]
    let values: [(YAMLValue, String)] =
      [(.text(text), text), (.lines(text), text)] + lines.map { (.lines($0), $0) }
    for (value, expected) in values {
      for nested in [
        YAMLValue.section([YAMLField("a", value)]), .fields([YAMLField(text, value)]),
        .section([YAMLField("a", .list([value, value]))]),
      ] {
        let yaml = YAMLWriter.text(of: nested)
        guard case .mapping(let entries) = try parsed(yaml).content, let first = entries.first,
          entries.count == 1
        else {
          Issue.record("\(yaml.debugDescription)")
          continue
        }
        let found: [YAMLNode]
        if case .sequence(let items) = first.value.content {
          found = items
        } else {
          found = [first.value]
        }
        for node in found {
          guard case .scalar(let read, _) = node.content else {
            Issue.record("\(yaml.debugDescription)")
            continue
          }
          #expect(Array(read.utf8) == Array(expected.utf8), "\(yaml.debugDescription)")
        }
      }
    }
  }

  @Test(arguments: texts)
  func `an array of YAML is one of PostgreSQL with the same elements`(text: String) throws {
    let yaml = YAMLWriter.text(of: .section([YAMLField("a", .texts([text, text]))]))
    guard case .mapping(let entries) = try parsed(yaml).content else { return }

    let constant = try #require(entries.first?.value.arrayConstant)

    #expect(AttributeValue(constant, of: .array(.string)) != nil, "\(constant.debugDescription)")
    // The server's rules: a quote ends an element, unless a backslash is before it.
    var elements: [String.UnicodeScalarView] = []
    var isQuoted = false
    var isEscaped = false
    for scalar in constant.unicodeScalars {
      if isEscaped || isQuoted && scalar != "\"" && scalar != "\\" {
        elements[elements.count - 1].append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "\"" {
        if !isQuoted { elements.append(String.UnicodeScalarView()) }
        isQuoted.toggle()
      }
    }
    #expect(
      !isQuoted && elements.map { Array($0) } == [text, text].map { Array($0.unicodeScalars) }
    )
  }

  @Test(arguments: texts)
  func `an attribute of XML reads back`(text: String) throws {
    var tag = XMLTag("a")
    tag.add("k", text)
    let read = try MarkupTree(XMLWriter.text(of: tag))

    #expect(read.attributes["k"].map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test(arguments: ["\n", "\r\n"])
  func `a file keeps the ends of its lines`(end: String) throws {
    let order = YAMLBundle.order(adding: "3", to: "* 1\(end)2\(end)")
    let model = ["remodel: 1", "entities:", "  A:", "    attributes: { x: string }", ""]
      .joined(separator: end)
    let base = VersionBase(ManagedObjectModel(entities: []).versionHashes())

    let copy = YAMLBases.text(model, madeFrom: [base])

    #expect(
      YAMLBundle.reads(order, as: ["1", "2", "3"], current: "3"),
      "\(order.debugDescription)"
    )
    #expect(copy?.hasSuffix("x: string }\(end)") == true)
  }
}
