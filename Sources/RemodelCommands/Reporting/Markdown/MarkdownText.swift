/// Text of GitHub's Markdown, in which text of models and databases has no special meaning.
struct MarkdownText: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The text as it is written.
  private(set) var text: String

  init(stringLiteral value: StaticString) { text = value.description }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Literal text is Markdown, and interpolated text is escaped.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    mutating func appendInterpolation(_ other: MarkdownText) { text += other.text }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }

    /// Puts in a text as code, in which nothing is a mention, a reference or a link.
    mutating func appendInterpolation(code: String) { text += MarkdownText.span(code) }

    /// Appends a text that may contain names: what would have a meaning is escaped.
    mutating func appendInterpolation(plain: String) { text += MarkdownText.escaped(plain) }
  }

  /// Returns a block of code, between fences that it does not have itself.
  static func block(_ code: String, language: StaticString) -> MarkdownText {
    let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: code) + 1))
    var block: MarkdownText = ""
    block.text = "\(fence)\(language)\n\(code)\n\(fence)"
    return block
  }

  private static func longestRun(of mark: Unicode.Scalar, in text: String) -> Int {
    var longest = 0
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar == mark ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }

  /// Returns a text as a span of code, between more backticks than it has in a row.
  private static func span(_ code: String) -> String {
    let code = shown(code)
    // A cell of a table would end at the bar, even in code.
    let scalars = code.unicodeScalars
    guard !scalars.contains("|"), scalars.contains(where: { $0 != " " }) else {
      return "<code>\(escaped(code))</code>"
    }
    let ticks = String(repeating: "`", count: longestRun(of: "`", in: code) + 1)
    let isPadded =
      scalars.first == "`" || scalars.last == "`" || scalars.first == " " && scalars.last == " "
    let space = isPadded ? " " : ""
    return ticks + space + code + space + ticks
  }

  /// Returns a text without invisible characters, in one line.
  private static func shown(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
        .privateUse, .spaceSeparator:
        result += " "
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a text in which nothing begins, ends or separates anything.
  fileprivate static func escaped(_ text: String) -> String {
    let scalars = Array(shown(text).unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : nil
      let after = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch scalar {
      case "<": result += "&lt;"
      case "@": result += "@<!-- -->"
      case "\\", "`", "*", "[", "|", "~", "$":
        result += number(scalar)
      case "_" where !(isWord(before) && isWord(after)): result += number(scalar)
      case "&" where isWord(after) || after == "#": result += "&amp;"
      // A scheme, a picture, a reference.
      case ":" where after != nil && after != " ": result += number(scalar)
      case "#" where index == 0 || isWord(after): result += number(scalar) + "<!-- -->"
      case "." where ends(scalars[..<index], with: "www"): result += number(scalar)
      // At the beginning of a line or an item.
      case "-", "+", ">", "=", "#":
        if index == 0 { result += number(scalar) } else { result.unicodeScalars.append(scalar) }
      case ".", ")":
        let isItem =
          scalars[..<index].allSatisfy { ("0"..."9").contains($0) } && (after ?? " ") == " "
        if isItem { result += number(scalar) } else { result.unicodeScalars.append(scalar) }
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func number(_ scalar: Unicode.Scalar) -> String { "&#\(scalar.value);" }

  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  private static func ends(_ scalars: ArraySlice<Unicode.Scalar>, with word: String) -> Bool {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars.suffix(word.utf8.count))
    return text.lowercased() == word
  }
}
