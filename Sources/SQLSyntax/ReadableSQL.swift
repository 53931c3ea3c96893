/// SQL in a form that people and `psql` read as the server does.
///
/// Names and strings with characters that hide, move or reorder text are written with escapes,
/// `U&"…"` and `E'…'`, so that the text shown is the statement that runs. A string over several
/// lines is written in one line, and so is the body of a function that the server has quoted, so
/// that nothing inside them looks like a line of Remodel's own. A colon never begins a variable of
/// `psql`, and a backslash never begins one of its commands.
public struct ReadableSQL: Hashable, Sendable {
  /// The reasons why `psql` would read SQL differently from the server.
  public enum Fault: Hashable, Sendable {
    /// A character that begins a command of `psql`, or that not all versions read alike; SQL has none
    /// outside of strings, quoted names and comments.
    case stray(Unicode.Scalar)
    /// A string, a quoted name or a comment has no end, so it would swallow the following text.
    case unterminated
    /// A statement copies from or to the client, so the following text would be read as rows.
    case copy
  }

  /// The SQL.
  package let text: String
  /// The first fault; none if a script may have the SQL.
  package let fault: Fault?
  /// A Boolean value that indicates whether the last line ends in a comment.
  package let endsInComment: Bool

  /// Reads SQL.
  package init(_ sql: String) {
    let lexer = SQLLexer(sql)
    let tokens = Array(lexer)
    var writer = ReadableWriter(scalars: lexer.scalars)
    writer.write(tokens)
    text = writer.isChanged ? String(writer.written) : sql
    fault = writer.fault
    let isInLine = tokens.last.map {
      $0.kind == .comment && lexer.scalars[$0.range.lowerBound] == "-"
    }
    endsInComment = isInLine ?? false
  }
}

/// Writes tokens so that people and `psql` read them as the server does.
private struct ReadableWriter {
  let scalars: [Unicode.Scalar]
  private(set) var written = String.UnicodeScalarView()
  private(set) var isChanged = false
  private(set) var fault: ReadableSQL.Fault?
  /// Whether a statement begins here.
  private var isBeginning = true

  init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  mutating func write(_ tokens: [SQLLexer.Token]) {
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      index += 1
      if !token.isTerminated { note(.unterminated) }
      switch token.kind {
      case .space:
        if scalars[token.range].contains("\u{B}") { note(.stray("\u{B}")) }
        write(token.range)
      case .comment:
        let hasLines = scalars[token.range.lowerBound] == "/"
        write(token.range) {
          $0.isHiding && $0 != "\t" && !(hasLines && $0 == "\n") ? $0.shown : nil
        }
      case .word, .number, .parameter:
        if let hiding = scalars[token.range].first(where: \.isHiding) { note(.stray(hiding)) }
        let word = String(String.UnicodeScalarView(scalars[token.range]))
        if isBeginning, word.uppercased() == "COPY" { note(.copy) }
        write(token.range)
      case .string(let prefix, _):
        let first = index - 1
        while let next = tokens[index...].firstIndex(where: { !$0.isSkipped }),
          case .string(_, isContinuation: true) = tokens[next].kind
        {
          index = next + 1
        }
        let parts = tokens[first..<index].filter { !$0.isSkipped }
        if parts.dropFirst().contains(where: { !$0.isTerminated }) { note(.unterminated) }
        string(parts, prefix)
      case .quotedName(let isUnicode): quotedName(token, isUnicode: isUnicode)
      case .dollarQuoted(let delimiter): dollarQuoted(token, delimiter)
      case .symbol: symbol(token)
      }
      if !token.isSkipped {
        isBeginning = token.kind == .symbol && scalars[token.range.lowerBound] == ";"
      }
    }
  }

  private mutating func note(_ found: ReadableSQL.Fault) {
    fault = fault ?? found
  }

  private mutating func write(
    _ range: Range<Int>,
    _ replacement: (Unicode.Scalar) -> String? = { _ in nil }
  ) {
    for scalar in scalars[range] {
      if let text = replacement(scalar) {
        write(text)
      } else {
        written.append(scalar)
      }
    }
  }

  /// Writes text that is not in the source.
  private mutating func write(_ text: String) {
    // Several at once would copy what is written.
    for scalar in text.unicodeScalars { written.append(scalar) }
    isChanged = true
  }

  private mutating func symbol(_ token: SQLLexer.Token) {
    let first = scalars[token.range.lowerBound]
    if first == "\\" || first.isHiding { note(.stray(first)) }
    write(token.range)
    // A slice's bound is no variable of psql's if a space is before it.
    guard first == ":", token.range.count == 1, token.range.upperBound < scalars.count else {
      return
    }
    let next = scalars[token.range.upperBound]
    if next.continuesWord || "'\"{".unicodeScalars.contains(next) { write(" ") }
  }

  // MARK: - Quotes

  /// Writes a string with its continuations on the next lines.
  private mutating func string(_ parts: [SQLLexer.Token], _ prefix: SQLLexer.Token.StringPrefix) {
    guard let first = parts.first, let last = parts.last else { return }
    let whole = first.range.lowerBound..<last.range.upperBound
    let escapes = prefix == .escapes
    guard last.isTerminated else { return write(whole) }
    let content = parts.flatMap { contents(of: $0, escapes: escapes) }
    let hiding = content.first { $0.isHiding && !$0.isLayout }
    // psql reads line by line and takes a continuation for a string without backslashes.
    guard hiding != nil || content.contains("\n") || parts.count > 1 && escapes else {
      return write(whole)
    }
    // B'…', X'…', N'…' and U&'…' cannot be E'…' as well; the server writes none over several lines.
    let isAfterWord =
      first.range.lowerBound > 0 && scalars[first.range.lowerBound - 1].continuesName
    guard prefix == .none && !isAfterWord || escapes else {
      if let hiding { note(.stray(hiding)) }
      return write(whole)
    }
    write(escapes ? String(scalars[first.range.lowerBound]) + "'" : "E'")
    for scalar in content {
      if scalar.isHiding, scalar != "\t" {
        write(scalar.escaped)
      } else {
        if !escapes, scalar == "\\" { written.append("\\") }
        written.append(scalar)
      }
    }
    written.append("'")
  }

  /// Returns the text between the quotes of a string.
  private func contents(of part: SQLLexer.Token, escapes: Bool) -> [Unicode.Scalar] {
    let quoted = scalars[part.range].drop { $0 != "'" }.dropFirst().dropLast()
    guard escapes else { return Array(quoted) }
    var content: [Unicode.Scalar] = []
    var rest = quoted[...]
    while let next = rest.popFirst() {
      guard next == "\\" else {
        content.append(next)
        continue
      }
      // A backslash before any other character has no effect.
      let escaped = rest.popFirst()
      if escaped.map({ !$0.isHiding || $0 == "\t" }) ?? true { content.append(next) }
      if let escaped { content.append(escaped) }
    }
    return content
  }

  private mutating func quotedName(_ token: SQLLexer.Token, isUnicode: Bool) {
    guard token.isTerminated, !isUnicode, scalars[token.range].contains(where: \.isHiding) else {
      return write(token.range)
    }
    write("U&\"")
    for scalar in scalars[token.range].dropFirst().dropLast() {
      switch scalar {
      case "\\": write("\\\\")
      case _ where scalar.isHiding:
        let isShort = scalar.value <= 0xFFFF
        write("\\" + (isShort ? "" : "+") + scalar.digits(isShort ? 4 : 6))
      case _: written.append(scalar)
      }
    }
    written.append("\"")
  }

  private mutating func dollarQuoted(_ token: SQLLexer.Token, _ delimiter: Int) {
    let tag = scalars[token.range].prefix(delimiter)
    let content = scalars[token.range].dropFirst(delimiter).dropLast(delimiter)
    let isOfServer = Self.tagsOfServer.contains { tag.starts(with: $0.unicodeScalars) }
    guard token.isTerminated,
      content.contains(where: { $0.isHiding && !$0.isLayout || isOfServer && $0 == "\n" })
    else {
      return write(token.range)
    }
    write("E'")
    for scalar in content {
      switch scalar {
      case "'": write("''")
      case "\\": write("\\\\")
      case _ where scalar.isHiding && (!scalar.isLayout || isOfServer): write(scalar.escaped)
      case _: written.append(scalar)
      }
    }
    written.append("'")
  }

  /// The tags of the dollar quotes that the server puts around the bodies of functions.
  private static let tagsOfServer = ["$function", "$procedure"]
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether it hides, moves or reorders text on display: a control
  /// character, a format character, or one that ends a line or a paragraph.
  package var isHiding: Bool {
    // Nearly all text is this.
    if value >= 0x20, value < 0x7F { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    // Letters and marks that nothing is drawn for, and the empty pattern of Braille.
    case _: properties.isDefaultIgnorableCodePoint || value == 0x2800
    }
  }

  /// Its name in a message.
  package var nameInText: String {
    isHiding ? "U+\(digits(4))" : "\"\(self)\""
  }

  /// Whether it is a line break or a tabulator of a text that may have several lines.
  fileprivate var isLayout: Bool { self == "\n" || self == "\t" }

  /// Its form in a text for people.
  package var shown: String { "\u{27E8}U+\(String(value, radix: 16, uppercase: true))\u{27E9}" }

  /// Its form in `E'…'`.
  fileprivate var escaped: String {
    if self == "\n" { return "\\n" }
    return value <= 0xFFFF ? "\\u\(digits(4))" : "\\U\(digits(8))"
  }

  fileprivate func digits(_ count: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}

extension String {
  /// The text for people: line breaks and tabulators unchanged, other characters that hide, move or
  /// reorder text as the numbers of their code points.
  package var shown: String { showing { $0 == "\n" || $0 == "\t" } }

  /// A name as people are shown it, in which a line break is as odd as the rest.
  package var shownInLine: String { showing { _ in false } }

  private func showing(_ isKept: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: { $0.isHiding && !isKept($0) }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isHiding, !isKept(scalar) {
        text += scalar.shown
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Sequence<String> {
  /// The texts as people are shown them one below the other: a line break in a name begins no other.
  package var shownInLines: String { map(\.shownInLine).joined(separator: "\n") }
}
