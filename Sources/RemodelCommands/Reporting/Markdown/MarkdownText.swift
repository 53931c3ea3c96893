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
    mutating func appendInterpolation(code: String) {
      text += "<code>\(MarkdownText.escaped(code))</code>"
    }

    /// Appends a text that may contain names: special characters become their numbers.
    mutating func appendInterpolation(plain: String) { text += MarkdownText.escaped(plain) }
  }

  /// Returns a block of code, between fences that it does not have itself.
  static func block(_ code: String, language: StaticString) -> MarkdownText {
    var longest = 2
    var run = 0
    for character in code {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    var block: MarkdownText = ""
    block.text = "\(fence)\(language)\n\(code)\n\(fence)"
    return block
  }

  /// Without the others these begin nothing.
  private static let harmless = Set(",;\"'()/=?-".unicodeScalars)

  fileprivate static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || harmless.contains(scalar)
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
        .privateUse:
        result += " "
      case .spaceSeparator: result += " "
      case _ where isPlain: result.unicodeScalars.append(scalar)
      case _: result += "&#\(scalar.value);"
      }
    }
    return result
  }
}
