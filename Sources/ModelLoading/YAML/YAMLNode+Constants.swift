import ObjectModel

/// Constants that are written as YAML's own lists and mappings.
extension YAMLNode {
  /// The node as a JSON document: scalars without quotes are null, truth values and numbers.
  var json: String {
    switch content {
    case .scalar(let text, let isPlain):
      if isNull { return "null" }
      return isPlain && Self.isConstant(text) ? text : Self.quoted(text)
    case .sequence(let items): return "[" + items.map(\.json).joined(separator: ", ") + "]"
    case .mapping(let entries):
      let members = entries.map { Self.quoted($0.key) + ": " + $0.value.json }
      return "{" + members.joined(separator: ", ") + "}"
    }
  }

  /// The node as a constant of an array; none if it is no list of scalars.
  ///
  /// `[1, 2]` and PostgreSQL's own `{1,2}`, which is a mapping to YAML, are the same.
  var arrayConstant: String? {
    let items: [YAMLNode]
    switch content {
    case .scalar: return nil
    case .sequence(let list): items = list
    case .mapping(let entries):
      guard entries.allSatisfy(\.value.isNull) else { return nil }
      return "{" + entries.map { Self.element($0.key) }.joined(separator: ",") + "}"
    }
    var elements: [String] = []
    for item in items {
      guard case .scalar(let text, _) = item.content else { return nil }
      elements.append(item.isNull ? "NULL" : Self.element(text))
    }
    return "{" + elements.joined(separator: ",") + "}"
  }

  /// Returns whether JSON has a word or a number for a scalar without quotes.
  private static func isConstant(_ text: String) -> Bool {
    text.first != "\"" && AttributeValue(text, of: .json) != nil
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns an element of an array, in quotes where it has to be.
  private static func element(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.lowercased() != "null"
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0123456789._-+:".unicodeScalars.contains($0)
      }
    guard !isPlain else { return text }
    // By code points: a combining mark hides no quote.
    let scalars = text.unicodeScalars.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
  }
}
