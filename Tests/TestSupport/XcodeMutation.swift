/// A random change to a file `contents` of Xcode's: an attribute or an element is dropped, repeated or
/// altered.
package struct XcodeMutation {
  private var tags: [Substring]
  /// What was done, in words.
  package private(set) var description = ""

  /// Creates a mutation of a file, which is changed at as many places as there are.
  package init(of xml: String, count: Int, _ random: inout SeededGenerator) {
    tags = Self.tags(of: xml)
    for _ in 0..<count { change(&random) }
  }

  /// The changed file.
  package var xml: String { tags.joined() }

  /// Cuts a file before each tag.
  private static func tags(of xml: String) -> [Substring] {
    var tags: [Substring] = []
    var start = xml.startIndex
    while let next = xml[start...].dropFirst().firstIndex(of: "<") {
      tags.append(xml[start..<next])
      start = next
    }
    return tags + [xml[start...]]
  }

  private mutating func change(_ random: inout SeededGenerator) {
    let candidates = tags.indices.filter { Self.isElement(tags[$0]) }
    guard let index = random.pick(candidates) else { return }
    let tag = tags[index]
    let isWhole = tag.contains("/>")
    switch Int.random(in: 0..<(isWhole ? 7 : 4), using: &random) {
    case 0: changeAttribute(at: index, "drop", &random) { _, _ in "" }
    case 1: changeAttribute(at: index, "repeat", &random) { attribute, _ in attribute + attribute }
    case 2, 3:
      let value = Self.values.randomElement(using: &random) ?? ""
      changeAttribute(at: index, "set \(value)", &random) { attribute, _ in
        attribute.prefix { $0 != "\"" } + "\"\(value)\""
      }
    case 4:
      note("drop", tag)
      tags[index] = ""
    case 5:
      note("repeat", tag)
      tags[index] = tag + tag
    default:
      // An attribute's value becomes that of another element.
      let other = candidates.randomElement(using: &random) ?? index
      guard let attribute = Self.attributes(of: tags[other]).randomElement(using: &random) else {
        return
      }
      let value = tags[other][attribute].drop { $0 != "\"" }
      changeAttribute(at: index, "set \(value)", &random) { attribute, _ in
        attribute.prefix { $0 != "\"" } + value
      }
    }
  }

  private static let values = [
    "", "YES", "NO", "maybe", "x", "-1", "0", "3", "99999999999999999999", "1e400", "String",
    "Integer 16", "Composite", "Cascade", "_id", "_entity", "&#233;", "(", "r.x == 'a'",
    "canonical:(name)", "ascending", "RTree",
  ]

  private mutating func changeAttribute(
    at index: Int,
    _ what: String,
    _ random: inout SeededGenerator,
    _ change: (Substring, Substring) -> Substring
  ) {
    let tag = tags[index]
    guard let range = Self.attributes(of: tag).randomElement(using: &random) else { return }
    note("\(what):\(tag[range]) of", tag)
    tags[index] =
      tag[..<range.lowerBound] + change(tag[range], tag) + tag[range.upperBound...]
  }

  private mutating func note(_ what: String, _ tag: Substring) {
    description += "\(what) \(tag.prefix { $0 != "\n" })\n"
  }

  private static func isElement(_ tag: Substring) -> Bool {
    tag.dropFirst().first?.isLetter == true && !tag.hasPrefix("<model")
  }

  /// Returns the attributes of a start tag, each with the space before it.
  private static func attributes(of tag: Substring) -> [Range<Substring.Index>] {
    var ranges: [Range<Substring.Index>] = []
    var rest = tag
    while let space = rest.firstIndex(of: " "),
      let open = rest[space...].firstIndex(of: "\""),
      let close = rest[open...].dropFirst().firstIndex(of: "\"")
    {
      let end = rest.index(after: close)
      ranges.append(space..<end)
      rest = rest[end...]
    }
    return ranges
  }
}

extension XcodeMutation {
  /// The names of the entities in the file with the names of the attributes in each, as often as they
  /// are there, read without a parser; names with characters that are not written plainly are empty.
  package var namedAttributes: [(entity: String, attributes: [String])] {
    var result: [(entity: String, attributes: [String])] = []
    var isInside = false
    for tag in tags.flatMap({ Self.tags(of: String($0)) }) {
      if tag.hasPrefix("<entity ") {
        result.append((Self.name(of: tag), []))
        isInside = !tag.contains("/>")
      } else if tag.hasPrefix("</entity>") {
        isInside = false
      } else if tag.hasPrefix("<attribute "), isInside {
        result[result.count - 1].attributes.append(Self.name(of: tag))
      }
    }
    return result
  }

  private static func name(of tag: Substring) -> String {
    for range in attributes(of: tag) where tag[range].hasPrefix(" name=") {
      let name = tag[range].dropFirst(7).dropLast().replacing("&#233;", with: "é")
      return name.contains("&") ? "" : String(name)
    }
    return ""
  }
}
