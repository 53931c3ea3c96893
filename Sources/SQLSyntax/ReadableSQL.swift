/// SQL as people and `psql` read it: it means to both what it means to the server.
///
/// Names and strings with characters that hide, move or turn text stand there with escapes, `U&"…"` and
/// `E'…'`, so that nobody is shown another statement than the one that runs. A string over several lines
/// stands in one, and so does the body of a function that the server has quoted: nothing in them passes for
/// a line of ours. A colon begins no variable of `psql`, nor does a backslash begin one of its commands.
public struct ReadableSQL: Hashable, Sendable {
  /// What `psql` would take for something else than the server does.
  public enum Fault: Hashable, Sendable {
    /// A character that begins a command of `psql`, or that not all versions read alike; SQL has none
    /// outside of strings, quoted names and comments.
    case stray(Unicode.Scalar)
    /// A string, a quoted name or a comment has no end, so that what comes after it would belong to it.
    case unterminated
    /// A statement copies from or to the client: what comes after it would be taken for rows.
    case copy
  }

  /// The SQL.
  public let text: String
  /// The first fault; none if a script may have the SQL.
  public let fault: Fault?
  /// A Boolean value that indicates whether what comes after it in the same line is in a comment.
  public let endsInComment: Bool

  /// Reads SQL.
  public init(_ sql: String) {
    var scanner = ReadableScanner(scalars: Array(sql.unicodeScalars))
    scanner.run()
    text = scanner.isChanged ? String(scanner.written) : sql
    fault = scanner.fault
    endsInComment = scanner.endsInComment
  }
}

/// Takes SQL apart by the rules that the server and `psql` share.
private struct ReadableScanner {
  let scalars: [Unicode.Scalar]
  private(set) var position = 0
  private(set) var written = String.UnicodeScalarView()
  private(set) var isChanged = false
  private(set) var fault: ReadableSQL.Fault?
  private(set) var endsInComment = false
  /// Whether a statement begins here.
  private var isBeginning = true

  init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  mutating func run() {
    while let first = scalar() {
      let start = position
      let wasBeginning = isBeginning
      isBeginning = false
      switch first {
      case " ", "\t", "\n", "\r", "\u{C}":
        isBeginning = wasBeginning
        position += 1
      case "-" where scalar(1) == "-":
        isBeginning = wasBeginning
        skipLine()
        endsInComment = position == scalars.count
        write(from: start) { $0.isHiding && $0 != "\t" ? $0.shown : nil }
        continue
      case "/" where scalar(1) == "*":
        isBeginning = wasBeginning
        skipComment()
        write(from: start) { $0.isHiding && !$0.isLayout ? $0.shown : nil }
        continue
      case "'":
        string(escapes: false, from: start)
        continue
      case "\"":
        quotedName(from: start)
        continue
      case "$":
        dollar(from: start)
        continue
      case ":":
        position += scalar(1) == ":" ? 2 : 1
        write(from: start)
        // A slice's bound is no variable of psql's if a space is before it.
        if position == start + 1, let next = scalar(),
          next.continuesWord || "'\"{".unicodeScalars.contains(next)
        {
          written.append(" ")
          isChanged = true
        }
        continue
      case ";":
        isBeginning = true
        position += 1
      case _ where first.beginsWord:
        word(from: start, isFirst: wasBeginning)
        continue
      case _:
        if first == "\\" || first.isHiding { note(.stray(first)) }
        position += 1
      }
      write(from: start)
    }
  }

  private func scalar(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private mutating func note(_ found: ReadableSQL.Fault) {
    fault = fault ?? found
  }

  private mutating func write(
    from start: Int,
    _ replacement: (Unicode.Scalar) -> String? = { _ in nil }
  ) {
    for scalar in scalars[start..<position] {
      if let text = replacement(scalar) {
        written.append(contentsOf: text.unicodeScalars)
        isChanged = true
      } else {
        written.append(scalar)
      }
    }
  }

  // MARK: - Comments

  private mutating func skipLine() {
    while let next = scalar(), next != "\n", next != "\r" { position += 1 }
  }

  /// Comments nest.
  private mutating func skipComment() {
    var depth = 0
    while let first = scalar() {
      if first == "/", scalar(1) == "*" {
        depth += 1
        position += 2
      } else if first == "*", scalar(1) == "/" {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        position += 1
      }
    }
    note(.unterminated)
  }

  // MARK: - Quotes

  /// Reads a string, with what goes on in the next lines.
  private mutating func string(escapes: Bool, from start: Int) {
    var content: [Unicode.Scalar] = []
    position += 1
    var isOpen = true
    var isContinued = false
    while isOpen {
      guard let next = scalar() else {
        note(.unterminated)
        return write(from: start)
      }
      position += 1
      if escapes, next == "\\" {
        // Before a character that has no other name, a backslash says nothing.
        let escaped = scalar()
        if escaped.map({ !$0.isHiding || $0 == "\t" }) ?? true { content.append(next) }
        if let escaped { content.append(escaped) }
        position = min(position + 1, scalars.count)
      } else if next != "'" {
        content.append(next)
      } else if scalar() == "'" {
        content += ["'", "'"]
        position += 1
      } else if let end = continuation() {
        isContinued = true
        position = end
      } else {
        isOpen = false
      }
    }
    let hiding = content.first { $0.isHiding && !$0.isLayout }
    // psql reads line by line: to it, what goes on in the next one is a string without backslashes.
    guard hiding != nil || content.contains("\n") || isContinued && escapes else {
      return write(from: start)
    }
    // B'…', X'…', N'…' and U&'…' cannot be E'…' as well; the server writes none over several lines.
    if !escapes, start > 0, scalars[start - 1] == "&" || scalars[start - 1].continuesWord {
      if let hiding { note(.stray(hiding)) }
      return write(from: start)
    }
    isChanged = true
    if !escapes { written.append("E") }
    written.append("'")
    for scalar in content {
      if scalar.isHiding, scalar != "\t" {
        written.append(contentsOf: scalar.escaped.unicodeScalars)
      } else {
        if !escapes, scalar == "\\" { written.append("\\") }
        written.append(scalar)
      }
    }
    written.append("'")
  }

  /// Returns where a string goes on that has ended here: after a line break, at the next quote.
  private func continuation() -> Int? {
    var index = position
    var hasBreak = false
    while index < scalars.count {
      switch scalars[index] {
      case "\n", "\r":
        hasBreak = true
        index += 1
      case " ", "\t", "\u{C}": index += 1
      case "-" where index + 1 < scalars.count && scalars[index + 1] == "-":
        while index < scalars.count, scalars[index] != "\n", scalars[index] != "\r" { index += 1 }
      case "'" where hasBreak: return index + 1
      case _: return nil
      }
    }
    return nil
  }

  private mutating func quotedName(from start: Int) {
    var name: [Unicode.Scalar] = []
    position += 1
    while let next = scalar() {
      position += 1
      if next != "\"" {
        name.append(next)
      } else if scalar() == "\"" {
        name += ["\"", "\""]
        position += 1
      } else {
        let isEscaped =
          start >= 2 && scalars[start - 1] == "&"
          && "uU".unicodeScalars.contains(scalars[start - 2])
        guard name.contains(where: \.isHiding), !isEscaped else { return write(from: start) }
        return writeEscaped(name)
      }
    }
    note(.unterminated)
    write(from: start)
  }

  private mutating func writeEscaped(_ name: [Unicode.Scalar]) {
    isChanged = true
    written.append(contentsOf: "U&\"".unicodeScalars)
    for scalar in name {
      switch scalar {
      case "\\": written.append(contentsOf: "\\\\".unicodeScalars)
      case _ where scalar.isHiding:
        let isShort = scalar.value <= 0xFFFF
        written.append(
          contentsOf: ("\\" + (isShort ? "" : "+") + scalar.digits(isShort ? 4 : 6)).unicodeScalars
        )
      case _: written.append(scalar)
      }
    }
    written.append("\"")
  }

  private mutating func dollar(from start: Int) {
    var end = position + 1
    while end < scalars.count,
      end == position + 1 ? scalars[end].beginsWord : scalars[end].continuesWord
    {
      end += 1
    }
    guard end < scalars.count, scalars[end] == "$" else {
      position += 1
      return write(from: start)
    }
    let tag = Array(scalars[position...end])
    let body = end + 1
    var close = body
    while close + tag.count <= scalars.count, !scalars[close..<close + tag.count].elementsEqual(tag)
    {
      close += 1
    }
    guard close + tag.count <= scalars.count else {
      note(.unterminated)
      position = scalars.count
      return write(from: start)
    }
    position = close + tag.count
    let content = scalars[body..<close]
    let isOfOthers = Self.tagsOfServer.contains { tag.starts(with: $0.unicodeScalars) }
    guard content.contains(where: { $0.isHiding && !$0.isLayout || isOfOthers && $0 == "\n" })
    else {
      return write(from: start)
    }
    isChanged = true
    written.append(contentsOf: "E'".unicodeScalars)
    for scalar in content {
      switch scalar {
      case "'": written.append(contentsOf: "''".unicodeScalars)
      case "\\": written.append(contentsOf: "\\\\".unicodeScalars)
      case _ where scalar.isHiding && (!scalar.isLayout || isOfOthers):
        written.append(contentsOf: scalar.escaped.unicodeScalars)
      case _: written.append(scalar)
      }
    }
    written.append("'")
  }

  /// What the quotes begin with that the server puts around the bodies of functions.
  private static let tagsOfServer = ["$function", "$procedure"]

  // MARK: - Words

  private mutating func word(from start: Int, isFirst: Bool) {
    while let next = scalar(), next.continuesWord || next == "$" { position += 1 }
    let word = scalars[start..<position]
    if word.contains(where: \.isHiding) { note(.stray(word.first(where: \.isHiding) ?? "\\")) }
    let text = String(String.UnicodeScalarView(word))
    if isFirst, text.uppercased() == "COPY" { note(.copy) }
    if text == "E" || text == "e", scalar() == "'" {
      write(from: start)
      return string(escapes: true, from: position)
    }
    write(from: start)
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether it hides, moves or turns text where it is shown: a control
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

  /// What it is called in a message.
  package var nameInText: String {
    isHiding ? "U+\(digits(4))" : "\"\(self)\""
  }

  /// Whether it is a line break or a tabulator of a text that may have several lines.
  fileprivate var isLayout: Bool { self == "\n" || self == "\t" }

  /// What stands for it in a text for people.
  package var shown: String { "\u{27E8}U+\(String(value, radix: 16, uppercase: true))\u{27E9}" }

  /// What stands for it in `E'…'`.
  fileprivate var escaped: String {
    if self == "\n" { return "\\n" }
    return value <= 0xFFFF ? "\\u\(digits(4))" : "\\U\(digits(8))"
  }

  fileprivate func digits(_ count: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  fileprivate var beginsWord: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || value >= 0x80
  }

  fileprivate var continuesWord: Bool { beginsWord || ("0"..."9").contains(self) }
}

extension String {
  /// The text as people are shown it: line breaks and tabulators as they are, what else hides, moves or
  /// turns text as the number of its code point.
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
