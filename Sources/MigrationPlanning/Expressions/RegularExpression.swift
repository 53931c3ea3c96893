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
    var rest = Array(template.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "$":
        guard let digit = rest.first, ("0"..."9").contains(digit) else {
          result.unicodeScalars.append(scalar)
          continue
        }
        rest.removeFirst()
        result += digit == "0" ? "\\&" : "\\\(digit)"
      case "\\":
        let escaped = rest.popFirst() ?? scalar
        result += escaped == "\\" ? "\\\\" : String(escaped)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The characters that ICU's `.` matches.
  private static let anyButLineEnds = "[^\\n\\r\\u0085\\u2028\\u2029]"
  /// Letters that mean the same after a backslash in both.
  private static let sharedEscapes: Set<Unicode.Scalar> = [
    "d", "D", "w", "W", "s", "S", "n", "r", "t", "f", "a", "e", "A",
  ]

  init(_ source: String) throws(ExpressionFault) {
    var rest = Array(source.unicodeScalars)[...]
    if rest.starts(with: "(?i)".unicodeScalars) {
      ignoresCase = true
      rest = rest.dropFirst(4)
    }
    var depth = 0
    while let scalar = rest.popFirst() {
      switch scalar {
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
        guard let last = body.unicodeScalars.last, last != "(", last != "|", !body.hasSuffix("(?:")
        else {
          throw Self.unsupported("\"\(scalar)\" after nothing", source)
        }
        body += try Self.quantifier(scalar, &rest, source)
      default: body.unicodeScalars.append(scalar)
      }
    }
    guard depth == 0 else { throw Self.unsupported("an unmatched \"(\"", source) }
  }

  // MARK: - Pieces

  private static func escape(
    _ rest: inout ArraySlice<Unicode.Scalar>,
    isInBrackets: Bool,
    _ source: String
  ) throws(ExpressionFault) -> String {
    guard let scalar = rest.popFirst() else {
      throw unsupported("a backslash at the end", source)
    }
    if sharedEscapes.contains(scalar),
      !(isInBrackets && "DWSA".unicodeScalars.contains(scalar))
    {
      return "\\\(scalar)"
    }
    switch scalar {
    case "b" where !isInBrackets: return "\\y"
    case "B" where !isInBrackets: return "\\Y"
    case "z" where !isInBrackets, "Z" where !isInBrackets: return "\\Z"
    case "x": return "\\u00" + (try digits(2, &rest, source))
    case "u": return "\\u" + (try digits(4, &rest, source))
    case "U": return "\\U" + (try digits(8, &rest, source))
    case let digit where ("1"..."9").contains(digit) && !isInBrackets: return "\\\(digit)"
    case let other where other.properties.isAlphabetic || other.properties.numericType != nil:
      throw unsupported("\"\\\(other)\"", source)
    case let sign: return "\\\(sign)"
    }
  }

  private static func digits(
    _ count: Int,
    _ rest: inout ArraySlice<Unicode.Scalar>,
    _ source: String
  ) throws(ExpressionFault) -> String {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.properties.isASCIIHexDigit) else {
      throw unsupported("an escape without \(count) hexadecimal digits", source)
    }
    rest = rest.dropFirst(count)
    return Self.text(digits)
  }

  private static func bracket(
    _ rest: inout ArraySlice<Unicode.Scalar>,
    _ source: String
  ) throws(ExpressionFault) -> String {
    var text = "["
    if rest.first == "^" {
      rest.removeFirst()
      text += "^"
    }
    var isEmpty = true
    while let scalar = rest.popFirst() {
      switch scalar {
      case "]" where !isEmpty: return text + "]"
      case "\\": text += try escape(&rest, isInBrackets: true, source)
      case "[" where rest.first == ":":
        guard let end = rest.firstIndex(of: "]") else {
          throw unsupported("an unmatched \"[\"", source)
        }
        text += "[" + Self.text(rest[..<end]) + "]"
        rest = rest[(end + 1)...]
      case "[", "]": throw unsupported("a set within a set", source)
      case "&" where rest.first == "&", "-" where rest.first == "-":
        throw unsupported("an operation on sets", source)
      default: text.unicodeScalars.append(scalar)
      }
      isEmpty = false
    }
    throw unsupported("an unmatched \"[\"", source)
  }

  private static func group(
    _ rest: inout ArraySlice<Unicode.Scalar>,
    _ source: String
  ) throws(ExpressionFault) -> String {
    guard rest.first == "?" else { return "(" }
    for prefix in ["?:", "?=", "?!", "?<=", "?<!"] where rest.starts(with: prefix.unicodeScalars) {
      rest = rest.dropFirst(prefix.unicodeScalars.count)
      return "(" + prefix
    }
    throw unsupported("\"(\(Self.text(rest.prefix(2)))\"", source)
  }

  private static func quantifier(
    _ scalar: Unicode.Scalar,
    _ rest: inout ArraySlice<Unicode.Scalar>,
    _ source: String
  ) throws(ExpressionFault) -> String {
    var text = String(scalar)
    if scalar == "{" {
      let inside = rest.prefix { $0 != "}" }
      let bounds = inside.split(separator: ",", omittingEmptySubsequences: false)
      let isUsable =
        inside.count < rest.count && (1...2).contains(bounds.count)
        && bounds.enumerated().allSatisfy { index, bound in
          (index == 1 && bound.isEmpty) || (Int(Self.text(bound)).map { (0...255) ~= $0 } ?? false)
        }
      guard isUsable else { throw unsupported("a repetition beyond 0 to 255", source) }
      text += Self.text(inside) + "}"
      rest = rest.dropFirst(inside.count + 1)
    }
    if rest.first == "+" { throw unsupported("a possessive repetition", source) }
    if rest.first == "?" {
      rest.removeFirst()
      text += "?"
    }
    return text
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private static func unsupported(_ what: String, _ source: String) -> ExpressionFault {
    .unsupported(
      "The regular expression \"\(source)\" has \(what), which PostgreSQL's do not have",
      hint: "Write it with plain sets, groups and repetitions."
    )
  }
}
