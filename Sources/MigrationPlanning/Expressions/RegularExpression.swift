/// A regular expression of a model, in ICU's syntax, translated to an equivalent one of PostgreSQL.
///
/// It rewrites syntax that PostgreSQL reads differently, and refuses syntax that PostgreSQL lacks.
struct RegularExpression: Hashable {
  /// A Boolean value that indicates whether capital letters equal small ones.
  var ignoresCase = false
  private var body = ""

  /// The pattern, which the whole text has to match.
  var pattern: String { "\(ignoresCase ? "(?i)" : "")^(?:\(body))$" }

  /// The pattern, which a part of the text has to match.
  var partPattern: String { "\(ignoresCase ? "(?i)" : "")(?:\(body))" }

  /// Translates ICU's template for the replacement of a match, with `$1` for a group, to
  /// PostgreSQL's.
  static func replacement(_ template: String) -> String {
    var result = ""
    var rest = Array(template)[...]
    while let character = rest.popFirst() {
      switch character {
      case "$":
        guard let digit = rest.first, ("0"..."9").contains(digit) else {
          result.append(character)
          continue
        }
        rest.removeFirst()
        result += digit == "0" ? "\\&" : "\\\(digit)"
      case "\\":
        let escaped = rest.popFirst() ?? character
        result += escaped == "\\" ? "\\\\" : String(escaped)
      default: result.append(character)
      }
    }
    return result
  }

  /// The characters that ICU's `.` matches.
  private static let anyButLineEnds = "[^\\n\\r\\u0085\\u2028\\u2029]"
  /// Letters that mean the same after a backslash in both.
  private static let sharedEscapes: Set<Character> = [
    "d", "D", "w", "W", "s", "S", "n", "r", "t", "f", "a", "e", "A",
  ]

  init(_ source: String) throws(ExpressionFault) {
    var rest = Array(source)[...]
    if source.hasPrefix("(?i)") {
      ignoresCase = true
      rest = rest.dropFirst(4)
    }
    var depth = 0
    while let character = rest.popFirst() {
      switch character {
      case "\\": body += try Self.escape(&rest, isInBrackets: false, source)
      case "[": body += try Self.bracket(&rest, source)
      case ".": body += Self.anyButLineEnds
      case "(":
        depth += 1
        body += try Self.group(&rest, source)
      case ")":
        depth -= 1
        guard depth >= 0 else { throw Self.unsupported("an unmatched \")\"", source) }
        body += ")"
      case "*", "+", "?", "{":
        guard let last = body.last, last != "(", last != "|", !body.hasSuffix("(?:") else {
          throw Self.unsupported("\"\(character)\" after nothing", source)
        }
        body += try Self.quantifier(character, &rest, source)
      default: body.append(character)
      }
    }
    guard depth == 0 else { throw Self.unsupported("an unmatched \"(\"", source) }
  }

  // MARK: - Pieces

  private static func escape(
    _ rest: inout ArraySlice<Character>,
    isInBrackets: Bool,
    _ source: String
  ) throws(ExpressionFault) -> String {
    guard let character = rest.popFirst() else {
      throw unsupported("a backslash at the end", source)
    }
    if sharedEscapes.contains(character), !(isInBrackets && "DWSA".contains(character)) {
      return "\\\(character)"
    }
    switch character {
    case "b" where !isInBrackets: return "\\y"
    case "B" where !isInBrackets: return "\\Y"
    case "z" where !isInBrackets, "Z" where !isInBrackets: return "\\Z"
    case "x": return "\\u00" + (try digits(2, &rest, source))
    case "u": return "\\u" + (try digits(4, &rest, source))
    case "U": return "\\U" + (try digits(8, &rest, source))
    case let digit where ("1"..."9").contains(digit) && !isInBrackets: return "\\\(digit)"
    case let other where other.isLetter || other.isNumber:
      throw unsupported("\"\\\(other)\"", source)
    case let sign: return "\\\(sign)"
    }
  }

  private static func digits(
    _ count: Int,
    _ rest: inout ArraySlice<Character>,
    _ source: String
  ) throws(ExpressionFault) -> String {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isHexDigit) else {
      throw unsupported("an escape without \(count) hexadecimal digits", source)
    }
    rest = rest.dropFirst(count)
    return String(digits)
  }

  private static func bracket(
    _ rest: inout ArraySlice<Character>,
    _ source: String
  ) throws(ExpressionFault) -> String {
    var text = "["
    if rest.first == "^" {
      rest.removeFirst()
      text += "^"
    }
    var isEmpty = true
    while let character = rest.popFirst() {
      switch character {
      case "]" where !isEmpty: return text + "]"
      case "\\": text += try escape(&rest, isInBrackets: true, source)
      case "[" where rest.first == ":":
        guard let end = rest.firstIndex(of: "]") else {
          throw unsupported("an unmatched \"[\"", source)
        }
        text += "[" + String(rest[..<end]) + "]"
        rest = rest[(end + 1)...]
      case "[", "]": throw unsupported("a set within a set", source)
      case "&" where rest.first == "&", "-" where rest.first == "-":
        throw unsupported("an operation on sets", source)
      default: text.append(character)
      }
      isEmpty = false
    }
    throw unsupported("an unmatched \"[\"", source)
  }

  private static func group(
    _ rest: inout ArraySlice<Character>,
    _ source: String
  ) throws(ExpressionFault) -> String {
    guard rest.first == "?" else { return "(" }
    for prefix in ["?:", "?=", "?!", "?<=", "?<!"] where rest.starts(with: Array(prefix)) {
      rest = rest.dropFirst(prefix.count)
      return "(" + prefix
    }
    throw unsupported("\"(\(String(rest.prefix(2)))\"", source)
  }

  private static func quantifier(
    _ character: Character,
    _ rest: inout ArraySlice<Character>,
    _ source: String
  ) throws(ExpressionFault) -> String {
    var text = String(character)
    if character == "{" {
      let inside = rest.prefix { $0 != "}" }
      let bounds = inside.split(separator: ",", omittingEmptySubsequences: false)
      let isUsable =
        inside.count < rest.count && (1...2).contains(bounds.count)
        && bounds.enumerated().allSatisfy { index, bound in
          (index == 1 && bound.isEmpty) || (Int(String(bound)).map { (0...255) ~= $0 } ?? false)
        }
      guard isUsable else { throw unsupported("a repetition beyond 0 to 255", source) }
      text += String(inside) + "}"
      rest = rest.dropFirst(inside.count + 1)
    }
    if rest.first == "+" { throw unsupported("a possessive repetition", source) }
    if rest.first == "?" {
      rest.removeFirst()
      text += "?"
    }
    return text
  }

  private static func unsupported(_ what: String, _ source: String) -> ExpressionFault {
    .unsupported(
      "The regular expression \"\(source)\" has \(what), which PostgreSQL's do not have",
      hint: "Write it with plain sets, groups and repetitions."
    )
  }
}
