/// Writes values as YAML that our reader, and any other, reads back the same.
struct YAMLWriter {
  private static let width = 100
  /// The longest key that stands on a line with its value: readers give up on longer ones.
  private static let longestKey = 500

  private(set) var text = ""

  /// Writes a document.
  static func text(of value: YAMLValue) -> String {
    var writer = YAMLWriter()
    writer.write(value, indentation: 0)
    return writer.text
  }

  private mutating func write(_ value: YAMLValue, indentation: Int) {
    switch value {
    case .text, .constant, .lines: line(Self.flow(value), indentation)
    case .list(let items):
      for item in items { write(item, after: "-", indentation) }
    case .fields(let entries), .section(let entries):
      for entry in entries {
        let key = Self.scalar(entry.key, isInFlow: true)
        if key.utf8.count > Self.longestKey {
          line("? \(key)", indentation)
          write(entry.value, after: ":", indentation)
        } else {
          write(entry.value, after: "\(key):", indentation)
        }
      }
    }
  }

  private mutating func write(_ value: YAMLValue, after label: String, _ indentation: Int) {
    let isScalar =
      switch value {
      case .text, .constant, .lines: true
      case .list, .fields, .section: false
      }
    if case .lines(let text) = value, Self.standsAsItIs(text) {
      line("\(label) \(text.hasSuffix("\n") ? "|" : "|-")", indentation)
      for part in text.split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast(text.hasSuffix("\n") ? 1 : 0)
      {
        line(String(part), part.isEmpty ? 0 : indentation + 2)
      }
      return
    }
    if isScalar, case .text(let text) = value {
      return line("\(label) \(Self.scalar(text, isInFlow: false))", indentation)
    }
    if value.isEmpty || isScalar || Self.isFlowing(value) {
      let text = "\(label) \(Self.flow(value))"
      if isScalar || value.isEmpty || indentation + text.count <= Self.width {
        return line(text, indentation)
      }
    }
    guard label == "-" else {
      line(label, indentation)
      return write(value, indentation: indentation + 2)
    }
    // The first key of an item stands beside the dash.
    var item = YAMLWriter()
    item.write(value, indentation: indentation + 2)
    text += String(repeating: " ", count: indentation) + "- " + item.text.dropFirst(indentation + 2)
  }

  /// Returns whether a text can stand without quotes and escapes, on lines of its own.
  private static func standsAsItIs(_ text: String) -> Bool {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1, let first = lines.first, !first.isEmpty, first.utf8.first != 0x20,
      !text.hasSuffix("\n\n"), !text.hasSuffix(" ")
    else { return false }
    return lines.allSatisfy { line in
      line.unicodeScalars.allSatisfy(isPrintable) && !(line.allSatisfy { $0 == " " } && line != "")
    }
  }

  private mutating func line(_ text: String, _ indentation: Int) {
    self.text += String(repeating: " ", count: indentation) + text + "\n"
  }

  // MARK: - On one line

  private static func isFlowing(_ value: YAMLValue) -> Bool {
    switch value {
    case .text, .constant: true
    case .lines: false
    case .list(let items): items.allSatisfy(isFlowing)
    case .fields(let entries):
      entries.allSatisfy { $0.key.utf8.count <= longestKey / 5 && isFlowing($0.value) }
    case .section(let entries): entries.isEmpty
    }
  }

  private static func flow(_ value: YAMLValue) -> String {
    switch value {
    case .text(let text), .lines(let text): return scalar(text, isInFlow: true)
    case .constant(let text): return text
    case .list(let items): return "[" + items.map(flow).joined(separator: ", ") + "]"
    case .fields(let entries), .section(let entries):
      guard !entries.isEmpty else { return "{}" }
      let fields = entries.map { "\(scalar($0.key, isInFlow: true)): \(flow($0.value))" }
      return "{ " + fields.joined(separator: ", ") + " }"
    }
  }

  // MARK: - Texts

  /// Returns a text as a scalar, quoted if it could be read as another value.
  private static func scalar(_ text: String, isInFlow: Bool) -> String {
    isPlain(text, isInFlow: isInFlow) ? text : quoted(text)
  }

  private static let constants: Set = [
    "true", "false", "yes", "no", "on", "off", "y", "n", "null",
  ]

  private static func isPlain(_ text: String, isInFlow: Bool) -> Bool {
    guard let first = text.unicodeScalars.first, isLetter(first), text.utf8.last != 0x20,
      !constants.contains(text.lowercased())
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      isLetter(scalar) || ("0"..."9").contains(scalar)
        || "_.()/-?@$ ".unicodeScalars.contains(scalar)
        || !isInFlow && ",[]".unicodeScalars.contains(scalar)
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      || (0xC0...0x2FF).contains(scalar.value) || (0x370...0x1FFF).contains(scalar.value)
  }

  private static func quoted(_ text: String) -> String {
    // Expressions have quotes of their own, which are better read unescaped.
    if text.utf8.contains(UInt8(ascii: "\"")), text.unicodeScalars.allSatisfy(isPrintable) {
      let scalars = text.unicodeScalars.flatMap { $0 == "'" ? [$0, $0] : [$0] }
      return "'" + String(String.UnicodeScalarView(scalars)) + "'"
    }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        // Scalars are no closed set of ours.
        if isPrintable(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
      }
    }
    return result + "\""
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD: true
    case 0x1_0000...0x10_FFFF: true
    default: false
    }
  }
}
